// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/tensor.h"

namespace fusebench {

Tensor makeTensor(Allocator& allocator, DType dtype, const Shape& shape) {
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.shape = shape;
  tensor.strides = contiguousStrides(shape);
  allocateTensor(allocator, tensor);
  return tensor;
}

void allocateTensor(Allocator& allocator, Tensor& tensor) {
  const auto bytes = static_cast<std::size_t>(elementCount(tensor.shape)) * info(tensor.dtype).size;
  tensor.block = BlockRef(allocator.allocate(bytes));
}

}  // namespace fusebench
