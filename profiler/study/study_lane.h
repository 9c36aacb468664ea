// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>

#include "profiler/protocol/worker_client.h"
#include "profiler/study/study.h"

namespace fusebench {

/// Could not start a worker process: the study ends.
class StudyFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A guest is not available: its cells end, with this stop, and the rest continues.
class GuestMissing : public std::runtime_error {
 public:
  GuestMissing(Stop stop, const std::string& what) : std::runtime_error(what), stop_(stop) {}
  Stop stop() const { return stop_; }

 private:
  Stop stop_;
};

inline constexpr int kDeathsAllowed = 2;  ///< deaths of a worker with the same work in flight

/// One of the workers that a study drives, our own or a guest: started when it is needed, with the
/// experiment loaded, and again after it was lost. The worker itself reports its abilities.
class StudyLane {
 public:
  /// `guest`: null for our own.
  StudyLane(const StudyOptions& options, const GuestWorker* guest, std::stop_token stop)
      : options_(options), guest_(guest), stop_(std::move(stop)) {}

  bool serves(std::string_view executor, int ranks) const {
    return guest_ && guest_->serves(executor, ranks);
  }
  bool connected() const { return client_.has_value(); }
  int started() const { return started_; }  ///< workers so far
  bool wantsProgram() const { return wantsProgram_; }
  bool wantsInputs() const { return wantsInputs_; }
  /// Whether it is connected and can check others' results against its own.
  bool compares() const { return connected() && compares_; }
  void compareNoMore() { compares_ = mayCompare_ = false; }

  /// Puts the worker's environment into the run's. Throws StudyFailed or, for a guest,
  /// GuestMissing; StopRequested.
  void connect(Run& run, StudyObserver& observer);
  /// Throws WorkerLost, StopRequested.
  Reply ask(Verb verb, nlohmann::json body, double patience);
  /// Disconnects the worker; it exits by itself, or is terminated with `kill`.
  void drop(bool kill);
  void quit();
  /// The same, and sees the worker gone: two of them would disturb each other.
  void end();

 private:
  std::unique_ptr<WorkerConnection> open() const;
  void greet(Run& run);
  nlohmann::json result(Reply reply) const;
  [[noreturn]] void fail(Stop stop, const std::string& what) const;

  const StudyOptions& options_;
  const GuestWorker* guest_;
  std::stop_token stop_;
  std::optional<WorkerClient> client_;
  int started_ = 0;
  bool wantsProgram_ = false, wantsInputs_ = false, compares_ = false, mayCompare_ = true;
};

}  // namespace fusebench
