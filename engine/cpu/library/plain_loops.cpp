// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/plain_loops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/cpu/library/plain_elements.h"
#include "engine/cpu/library/plain_spread.h"

namespace fusebench::cpu {
namespace {

/// So many results are accumulated side by side.
constexpr std::int64_t kTile = 64;

/// A window of an operand: which loops step through it, and what they reach.
struct PlainWindow {
  std::size_t outer = 0, inner = 0;
  std::int64_t stride = 1, padding = 0, dilation = 1, extent = 0;
};

/// kFirst, kSecond: dtypes of the factors; all floats have one dtype.
template <DType kFirst, DType kSecond, DType kResult>
class PlainLoops {
 public:
  using First = PlainElement<kFirst>;
  using Second = PlainElement<kSecond>;
  using Element = PlainElement<kResult>;
  using Type = typename Element::Type;

  PlainLoops(const LibraryCall& call, const CallSizes& sizes, void* const* pointers)
      : call_(call), sizes_(sizes), kept_(call.form.kept) {
    const std::size_t operands = call.operands.size();
    for (std::size_t t = 0; t < operands; ++t) {
      if (static_cast<int>(t) == call.form.addend)
        addend_ = t;
      else
        factors_.push_back(t);
    }
    for (std::size_t t = 0; t < call.tensors(); ++t) data_.push_back(pointers[t]);
    findWindows();
    low_.assign(sizes.loops.size(), 0);
    high_ = sizes.loops;
  }

  void run(std::int64_t begin, std::int64_t end) {
    place_.assign(sizes_.loops.size(), 0);
    // Along the last of the kept loops several results at a time, unless windows move along it.
    const std::size_t last = kept_ - 1;
    const bool tiles =
        kept_ > 0 && std::none_of(windows_.begin(), windows_.end(), [&](const PlainWindow& w) {
          return w.outer == last || w.inner == last;
        });
    for (std::int64_t at = begin; at < end;) {
      std::int64_t rest = at;
      for (std::size_t l = kept_; l-- > 0;) {
        place_[l] = rest % sizes_.loops[l];
        rest /= sizes_.loops[l];
      }
      std::int64_t width = 1;
      if (tiles) width = std::min({kTile, end - at, sizes_.loops[last] - place_[last]});
      runTile(width);
      at += width;
    }
  }

 private:
  void findWindows() {
    for (const std::size_t t : factors_)
      for (std::size_t d = 0; d < call_.rank(t); ++d) {
        const ContractDim& dim = call_.form.tensors[t][d];
        if (dim.kind != ContractDim::Kind::window) continue;
        const auto w = static_cast<std::size_t>(dim.window);
        windows_.push_back({call_.form.loop(dim.outer), call_.form.loop(dim.inner),
                            call_.settings.stride[w], call_.settings.padding[w],
                            call_.settings.dilation[w], sizes_.windowed[w]});
      }
  }

  std::int64_t step(std::size_t tensor, std::size_t loop) const {
    return sizes_.steps[tensor][loop];
  }
  std::int64_t offset(std::size_t tensor, std::size_t loops) const {
    std::int64_t at = sizes_.begins[tensor];
    for (std::size_t l = 0; l < loops; ++l) at += place_[l] * step(tensor, l);
    return at;
  }

  template <class Stored>
  Stored* at(std::size_t tensor, std::size_t loops) const {
    return static_cast<Stored*>(data_[tensor]) + offset(tensor, loops);
  }

  /// Those rounds of the windows' loops that are inside of the tensor; what an average divides by.
  double clip() {
    double count = 1;
    for (std::size_t l = kept_; l < sizes_.loops.size(); ++l) count *= double(sizes_.loops[l]);
    for (const PlainWindow& w : windows_) {
      if (w.inner < kept_) {  // a weight's gradient: the windows that see this element
        const std::int64_t at = w.padding - place_[w.inner] * w.dilation;
        const auto windowsBelow = [&](std::int64_t place) {
          return std::clamp<std::int64_t>((place + at + w.stride - 1) / w.stride, 0,
                                          sizes_.loops[w.outer]);
        };
        high_[w.outer] = w.extent + at > 0 ? windowsBelow(w.extent) : 0;
        low_[w.outer] = std::min(at > 0 ? windowsBelow(0) : 0, high_[w.outer]);
        continue;
      }
      const std::int64_t first = place_[w.outer] * w.stride - w.padding;
      const std::int64_t size = sizes_.loops[w.inner];
      low_[w.inner] = first >= 0 ? 0 : (-first + w.dilation - 1) / w.dilation;
      high_[w.inner] =
          std::clamp<std::int64_t>((w.extent - first + w.dilation - 1) / w.dilation, 0, size);
      low_[w.inner] = std::min(low_[w.inner], high_[w.inner]);
      const std::int64_t counted = call_.settings.countsPadding
                                       ? std::min(first + size, w.extent + w.padding) - first
                                       : high_[w.inner] - low_[w.inner];
      count *= static_cast<double>(counted) / static_cast<double>(size);
    }
    return count;
  }

  void runTile(std::int64_t width) {
    const double count = clip();
    const bool sums = call_.accumulate == Accumulate::sum;
    std::array<double, kTile> sum;
    sum.fill(sums ? 0 : -std::numeric_limits<double>::infinity());
    bool any = true;
    for (std::size_t l = kept_; l < sizes_.loops.size(); ++l) {
      place_[l] = low_[l];
      any &= low_[l] < high_[l];
    }
    if (any) accumulate(sum.data(), width, sums);
    const std::size_t last = kept_ - 1;
    const std::size_t result = call_.tensors() - 1;
    Type* to = at<Type>(result, kept_);
    const Type* added = addend_ < data_.size() ? at<const Type>(addend_, kept_) : nullptr;
    for (std::int64_t i = 0; i < width; ++i) {
      double value = sum[static_cast<std::size_t>(i)];
      if (call_.average) value /= count;
      value *= call_.settings.alpha;
      if (added && call_.settings.beta != 0)
        value += call_.settings.beta *
                 Element::load(kept_ > 0 ? added[i * step(addend_, last)] : *added);
      (kept_ > 0 ? to[i * step(result, last)] : *to) = Element::store(value);
    }
  }

  /// Goes through the loops that are not kept.
  void accumulate(double* sum, std::int64_t width, bool sums) {
    const std::size_t loops = sizes_.loops.size();
    const std::size_t first = factors_.front(), second = factors_.back();
    const bool two = factors_.size() > 1;
    const std::int64_t along = kept_ > 0 ? step(first, kept_ - 1) : 0;
    const std::int64_t besides = two && kept_ > 0 ? step(second, kept_ - 1) : 0;
    while (true) {
      const auto* const a = at<const typename First::Type>(first, loops);
      const auto* const b = two ? at<const typename Second::Type>(second, loops) : nullptr;
      if (!sums) {
        for (std::int64_t i = 0; i < width; ++i) {
          const double value = First::load(a[i * along]);
          if (value > sum[i] || std::isnan(value)) sum[i] = value;  // NaN stays
        }
      } else if (!two) {
        for (std::int64_t i = 0; i < width; ++i) sum[i] += First::load(a[i * along]);
      } else if (along == 0 && besides == 1) {
        const double factor = First::load(*a);
        for (std::int64_t i = 0; i < width; ++i) sum[i] += factor * Second::load(b[i]);
      } else {
        for (std::int64_t i = 0; i < width; ++i)
          sum[i] += First::load(a[i * along]) * Second::load(b[i * besides]);
      }
      std::size_t l = loops;
      while (l > kept_ && ++place_[l - 1] == high_[l - 1]) {
        place_[l - 1] = low_[l - 1];
        --l;
      }
      if (l == kept_) return;
    }
  }

  const LibraryCall& call_;
  const CallSizes& sizes_;
  std::size_t kept_;
  std::vector<std::size_t> factors_;
  std::size_t addend_ = static_cast<std::size_t>(-1);
  std::vector<void*> data_;
  std::vector<PlainWindow> windows_;
  std::vector<std::int64_t> place_, low_, high_;  ///< per loop
};

/// Calls visit.operator()<first, second>() for the bytes that are multiplied.
template <class Visit>
void ofBytes(const LibraryCall& call, const Visit& visit) {
  const auto second = [&]<DType kFirst>() {
    if (call.operands[1] == DType::int8)
      visit.template operator()<kFirst, DType::int8>();
    else
      visit.template operator()<kFirst, DType::uint8>();
  };
  if (call.operands[0] == DType::int8)
    second.template operator()<DType::int8>();
  else
    second.template operator()<DType::uint8>();
}

}  // namespace

void runPlainLoops(const LibraryCall& call, const CallSizes& sizes, void* const* pointers,
                   std::int64_t begin, std::int64_t end) {
  if (!sizes.spread.empty()) return runPlainSpread(call, sizes, pointers, begin, end);
  if (call.result == DType::int32)
    return ofBytes(call, [&]<DType kFirst, DType kSecond>() {
      PlainLoops<kFirst, kSecond, DType::int32>(call, sizes, pointers).run(begin, end);
    });
  ofPlainElements(call, [&]<DType kDType>() {
    PlainLoops<kDType, kDType, kDType>(call, sizes, pointers).run(begin, end);
  });
}

}  // namespace fusebench::cpu
