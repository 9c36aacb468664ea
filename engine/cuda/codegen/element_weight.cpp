// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/element_weight.h"

#include "engine/cuda/codegen/device_functions.h"
#include "engine/plan/kernel_nodes.h"

namespace fusebench::cuda {
namespace {

constexpr std::int64_t kRoutine = 20;

bool isLeaf(Primitive primitive) {
  return primitive == Primitive::input || primitive == Primitive::scalar ||
         primitive == Primitive::constant || primitive == Primitive::carried;
}

}  // namespace

std::int64_t elementWeight(const Kernel& kernel) {
  const std::vector<int> needed = numberNeeded(kernel);
  std::int64_t weight = 1;
  for (std::size_t node = 0; node < needed.size(); ++node) {
    const Primitive primitive = kernel.body.nodes()[node].primitive;
    if (needed[node] >= 0 && !isLeaf(primitive)) weight += isRoutine(primitive) ? kRoutine : 1;
  }
  return weight;
}

}  // namespace fusebench::cuda
