// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/view_rule.h"

#include <algorithm>
#include <string>

namespace fusebench {

int countedDim(int dim, int rank) {
  const int range = std::max(rank, 1);
  if (dim < -range || dim >= range)
    throw ViewError("there is no dimension " + std::to_string(dim) + " in " + std::to_string(rank) +
                    "; it goes from " + std::to_string(-range) + " to " +
                    std::to_string(range - 1));
  return dim < 0 ? dim + range : dim;
}

}  // namespace fusebench
