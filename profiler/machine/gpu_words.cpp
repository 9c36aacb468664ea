// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"
#include "profiler/machine/gpus.h"
#include "profiler/machine/machine.h"

namespace fusebench {

bool namesGpu(const std::string& device) {
  return device == "cuda" || device.starts_with("cuda:") || device.starts_with("GPU-");
}

std::string detailsOf(const cuda::DeviceInfo& device) {
  std::string text = saying("{} of memory", bytesText(static_cast<double>(device.memoryBytes)));
  if (device.clockKilohertz > 0) text += saying(", up to {} MHz", device.clockKilohertz / 1000);
  return text;
}

}  // namespace fusebench
