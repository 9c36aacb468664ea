// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/pixel_planes.h"

#include <vector>

#include <gtest/gtest.h>

namespace fusebench {
namespace {

TEST(PixelPlanes, HaveEveryElementAtItsPlace) {
  for (const std::int64_t images : {1, 3})
    for (const std::int64_t places : {1, 7, 15, 16, 17, 40, 1024})
      for (const std::int64_t channels : {1, 3, 7, 8, 9, 16, 35}) {
        const auto count = static_cast<std::size_t>(images * places * channels);
        std::vector<float> from(count), to(count, -1);
        for (std::size_t i = 0; i < count; ++i) from[i] = static_cast<float>(i);
        cpu::planesOfPixels(from.data(), to.data(), images, places, channels);
        std::size_t at = 0;
        for (std::int64_t i = 0; i < images; ++i)
          for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t p = 0; p < places; ++p, ++at)
              ASSERT_EQ(to[at], from[static_cast<std::size_t>((i * places + p) * channels + c)])
                  << images << " images of " << places << " places, " << channels
                  << " channels: " << c << ", " << p;
      }
}

}  // namespace
}  // namespace fusebench
