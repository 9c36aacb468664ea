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

/// One compile that an executor made, and why.
struct CompileEvent {
  std::string reason;  ///< "first call", or the guard that failed: "input x: size of dim 0 is 5,
                       ///< compiled for 8"
  CompileTimes times;
};

struct ExecutorStatistics {
  std::uint64_t calls = 0;
  std::uint64_t eagerCalls = 0;  ///< calls that fell back to eager after the recompile limit
  std::uint64_t guardFailures = 0;
  int graphs = 1;  ///< pieces that the last call's program ran in: with graph breaks several
  std::vector<CompileEvent> compiles;  ///< first and re-compiles, in order
};

/// How a program becomes launches. Written once over Backend.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Runs the program once. There must be as many inputs as the program has, of computable dtypes;
  /// throws ProgramError if their shapes do not fit. The results stay valid until the next call;
  /// those that a program has copied to host memory end with the executor.
  virtual std::span<const Tensor> call(std::span<const Tensor> inputs) = 0;
  virtual const ExecutorStatistics& statistics() const = 0;

  /// The plan that the next call with inputs of these forms runs. Throws ProgramError if they do
  /// not fit. The plan reads the executor's program, which must outlive it.
  virtual Plan plan(Forms inputs) const = 0;
  /// For a program with choices by tensors' contents, the plan of each way through it; else plan().
  virtual std::vector<Plan> plans(Forms inputs) const {
    std::vector<Plan> one;
    one.push_back(plan(inputs));
    return one;
  }
  /// The last call's results are no longer wanted: they need not be kept until the next.
  virtual void releaseOutputs() {}
  /// The forms of that plan's inputs: those of the call's, unless something is prepared of them.
  virtual std::vector<Form> formsOfPlan(Forms inputs) const {
    std::vector<Form> forms;
    for (std::size_t i = 0; i < inputs.size(); ++i) forms.push_back(inputs[i]);
    return forms;
  }
  /// Bytes of inputs that calls read no more, for something was prepared of them.
  virtual std::size_t unreadBytes(std::span<const Tensor> /*inputs*/) const { return 0; }
  virtual const SharedProgram& program() const = 0;

  /// The kernels of that plan's steps, in order, as they would be compiled; library calls are left
  /// out.
  std::vector<Kernel> kernels(std::span<const Tensor> inputs) const;
  /// Those steps that run as op lists.
  std::vector<OpList> opLists(std::span<const Tensor> inputs) const;
};

/// A kind of executor: one row of a table, and everything that others need to know of it.
struct ExecutorInfo {
  std::string_view name;
  std::string_view doc;      ///< one line
  PlanOptions plan{};        ///< how it makes steps of a program
  bool captures = false;     ///< needs BackendTraits::canCapture
  bool specialises = false;  ///< has guards, and compiles again where they fail
  std::unique_ptr<Executor> (*make)(Backend& backend, const SharedProgram& program,
                                    const ExecutorOptions& options) = nullptr;

  bool runsEveryOp() const { return plan.grouping == PlanOptions::Grouping::perOp; }
  bool runsOpLists() const { return plan.code == PlanOptions::StepCode::opList; }
  /// Whether it waits for a condition wherever a program has one, as a framework does.
  bool dividesFreely() const { return runsEveryOp() && !captures; }
  /// Whether each program has kernels of its own, which a first call waits for; else programs share
  /// what there is.
  bool compilesPrograms() const { return !runsEveryOp() && !runsOpLists(); }
};
/// The executors there are, in the order in which they are offered.
std::span<const ExecutorInfo> executorTable();
/// Null if there is none of this name.
const ExecutorInfo* findExecutor(std::string_view name);
/// Throws std::invalid_argument that names those there are.
const ExecutorInfo& executorNamed(std::string_view name);
/// Those of them that the backend can run.
std::vector<ExecutorInfo> executorsOn(const Backend& backend);

/// The executable that the backend runs a library call by. Throws std::runtime_error if it has
/// none.
std::shared_ptr<const Executable> libraryOf(Backend& backend, const LibraryCall& call,
                                            CompileTimes& times);

/// Throws ProgramError that says where a program chooses by what tensors hold, and what to do so
/// that this executor runs it.
[[noreturn]] void refuseUndivided(const Program& program, std::string_view executor);

/// Throws std::invalid_argument for an unknown name, and for an executor that captures, runs
/// op lists or compiles on a backend that cannot.
std::unique_ptr<Executor> makeExecutor(std::string_view name, Backend& backend,
                                       SharedProgram program, ExecutorOptions options = {});
/// The same on what is prepared of the program's held inputs once; see PreparedExecutor.
std::unique_ptr<Executor> makePreparedExecutor(std::string_view name, Backend& backend,
                                               const Program& program,
                                               const ExecutorOptions& options = {});
inline std::unique_ptr<Executor> makeExecutor(std::string_view name, Backend& backend,
                                              Program program, ExecutorOptions options = {}) {
  return makeExecutor(name, backend, shared(std::move(program)), std::move(options));
}

}  // namespace fusebench
