// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <optional>

#include "profiler/cell_json.h"
#include "profiler/clock.h"
#include "profiler/environment.h"
#include "profiler/process.h"
#include "profiler/study_schedule.h"
#include "profiler/worker_client.h"

namespace fusebench {
namespace {

using nlohmann::json;

constexpr int kDeathsAllowed = 2;          ///< of a worker, with the same cell in flight
constexpr double kProgressSeconds = 0.05;  ///< between two reports

/// No worker can be had: the study ends.
class StudyFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string now() {
  std::tm utc{};
  const std::time_t seconds = std::time(nullptr);
  gmtime_r(&seconds, &utc);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc);
}

class Study {
 public:
  Study(const Experiment& experiment, const StudyOptions& options, StudyObserver& observer,
        std::stop_token stop)
      : options_(options),
        observer_(observer),
        stop_(std::move(stop)),
        rule_(ruleOf(experiment.measure)),
        plan_(planTime(experiment.measure, options.quick)) {
    run_.experiment = experiment;
    run_.device = options.device;
    run_.quick = options.quick;
    for (const CellKey& key : cells(experiment)) {
      run_.cells.emplace_back();
      run_.cells.back().key = key;
    }
    states_.resize(run_.cells.size());
  }

  void continueFrom(const Run& earlier) {
    if (toJson(earlier.experiment) != toJson(run_.experiment))
      throw InputError(
          "the run to continue is of another experiment; open that one, or start anew");
    run_.cells = earlier.cells;
    for (Cell& cell : run_.cells) {
      for (const Sample& sample : cell.samples) round_ = std::max(round_, sample.round + 1);
      if (cell.stop == Stop::converged || cell.stop == Stop::cap) continue;
      cell.stop = Stop::running;
      cell.error.reset();
    }
  }

  StudyOutcome run() {
    start_ = seconds();
    run_.startedAt = now();
    StudyOutcome outcome;
    try {
      connect();
      observer_.started(run_);
      prepareAll();
      measureAll();
      client_->quit();
    } catch (const StopRequested&) {
      run_.interrupted = true;
      endRunning(Stop::interrupted, std::nullopt);
      outcome.message = "the study was stopped before it was done";
    } catch (const std::runtime_error& failure) {
      endRunning(Stop::failed, failure.what());
      outcome.failed = true;
      outcome.message = failure.what();
    }
    if (run_.environment.is_object()) run_.environment["load_at_end"] = systemLoad();
    outcome.failed = outcome.failed || lostCells_ > 0;
    if (outcome.message.empty() && lostCells_ > 0)
      outcome.message = fmt::format("{} of {} cells are missing because their worker was lost",
                                    lostCells_, run_.cells.size());
    report("done", 0, true);
    outcome.run = std::move(run_);
    return outcome;
  }

 private:
  struct State {
    bool prepared = false;  ///< in the present worker
    int deaths = 0;
    double replySeconds = 0;  ///< how long the last sample took to come
  };

  double seconds() const {
    return options_.seconds ? options_.seconds() : static_cast<double>(nowNanoseconds()) * 1e-9;
  }

  // ---- the worker ----

  void connect() {
    for (int attempt = 1; !client_; ++attempt) {
      try {
        client_ = std::make_unique<WorkerClient>(open(), stop_);
        const json hello = result(client_->ask(Verb::hello, json::object(), options_.replySeconds));
        if (integerMember(hello, "protocol", 0, 1 << 20) != kProtocolVersion)
          throw StudyFailed(
              "the worker speaks another version of the protocol; use the same version of "
              "Fusebench");
        if (run_.environment.is_null() && hello.contains("environment"))
          run_.environment = hello["environment"];
        result(client_->ask(Verb::load, {{"experiment", toJson(run_.experiment)}},
                            options_.replySeconds));
      } catch (const WorkerLost& lost) {
        client_.reset();
        observer_.workerLost(lost.what());
        if (attempt == kDeathsAllowed)
          throw StudyFailed(fmt::format("no worker can be had: {}", lost.what()));
      } catch (const RecordError& wrong) {
        throw StudyFailed(fmt::format("the worker's greeting is wrong: {}", wrong.what()));
      }
    }
  }

  std::unique_ptr<WorkerConnection> open() const {
    try {
      return options_.connect ? options_.connect() : startWorker(options_.workerCommand);
    } catch (const std::runtime_error& error) {
      throw StudyFailed(error.what());
    }
  }

  static json result(Reply reply) {
    if (!reply.ok) throw StudyFailed(reply.message);
    return std::move(reply.result);
  }

  /// Does something with one cell in flight; starts a new worker as often as a cell may cost one.
  template <typename Work>
  void withWorker(std::size_t index, Work work) {
    Cell& cell = run_.cells[index];
    while (cell.stop == Stop::running) {
      connect();
      try {
        return work();
      } catch (const WorkerLost& lost) {
        lose(index, lost.what());
      } catch (const RecordError& wrong) {
        lose(index, fmt::format("the worker talked nonsense and was ended: {}", wrong.what()));
      } catch (const ProtocolError& wrong) {
        lose(index, fmt::format("the worker talked nonsense and was ended: {}", wrong.what()));
      }
    }
  }

  void lose(std::size_t index, const std::string& what) {
    client_.reset();
    for (State& state : states_) state.prepared = false;
    observer_.workerLost(what);
    if (++states_[index].deaths < kDeathsAllowed) return;
    ++lostCells_;
    finish(index, Stop::failed, fmt::format("given up after two lost workers: {}", what));
  }

  // ---- cells ----

  void finish(std::size_t index, Stop stop, std::optional<std::string> error) {
    run_.cells[index].stop = stop;
    if (error) run_.cells[index].error = std::move(error);
    observer_.cellChanged(static_cast<int>(index), run_.cells[index]);
  }

  void endRunning(Stop stop, const std::optional<std::string>& error) {
    for (std::size_t i = 0; i < run_.cells.size(); ++i)
      if (run_.cells[i].stop == Stop::running) finish(i, stop, error);
  }

  /// True if the reply is fine; else the cell ends with the reply's reason.
  bool accept(std::size_t index, const Reply& reply) {
    if (reply.ok) return true;
    finish(index, reply.kind == ErrorKind::unavailable ? Stop::unavailable : Stop::failed,
           reply.message);
    return false;
  }

  void prepare(std::size_t index, int compileRepeats, double compileSeconds) {
    Cell& cell = run_.cells[index];
    json body = toJson(cell.key);
    body["compile_repeats"] = cell.firstCompiles.empty() ? compileRepeats : 0;
    body["seconds"] = compileSeconds;
    const Reply reply = client_->ask(Verb::prepare, body, options_.replySeconds + compileSeconds);
    if (!accept(index, reply)) return;
    readMeasured(reply.result, cell);
    states_[index].prepared = true;
    if (!cell.relativeError) check(index);
    observer_.cellChanged(static_cast<int>(index), cell);
  }

  void check(std::size_t index) {
    Cell& cell = run_.cells[index];
    const Reply reply = client_->ask(Verb::check, toJson(cell.key), options_.replySeconds);
    if (reply.ok)
      readMeasured(reply.result, cell);
    else
      cell.error = fmt::format("the results could not be checked: {}", reply.message);
  }

  void sample(std::size_t index) {
    Cell& cell = run_.cells[index];
    State& state = states_[index];
    if (!state.prepared) prepare(index, 0, 0);
    if (!state.prepared) return;
    const double asked = seconds();
    const double patience = state.replySeconds > 0
                                ? std::max(options_.replySeconds / 4, 50 * state.replySeconds)
                                : options_.replySeconds;
    const Reply reply = client_->ask(Verb::sample, toJson(cell.key), patience);
    if (!accept(index, reply)) return;
    cell.samples.push_back({round_, sampleTime(reply.result)});
    state.replySeconds = seconds() - asked;
    switch (verdict(rule_, cell.times())) {
      case Verdict::converged:
        return finish(index, Stop::converged, std::nullopt);
      case Verdict::cap:
        return finish(index, Stop::cap, std::nullopt);
      case Verdict::goOn:
        break;
    }
    observer_.cellChanged(static_cast<int>(index), cell);
  }

  // ---- the schedule ----

  void prepareAll() {
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < run_.cells.size(); ++i)
      if (run_.cells[i].stop == Stop::running) waiting.push_back(i);
    for (std::size_t done = 0; done < waiting.size(); ++done) {
      const double spent = seconds() - start_, left = static_cast<double>(waiting.size() - done);
      const double perCell = done > 0 ? spent / static_cast<double>(done) : 0.1;
      report("preparing", perCell * left + std::min(plan_.samplingSeconds, expectedSampling()));
      const double share = std::max(plan_.compileSeconds - spent, 0.0) / left;
      withWorker(waiting[done],
                 [&] { prepare(waiting[done], run_.experiment.measure.compileRepeats, share); });
    }
  }

  void measureAll() {
    samplingStart_ = seconds();
    const double deadline = std::min(
        samplingStart_ + plan_.samplingSeconds,
        std::max(start_ + plan_.totalSeconds, samplingStart_ + 0.2 * plan_.samplingSeconds));
    while (true) {
      const auto order = roundOrder(run_.cells, run_.experiment.measure.seed, round_);
      if (order.empty()) return;
      for (const std::size_t index : order) {
        if (seconds() >= deadline) return endRunning(Stop::budget, std::nullopt);
        withWorker(index, [&] { sample(index); });
        report("measuring", std::min(deadline - seconds(), expectedSampling()));
      }
      ++round_;
    }
  }

  /// Seconds that the stopping rule will probably still take.
  double expectedSampling() const {
    double total = 0;
    for (std::size_t i = 0; i < run_.cells.size(); ++i)
      if (run_.cells[i].stop == Stop::running)
        total += samplesToGo(run_.cells[i], rule_) *
                 (states_[i].replySeconds > 0 ? states_[i].replySeconds : 0.003);
    return total;
  }

  void report(const char* phase, double secondsLeft, bool always = false) {
    const double at = seconds();
    if (!always && at - lastReport_ < kProgressSeconds) return;
    lastReport_ = at;
    StudyProgress progress;
    progress.phase = phase;
    progress.secondsLeft = std::max(secondsLeft, 0.0);
    progress.round = round_;
    const double elapsed = at - start_, total = elapsed + progress.secondsLeft;
    // Estimates shrink and grow; a bar that goes back does not help anyone.
    fraction_ = std::max(fraction_, total > 0 ? elapsed / total : 1.0);
    progress.fraction = std::min(fraction_, 1.0);
    observer_.progressed(progress);
  }

  const StudyOptions& options_;
  StudyObserver& observer_;
  std::stop_token stop_;
  StoppingRule rule_;
  TimePlan plan_;
  Run run_;
  std::vector<State> states_;
  std::unique_ptr<WorkerClient> client_;
  int round_ = 0;
  int lostCells_ = 0;
  double start_ = 0, samplingStart_ = 0, lastReport_ = -1e9, fraction_ = 0;
};

}  // namespace

StudyOutcome runStudy(const Experiment& experiment, const StudyOptions& options,
                      StudyObserver& observer, std::stop_token stop, const Run* continueFrom) {
  Study study(experiment, options, observer, std::move(stop));
  if (continueFrom) study.continueFrom(*continueFrom);
  return study.run();
}

}  // namespace fusebench
