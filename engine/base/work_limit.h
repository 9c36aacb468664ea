// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>

namespace fusebench {

/// While it exists, its thread's work (reading a program, planning it) is stopped after this many
/// seconds of the thread's own time, or when a stop is requested. The outermost limit applies, so
/// that a window, or a process that serves requests, can allow less or more than the default time.
class WorkLimit {
 public:
  /// For reading a program, and for planning it. Sanitizers take several times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr double kUsualSeconds = 30;
#else
  static constexpr double kUsualSeconds = 2;
#endif

  explicit WorkLimit(double seconds = kUsualSeconds, std::stop_token stop = {});
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

  enum class State : std::uint8_t { going, late, stopped };
  /// The state of the calling thread.
  static State state();
  /// The time that it allows.
  static double seconds();

 private:
  bool outermost_;
  double seconds_;
  std::int64_t end_;
  std::stop_token stop_;
};

/// Whether the thread's limit has to be checked now: once in many calls, because it reads a clock.
/// Work of more than about a microsecond counts as several calls.
inline bool isTimeToLook(unsigned cost = 1) {
  constexpr unsigned kEvery = 1024;
  thread_local unsigned since = 0;
  since += cost;
  if (since < kEvery) return false;
  since = 0;
  return true;
}

}  // namespace fusebench
