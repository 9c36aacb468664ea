// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/tensor.h"

#include <stdexcept>

namespace fusebench {

void Tensor::checkInBlock() const {
  if (!block || elementCount(shape) == 0) return;
  const Reach reach = reachOf(shape, strides);
  const auto room = static_cast<std::int64_t>(block.get()->bytes / info(dtype).size);
  if (checkedAdd(offset, reach.least) < 0 || checkedAdd(offset, reach.greatest) >= room)
    throw std::logic_error("a tensor of shape " + toString(shape) +
                           " does not fit into its block of memory");
}

Tensor makeTensor(Allocator& allocator, DType dtype, const Shape& shape) {
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.shape = shape;
  tensor.strides = contiguousStrides(shape);
  tensor.block = BlockRef(allocator.allocate(tensor.bytes()));
  return tensor;
}

}  // namespace fusebench
