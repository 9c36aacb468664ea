// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace fusebench {

/// The output of a command that has run to its end.
struct CapturedCommand {
  int exitCode = 0;       ///< 128 + signal where a signal ended it
  std::string out, err;   ///< at most 16 MiB of each
  bool timedOut = false;  ///< terminated because it took too long, or on a stop
};

/// Runs a command with its input from an open file (-1: nothing to read) and waits for its end, at
/// most `seconds`. In the meantime `waiting` is called several times per second. Throws
/// std::runtime_error if it cannot be started.
CapturedCommand runCaptured(const std::vector<std::string>& command, int input, double seconds,
                            const std::stop_token& stop = {},
                            const std::function<void()>& waiting = {});

}  // namespace fusebench
