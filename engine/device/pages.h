// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fusebench {

/// What pages a call's memory lies in, as far as the device is the CPU: what results and
/// temporaries of a page and more are made of.
enum class Pages : std::uint8_t {
  kept,      ///< of the pool, which calls before have touched; as large as the system makes them
  huge,      ///< of the pool, and in 2 MiB pages where there is room for one
  fresh,     ///< new from the system at each allocation, in small pages: touched for the first time
  freshHuge  ///< new from the system, in 2 MiB pages where there is room for one
};
inline constexpr std::array<std::string_view, 4> kPagesNames = {"kept", "huge", "fresh",
                                                                "fresh huge"};
constexpr bool isFresh(Pages pages) {
  return pages >= Pages::fresh;
}
constexpr bool isHuge(Pages pages) {
  return pages == Pages::huge || pages == Pages::freshHuge;
}

}  // namespace fusebench
