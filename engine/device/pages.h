// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fusebench {

/// The pages of a call's memory on the CPU: those of results and temporaries of one page or more.
enum class Pages : std::uint8_t {
  kept,      ///< pooled, touched by earlier calls; as large as the system makes them
  huge,      ///< pooled, and in 2 MiB pages if large enough
  fresh,     ///< newly mapped at each allocation, in small pages: touched for the first time
  freshHuge  ///< newly mapped, in 2 MiB pages if large enough
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
