// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fusebench::cpu {

/// Brings images whose channels lie last, of `places` times `channels` elements, into planes, one a
/// channel. Whole lines are written: planes of a power of two of places share few sets of a cache.
void planesOfPixels(const float* from, float* to, std::int64_t images, std::int64_t places,
                    std::int64_t channels);

}  // namespace fusebench::cpu
