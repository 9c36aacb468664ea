// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fusebench::cpu {

/// Copies channels-last images of `places` times `channels` elements into planes, one per channel.
/// Full cache lines are written: planes with a power of two of positions share few sets of a cache.
void planesOfPixels(const float* from, float* to, std::int64_t images, std::int64_t places,
                    std::int64_t channels);

}  // namespace fusebench::cpu
