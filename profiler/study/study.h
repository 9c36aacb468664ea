// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "profiler/machine/clock.h"
#include "profiler/protocol/connection.h"
#include "profiler/run/run.h"

namespace fusebench {

/// A worker besides our own that speaks the same protocol, for the executors that it alone runs. It
/// is driven in the same rounds. Its greeting states what it wants with each cell:
///   "wants": ["program", "inputs"]  the program's text, executor, threads and recompile limit; the
///                                   inputs by value, in a file (see values_file.h), of which each
///                                   rank has one of its own (see fileOfRank)
///   "compares": true                it can check our results against its own
///   "unavailable": "..."            nothing can be measured there, and why
struct GuestWorker {
  std::string name;                    ///< name of its part of the run's environment: "torch"
  std::vector<std::string> executors;  ///< those that it runs; empty: our own
  int ranks = 1;                       ///< number of ranks that run each of its cells
  std::vector<std::string> command;
  /// Arguments that make StudyOptions::workerCommand's program several of its ranks instead; their
  /// number is added. Empty: there are none.
  std::vector<std::string> ranksArguments;
  std::string remedy;  ///< how to fix it if it cannot be started; one line
  /// Until its first sign of life, and from then until its greeting: see WorkerClient::greet.
  double aliveSeconds = 10, greetSeconds = 60;
  /// Seam: how it is reached; by default the command is started.
  std::function<std::unique_ptr<WorkerConnection>()> connect;

  bool runs(std::string_view executor) const;
  /// Whether it runs cells with this number of ranks by this executor.
  bool serves(std::string_view executor, int ofRanks) const;
};

struct StudyOptions {
  bool quick = false;
  /// A quick run that is expected to end within this number of seconds leaves out no points,
  /// however small its budget is. Small experiments are then complete on busy machines, too.
  double quickGraceSeconds = 10;
  /// Shows a first curve as soon as possible: cells are prepared and sampled once, coarse to fine,
  /// without measuring compile times. Then rounds follow until the usual rule or the budget ends
  /// them, then checks and compile times.
  bool explore = false;
  /// Ends with a separate pass, in a separate worker, that finds where each cell's time goes; not
  /// when exploring.
  bool trace = false;
  bool recordKernelsOnly = false;  ///< recorded calls contain kernels only: fewer marks
  std::string device = "cpu";
  /// E.g. {"/usr/bin/fusebench-cli", "worker"}; onDevice() adds the device.
  std::vector<std::string> workerCommand;
  /// Where workers find the experiment's file of weights; empty: its tensors are drawn.
  std::string weights;
  std::vector<GuestWorker> guests;  ///< started only where a variant needs them
  /// PyTorch's variants run the user's own module, which executes this file of the user's; null:
  /// they run the captured graph. See moduleRequest().
  nlohmann::json module;
  nlohmann::json target;  ///< part of the run's environment: where its workers are; null: here

  /// Seams. How a worker is reached (by default workerCommand is started here), the clock for
  /// budgets, and the time after which a worker that does not answer counts as hung.
  std::function<std::unique_ptr<WorkerConnection>()> connect;
  /// Exploring: how a second worker is reached, which compiles while the first one takes the first
  /// sample of each cell. Unset: there is none.
  std::function<std::unique_ptr<WorkerConnection>()> connectAhead;
  /// How the worker of the traced pass is reached; by default in the same way.
  std::function<std::unique_ptr<WorkerConnection>()> connectTrace;
  std::function<double()> seconds;
  /// The time on that clock.
  double now() const { return seconds ? seconds() : static_cast<double>(nowNanoseconds()) * 1e-9; }
  double replySeconds = 120;
};

/// The same on a device: `device` and the command of our own worker name it. Guests are left alone.
StudyOptions onDevice(StudyOptions options, const std::string& device);

/// Samples that every cell gets even if the time is up: with fewer there is no interval.
inline constexpr std::size_t kLeastSamples = 6;

/// The same for a quick run, whose few samples have a range and no interval. It leaves out points
/// rather than taking fewer.
inline constexpr std::size_t kQuickSamples = 3;

/// Samples that a cell which is still explored needs to be shown as `coarse`.
inline constexpr std::size_t kCoarseSamples = 5;

/// The state of a study, for progress bars.
struct StudyProgress {
  std::string phase;    ///< "preparing", "measuring", "tracing", "done"; exploring: "exploring"
                        ///< (until all are coarse), "refining", "completing", "done"
  double fraction = 0;  ///< 0 to 1
  double secondsLeft = 0;
  int round = 0;
};

/// The time for the least samples of each cell, and the requested time.
struct BudgetNeed {
  double seconds = 0;  ///< sampling time that is needed
  double budget = 0;   ///< requested seconds of sampling
  std::size_t cells = 0;
  std::size_t samples = kLeastSamples;  ///< per cell
};
/// "6 samples of each of 105 cells take about 63 s, and 10 s were asked for"
std::string sentence(const BudgetNeed& need);

/// Receives the events of a study. Called on the thread that runs the study.
class StudyObserver {
 public:
  virtual ~StudyObserver() = default;
  virtual void started(const Run& /*header*/) {}
  /// The cell changed: prepared, sampled, or stopped. `index` is its place in Run::cells.
  virtual void cellChanged(int /*index*/, const Cell& /*cell*/) {}
  virtual void progressed(const StudyProgress& /*progress*/) {}
  /// The requested time does not suffice for the least samples of each cell; called once, as soon
  /// as it is known. They are taken all the same, unless the study is stopped.
  virtual void overBudget(const BudgetNeed& /*need*/) {}
  /// A worker died, hung or sent invalid lines; one line. The study continues with a new one if
  /// possible.
  virtual void workerLost(const std::string& /*what*/) {}
};

/// The result of a study; if it stopped early, the run has the results up to there.
struct StudyOutcome {
  Run run;
  bool failed = false;  ///< a worker was lost and cells are missing because of it
  std::string message;  ///< one line, if failed or interrupted
};

/// Owns rounds and stopping; drives a worker process. Blocks until done, stopped, or failed.
/// `continueFrom`: a run of the same experiment whose samples are kept and extended; throws
/// InputError if it is of another one, or of another device.
StudyOutcome runStudy(const Experiment& experiment, const StudyOptions& options,
                      StudyObserver& observer, std::stop_token stop,
                      const Run* continueFrom = nullptr);

}  // namespace fusebench
