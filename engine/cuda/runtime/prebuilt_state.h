// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace fusebench::cuda {

/// How much of the GPU code that this program contains is up to date. That code is made for a
/// release; the code of a kernel whose op or whose generator has changed since is not used, and
/// NVRTC compiles it instead.
struct PrebuiltState {
  std::size_t fitting = 0, all = 0;  ///< eager's kernels
  bool interpreter = false;          ///< whether that of `instant` is up to date
  bool whole() const { return fitting == all && interpreter; }
};

/// The first call generates every source that ships: about a tenth of a second.
PrebuiltState prebuiltState();

}  // namespace fusebench::cuda
