// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/device_collector.h"

namespace fusebench {

std::string_view name(CollectorState state) {
  static constexpr std::string_view kNames[] = {"off",    "no driver", "busy",
                                                "denied", "degraded",  "on"};
  return kNames[static_cast<std::size_t>(state)];
}

}  // namespace fusebench
