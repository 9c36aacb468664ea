// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "engine/base/saying.h"
#include "profiler/protocol/connection.h"
#include "profiler/protocol/protocol.h"

namespace fusebench {

/// The worker died, hung or sent invalid lines. what() is one line.
class WorkerLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Nothing was heard of the worker for as long as was waited.
class WorkerSilent : public WorkerLost {
 public:
  explicit WorkerSilent(double seconds)
      : WorkerLost(sentence(saying("the worker"), seconds)), seconds_(seconds) {}
  /// The same for a worker with a name: "python3 did not answer for 10 s and was ended".
  std::string of(const std::string& who) const { return sentence(who, seconds_); }

 private:
  static std::string sentence(const std::string& who, double seconds);
  double seconds_;
};

/// A stop was requested while waiting.
class StopRequested : public std::runtime_error {
 public:
  StopRequested() : std::runtime_error("stopped") {}
};

/// Numbers requests: each number is used once in this process, so that a late reply to an earlier
/// client of a kept worker is never taken for another client's.
std::int64_t nextRequestId();

/// Asks a worker one thing at a time and matches replies to requests by number.
class WorkerClient {
 public:
  WorkerClient(std::unique_ptr<WorkerConnection> connection, std::stop_token stop);

  /// The reply, an error reply included. Late replies to earlier requests are skipped. Throws
  /// WorkerLost if the worker sends nothing for `seconds`, and StopRequested on a stop (then the
  /// worker was told to stop and, if it is not kept and did not obey within a second, killed).
  Reply ask(Verb verb, nlohmann::json body, double seconds);
  /// Greets a worker that may be any program: it must give a first sign of life within `alive`
  /// seconds, and then the usual time limit applies. A stop terminates it at once: it has nothing
  /// to save.
  Reply greet(double alive, double seconds);
  /// Tells the worker to quit, unless it is kept for others.
  void quit();
  /// The same, and waits a moment until it has ended.
  void end();
  /// The worker is not to be trusted any more.
  void kill() { connection_->kill(); }

 private:
  /// How long the first line of a reply may take, and each that follows.
  struct Patience {
    double first, rest;
  };
  enum class AtStop { ignore, stopWork, kill };
  std::int64_t send(Verb verb, nlohmann::json body);
  Reply wait(std::int64_t id, Patience patience, AtStop atStop);
  void stopWork();
  [[noreturn]] void lose(const std::string& what);

  std::unique_ptr<WorkerConnection> connection_;
  std::stop_token stop_;
};

}  // namespace fusebench
