// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fusebench {

/// The parts that the time of a call is divided into.
enum class CallPart : std::uint8_t {
  outside,   ///< outside of the call
  guard,     ///< checking the inputs, and looking up the code compiled or recorded for them
  dispatch,  ///< per op or per fused kernel: checks, shapes, kernel lookup, the loop itself
  allocate,  ///< memory for results, and freeing it
  copy,      ///< copying inputs into a recording's buffers
  launch,    ///< from the backend's launch to the kernel, and back
  kernel,    ///< the kernel itself, if the host runs it
  wait,      ///< waiting for other threads or for the device
  tape       ///< recording values for gradients, and reading them back
};
inline constexpr std::size_t kCallParts = 9;
std::string_view name(CallPart part);

}  // namespace fusebench
