// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/model_effects.h"

#include <array>

#include "engine/base/saying.h"

namespace fusebench::sim {

std::span<const EffectRow> effectsNotModeled() {
  static constexpr std::array<EffectRow, 4> rows{
      {{kElementOrder, "element_order", toBeSaid("memory order of operands"),
        toBeSaid("the same time per byte for every order")},
       {kWindowLayout, "window_layout", toBeSaid("layout of images in convolutions"),
        toBeSaid("the same time per image for every layout")},
       {kProductType, "product_dtype", toBeSaid("matmul rate by dtype"),
        toBeSaid("the same rate for all dtypes")},
       {kLibrarySearch, "library_search", toBeSaid("choice among a library's algorithms"),
        toBeSaid("every call uses the same algorithm")}}};
  return rows;
}

std::vector<std::string_view> keysOf(Effects effects) {
  std::vector<std::string_view> keys;
  for (const EffectRow& row : effectsNotModeled())
    if ((effects & row.effect) != 0) keys.push_back(row.key);
  return keys;
}

std::string_view effectTitle(std::string_view key) {
  for (const EffectRow& row : effectsNotModeled())
    if (row.key == key) return row.title;
  return key;
}

}  // namespace fusebench::sim
