// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

namespace fusebench {

/// Two clocks read at the same moment, nanoseconds each.
struct ClockReading {
  std::uint64_t device = 0;  ///< the collector's: CUPTI's is by default the time of day
  std::int64_t host = 0;     ///< steady_clock's
  std::int64_t width = 0;    ///< time between the two readings of the host's clock
};

/// Reads one clock between two readings of the other, several times, and keeps the tightest.
ClockReading readClocks(const std::function<std::uint64_t()>& device,
                        const std::function<std::int64_t()>& host);

/// Converts from a collector's clock to the host's steady one. The system clock is slewed and may
/// be set, so the clocks are read before and after the recording.
class ClockBridge {
 public:
  ClockBridge() = default;
  ClockBridge(const ClockReading& before, const ClockReading& after);

  std::int64_t toHost(std::uint64_t device) const;
  /// Maximum error of a time due to the readings of the clocks, nanoseconds.
  std::int64_t uncertainty() const { return uncertainty_; }
  /// One clock was set in the meantime: then only the reading before is used.
  bool jumped() const { return jumped_; }

 private:
  ClockReading before_;
  double rate_ = 1;  ///< nanoseconds of the host's clock per nanosecond of the collector's
  std::int64_t uncertainty_ = 0;
  bool jumped_ = false;
};

}  // namespace fusebench
