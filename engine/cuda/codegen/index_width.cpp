// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/index_width.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace fusebench::cuda {

IndexWidth::IndexWidth(const Kernel& kernel) : rank_(kernel.rank()) {
  const auto number = [&](std::int64_t value) {
    return value == kAtLaunch ? Number{0, integers_++} : Number{value, -1};
  };
  for (const std::int64_t extent : kernel.extents) extents_.push_back(number(extent));
  const auto add = [&](const KernelTensor& tensor) {
    std::vector<Number> strides;
    bool far = false;  // else it reaches no further than there are elements
    for (const std::int64_t stride : tensor.strides) {
      strides.push_back(number(stride));
      far |= stride != 0 && stride != 1;
    }
    if (far) strides_.insert(strides_.end(), strides.begin(), strides.end());
  };
  for (const KernelTensor& input : kernel.inputs) add(input);
  for (const KernelOutput& output : kernel.outputs) add(output.tensor);
}

bool IndexWidth::narrow(const std::int64_t* integers) const {
  // Neither factor nor sum is over the limit before it is used: nothing overflows.
  std::int64_t elements = 1;
  for (const Number& number : extents_) {
    const std::int64_t extent = std::max<std::int64_t>(valueOf(number, integers, 1), 1);
    if (extent > kNarrowElements || (elements *= extent) > kNarrowElements) return false;
  }
  std::int64_t reach = 0;
  int dim = 0;
  for (const Number& number : strides_) {
    const std::int64_t stride = std::abs(valueOf(number, integers, 0));
    if (stride > kNarrowElements) return false;
    const Number& along = extents_[static_cast<std::size_t>(dim)];
    reach += (std::max<std::int64_t>(valueOf(along, integers, 1), 1) - 1) * stride;
    if (reach > kNarrowElements) return false;
    if (++dim == rank_) dim = 0, reach = 0;
  }
  return true;
}

}  // namespace fusebench::cuda
