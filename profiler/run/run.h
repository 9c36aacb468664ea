// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/device/compile_times.h"
#include "profiler/experiment/experiment.h"
#include "profiler/run/call_anatomy.h"
#include "profiler/statistics/statistics.h"

namespace fusebench {

/// Why sampling of a cell stopped.
enum class Stop : std::uint8_t {
  running,
  converged,
  cap,
  budget,
  coarse,
  interrupted,
  unavailable,
  failed
};
std::string_view name(Stop stop);

/// The additional times of a sample on a device that works on its own, in nanoseconds per call. The
/// sample's own time is W: calls in a row and one wait for them all.
struct DeviceTimes {
  double enqueue = 0;  ///< H: until the call returns to the host
  double event = 0;    ///< E: on the device's clock, between events around the calls as enqueued
  double single = 0;   ///< a synchronized call
  /// D: as E, of calls that were all enqueued before the device began, so that it never waits for
  /// the host; 0: not measured.
  double device = 0;

  friend bool operator==(const DeviceTimes&, const DeviceTimes&) = default;
};
inline bool isMeasured(const DeviceTimes& times, double DeviceTimes::*which) {
  return which != &DeviceTimes::device || times.device > 0;
}

/// One timed sample: mean time per call of some whole passes over the cell's inputs.
struct Sample {
  int round = 0;
  double nanoseconds = 0;
  std::optional<DeviceTimes> device{};
  double clockMegahertz = 0;  ///< clock of the device's processors, right after; 0: not known
  int session = 0;            ///< number, from 0, of the process that took it
  /// With several ranks each one's time, in order; the sample's is the slowest one's.
  std::vector<double> ranks{};
};

struct LaunchCounts {
  std::int64_t minimum = 0;
  double mean = 0;
  std::int64_t maximum = 0;
};

/// How far a cell's results are from the program's, computed in double on the same float32 values:
/// the loss of narrow types and bytes.
struct Accuracy {
  double relative = 0;  ///< root mean square of the difference over that of the exact results
  /// The same compared with the program's results in float32; nothing: the cell computes in
  /// float32.
  std::optional<double> fromFloat32;
  /// Fraction of rows whose greatest number is at the same position, where the program ends in a
  /// layer's rows of numbers, one per class.
  std::optional<double> sameClass;

  friend bool operator==(const Accuracy&, const Accuracy&) = default;
};

/// The measurements of one variant at one point of the axes. Times in nanoseconds per call, sizes
/// in bytes.
struct Cell {
  CellKey key;
  std::vector<Sample> samples;
  Stop stop = Stop::running;
  /// The least half-width of the interval over the median that the run's other cells imply, where
  /// the cell was found precise compared with them: its own samples may be close together by
  /// chance. 0: nothing.
  double leastPrecision = 0;
  /// The relative error of a simulated cell's model, 0 for a made-up device: its interval is at
  /// least as wide. Nothing for a measured cell, and for a model that was not compared with
  /// anything.
  std::optional<double> modelError;
  std::optional<LaunchCounts> launches;
  std::optional<std::int64_t> peakBytes;
  /// The same with a call's allocations in the allocator's blocks, up to a quarter larger.
  std::optional<std::int64_t> peakBlockBytes;
  /// Bytes read and written by the steps of a call's plan, each element of their tensors once: the
  /// mean over the inputs. Nothing for PyTorch's, and where a program chooses its way.
  std::optional<double> bytesMoved;
  std::vector<CompileTimes> firstCompiles;    ///< without any cache, one per repeat
  std::optional<CompileTimes> diskCompile;    ///< from the disk cache
  std::optional<CompileTimes> memoryCompile;  ///< kernels already in this process
  std::optional<int> recompiles;
  std::vector<std::string> recompileReasons;
  std::optional<double> eagerShare;  ///< fraction of calls that fell back to eager
  /// Pieces that a call's program is compiled in, one after another: 1, or more with graph breaks;
  /// nothing for executors that run op by op.
  std::optional<int> graphs;
  /// torch.compile's activation_memory_budget with which the variant's budget is kept.
  std::optional<double> memoryShare;
  std::optional<double> relativeError;  ///< against the double reference
  /// Where that is notable: the same for a reference that rounds each operation to its dtype. An
  /// error that rounding alone explains is not evidence against an executor.
  std::optional<double> roundingError;
  std::optional<Accuracy> accuracy;
  /// Largest relative difference from PyTorch's results on the same inputs, computed there in
  /// double precision where it can.
  std::optional<double> torchDifference;
  std::optional<std::string> error;  ///< one line, when unavailable or failed
  /// The cost of handing work to the cell's threads, measured where it was prepared, nanoseconds;
  /// none with one thread.
  std::optional<double> handOver;
  int inputsUsed = 0;  ///< length of the input list after it was shortened, if at all
  /// For a simulated cell: keys of effects that matter to its time and that the model omits, see
  /// engine/device/model_effects.h. No conclusions are drawn from such a time.
  std::vector<std::string> notModeled;
  std::string checkNote;               ///< which results were checked, if not all
  std::optional<CallAnatomy> anatomy;  ///< a call's, from a separate pass with marks
  int dropped = 0;         ///< samples not kept because the device was held below its usual clock
  std::string droppedWhy;  ///< "slowed down by heat"

  std::vector<double> times() const;  ///< the samples' nanoseconds
  std::vector<int> sessions() const;  ///< the samples' sessions
  std::size_t sessionCount() const;   ///< 0 without samples
  /// medianOfTimes of times(), with an interval no narrower than leastPrecision and, for a
  /// simulated cell, with the model's error.
  Estimate latency() const;
  /// The same without the model's error: the differences between the samples only.
  Estimate sampledLatency() const;
  bool hasDeviceTimes() const { return !samples.empty() && samples.front().device; }
  /// The same for one of a device's times; none where they were not taken.
  Estimate deviceTime(double DeviceTimes::*which) const;
  /// Median and range of the device's processor clock over the samples; none where it is not known.
  Estimate clockMegahertz() const;
  bool driftedDuring() const;
};

/// In a simulated run's environment: "cpu" or "gpu".
inline constexpr const char* kSimulatedKind = "simulated_kind";
/// There, too: Cell::modelError of its cells.
inline constexpr const char* kModelError = "model_error";
/// There, too: whether every sample would be the same. Then one is enough.
inline constexpr const char* kModelExact = "model_exact";

/// An estimate of a model's result: its own width and the model's relative errors add as squares.
/// Where samples do not differ, the model's error alone is the interval.
Estimate withModelError(Estimate estimate, double relativeError);

/// An experiment's results, its machine and its settings.
struct Run {
  Experiment experiment;
  std::string device = "cpu";
  nlohmann::json environment;  ///< machine, load, versions: see environment.h
  std::string startedAt;       ///< UTC, ISO 8601
  bool quick = false;
  bool explored = false;  ///< measured while its experiment was being edited, coarse to fine
  bool interrupted = false;
  std::string traceProblem;  ///< why cells have no anatomy though it was requested; one line
  std::vector<Cell> cells;   ///< in the order of cells(experiment)

  const Cell* find(const CellKey& key) const;
  /// The cost of a mark, ns: one figure wherever the run is shown, the median of the calibrations
  /// made with each cell's marked calls; 0 if there are none.
  double markNanoseconds() const;
  /// Its times are a model's: every view of one states so.
  bool isSimulated() const { return device.starts_with("sim:"); }
  /// A simulated run's Cell::modelError, from its environment.
  std::optional<double> modelError() const;
  /// Whether each of its cells needs only one sample.
  bool isExact() const;
  /// Gives the cells the model's error.
  void takeModelError();
  /// Whether its device is a GPU, or a model of one.
  bool isOfGpu() const;
};

/// Whether rounding each operation to its dtype changes the results of the cell's program at its
/// point as much as this error of the cell. Then the error is not evidence about an executor.
bool isOfRounding(const Run& run, const Cell& cell, double error);

/// The cell of ours whose results differ most from PyTorch's; null if none was compared.
const Cell* mostDifferentFromTorch(const Run& run);

/// A published or imported curve: drawn only over measurements of the same metric.
struct ReferenceCurve {
  std::string variant;
  std::vector<double> x;
  std::vector<double> nanoseconds;
  std::vector<double> bytes{};  ///< memory, where that was published, too; otherwise none
};
struct Reference {
  std::string name, title, source, device, metric, axis, unit, baseline, note;
  std::vector<ReferenceCurve> curves;
  std::optional<double> statedBreakEven;  ///< the author's own reading, in the axis' unit
};
/// Throws InputError.
Reference loadReference(const std::string& path);
Reference parseReference(std::string_view json, std::string_view file);

/// A run file is JSON lines: a header, then records as they are measured, so that a truncated file
/// keeps its earlier records. RunWriter appends to a temporary name and renames on finish().
class RunWriter {
 public:
  /// Throws InputError if the place is not writable or another run is being written there. The
  /// temporary name is the path with ".part".
  explicit RunWriter(const std::string& path);
  RunWriter(const std::string& path, const Run& header) : RunWriter(path) { begin(header); }
  ~RunWriter();
  /// Before any cell. Throws InputError if it cannot be written.
  void begin(const Run& header);
  /// Never throws because of the file: data that cannot be written now are tried again with later
  /// ones.
  void cell(const Cell& cell);
  /// Throws InputError, which names where the measured data are, if not all can be written.
  void finish(const Run& run);

 private:
  friend std::string runText(const Run& run);
  struct State;
  std::unique_ptr<State> state_;
};
/// The content of a finished run's file: parseRun reads it back.
std::string runText(const Run& run);
Run loadRun(const std::string& path);  ///< throws InputError; a truncated last line is dropped
Run parseRun(std::string_view text, std::string_view file);
void saveRun(const Run& run, const std::string& path);

}  // namespace fusebench
