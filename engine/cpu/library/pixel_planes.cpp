// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/pixel_planes.h"

#include "engine/cpu/library/transpose.h"

namespace fusebench::cpu {

void planesOfPixels(const float* from, float* to, std::int64_t images, std::int64_t places,
                    std::int64_t channels) {
  for (std::int64_t image = 0; image < images; ++image) {
    transposeElements(sizeof(float), from, channels, to, places, places, channels);
    from += places * channels;
    to += places * channels;
  }
}

}  // namespace fusebench::cpu
