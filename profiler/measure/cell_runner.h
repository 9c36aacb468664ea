// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/device/backend.h"
#include "engine/run/executor.h"
#include "profiler/experiment/inputs.h"
#include "profiler/measure/device_passes.h"
#include "profiler/measure/recorded_calls.h"
#include "profiler/measure/reference_memo.h"
#include "profiler/measure/variant_executor.h"
#include "profiler/protocol/protocol.h"
#include "profiler/run/call_anatomy.h"
#include "profiler/run/run.h"

namespace fusebench {

/// The cell cannot run here, e.g. for lack of memory. what() has the reason, in one line.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Work was abandoned because a stop was requested.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

struct CompileMeasuring {
  int repeats = 5;       ///< first-ever compiles; 0: compile time is not measured
  double seconds = 1e9;  ///< no further repeat begins after this time
};

/// How inputs are cut where a check of all of their elements would take too long.
struct SmallerInputs {
  std::int64_t rows = 0;  ///< how many leading elements along a dimension are kept; 0: all
  int dim = 0;            ///< the dimension
  std::optional<std::size_t> only;  ///< only this input is cut
};

/// Runs one cell in this process: compiles it, counts its work, times it, checks it.
class CellRunner {
 public:
  /// `stop` is checked between passes; when set, work ends with Stopped. `ranks`: the others that
  /// run the cell, too, each in a process of its own; null: there are none. Decisions that depend
  /// on a clock are then rank 0's, so that all make the same calls. `references`: the reference's
  /// results for other cells of the experiment on these inputs.
  CellRunner(Backend& backend, InputStore& inputs, ReferenceMemo& references,
             const Experiment& experiment, CellKey key, const std::atomic<bool>& stop,
             RankGroup* ranks = nullptr);

  /// Compiles as often as requested and fills in the cell's measured members (not samples, not the
  /// check). Throws Unavailable, ProgramError, std::runtime_error.
  void prepare(const CompileMeasuring& measuring, Cell& cell);

  /// Kernels that the last prepare() loaded into memory.
  std::int64_t kernelsMade() const { return kernelsMade_; }

  /// Times whole passes over the input list, after an untimed one of at most 1 ms. The first call
  /// warms up with 20 calls, or for a second, and finds how many passes a sample takes. If all
  /// inputs have the same form and a pass takes more than 0.1 s, a sample covers the part of it
  /// that takes this time, and the next sample continues there. On a device that works on its own
  /// it also takes the device's times, see DevicePasses.
  TakenSample sample();

  struct Check {
    double relativeError = 0;
    std::optional<Accuracy> accuracy;
    std::string note;  ///< what was checked, if not everything
    /// Where relativeError is notable: the effect of rounding each operation on the program, by the
    /// same measure.
    std::optional<double> roundingError;
  };
  Check check();

  /// For a worker that is another program and uses the same inputs and reference; the cell need not
  /// be prepared, nor its executor be one of ours. A file that is there already is kept. With
  /// several ranks, each has a file: see fileOfRank().
  /// Throws Unavailable, std::runtime_error.
  void writeInputs(const std::string& path);
  enum class Checked { reference, results };
  /// The data that check() uses, with the reference's results or, for a prepared cell, its own.
  void writeChecked(const std::string& path, Checked what);

  /// Makes the calls that sample() times once more with marks at every step, and returns how their
  /// time divides. It is a separate pass: none of its times is a latency.
  CallAnatomy trace();

  /// Records ten calls one after another, span by span, in several rounds: the usual one of them.
  RecordedCalls record(Recorder::Level level = Recorder::Level::split);

 private:
  /// The inputs of a check.
  struct CheckedInputs {
    std::vector<std::vector<Tensor>> entries;
    std::vector<std::int64_t> numbers;       ///< their numbers in the cell's list
    SmallerInputs smaller;                   ///< what is kept of them
    std::vector<std::vector<Tensor>> exact;  ///< as float32 where they are narrower; else none
    bool separate = false;                   ///< their shapes are not those that the cell runs on
    std::string note;
  };

  /// Takes the cell's inputs. The program writes to copies of its own, which restoreInputs() resets
  /// to the initial values.
  void takeInputs();
  void restoreInputs();
  void restoreEntry(std::size_t entry);
  /// Restores the inputs of the next call, which must be of the cell's list, if each call is to
  /// begin with them.
  void beginCall(const std::vector<Tensor>& inputs);
  bool resets() const { return given_ && experiment_.measure.resetsEachCall(); }
  /// A call that is not timed.
  void call(const std::vector<Tensor>& inputs);
  DevicePasses isolated(const InputList& list, DeviceTimer* timer, std::int64_t passes,
                        DeviceStall* stall = nullptr);

  std::unique_ptr<Executor> fresh();
  std::int64_t agreed(std::int64_t ours) const;
  std::vector<std::vector<Tensor>> exactInputs(const std::vector<std::size_t>& entries) const;
  CheckedInputs checkedInputs();
  double roundingErrorOf(const std::vector<Tensor>& inputs,
                         const std::vector<ReferenceResult>& expected);
  std::vector<Tensor> inputsOf(const CheckedInputs& checked, std::size_t which, int rank);
  std::shared_ptr<const ReferenceMemo::Results> expectedOf(const CheckedInputs& checked,
                                                           std::size_t which);
  int rank() const { return ranks_ ? ranks_->rank() : 0; }
  void chooseThreads();
  std::vector<Plan> possiblePlans(const std::vector<Form>& inputs) const;
  std::size_t workingBytes(const std::vector<Form>& inputs) const;
  void demandTime() const;
  void demandMemory() const;
  void compileRepeatedly(const CompileMeasuring& measuring, Cell& cell);
  CompileTimes compileOnce();
  void count(Cell& cell);
  void untimedPass();
  void markedCall(Recorder& recorder, const std::vector<Tensor>& inputs);
  Plan planOfCall(std::size_t call) const;
  std::vector<ExecutionBytes> bytesOfCalls() const;
  double plainCall(std::int64_t passes);
  const InputList& timedInputs();
  /// `call`: approximate time of one call, ns.
  void choosePart(std::int64_t call);
  std::int64_t timedPasses(std::int64_t passes, const InputList& list);
  std::int64_t resettingPasses(std::int64_t passes, const InputList& list);
  void sampleDevice(TakenSample& taken, const InputList& list);
  TakenSample takeSample();
  [[noreturn]] void failRunningAway(const ProgramError& error);
  void warmUp();
  void giveWay() const {
    if (stop_) throw Stopped();
  }

  Backend& backend_;
  InputStore& inputs_;
  ReferenceMemo& references_;
  const Experiment& experiment_;
  CellKey key_;
  const std::atomic<bool>& stop_;
  RankGroup* ranks_;
  SharedProgram shared_;
  const Program& program_;
  VariantExecutor executors_;
  std::unique_ptr<Executor> executor_;
  std::shared_ptr<const InputList> list_;
  std::vector<bool> written_;               ///< per input: whether the program writes to it
  std::shared_ptr<const InputList> given_;  ///< the shared inputs, if the program writes to some
  std::unique_ptr<DeviceTimer> timer_;      ///< null where the host's clock is the only one
  std::unique_ptr<DeviceStall> stall_;      ///< null where calls cannot be held back
  AllocatorStatistics before_;              ///< allocated before there was an executor
  std::size_t part_ = 0, next_ = 0;         ///< entries of a sample, and its first; 0: all
  InputList timed_;                         ///< the entries of such a part
  std::int64_t passes_ = 0;
  std::int64_t kernelsMade_ = 0;
};

}  // namespace fusebench
