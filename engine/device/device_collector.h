// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/device/device_activity.h"

namespace fusebench {

/// Whether what a GPU does is recorded in this process.
enum class CollectorState : std::uint8_t {
  off,       ///< not tried, or CUPTI is not there, or does not fit
  noDriver,  ///< there is nothing to record
  busy,      ///< another tool records
  denied,    ///< this user may not
  degraded,  ///< it is recorded, but not all of it
  on
};
/// "no driver"
std::string_view name(CollectorState state);

struct CollectorStatus {
  CollectorState state = CollectorState::off;
  std::string found = "launches are not recorded in this process";  ///< one line
  std::string remedy;     ///< what a person can do; empty if nothing need be done
  std::string version{};  ///< of the library that records; empty without one

  bool collects() const { return state == CollectorState::on || state == CollectorState::degraded; }
};

/// Records what a device does for this process. Whoever uses it times nothing meanwhile.
class DeviceCollector {
 public:
  virtual ~DeviceCollector() = default;
  /// What came before is forgotten. The device must be idle.
  virtual void begin() = 0;
  /// What came since begin() is not wanted either, but what was got ready for it is. The device
  /// must be idle.
  virtual void settle() = 0;
  /// What was recorded since begin() or settle(). The device must be idle: nothing is waited for
  /// but records.
  virtual Collected end() = 0;
  /// What people call such a call: "cuLaunchKernel".
  virtual std::string callName(const ApiCall& call) const = 0;
};

}  // namespace fusebench
