// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/backend.h"
#include "engine/device/tensor.h"
#include "engine/language/program.h"
#include "engine/plan/plan.h"
#include "engine/run/executor_options.h"

namespace fusebench {

/// One compile of an executor, and its reason.
struct CompileEvent {
  std::string reason;  ///< "first call", or the guard that failed: "input x: size of dim 0 is 5,
                       ///< compiled for 8"
  CompileTimes times;
};

struct ExecutorStatistics {
  std::uint64_t calls = 0;
  std::uint64_t eagerCalls = 0;  ///< calls that fell back to eager after the recompile limit
  std::uint64_t guardFailures = 0;
  int graphs = 1;  ///< pieces that the last call ran in: several if there are graph breaks
  std::vector<CompileEvent> compiles;  ///< first and re-compiles, in order
};

/// Turns a program into launches. Written once over Backend.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Runs the program once. There must be as many inputs as the program has, of supported dtypes;
  /// throws ProgramError if their shapes do not match. The results stay valid until the next call;
  /// results that a program has copied to host memory are freed with the executor.
  virtual std::span<const Tensor> call(std::span<const Tensor> inputs) = 0;
  virtual const ExecutorStatistics& statistics() const = 0;

  /// The plan that the next call with inputs of these forms runs. Throws ProgramError if they do
  /// not fit. The plan reads the executor's program, which must outlive it.
  virtual Plan plan(Forms inputs) const = 0;
  /// For a program with data-dependent control flow, the plan of each path through it; otherwise
  /// plan().
  virtual std::vector<Plan> plans(Forms inputs) const {
    std::vector<Plan> one;
    one.push_back(plan(inputs));
    return one;
  }
  /// Drops the last call's results, which are otherwise kept until the next call.
  virtual void releaseOutputs() {}
  /// The forms of that plan's inputs: the call's, unless some are prepared.
  virtual std::vector<Form> formsOfPlan(Forms inputs) const {
    std::vector<Form> forms;
    for (std::size_t i = 0; i < inputs.size(); ++i) forms.push_back(inputs[i]);
    return forms;
  }
  /// Bytes of inputs that calls no longer read, because values were prepared from them.
  virtual std::size_t unreadBytes(std::span<const Tensor> /*inputs*/) const { return 0; }
  virtual const SharedProgram& program() const = 0;

  /// The kernels of that plan's steps, in order, as they would be compiled; without library calls.
  std::vector<Kernel> kernels(std::span<const Tensor> inputs) const;
  /// Those steps that run as op lists.
  std::vector<OpList> opLists(std::span<const Tensor> inputs) const;
};

/// A kind of executor: one row of a table, with everything that other code needs to know about it.
struct ExecutorInfo {
  std::string_view name;
  std::string_view doc;      ///< one line
  PlanOptions plan{};        ///< how it divides a program into steps
  bool captures = false;     ///< needs BackendTraits::canCapture
  bool specializes = false;  ///< has guards, and compiles again where they fail
  std::unique_ptr<Executor> (*make)(Backend& backend, const SharedProgram& program,
                                    const ExecutorOptions& options) = nullptr;

  bool runsEveryOp() const { return plan.grouping == PlanOptions::Grouping::perOp; }
  bool runsOpLists() const { return plan.code == PlanOptions::StepCode::opList; }
  /// Whether it waits for a condition at any point of a program, as a framework does.
  bool dividesFreely() const { return runsEveryOp() && !captures; }
  /// Whether each program has its own kernels, for which a first call waits; otherwise programs
  /// share existing ones.
  bool compilesPrograms() const { return !runsEveryOp() && !runsOpLists(); }
};
/// All executors, in the order in which they are offered.
std::span<const ExecutorInfo> executorTable();
/// Null if there is none of this name.
const ExecutorInfo* findExecutor(std::string_view name);
/// Throws std::invalid_argument that names the existing ones.
const ExecutorInfo& executorNamed(std::string_view name);
/// The executors that the backend can run.
std::vector<ExecutorInfo> executorsOn(const Backend& backend);

/// The executable with which the backend runs a library call. Throws std::runtime_error if it has
/// none.
std::shared_ptr<const Executable> libraryOf(Backend& backend, const LibraryCall& call,
                                            CompileTimes& times);

/// Throws ProgramError that names the position where a program has data-dependent control flow, and
/// how to change it so that this executor can run it.
[[noreturn]] void refuseUndivided(const Program& program, std::string_view executor);

/// Throws std::invalid_argument for an unknown name, and for an executor that captures, runs
/// op lists or compiles on a backend that cannot.
std::unique_ptr<Executor> makeExecutor(std::string_view name, Backend& backend,
                                       SharedProgram program, ExecutorOptions options = {});
/// The same for a program whose constant inputs are prepared once; see PreparedExecutor.
std::unique_ptr<Executor> makePreparedExecutor(std::string_view name, Backend& backend,
                                               const Program& program,
                                               const ExecutorOptions& options = {});
inline std::unique_ptr<Executor> makeExecutor(std::string_view name, Backend& backend,
                                              Program program, ExecutorOptions options = {}) {
  return makeExecutor(name, backend, shared(std::move(program)), std::move(options));
}

}  // namespace fusebench
