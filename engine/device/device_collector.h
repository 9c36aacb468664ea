// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/device/device_activity.h"

namespace fusebench {

/// Whether activity of a GPU is recorded in this process.
enum class CollectorState : std::uint8_t {
  off,       ///< not tried, or CUPTI is missing or incompatible
  noDriver,  ///< there is no driver, so that there is nothing to record
  busy,      ///< another tool is recording
  denied,    ///< this user lacks the permission
  degraded,  ///< activity is recorded, but not all of it
  on
};
/// "no driver"
std::string_view name(CollectorState state);

struct CollectorStatus {
  CollectorState state = CollectorState::off;
  std::string found = "launches are not recorded in this process";  ///< one line
  std::string remedy;     ///< what the user can do; empty if nothing is necessary
  std::string version{};  ///< version of the library that records; empty without one

  bool collects() const { return state == CollectorState::on || state == CollectorState::degraded; }
};

/// Records the activity of a device for this process. Do not measure times while it records.
class DeviceCollector {
 public:
  virtual ~DeviceCollector() = default;
  /// Discards earlier records. The device must be idle.
  virtual void begin() = 0;
  /// Discards the records since begin() too, but keeps its preparations. The device must be idle.
  virtual void settle() = 0;
  /// Returns the records since begin() or settle(). The device must be idle, because the call waits
  /// for records only.
  virtual Collected end() = 0;
  /// The name of such a call in the API: "cuLaunchKernel".
  virtual std::string callName(const ApiCall& call) const = 0;
};

}  // namespace fusebench
