// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/run/device_anatomy.h"

#include <algorithm>
#include <numeric>

namespace fusebench {

double DeviceAnatomy::total() const {
  return std::accumulate(nanoseconds.begin(), nanoseconds.end(), 0.0);
}

std::vector<DevicePart> notableDeviceParts(std::span<const DeviceAnatomy* const> devices) {
  constexpr double kNotableCopies = 0.005;
  std::vector<DevicePart> parts;
  for (std::size_t i = 0; i < kDeviceParts; ++i) {
    const auto part = static_cast<DevicePart>(i);
    const double least = part == DevicePart::copies ? kNotableCopies : 0;
    if (std::ranges::any_of(devices, [&](const DeviceAnatomy* device) {
          return device->of(part) > least * device->total();
        }))
      parts.push_back(part);
  }
  return parts;
}

}  // namespace fusebench
