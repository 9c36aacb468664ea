// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/device/backend.h"

namespace fusebench {

struct CudaOptions {
  std::string device;  ///< "" the first, "cuda:1" or "1" by index, "GPU-..." by UUID
  std::string driver;  ///< libcuda: a path or name; "": FUSEBENCH_CUDA_DRIVER, then libcuda.so.1
  std::string nvrtc;   ///< libnvrtc: a path or name; "": see cuda::Nvrtc::open
  std::string nvml;    ///< libnvidia-ml: a path or name; "": see cuda::Nvml::open. May be absent
  /// libcublasLt: a path or name; "": see cuda::CublasLt::open. May be absent
  std::string cublasLt;
  std::string cudnn;  ///< libcudnn: a path or name; "": see cuda::Cudnn::open. May be absent
  std::string nccl;   ///< libnccl: a path or name; "": see cuda::Nccl::open. May be absent
  /// Matmuls and convolutions use a library if there is one.
  bool libraries = true;
  /// Where compiled kernels are kept between processes; empty: $XDG_CACHE_HOME/fusebench/kernels.
  std::string cacheDirectory;
  bool diskCache = true;
  bool shipped = true;     ///< code of eager's kernels that is part of the program is used
  bool driverPool = true;  ///< memory from the driver's pools, if the device has them
};

/// The CUDA backend: kernels compiled by NVRTC for one GPU, launched on a stream of its own, with a
/// memory pool, and captured as CUDA graphs. Without NVRTC it runs op lists, and the single ops
/// that ship. Throws cuda::NoDriver, std::invalid_argument for a device that is not there,
/// cuda::CudaError.
///
/// Later exceptions: cuda::CudaError from every call of the driver that fails, and
/// DeviceOutOfMemory from allocations. After an error that isSticky() nothing works any more in
/// this process: it must exit.
std::unique_ptr<Backend> makeCudaBackend(const CudaOptions& options = {});

}  // namespace fusebench
