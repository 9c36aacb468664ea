// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/cuda/driver/device.h"
#include "engine/device/backend.h"

namespace fusebench {

/// One library that measuring on a GPU needs: where it is, or what is missing and what helps.
struct LibraryStatus {
  bool usable = false;
  std::string found;   ///< one line, whether usable or not
  std::string remedy;  ///< empty if usable and nothing could be better
};

/// What this machine has for measuring on GPUs. Nothing here throws.
struct GpuStatus {
  LibraryStatus driver;
  LibraryStatus nvrtc;  ///< without it, only instant runs on a GPU
  LibraryStatus nvml;   ///< without it, only the clock is not watched
  LibraryStatus cupti;  ///< without it, what a GPU does inside a call is not recorded
  std::vector<cuda::DeviceInfo> devices;

  bool usable() const { return driver.usable && !devices.empty(); }
};
GpuStatus examineGpus();
/// What matrix products on GPUs are asked of here: cuBLASLt, opened to see. Throws nothing.
LibraryStatus examineProducts();
/// What convolutions on GPUs are asked of here: cuDNN, likewise.
LibraryStatus examineConvolutions();
/// What ranks on GPUs meet by here: NCCL, likewise.
LibraryStatus examineRanks();

/// In one line why no GPU is measured here; empty when one can be.
std::string missingGpu(const GpuStatus& status);
/// What a person can do about that.
std::string gpuRemedy(const GpuStatus& status);
/// What cannot run on the GPUs that there are, and why; empty: everything can.
std::string gpuLimit(const GpuStatus& status);

/// Whether a name is one of a GPU: "cuda", "cuda:1", "GPU-..." (by UUID).
bool namesGpu(const std::string& device);

/// Whether a name is one of a GPU architecture: "sm_90". Code is written for it; nothing is
/// measured.
bool namesArchitecture(const std::string& device);
/// "sm_75", "sm_80", ...
std::vector<std::string> architectureNames();

/// The device of one of several ranks of this machine, counted from 0, that are to run on a device:
/// of GPUs each rank has one of its own as long as there are any, from the named one on.
std::string deviceOfRank(const std::string& device, int rank);

/// The backend of a device: "cpu", a GPU by one of its names, a GPU architecture ("sm_90"), for its
/// code alone, or a simulated device ("sim:h100"), whose time is then this process' clock.
/// `recording`: what a GPU does is to be recorded from now on, for which the collector of this
/// process is attached first; whether it could be is for cuda::attachCollector() to say. Throws
/// std::runtime_error or std::invalid_argument saying what is missing.
std::unique_ptr<Backend> makeBackend(const std::string& device, bool recording = false);

/// "78.6 GiB of memory, up to 1980 MHz" and the like.
std::string detailsOf(const cuda::DeviceInfo& device);

}  // namespace fusebench
