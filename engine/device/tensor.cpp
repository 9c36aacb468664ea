// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/tensor.h"

namespace fusebench {

Tensor makeTensor(Allocator& allocator, DType dtype, const Shape& shape) {
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.shape = shape;
  tensor.strides = contiguousStrides(shape);
  tensor.block = BlockRef(allocator.allocate(tensor.bytes()));
  return tensor;
}

}  // namespace fusebench
