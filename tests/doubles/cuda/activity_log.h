// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "engine/cuda/cupti/cupti_abi.h"
#include "tests/doubles/cuda/machine.h"

/// Activity that the double of CUPTI has seen but not yet delivered. Guarded by the machine's
/// mutex.
namespace fusebench::test {

/// A record as CUPTI's double lays it out, and when what it tells of is over on the virtual clock.
struct LoggedRecord {
  std::vector<unsigned char> bytes;
  std::int64_t end = 0;
  bool device = false;  ///< it describes work of the device
};

class ActivityLog {
 public:
  static ActivityLog& get();

  bool wants(std::uint32_t kind) const { return enabled.contains(kind); }
  /// A call of the driver begins: what is logged until it ends is of its correlation.
  std::uint32_t beginCall() { return correlation_ = ++calls_; }
  void endCall(std::uint32_t function, std::int64_t start, Result result);

  void kernel(const StreamState& stream, const KernelWork& work, std::int64_t start,
              std::int64_t end, std::uint64_t node);
  void copy(const StreamState& stream, bool fill, int direction, std::size_t bytes,
            std::int64_t start, std::int64_t end, std::uint64_t node);

  /// As before anything was enabled.
  void clear() {
    enabled.clear();
    records.clear();
    dropped = 0;
  }

  std::set<std::uint32_t> enabled;
  bool latency = false;  ///< records contain the queued and submitted times
  std::size_t dropped = 0;
  std::vector<LoggedRecord> records;

 private:
  void add(std::vector<unsigned char> bytes, std::int64_t end, bool device);

  std::uint32_t calls_ = 0, correlation_ = 0;
  std::set<std::string> names_;  ///< kernel names, which outlive their modules
};

/// CUPTI's nanoseconds for a time of the virtual clock: a time of day.
std::uint64_t timeOfDay(std::int64_t virtualNanoseconds);

/// One call of the driver as CUPTI sees it.
class LoggedCall {
 public:
  explicit LoggedCall(std::uint32_t function) : function_(function), start_(Machine::get().now()) {
    ActivityLog::get().beginCall();
  }
  Result operator()(Result result) const {
    ActivityLog::get().endCall(function_, start_, result);
    return result;
  }

 private:
  std::uint32_t function_;
  std::int64_t start_;
};

// Numbers of driver functions in CUPTI.
using cuda::kCallBeginCapture;
using cuda::kCallEndCapture;
using cuda::kCallGraphLaunch;
using cuda::kCallLaunchKernel;
inline constexpr std::uint32_t kLoggedStreamSynchronize = 126, kLoggedFill = 216,
                               kLoggedHostToDevice = 277, kLoggedDeviceToHost = 279,
                               kLoggedWithinDevice = 281;

}  // namespace fusebench::test
