// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/cell_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"
#include "engine/plan/copy_text.h"
#include "engine/plan/plan_text.h"
#include "engine/plan/step_lowering.h"
#include "engine/plan/storages.h"
#include "engine/run/executor.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"
#include "profiler/machine/machine.h"
#include "profiler/measure/cell_runner.h"
#include "profiler/measure/checkpoint_budget.h"

namespace fusebench {
namespace {

/// The op of `program`'s return that comes first, or the number of ops.
std::size_t firstReturnOp(const Program& program) {
  std::size_t op = 0;
  while (op < program.ops.size() && program.ops[op].statement >= 0) ++op;
  return op;
}

/// The same experiment with single inputs: code depends on their shapes alone.
Experiment withFirstInputs(Experiment experiment) {
  for (InputSet& set : experiment.inputSets) set.count = 1;
  return experiment;
}

GeneratedCode readable(const Kernel& kernel, const Program& program) {
  GeneratedCode code{"readable", {}, {}};
  for (const KernelLine& line : readableLines(kernel, &program)) {
    code.text += line.text + "\n";
    code.lineOps.push_back(line.op);
  }
  return code;
}

}  // namespace

std::vector<int> opsAsWritten(const Program& cell, const Program& written) {
  std::vector<int> ops(cell.ops.size(), -1);
  const std::size_t ownReturn = firstReturnOp(cell), itsReturn = firstReturnOp(written);
  for (std::size_t i = 0; i < cell.ops.size(); ++i) {
    const int statement = cell.ops[i].statement;
    if (statement < 0) {
      const std::size_t op = i - ownReturn + itsReturn;
      if (op < written.ops.size()) ops[i] = static_cast<int>(op);
    } else if (!written.statements.empty()) {
      const auto s = static_cast<std::size_t>(statement);
      const int offset = static_cast<int>(i) - cell.statements[s].firstOp;
      ops[i] = written.statements[s % written.statements.size()].firstOp + offset;
    }
  }
  return ops;
}

namespace {

/// The op of the text at the place of an op of a rewritten program; the number of ops: there is
/// none.
std::size_t placeOf(const Op& each, const Program& text) {
  const auto same = std::ranges::find_if(text.ops, [&](const Op& op) {
    return op.statement == each.statement && op.frame == each.frame &&
           op.place.line == each.place.line && op.place.column == each.place.column;
  });
  return static_cast<std::size_t>(same - text.ops.begin());
}

/// The ops of the text that a layer has in its weight and bias: each reads the one before it.
std::vector<std::size_t> foldedInto(const Op& layer, const Program& text) {
  std::vector<std::size_t> ops;
  std::size_t last = placeOf(layer, text);
  for (int folded = 0; folded < layer.folded && last < text.ops.size(); ++folded) {
    const ValueId value = text.result(static_cast<int>(last));
    const auto next = std::ranges::find_if(text.ops, [&](const Op& op) {
      return std::ranges::any_of(op.operands,
                                 [&](const Operand& operand) { return operand.value == value; });
    });
    last = static_cast<std::size_t>(next - text.ops.begin());
    if (last < text.ops.size()) ops.push_back(last);
  }
  return ops;
}

/// Maps statements for a program that was printed again, by the positions of its ops in the text.
std::vector<int> byPlace(const std::vector<int>& written, const Program& text, const Program& run) {
  std::vector<int> ops;
  for (const Op& each : run.ops) {
    const std::size_t same = placeOf(each, text);
    ops.push_back(same == text.ops.size() ? -1 : written[same]);
  }
  return ops;
}

/// The same for the ops that are run: one that makes a gradient is its op's.
std::vector<int> ofPlan(const std::vector<int>& written, const Program& run) {
  std::vector<int> ops;
  for (std::size_t i = 0; i < run.ops.size(); ++i) {
    const int of = run.ops[i].derivativeOf;
    const std::size_t op = of >= 0 ? static_cast<std::size_t>(of) : i;
    ops.push_back(op < written.size() ? written[op] : -1);
  }
  return ops;
}

}  // namespace

CellCode::CellCode(Backend& backend, const Experiment& experiment, CellKey key)
    : backend_(backend),
      key_(std::move(key)),
      program_(programOf(backend, experiment, key_)),
      opsWritten_(opsAsWritten(program_, experiment.programOf(experiment.variants.at(
                                             static_cast<std::size_t>(key_.variant))))) {
  const Experiment single = withFirstInputs(experiment);
  InputStore store(backend, single, availableMemory());
  const std::size_t bytes = store.plan(key_).totalBytes;
  if (bytes > store.available() / 2)
    throw Unavailable(saying("the inputs need {}, more than half of the free memory",
                             bytesText(static_cast<double>(bytes))));
  const auto list = store.get(key_);
  const std::vector<Tensor>& inputs = list->entries.front();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    inputs_ += fmt::format("{}{} {}", i ? ", " : "", program_.inputs[i], toString(inputs[i].shape));
  const Variant& variant = experiment.variants.at(static_cast<std::size_t>(key_.variant));
  VariantExecutor executors(backend, variant, shared(program_));
  const auto executor = executors.make(list->entries);
  const Plan plan = executor->plan(inputs);
  const std::vector<std::int64_t> symbols = symbolsOf(plan, executor->formsOfPlan(inputs));
  for (const Plan& way : executor->plans(inputs))
    planText_ += (planText_.empty() ? "" : "\n") +
                 toText(way, symbolsOf(way, executor->formsOfPlan(inputs)));
  run_ = plan.settled ? plan.settled : executor->program();
  listStorages(plan, symbols);
  // Where something is prepared of held inputs, the program that runs has other inputs.
  const std::vector<int> ownWritten = opsWritten_;
  opsWritten_ = run_->inputs == program_.inputs ? ofPlan(opsWritten_, *run_)
                                                : byPlace(opsWritten_, program_, *run_);
  for (const Step& step : plan.steps) {
    Made& made = made_.emplace_back();
    KernelInfo& info = kernels_.emplace_back();
    info.name = kernelName(*plan.program, step.group.ops);
    info.backward = std::ranges::all_of(step.group.ops, [&](int op) {
      return plan.program->ops[static_cast<std::size_t>(op)].derivativeOf >= 0;
    });
    const auto add = [&](int written) {
      if (written >= 0 && std::ranges::find(info.ops, written) == info.ops.end())
        info.ops.push_back(written);
    };
    for (const int op : step.group.ops) {
      add(opsWritten_.at(static_cast<std::size_t>(op)));
      for (const std::size_t folded :
           foldedInto(plan.program->ops[static_cast<std::size_t>(op)], program_))
        add(ownWritten.at(folded));
      const int statement = plan.program->ops[static_cast<std::size_t>(op)].statement;
      if (info.statements.empty() || info.statements.back() != statement)
        info.statements.push_back(statement);
    }
    if (isCall(step.kind)) {
      LoweredCall lowered = lowerCall(plan, step);
      made.call = std::move(lowered.call);
      made.call->search = variant.options.search;
      for (const SymbolicSize& size : lowered.integers)
        made.integers.push_back(size.evaluate(symbols));
      continue;
    }
    if (step.kind == Step::Kind::copy) {
      made.copy = copyText(plan, step);
      continue;
    }
    made.kernel = lowerKernel(plan, step).kernel;
    if (step.kind == Step::Kind::opList) {
      made.list = lowerOpList(plan, step).list;
      made.list->program = run_;
    }
  }
}

void CellCode::listStorages(const Plan& plan, std::span<const std::int64_t> symbols) {
  const Program& program = *plan.program;
  // By name: values prepared from held inputs are in their place.
  const auto isHeld = [&](Slot slot) {
    const auto found = std::ranges::find(program_.inputs, program.inputs[slot]);
    return found == program_.inputs.end() ||
           std::ranges::any_of(program_.held, [&](const HeldInput& held) {
             return held.input == found - program_.inputs.begin();
           });
  };
  for (const Storage& storage : storagesOf(plan, symbols)) {
    const bool input = storage.kind == Storage::Kind::input;
    if (!input && storage.firstStep < 0) continue;  // a value that is in another's memory
    StorageInfo& info = storages_.emplace_back();
    info.kind = input && isHeld(storage.slot) ? "held" : std::string(name(storage.kind));
    info.memory = nameOf(storage.memory);
    info.bytes = static_cast<std::int64_t>(storage.bytes);
    info.first = storage.firstStep;
    info.last = storage.lastStep;
    if (input) {
      info.name = program.inputs[storage.slot];
      continue;
    }
    const ValueId value = plan.valueAt(storage.slot);
    const Op& op = program.ops[static_cast<std::size_t>(value) - plan.inputs()];
    info.name = op.row->name;
    if (op.statement < 0 || op.derivativeOf >= 0) continue;
    const Statement& statement = program.statements[static_cast<std::size_t>(op.statement)];
    if (statement.value == value) info.name = statement.target;
  }
}

std::vector<GeneratedCode> CellCode::textsOf(const Made& made) {
  if (!made.copy.empty()) return {{"readable", made.copy, {-1}}};
  if (made.call) {
    GeneratedCode asked{"readable", readableText(*made.call, made.integers.data()), {}};
    asked.lineOps.assign(static_cast<std::size_t>(std::ranges::count(asked.text, '\n')),
                         made.call->op);
    std::vector<GeneratedCode> texts{std::move(asked)};
    for (GeneratedCode& code : backend_.code(*made.call, made.integers.data()))
      texts.push_back(std::move(code));
    return texts;
  }
  std::vector<GeneratedCode> texts{readable(*made.kernel, *run_)};
  for (GeneratedCode& code : made.list ? backend_.code(*made.list) : backend_.code(*made.kernel))
    texts.push_back(std::move(code));
  return texts;
}

const std::vector<GeneratedCode>& CellCode::languages(std::size_t kernel) {
  const Made& made = made_.at(kernel);
  const auto [found, isNew] = languages_.try_emplace(kernel);
  if (!isNew) return found->second;
  found->second = textsOf(made);
  for (GeneratedCode& code : found->second)
    for (int& op : code.lineOps) op = op < 0 ? -1 : opsWritten_.at(static_cast<std::size_t>(op));
  return found->second;
}

}  // namespace fusebench
