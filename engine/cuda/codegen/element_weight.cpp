// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/element_weight.h"

#include <vector>

#include "engine/cuda/codegen/device_functions.h"
#include "engine/plan/kernel_nodes.h"

namespace fusebench::cuda {
namespace {

constexpr std::int64_t kRoutine = 20;

bool isLeaf(Primitive primitive) {
  return primitive == Primitive::input || primitive == Primitive::scalar ||
         primitive == Primitive::constant || primitive == Primitive::carried;
}

std::int64_t compileMicroseconds(const ExprNode& node) {
  if (isLeaf(node.primitive)) return 0;
  if (!isRoutine(node.primitive)) return 100;
  const bool wide = node.type == TypeClass::float64;
  switch (node.primitive) {
    case Primitive::sin:
    case Primitive::cos:
    case Primitive::tan:  // a float32 beyond 105,615 needs a loop over the bits of 2/pi
      return wide ? 4'000 : 9'000;
    case Primitive::fmod:
      return wide ? 22'000 : 6'000;
    case Primitive::pow:
      return 6'000;
    case Primitive::atan2:
    case Primitive::asinh:
    case Primitive::acosh:
      return wide ? 6'000 : 4'000;
    default:
      return wide ? 4'000 : 1'200;
  }
}

/// The sum of `ofNode` over the nodes that a kernel needs.
template <class OfNode>
std::int64_t sumOverNeeded(const Kernel& kernel, const OfNode& ofNode) {
  const std::vector<int> needed = numberNeeded(kernel);
  std::int64_t sum = 0;
  for (std::size_t node = 0; node < needed.size(); ++node)
    if (needed[node] >= 0) sum += ofNode(kernel.body.nodes()[node]);
  return sum;
}

}  // namespace

std::int64_t elementWeight(const Kernel& kernel) {
  return 1 + sumOverNeeded(kernel, [](const ExprNode& node) -> std::int64_t {
           if (isLeaf(node.primitive)) return 0;
           return isRoutine(node.primitive) ? kRoutine : 1;
         });
}

std::int64_t compileMicroseconds(const Kernel& kernel) {
  return sumOverNeeded(kernel, [](const ExprNode& node) { return compileMicroseconds(node); });
}

}  // namespace fusebench::cuda
