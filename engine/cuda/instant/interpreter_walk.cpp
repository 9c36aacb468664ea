// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/instant/interpreter_walk.h"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "engine/device/op_list_refused.h"

namespace fusebench::cuda {
namespace {

/// Extents and strides with the launch's integers put in.
struct KnownSizes {
  KnownSizes(const LoopNest& kernel, const std::int64_t* integers) {
    const auto known = [&](const Dims& dims) {
      Dims made;
      for (const std::int64_t size : dims) made.push(size == kAtLaunch ? *integers++ : size);
      return made;
    };
    extents = known(kernel.extents);
    for (const KernelTensor& input : kernel.inputs) strides[tensors++] = known(input.strides);
    for (const KernelOutput& output : kernel.outputs)
      strides[tensors++] = known(output.tensor.strides);
  }
  Dims extents;
  std::array<Dims, kOpListTensors> strides;
  std::size_t tensors = 0;
};

/// Some dimensions in the order of the loops, the last of which changes fastest.
struct LoopOrder {
  std::array<int, kMaxRank> dims{};
  int count = 0;

  void add(int dim) { dims[static_cast<std::size_t>(count++)] = dim; }
  void moveLast(int dim) {
    const auto end = dims.begin() + count;
    const auto found = std::find(dims.begin(), end, dim);
    if (found != end) std::rotate(found, found + 1, end);
  }
  std::span<const int> all() const { return {dims.data(), static_cast<std::size_t>(count)}; }
};

std::int64_t productOf(const LoopOrder& order, const Dims& extents) {
  std::int64_t product = 1;
  for (const int dim : order.all()) product *= extents[dim];
  return product;
}

/// Whether elements numbered along these dimensions are evenly apart, and how far.
bool isEven(const LoopOrder& order, const Dims& extents, const Dims& strides, std::int64_t& step) {
  step = 0;
  std::int64_t next = 0;  // what the stride of the dimension before must be
  bool first = true;
  for (int i = order.count; i-- > 0;) {
    const int dim = order.dims[static_cast<std::size_t>(i)];
    if (extents[dim] == 1) continue;
    if (first) step = strides[dim];
    if (!first && strides[dim] != next) return false;
    next = strides[dim] * extents[dim];
    first = false;
  }
  return true;
}

bool allDivide(const LoopOrder& order, int count, const Dims& extents, const Dims& strides) {
  for (int i = 0; i < count; ++i) {
    const int dim = order.dims[static_cast<std::size_t>(i)];
    if (extents[dim] != 1 && strides[dim] % 4 != 0) return false;
  }
  return true;
}

/// How well the tensors that are read or stored element by element run along a dimension.
int opListSuitability(const LoopNest& kernel, const KnownSizes& sizes, int dim) {
  int score = 0;
  for (std::size_t t = 0; t < sizes.tensors; ++t) {
    if (t >= kernel.inputs.size() && kernel.outputs[t - kernel.inputs.size()].reduces) continue;
    const std::int64_t stride = sizes.strides[t][dim];
    score += stride == 1 ? 1 : stride == 0 ? 0 : -1;
  }
  return score;
}

class Walk {
 public:
  Walk(OpListLaunch& launch, const LoopNest& kernel, const std::int64_t* integers)
      : launch_(launch), kernel_(kernel), sizes_(kernel, integers) {}

  void run(bool places) {
    order();
    launch_.results = productOf(outer_, sizes_.extents);
    launch_.length = productOf(inner_, sizes_.extents);
    launch_.outerRank = outer_.count;
    launch_.innerRank = inner_.count;
    int at = 0;
    for (const int dim : outer_.all()) launch_.extents[at++] = sizes_.extents[dim];
    for (const int dim : inner_.all()) launch_.extents[at++] = sizes_.extents[dim];
    for (std::size_t t = 0; t < sizes_.tensors; ++t) {
      const std::size_t inputs = kernel_.inputs.size();
      add(t, (t < inputs ? kernel_.inputs[t] : kernel_.outputs[t - inputs].tensor).dtype,
          sizes_.strides[t]);
    }
    if (places) addPlaces();
  }

 private:
  void order() {
    int fastest = 0;
    for (int dim = 0; dim < kernel_.rank(); ++dim) {
      const bool outer = kernel_.reducedMask != 0 && !kernel_.reduced(dim);
      (outer ? outer_ : inner_).add(dim);
      if (opListSuitability(kernel_, sizes_, dim) >= opListSuitability(kernel_, sizes_, fastest))
        fastest = dim;
    }
    if (kernel_.reducedMask == 0) return;
    outer_.moveLast(fastest);
    inner_.moveLast(fastest);
    launch_.byRows = kernel_.reduced(fastest);
  }

  void add(std::size_t t, DType dtype, const Dims& strides) {
    OpListTensor& tensor = launch_.tensors[t];
    tensor = {};
    const Dims& extents = sizes_.extents;
    if (dtype == DType::boolean) tensor.how |= kTruthTensor;
    const bool outerEven = isEven(outer_, extents, strides, tensor.outerStep);
    const bool innerEven = isEven(inner_, extents, strides, tensor.step);
    if (outerEven) tensor.how |= kOuterEven;
    if (innerEven) tensor.how |= kInnerEven | kGroupEven;
    if (!outerEven || !innerEven) {
      tensor.steps = stepCount_;
      for (const LoopOrder* order : {&outer_, &inner_})
        for (const int dim : order->all()) launch_.steps[stepCount_++] = strides[dim];
    }
    bool divides = allDivide(outer_, outer_.count, extents, strides);
    if (!innerEven) {
      const int last = inner_.dims[static_cast<std::size_t>(inner_.count - 1)];
      if (extents[last] % 4 == 0) tensor.how |= kGroupEven;
      tensor.step = strides[last];
      divides &= allDivide(inner_, inner_.count - 1, extents, strides);
    }
    if (dtype == DType::float32 && tensor.step == 1 && divides && (tensor.how & kGroupEven))
      tensor.how |= kOneAccess;
  }

  /// Row-major places among what is reduced over, in the program's order of dimensions.
  void addPlaces() {
    Dims strides = Dims::filled(kernel_.rank(), 0);
    std::int64_t step = 1;
    for (int dim = kernel_.rank(); dim-- > 0;) {
      if (!kernel_.reduced(dim)) continue;
      strides[dim] = step;
      step *= sizes_.extents[dim];
    }
    add(sizes_.tensors, DType::int64, strides);
  }

  OpListLaunch& launch_;
  const LoopNest& kernel_;
  KnownSizes sizes_;
  LoopOrder outer_, inner_;
  std::int32_t stepCount_ = 0;
};

}  // namespace

void demandRoom(const Kernel& kernel, bool places) {
  const std::size_t tensors = kernel.inputs.size() + kernel.outputs.size() + places;
  const auto rank = static_cast<std::size_t>(kernel.rank());
  if (tensors <= kOpListTensors && tensors * rank <= kOpListSteps) return;
  throw OpListRefused(fmt::format(
      "instant takes at most {} tensors of {} dimensions in one kernel on a GPU, and {} has {} of "
      "{}: use static or dynamic",
      std::min<std::size_t>(kOpListTensors, kOpListSteps / std::max<std::size_t>(rank, 1)), rank,
      kernel.name, tensors, rank));
}

void setWalk(OpListLaunch& launch, const LoopNest& kernel, bool places,
             const std::int64_t* integers) {
  Walk(launch, kernel, integers).run(places);
}

}  // namespace fusebench::cuda
