// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <type_traits>

namespace fusebench::cuda {

/// Whether an argument of our declaration is passed as the real header's is.
template <class Ours, class Theirs>
constexpr bool passedAlike() {
  if (sizeof(Ours) != sizeof(Theirs)) return false;
  if (std::is_pointer_v<Theirs>) return std::is_pointer_v<Ours>;
  const bool whole = std::is_integral_v<Theirs> || std::is_enum_v<Theirs>;
  return whole == std::is_integral_v<Ours> &&
         std::is_floating_point_v<Theirs> == std::is_floating_point_v<Ours>;
}

/// The arguments that we declare a function with.
template <class... Ours>
struct Signature {
  template <class Result, class... Theirs>
  static constexpr bool fits(Result (*)(Theirs...)) {
    if constexpr (sizeof...(Ours) != sizeof...(Theirs))
      return false;
    else
      return (passedAlike<Ours, Theirs>() && ...);
  }
};

}  // namespace fusebench::cuda
