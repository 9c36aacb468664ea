// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/clock_bridge.h"

#include <algorithm>
#include <cmath>

namespace fusebench {
namespace {

constexpr int kClockReadings = 20;
/// Clocks are slewed by at most 500 millionths, and run as much apart by themselves.
constexpr double kMostDrift = 1e-3;

}  // namespace

ClockReading readClocks(const std::function<std::uint64_t()>& device,
                        const std::function<std::int64_t()>& host) {
  ClockReading best;
  for (int i = 0; i < kClockReadings; ++i) {
    const std::int64_t before = host();
    const std::uint64_t between = device();
    const std::int64_t width = host() - before;
    if (i == 0 || width < best.width) best = {between, before + width / 2, width};
  }
  return best;
}

ClockBridge::ClockBridge(const ClockReading& before, const ClockReading& after) : before_(before) {
  uncertainty_ = (std::max(before.width, after.width) + 1) / 2;
  const auto device = static_cast<double>(static_cast<std::int64_t>(after.device - before.device));
  const auto host = static_cast<double>(after.host - before.host);
  const double apart = std::abs(host - device);
  jumped_ = apart > kMostDrift * host + 2 * static_cast<double>(uncertainty_);
  if (!jumped_ && device > 0) rate_ = host / device;
}

std::int64_t ClockBridge::toHost(std::uint64_t device) const {
  // Only the difference is scaled: a time of day has more digits than a double.
  const auto since = static_cast<std::int64_t>(device - before_.device);
  return before_.host + since +
         static_cast<std::int64_t>(std::llround((rate_ - 1) * static_cast<double>(since)));
}

}  // namespace fusebench
