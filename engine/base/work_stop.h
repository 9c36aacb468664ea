// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

namespace fusebench {

/// While it exists, a stop request ends all work of its thread that has a WorkLimit, and other work
/// that checks for it. Unlike the stop token of a WorkLimit, it leaves each limit its own time: for
/// work that reads and plans many programs.
class WorkStop {
 public:
  explicit WorkStop(std::stop_token stop);
  ~WorkStop();
  WorkStop(const WorkStop&) = delete;
  WorkStop& operator=(const WorkStop&) = delete;

  /// Whether the calling thread's work has to stop.
  static bool requested();
  /// Throws std::runtime_error if it is.
  static void check();

 private:
  std::stop_token stop_;
  const WorkStop* outer_;
};

}  // namespace fusebench
