// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>

#include "profiler/statistics.h"
#include "profiler/study.h"
#include "profiler/worker_client.h"

namespace fusebench {

/// No worker can be had: the study ends.
class StudyFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a study does to single cells, and the worker that it does it with: when and in which order
/// is the study's. A lost worker is replaced; the cell that costs two is given up.
class StudyCells {
 public:
  StudyCells(const Experiment& experiment, const StudyOptions& options, StudyObserver& observer,
             std::stop_token stop);

  Run& run() { return run_; }
  int lost() const { return lost_; }  ///< cells given up
  double seconds() const;
  bool running(std::size_t index) const { return run_.cells[index].stop == Stop::running; }
  std::vector<std::size_t> runningCells() const;

  /// Takes over an earlier run's cells, those that could go on as running; returns the next round.
  int continueFrom(const Run& earlier);

  /// Sees to it that there is a worker with the experiment loaded. Throws StudyFailed.
  void connect();
  void quit();

  /// Compiles and counts; measures compile times up to `compileRepeats` times and checks the
  /// results, unless the study explores.
  void prepare(std::size_t index, int compileRepeats, double compileSeconds);
  /// Takes one sample, preparing first where that is needed; ends the cell if that was the last.
  void sample(std::size_t index, int round);
  /// What exploring leaves for later. These do not end the cell, whatever happens.
  void check(std::size_t index);
  void measureCompile(std::size_t index, double compileSeconds);

  /// Ends the cells that still run. While exploring, those with enough samples are coarse, unless
  /// they fail.
  void endRunning(Stop stop, const std::optional<std::string>& error = std::nullopt);

  /// How long the cell's last sample took to come; 0 before the first.
  double replySeconds(std::size_t index) const { return states_[index].replySeconds; }

 private:
  struct State {
    bool prepared = false;  ///< in the present worker
    int deaths = 0;
    double replySeconds = 0;
  };

  std::unique_ptr<WorkerConnection> open() const;
  Reply ask(std::size_t index, Verb verb, nlohmann::json body, double patience);
  void withWorker(std::size_t index, const std::function<void()>& work);
  void lose(std::size_t index, const std::string& what);
  void finish(std::size_t index, Stop stop, std::optional<std::string> error);
  bool accept(std::size_t index, const Reply& reply);
  void prepareNow(std::size_t index, int compileRepeats, double compileSeconds);
  void sampleNow(std::size_t index, int round);
  void checkNow(std::size_t index);
  void compileNow(std::size_t index, double compileSeconds);
  void askCheck(std::size_t index);
  void tell(std::size_t index);

  const StudyOptions& options_;
  StudyObserver& observer_;
  std::stop_token stop_;
  StoppingRule rule_;
  Run run_;
  std::vector<State> states_;
  std::unique_ptr<WorkerClient> client_;
  int lost_ = 0;
};

}  // namespace fusebench
