// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace fusebench {

/// Root mean square of what results differ by over that of the exact ones.
inline double relativeNoise(const std::vector<double>& exact, const std::vector<double>& got) {
  double noise = 0, signal = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    noise += (got[i] - exact[i]) * (got[i] - exact[i]);
    signal += exact[i] * exact[i];
  }
  return std::sqrt(noise / signal);
}

}  // namespace fusebench
