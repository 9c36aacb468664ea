// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/scan_executable.h"

#include <algorithm>
#include <stdexcept>

#include "engine/base/elements.h"
#include "engine/ops/accumulators.h"

namespace fusebench::cpu {
namespace {

/// About the latency of an addition in double, with a load and a store at the same time.
constexpr double kNanosecondsPerStep = 1.2;

/// One row: `count` elements, steps in elements.
template <class From, class To, class Total>
void scanPlain(const void* from, std::int64_t fromStep, void* to, std::int64_t toStep,
               std::int64_t count, Total total, bool multiplies) {
  const From* const read = static_cast<const From*>(from);
  To* const write = static_cast<To*>(to);
  for (std::int64_t i = 0; i < count; ++i) {
    const Total element = static_cast<Total>(read[i * fromStep]);
    total = multiplies ? total * element : total + element;
    write[i * toStep] = static_cast<To>(total);
  }
}

/// The same of any dtypes. Integers wrap around, which signed arithmetic must not.
void scanAny(DType read, const std::byte* from, std::int64_t fromStep, DType written, std::byte* to,
             std::int64_t toStep, std::int64_t count, bool whole, bool multiplies) {
  const auto fromBytes = fromStep * static_cast<std::int64_t>(info(read).size);
  const auto toBytes = toStep * static_cast<std::int64_t>(info(written).size);
  double real = multiplies ? 1 : 0;
  std::uint64_t bits = multiplies ? 1 : 0;
  for (std::int64_t i = 0; i < count; ++i, from += fromBytes, to += toBytes) {
    if (whole) {
      const auto element = static_cast<std::uint64_t>(loadInteger(from, read));
      bits = multiplies ? bits * element : bits + element;
      storeElement(to, written, static_cast<std::int64_t>(bits));
    } else {
      real = multiplies ? real * loadElement(from, read) : real + loadElement(from, read);
      storeElement(to, written, real);
    }
  }
}

}  // namespace

ScanExecutable::ScanExecutable(const Kernel& kernel)
    : CpuExecutable(kernel, kernel.rank() > 1),
      read_(kernel.inputs.at(0).dtype),
      written_(kernel.outputs.at(0).tensor.dtype),
      whole_(isInteger(kernel.outputs.at(0).accumulated)),
      multiplies_(info(kernel.outputs.at(0).accumulate).combine == Primitive::mul) {
  if (kernel.inputs.size() != 1 || kernel.outputs.size() != 1)
    throw std::logic_error("a scan has one input and one output");
  int next = 0;
  const auto numbers = [&next](const Dims& dims) {
    std::vector<Number> made;
    for (const std::int64_t size : dims)
      made.push_back(size == kAtLaunch ? Number{0, next++} : Number{size, -1});
    return made;
  };
  extents_ = numbers(kernel.extents);
  from_ = numbers(kernel.inputs[0].strides);
  to_ = numbers(kernel.outputs[0].tensor.strides);
  for (int dim = 0; dim < kernel.rank(); ++dim)
    if (kernel.reduced(dim))
      for (std::vector<Number>* each : {&extents_, &from_, &to_})
        std::rotate(each->begin() + dim, each->begin() + dim + 1, each->end());
}

std::int64_t ScanExecutable::firstExtent(const std::int64_t* integers) const {
  return extents_.front().of(integers);
}

double ScanExecutable::estimate(const std::int64_t* integers) const {
  double elements = 1;
  for (const Number& extent : extents_) elements *= static_cast<double>(extent.of(integers));
  return elements * kNanosecondsPerStep;
}

void ScanExecutable::run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
                         std::uint64_t* /*partials*/) const {
  const std::size_t kept = extents_.size() - 1;
  const std::int64_t* const integers = arguments.integers;
  const std::int64_t count = extents_.back().of(integers);
  std::int64_t rows = 1;
  for (std::size_t d = 0; d < kept; ++d) rows *= d == 0 ? end - begin : extents_[d].of(integers);
  const std::int64_t fromStep = from_.back().of(integers), toStep = to_.back().of(integers);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t rest = row, fromPlace = 0, toPlace = 0;
    for (std::size_t d = kept; d-- > 0;) {
      const std::int64_t extent = d == 0 ? end - begin : extents_[d].of(integers);
      const std::int64_t index = rest % extent + (d == 0 ? begin : 0);
      rest /= extent;
      fromPlace += index * from_[d].of(integers);
      toPlace += index * to_[d].of(integers);
    }
    const auto* const from = static_cast<const std::byte*>(arguments.pointers[0]) +
                             fromPlace * static_cast<std::int64_t>(info(read_).size);
    auto* const to = static_cast<std::byte*>(arguments.pointers[1]) +
                     toPlace * static_cast<std::int64_t>(info(written_).size);
    const double first = multiplies_ ? 1 : 0;
    if (read_ == DType::float32 && written_ == DType::float32)
      scanPlain<float, float>(from, fromStep, to, toStep, count, first, multiplies_);
    else if (read_ == DType::float64 && written_ == DType::float64)
      scanPlain<double, double>(from, fromStep, to, toStep, count, first, multiplies_);
    else
      scanAny(read_, from, fromStep, written_, to, toStep, count, whole_, multiplies_);
  }
}

}  // namespace fusebench::cpu
