// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>

namespace fusebench {

/// As long as it lives, what its thread works out (reading a program, planning it) comes to an end:
/// after so many seconds of the thread's own time, or when a stop is asked for. The outermost one
/// counts, so that whoever shows a window or serves requests may allow less, or more, than is
/// usual.
class WorkLimit {
 public:
  /// Of reading a program, and of planning it. Sanitizers take several times as long.
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
  /// Of the thread that asks.
  static State state();
  /// How long it allows.
  static double seconds();

 private:
  bool outermost_;
  double seconds_;
  std::int64_t end_;
  std::stop_token stop_;
};

/// Whether the thread's limit is to be asked now: every so many calls, since that costs a look at a
/// clock. What costs more than a microsecond or so counts as several.
inline bool isTimeToLook(unsigned cost = 1) {
  constexpr unsigned kEvery = 1024;
  thread_local unsigned since = 0;
  since += cost;
  if (since < kEvery) return false;
  since = 0;
  return true;
}

}  // namespace fusebench
