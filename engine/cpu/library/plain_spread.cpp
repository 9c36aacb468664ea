// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/plain_spread.h"

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/cpu/library/plain_elements.h"

namespace fusebench::cpu {
namespace {

/// Results one by one: for each its windows, for each window what comes back from it.
template <DType kDType>
class PlainSpread {
 public:
  using Element = PlainElement<kDType>;
  using Type = typename Element::Type;

  PlainSpread(const LibraryCall& call, const CallSizes& sizes, void* const* pointers)
      : call_(call), sizes_(sizes), kept_(call.form.kept), place_(sizes.loops.size(), 0) {
    for (std::size_t t = 0; t < call.tensors(); ++t)
      data_.push_back(static_cast<Type*>(pointers[t]));
    for (const SpreadStep& dim : sizes.spread) dims_.push_back(dim.window);
    // Loops that do not belong to a window: those of channels.
    for (std::size_t l = kept_; l < place_.size(); ++l) {
      bool window = false;
      for (const SpreadStep& dim : sizes.spread) window |= dim.element == l;
      if (!window) inner_.push_back(l);
    }
  }

  void run(std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = begin; at < end; ++at) {
      std::int64_t rest = at;
      for (std::size_t l = kept_; l-- > 0;) {
        place_[l] = rest % sizes_.loops[l];
        rest /= sizes_.loops[l];
      }
      const std::size_t result = call_.tensors() - 1;
      data_[result][offset(result, kept_)] = Element::store(call_.settings.alpha * sum());
    }
  }

 private:
  std::int64_t offset(std::size_t tensor, std::size_t loops) const {
    std::int64_t at = sizes_.begins[tensor];
    for (std::size_t l = 0; l < loops; ++l) at += place_[l] * sizes_.steps[tensor][l];
    return at;
  }

  /// Over the windows that one place is in.
  double sum() {
    std::int64_t windows = 1;
    for (const SpreadWindow& dim : dims_) windows *= dim.size;
    double total = 0;
    for (std::int64_t element = 0; element < windows; ++element) {
      std::int64_t rest = element, first = 0;
      bool there = true;
      for (std::size_t d = dims_.size(); d-- > 0 && there;) {
        const SpreadStep& dim = sizes_.spread[d];
        place_[dim.element] = rest % dim.window.size;
        rest /= dim.window.size;
        window_[d] = dim.window.settings.windowAt(place_[dim.place], place_[dim.element]);
        there = window_[d] >= 0 && window_[d] < dim.window.windows;
        first += window_[d] * dim.step;
      }
      if (there) total += fromWindow(element, first);
    }
    return total;
  }

  /// `first`: offset of the window in the first operand, without the loops that do not belong to
  /// it.
  double fromWindow(std::int64_t element, std::int64_t first) {
    if (call_.accumulate == Accumulate::max && !isGreatest(element)) return 0;
    double weight = 1;
    if (call_.average)
      for (std::size_t d = 0; d < dims_.size(); ++d)
        weight /= static_cast<double>(dims_[d].settings.counted(
            window_[d], dims_[d].size, dims_[d].places, call_.settings.countsPadding));
    const bool products = call_.operands.size() > 1 && call_.accumulate == Accumulate::sum;
    for (const std::size_t l : inner_) place_[l] = 0;
    double total = 0;
    while (true) {
      const double back = Element::load(data_[0][first + offset(0, place_.size())]);
      total += products ? back * Element::load(data_[1][offset(1, place_.size())]) : back;
      std::size_t l = inner_.size();
      while (l > 0 && ++place_[inner_[l - 1]] == sizes_.loops[inner_[l - 1]])
        place_[inner_[--l]] = 0;
      if (l == 0) return total * weight;
    }
  }

  bool isGreatest(std::int64_t element) {
    std::int64_t base = offset(1, place_.size());
    for (const SpreadStep& dim : sizes_.spread)
      base -= place_[dim.place] * sizes_.steps[1][dim.place];
    return element == greatestOf(dims_, std::span(window_).first(dims_.size()),
                                 [&](std::span<const std::int64_t> places) {
                                   std::int64_t at = base;
                                   for (std::size_t d = 0; d < places.size(); ++d)
                                     at += places[d] * sizes_.steps[1][sizes_.spread[d].place];
                                   return Element::load(data_[1][at]);
                                 });
  }

  const LibraryCall& call_;
  const CallSizes& sizes_;
  std::size_t kept_;
  std::vector<std::int64_t> place_;  ///< per loop
  std::vector<Type*> data_;
  std::vector<SpreadWindow> dims_;
  std::vector<std::size_t> inner_;
  std::array<std::int64_t, kMostWindows> window_{};
};

}  // namespace

void runPlainSpread(const LibraryCall& call, const CallSizes& sizes, void* const* pointers,
                    std::int64_t begin, std::int64_t end) {
  ofPlainElements(
      call, [&]<DType kDType>() { PlainSpread<kDType>(call, sizes, pointers).run(begin, end); });
}

}  // namespace fusebench::cpu
