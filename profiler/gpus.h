// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cuda/device.h"

namespace fusebench {

/// One library that measuring on a GPU needs: where it is, or what is missing and what helps.
struct LibraryStatus {
  bool usable = false;
  std::string found;   ///< one line, whether usable or not
  std::string remedy;  ///< empty if usable
};

/// What this machine has for measuring on GPUs. Nothing here throws.
struct GpuStatus {
  LibraryStatus driver, nvrtc;
  std::vector<cuda::DeviceInfo> devices;

  bool usable() const { return driver.usable && nvrtc.usable && !devices.empty(); }
};
GpuStatus examineGpus();

/// In one line why no GPU is measured here, and what would help; empty when one can be.
std::string missingGpu(const GpuStatus& status);

/// Whether a name is one of a GPU: "cuda", "cuda:1", "GPU-..." (by UUID).
bool namesGpu(const std::string& device);

/// The backend of a device: "cpu", or a GPU by one of its names. Throws std::runtime_error or
/// std::invalid_argument saying what is missing.
std::unique_ptr<Backend> makeBackend(const std::string& device);

/// "78.6 GiB of memory, up to 1980 MHz" and the like.
std::string detailsOf(const cuda::DeviceInfo& device);

}  // namespace fusebench
