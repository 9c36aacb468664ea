// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/cell_code.h"

#include <fmt/format.h>

#include "engine/plan/plan_text.h"
#include "engine/run/executor.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"
#include "profiler/machine/machine.h"
#include "profiler/measure/cell_runner.h"

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

CellCode::CellCode(Backend& backend, const Experiment& experiment, CellKey key)
    : backend_(backend),
      key_(std::move(key)),
      program_(programAt(experiment, key_)),
      opsWritten_(opsAsWritten(program_, experiment.programOf(experiment.variants.at(
                                             static_cast<std::size_t>(key_.variant))))) {
  const Experiment single = withFirstInputs(experiment);
  InputStore store(backend, single, availableMemory());
  const std::size_t bytes = store.plan(key_).totalBytes;
  if (bytes > store.available() / 2)
    throw Unavailable(fmt::format("the inputs need {}, more than half of the memory that is free",
                                  bytesText(static_cast<double>(bytes))));
  const auto list = store.get(key_);
  const std::vector<Tensor>& inputs = list->entries.front();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    inputs_ += fmt::format("{}{} {}", i ? ", " : "", program_.inputs[i], toString(inputs[i].shape));
  const Variant& variant = experiment.variants.at(static_cast<std::size_t>(key_.variant));
  const auto executor = makeExecutor(variant.executor, backend, program_, variant.options);
  const Plan plan = executor->plan(inputs);
  planText_ = toText(plan, symbolsOf(plan, inputs));
  made_ = executor->kernels(inputs);
  lists_ = executor->opLists(inputs);
  for (const Kernel& kernel : made_) {
    KernelInfo& info = kernels_.emplace_back();
    info.name = kernel.name;
    info.statements = kernel.statements;
    for (const int op : kernel.ops)
      info.ops.push_back(opsWritten_.at(static_cast<std::size_t>(op)));
  }
}

const std::vector<GeneratedCode>& CellCode::languages(std::size_t kernel) {
  const Kernel& made = made_.at(kernel);
  const auto [found, isNew] = languages_.try_emplace(kernel);
  if (!isNew) return found->second;
  found->second.push_back(readable(made, program_));
  auto texts = lists_.empty() ? backend_.code(made) : backend_.code(lists_.at(kernel));
  for (GeneratedCode& code : texts) found->second.push_back(std::move(code));
  for (GeneratedCode& code : found->second)
    for (int& op : code.lineOps) op = op < 0 ? -1 : opsWritten_.at(static_cast<std::size_t>(op));
  return found->second;
}

}  // namespace fusebench
