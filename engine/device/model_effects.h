// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace fusebench::sim {

/// An effect on the time of a launch that the model omits: such a time does not support any
/// conclusion. Bits, so that those of several launches can be combined.
enum Effect : std::uint32_t {
  kElementOrder = 1u << 0,  ///< the order in which the elements of operands are stored
  kWindowLayout = 1u << 1,  ///< a convolution's or pool's images that are not packed row-major
  kProductType = 1u << 2,   ///< rates of matmuls by dtype: int8 and 16-bit floats
  kLibrarySearch = 1u << 3  ///< which of a library's algorithms a search chooses
};
using Effects = std::uint32_t;

struct EffectRow {
  Effect effect;
  std::string_view key;      ///< in run files
  std::string_view title;    ///< for display; a message of the catalogue
  std::string_view instead;  ///< what the model does instead; also a message
};
/// All effects that the model omits and can detect.
std::span<const EffectRow> effectsNotModeled();
/// The keys of some of them, in the order of the table.
std::vector<std::string_view> keysOf(Effects effects);
/// The title for a key; the key itself if it comes from another version.
std::string_view effectTitle(std::string_view key);

}  // namespace fusebench::sim
