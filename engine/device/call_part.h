// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fusebench {

/// The parts that the time of a call is divided into.
enum class CallPart : std::uint8_t {
  outside,   ///< outside of the call
  guard,     ///< checking the inputs, and finding the code compiled or recorded for them
  dispatch,  ///< per op or per fused kernel: checks, shapes, finding the kernel, the loop itself
  allocate,  ///< memory for results, and freeing it
  copy,      ///< inputs into a recording's buffers
  launch,    ///< from the backend's launch to the kernel, and back
  kernel,    ///< the kernel itself, where the host runs it
  wait,      ///< for other threads or for the device
  tape       ///< recording values for gradients, and going back through them
};
inline constexpr std::size_t kCallParts = 9;
std::string_view name(CallPart part);

}  // namespace fusebench
