// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/executor.h"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/language/program_errors.h"
#include "engine/plan/chosen_stacks.h"
#include "engine/plan/folded_norms.h"
#include "engine/plan/step_lowering.h"
#include "engine/run/branching_executor.h"
#include "engine/run/checked_once_executor.h"
#include "engine/run/compiled.h"
#include "engine/run/delivery.h"
#include "engine/run/eager.h"
#include "engine/run/pages_executor.h"
#include "engine/run/prepared_executor.h"
#include "engine/run/replay.h"

namespace fusebench {

std::vector<Kernel> Executor::kernels(std::span<const Tensor> inputs) const {
  const Plan made = plan(inputs);
  std::vector<Kernel> kernels;
  for (const Step& step : made.steps)
    if (isKernel(step)) kernels.push_back(lowerKernel(made, step).kernel);
  return kernels;
}

std::vector<OpList> Executor::opLists(std::span<const Tensor> inputs) const {
  const Plan made = plan(inputs);
  std::vector<OpList> lists;
  for (const Step& step : made.steps)
    if (step.kind == Step::Kind::opList)
      lists.emplace_back(lowerOpList(made, step).list).program = program();
  return lists;
}

std::shared_ptr<const Executable> libraryOf(Backend& backend, const LibraryCall& call,
                                            CompileTimes& times) {
  std::shared_ptr<const Executable> made = backend.library(call, times);
  if (!made)
    throw std::runtime_error(call.ofRanks()
                                 ? saying("the {} device is not part of a group of ranks, which {} "
                                          "needs; run it on the cpu or on a GPU",
                                          backend.name(), call.name)
                                 : saying("the {} device has no library for {}; run it on the cpu",
                                          backend.name(), call.name));
  return made;
}

namespace {

using Grouping = PlanOptions::Grouping;
using StepCode = PlanOptions::StepCode;

constexpr PlanOptions kPerOp{.grouping = Grouping::perOp};
constexpr PlanOptions kExact{};
constexpr PlanOptions kSymbolic{.specialize = Specialize::symbolic};
constexpr PlanOptions kOpLists{.specialize = Specialize::symbolic, .code = StepCode::opList};

constexpr PlanOptions kept(PlanOptions options) {
  options.keepsMemory = true;
  return options;
}

std::unique_ptr<Executor> eager(Backend& backend, const SharedProgram& program,
                                const ExecutorOptions& options) {
  return std::make_unique<EagerExecutor>(backend, program, options.search, options.overlap);
}

template <const PlanOptions& kPlan>
std::unique_ptr<Executor> compiled(Backend& backend, const SharedProgram& program,
                                   const ExecutorOptions& options) {
  return std::make_unique<CompiledExecutor>(backend, program, kPlan, options);
}

template <auto kInner>
std::unique_ptr<Executor> replayed(Backend& backend, const SharedProgram& program,
                                   const ExecutorOptions& options) {
  // Nothing can wait while launches are recorded: the checked tensors are returned, and inspected
  // afterward.
  const SharedProgram inner =
      checksValues(*program) ? shared(withCheckedReturned(*program)) : program;
  return std::make_unique<ReplayExecutor>(backend, program, kInner(backend, inner, options),
                                          options.recordings, options.stays);
}

constexpr std::array<ExecutorInfo, 6> kTable = {{
    {.name = "eager",
     .doc = "one launch per op, checked, dispatched and allocated each time",
     .plan = kPerOp,
     .make = eager},
    {.name = "static",
     .doc = "fused, compiled for the exact shapes; recompiles when they change",
     .plan = kExact,
     .specializes = true,
     .make = compiled<kExact>},
    {.name = "dynamic",
     .doc = "fused, compiled for any shape of the same rank and layout",
     .plan = kSymbolic,
     .specializes = true,
     .make = compiled<kSymbolic>},
    {.name = "instant",
     .doc = "fused with no compile, from prebuilt pieces chained at run time",
     .plan = kOpLists,
     .specializes = true,
     .make = compiled<kOpLists>},
    {.name = "replay",
     .doc = "the eager launches, recorded once per shape and replayed as one graph",
     .plan = kept(kPerOp),
     .captures = true,
     .make = replayed<eager>},
    {.name = "static+replay",
     .doc = "the static launches, recorded once per shape and replayed",
     .plan = kept(kExact),
     .captures = true,
     .specializes = true,
     .make = replayed<compiled<kExact>>},
}};

}  // namespace

std::span<const ExecutorInfo> executorTable() {
  return kTable;
}

const ExecutorInfo* findExecutor(std::string_view name) {
  const auto found = std::ranges::find(kTable, name, &ExecutorInfo::name);
  return found == kTable.end() ? nullptr : &*found;
}

const ExecutorInfo& executorNamed(std::string_view name) {
  if (const ExecutorInfo* found = findExecutor(name)) return *found;
  std::string names;
  for (const ExecutorInfo& executor : kTable)
    names += (names.empty() ? "" : ", ") + std::string(executor.name);
  throw std::invalid_argument(saying("no executor called '{}'; there are {}", name, names));
}

namespace {

/// Why the executor cannot run there, in one line; empty where it can.
std::string whyNot(const ExecutorInfo& executor, const Backend& backend) {
  if (executor.runsOpLists())
    return backend.traits().runsOpLists
               ? std::string()
               : saying("the device {} cannot chain ops without compiling them", backend.name());
  if (!executor.compilesPrograms() && backend.traits().shipsOps) return {};
  const std::string missing = backend.missingCompiler();
  return missing.empty()
             ? missing
             : saying("the device {} cannot compile kernels: {}", backend.name(), missing);
}

/// The executor without what options wrap around it. If plans fold norms and there are some to
/// fold, it runs the prepared program, unless held inputs are delivered to each call like all
/// others.
std::unique_ptr<Executor> madeWhole(const ExecutorInfo& wanted, Backend& backend,
                                    const SharedProgram& program, const ExecutorOptions& options) {
  if (!program->branches.empty())
    return std::make_unique<BranchingExecutor>(wanted, backend, program, options);
  if (wanted.plan.grouping == PlanOptions::Grouping::fused)
    if (SharedProgram without = CheckedOnceExecutor::programWithout(*program))
      return std::make_unique<CheckedOnceExecutor>(backend, program,
                                                   madeWhole(wanted, backend, without, options));
  if (wanted.plan.grouping == PlanOptions::Grouping::fused && wanted.compilesPrograms())
    if (std::optional<Program> chosen = withChosenStacks(*program))
      return madeWhole(wanted, backend, std::make_shared<const Program>(std::move(*chosen)),
                       options);
  if (options.delivery.from == Delivery::From::device &&
      planOptionsFor(wanted.plan, backend.traits(), options.planChoices()).foldsNorms) {
    if (const std::optional<Program> folded = withFoldedNorms(*program)) {
      ExecutorOptions inner = options;
      inner.pages = Pages::kept;
      inner.delivery = {};
      return std::make_unique<PreparedExecutor>(wanted.name, backend, *folded, inner);
    }
  }
  return wanted.make(backend, program, options);
}

}  // namespace

std::vector<ExecutorInfo> executorsOn(const Backend& backend) {
  std::vector<ExecutorInfo> found;
  for (const ExecutorInfo& executor : kTable)
    if ((!executor.captures || backend.traits().canCapture) && whyNot(executor, backend).empty())
      found.push_back(executor);
  return found;
}

void refuseUndivided(const Program& program, std::string_view executor) {
  const Branch& branch = program.branches.front();
  failProgram(branch.place,
              fmt::format("found 'if' on a tensor's values; {} only runs programs without such a "
                          "choice: write torch.where(condition, a, b), or give the variant "
                          "\"graphBreaks\": true, which splits the program there",
                          executor));
}

std::unique_ptr<Executor> makeExecutor(std::string_view name, Backend& backend,
                                       SharedProgram program, ExecutorOptions options) {
  const ExecutorInfo& wanted = executorNamed(name);
  if (std::string why = whyNot(wanted, backend); !why.empty()) throw std::invalid_argument(why);
  if (wanted.compilesPrograms() && options.fastMath && !backend.traits().hasFastMath)
    throw std::invalid_argument(
        saying("the device {} has no approximate functions: leave out fastMath", backend.name()));
  if (wanted.captures && isFresh(options.pages))
    throw std::invalid_argument(
        saying("{} keeps the memory of what it recorded: \"pages\" cannot be fresh", name));
  if (!program->branches.empty() && !options.graphBreaks && !wanted.dividesFreely())
    refuseUndivided(*program, name);
  std::unique_ptr<Executor> made = madeWhole(wanted, backend, program, options);
  if (options.pages != Pages::kept)
    made = std::make_unique<PagesExecutor>(backend, std::move(made), options.pages);
  if (!options.delivery.delivers()) return made;
  return std::make_unique<DeliveringExecutor>(backend, std::move(made), options.delivery);
}

std::unique_ptr<Executor> makePreparedExecutor(std::string_view name, Backend& backend,
                                               const Program& program,
                                               const ExecutorOptions& options) {
  return std::make_unique<PreparedExecutor>(name, backend, program, options);
}

}  // namespace fusebench
