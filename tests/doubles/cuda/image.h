// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/cuda/driver/driver_abi.h"

namespace fusebench::test {

/// The images that the double's NVRTC makes and its driver loads. A cubin contains the bytes of a
/// host library; PTX contains the source, which the driver compiles.
std::string cubinImage(int architecture, const std::vector<char>& library);
std::string ptxImage(int architecture, const std::string& source);

/// The library in an image for a device of this architecture, or why the driver refuses it.
cuda::Result readImage(const void* image, int architecture, std::vector<char>& library);

/// Bytes of what the kernels of a library declare as shared.
std::size_t sharedBytesOf(const std::vector<char>& library);

}  // namespace fusebench::test
