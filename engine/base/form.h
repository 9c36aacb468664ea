// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>

#include "engine/base/dtype.h"
#include "engine/base/shape.h"

namespace fusebench {

/// The memory that a tensor is in, if the device has separate memory; otherwise every tensor is in
/// `device`.
enum class Memory : std::uint8_t {
  device,
  host,   ///< ordinary host memory: pages that the system may move
  pinned  ///< host memory that the device reads and writes directly
};

/// All properties of a tensor except its address: plans are made for these.
struct Form {
  DType dtype = DType::float32;
  bool contiguous = true;  ///< strides are those of contiguousStrides(shape)
  Shape shape;             ///< extents, in elements
  Strides strides;         ///< in elements
  Memory memory = Memory::device;
};

/// A form whose elements are stored row-major.
inline Form contiguousForm(DType dtype, const Shape& shape) {
  return {dtype, true, shape, contiguousStrides(shape)};
}

/// The smallest and the largest offset of a tensor's elements, relative to its first one. reachOf()
/// throws SizeOverflow.
struct Reach {
  std::int64_t least = 0, greatest = 0;
};
inline Reach reachOf(const Shape& shape, const Strides& strides) {
  Reach reach;
  for (int d = 0; d < shape.rank(); ++d) {
    const std::int64_t along = checkedMultiply(shape[d] - 1, strides[d]);
    std::int64_t& end = along < 0 ? reach.least : reach.greatest;
    end = checkedAdd(end, along);
  }
  return reach;
}

/// The bytes of the elements without gaps between them. Throws SizeOverflow.
inline std::size_t elementBytes(const Form& form) {
  return static_cast<std::size_t>(
      checkedMultiply(elementCount(form.shape), static_cast<std::int64_t>(info(form.dtype).size)));
}

/// The bytes from the first element to the last that such a tensor accesses. Throws SizeOverflow.
inline std::size_t spanBytes(const Form& form) {
  if (elementCount(form.shape) == 0) return 0;
  return static_cast<std::size_t>(
      checkedMultiply(checkedAdd(reachOf(form.shape, form.strides).greatest, 1),
                      static_cast<std::int64_t>(info(form.dtype).size)));
}

/// A span of forms, or of the forms of several tensors, without a copy.
class Forms {
 public:
  template <std::ranges::contiguous_range Range>
  requires std::derived_from<std::ranges::range_value_t<Range>, Form> Forms(
      const Range& forms)  // NOLINT(google-explicit-constructor): a list of forms is forms
      : first_(std::ranges::empty(forms) ? nullptr
                                         : reinterpret_cast<const std::byte*>(
                                               static_cast<const Form*>(std::ranges::data(forms)))),
        size_(std::ranges::size(forms)),
        step_(sizeof(std::ranges::range_value_t<Range>)) {}

  std::size_t size() const { return size_; }
  const Form& operator[](std::size_t i) const {
    return *reinterpret_cast<const Form*>(first_ + i * step_);
  }

 private:
  const std::byte* first_;
  std::size_t size_;
  std::size_t step_;
};

}  // namespace fusebench
