// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace fusebench::cli {

/// Turns Ctrl-C, SIGTERM and SIGHUP into a stop request while it exists; a second signal ends the
/// process immediately. Signals are waited for on a thread, because a stop request is not safe in a
/// signal handler.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  std::stop_token token() const { return source_.get_token(); }

 private:
  void wait(const std::stop_token& end);
  std::stop_source source_;
  sigset_t signals_{}, before_{};
  std::jthread thread_;
};

}  // namespace fusebench::cli
