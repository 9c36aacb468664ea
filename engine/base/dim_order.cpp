// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/dim_order.h"

#include <utility>

namespace fusebench {
namespace {

/// Above 0: dimension a changes more slowly than b; below: faster; 0: nothing tells.
int slower(const Shape& shape, std::span<const Strides> strides, int a, int b) {
  for (const Strides& operand : strides) {
    if (operand[a] == 0 || operand[b] == 0) continue;
    if (operand[a] != operand[b]) return operand[a] > operand[b] ? 1 : -1;
    if (shape[a] > shape[b]) return 1;
  }
  return 0;
}

}  // namespace

bool isGapless(const Shape& shape, const Strides& strides) {
  // Goes through the dimensions, fastest first: each must step exactly as far as those before it
  // reach.
  std::int64_t reach = 1;
  unsigned left = (1u << shape.rank()) - 1;
  for (int d = 0; d < shape.rank(); ++d)
    if (shape[d] == 1) left &= ~(1u << d);
  while (left != 0) {
    int next = -1;
    for (int d = 0; d < shape.rank() && next < 0; ++d)
      if (((left >> d) & 1u) && strides[d] == reach) next = d;
    if (next < 0) return false;
    reach = checkedMultiply(reach, shape[next]);
    left &= ~(1u << next);
  }
  return true;
}

Strides broadcastTo(const Shape& shape, const Shape& operand, const Strides& strides) {
  Strides result = Dims::filled(shape.rank(), 0);
  const int missing = shape.rank() - operand.rank();
  for (int d = 0; d < operand.rank(); ++d)
    if (operand[d] == shape[missing + d]) result[missing + d] = strides[d];
  return result;
}

DimOrder resultOrder(const Shape& shape, std::span<const Strides> strides) {
  // What is compared need not be transitive, so where the search begins and how it goes matters:
  // from row-major, fastest first, each dimension goes toward the fast end past those that are
  // slower, over those of which nothing is known, until one is faster.
  const int rank = shape.rank();
  DimOrder fastestFirst(rank);
  for (int place = 0; place < rank; ++place) fastestFirst[place] = rank - 1 - place;
  for (int next = 1; next < rank; ++next) {
    int at = next;
    for (int place = next; place-- > 0;) {
      const int compared = slower(shape, strides, fastestFirst[place], fastestFirst[at]);
      if (compared < 0) break;
      if (compared == 0) continue;
      std::swap(fastestFirst[place], fastestFirst[at]);
      at = place;
    }
  }
  DimOrder order(rank);
  for (int place = 0; place < rank; ++place) order[place] = fastestFirst[rank - 1 - place];
  return order;
}

}  // namespace fusebench
