// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/driver/nvrtc.h"
#include "engine/device/backend.h"

namespace fusebench::cuda {

/// The facts that plans for a GPU depend on, whether there is a card or only its architecture is
/// known.

/// `libraries`: whether cuBLASLt and cuDNN are used; `ships`: whether eager's kernels ship for it.
BackendTraits traitsOf(const DeviceInfo& device, bool libraries, bool ships);
/// As cuBLASLt's tensor cores and our own dot products (contraction_source) need them; `library`:
/// whether cuBLASLt is used.
ByteProducts byteProductsOf(bool library);

/// See Nvrtc::open; null if there is none, and `missing` has the reason.
std::shared_ptr<const Nvrtc> openNvrtc(const std::string& library, int driverVersion,
                                       std::string& missing);
/// The code that NVRTC generates for a device; {} without NVRTC. Throws std::runtime_error if it
/// cannot generate code for it.
CodeTarget targetOf(const DeviceInfo& device, const Nvrtc* nvrtc);

/// "// a\n// b\n" for "a\nb\n"
std::string inComments(const std::string& text);

}  // namespace fusebench::cuda
