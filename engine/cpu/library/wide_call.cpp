// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/wide_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "engine/cpu/library/float_conversion.h"

namespace fusebench::cpu {
namespace {

constexpr std::size_t kScratchAlignment = 64;

/// One tensor of the call, and where its float32 elements are: without gaps, its dimensions in
/// their order in memory. Dimensions with stride 0 are gone through once.
struct WideTensor {
  DType dtype = DType::float16;
  std::vector<std::size_t> order;                     ///< outermost first
  std::vector<std::int64_t> extents, strides, dense;  ///< by dimension
  std::size_t offset = 0;                             ///< into the scratch memory, bytes
  std::int64_t count = 1;                             ///< elements there

  WideTensor(DType type, const std::int64_t* integers, std::size_t rank)
      : dtype(type),
        extents(integers, integers + rank),
        strides(integers + rank, integers + 2 * rank),
        dense(rank, 0) {
    for (std::size_t d = 0; d < rank; ++d)
      if (strides[d] != 0 || extents[d] == 0) order.push_back(d);
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t d) { return strides[d]; });
    for (std::size_t o = order.size(); o-- > 0;) {
      dense[order[o]] = count;
      count *= extents[order[o]];
    }
    joinInner();
  }

  /// Calls visit(first element, its place without gaps) for each line of the innermost loop.
  template <class Visit>
  void forEachLine(const Visit& visit) const {
    if (count == 0) return;
    std::vector<std::int64_t> place(outer_, 0);
    std::int64_t from = 0, to = 0;
    while (true) {
      visit(from, to);
      std::size_t o = outer_;
      for (; o > 0; --o) {
        const std::size_t d = order[o - 1];
        from += strides[d];
        to += dense[d];
        if (++place[o - 1] < extents[d]) break;
        from -= strides[d] * extents[d];
        to -= dense[d] * extents[d];
        place[o - 1] = 0;
      }
      if (o == 0) return;
    }
  }
  std::int64_t lineStep() const { return step_; }
  std::int64_t lineCount() const { return line_; }

 private:
  /// Joins inner dimensions into one line where each continues at the end of the one inside it.
  void joinInner() {
    outer_ = order.size();
    if (outer_ == 0) return;
    step_ = strides[order[outer_ - 1]];
    while (outer_ > 0 && strides[order[outer_ - 1]] == step_ * line_)
      line_ *= extents[order[--outer_]];
  }

  std::size_t outer_ = 0;  ///< dimensions around the lines
  std::int64_t step_ = 1, line_ = 1;
};

class WideCallOfLibrary final : public WideCall {
 public:
  explicit WideCallOfLibrary(const LibraryRequest& request)
      : wide_(request.call), dtype_(request.call.result) {
    std::ranges::fill(wide_.operands, DType::float32);
    wide_.result = DType::float32;
    const std::int64_t* at = request.integers;
    for (std::size_t t = 0; t < wide_.tensors(); ++t) {
      const std::size_t rank = wide_.rank(t);
      tensors_.emplace_back(dtype_, at, rank);
      integers_.insert(integers_.end(), at, at + rank);
      integers_.insert(integers_.end(), tensors_.back().dense.begin(), tensors_.back().dense.end());
      at += 2 * rank;
      tensors_.back().offset = bytes_;
      const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(tensors_.back().count);
      bytes_ += (bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
    }
  }

  bool prepare(OneDnn& library, const LibraryRequest& request) {
    const CallSizes sizes = sizesOf(wide_, integers_.data());
    inner_ = library.prepare(
        {wide_, sizes, integers_.data(), request.threads, request.processor, request.cache});
    version_ = library.version();
    return inner_ != nullptr;
  }

  std::size_t scratchBytes() const override { return bytes_; }

  void run(void* const* pointers, Allocator& allocator) override {
    const BlockRef block(allocator.allocate(bytes_));
    std::vector<void*> wide;
    for (std::size_t t = 0; t < tensors_.size(); ++t) {
      const WideTensor& tensor = tensors_[t];
      wide.push_back(static_cast<std::byte*>(block.get()->data) + tensor.offset);
      if (t == wide_.operands.size()) break;
      const auto* const from = static_cast<const std::uint16_t*>(pointers[t]);
      auto* const to = static_cast<float*>(wide.back());
      tensor.forEachLine([&](std::int64_t source, std::int64_t target) {
        widen(from + source, tensor.lineStep(), to + target, tensor.lineCount(), dtype_);
      });
    }
    inner_->run(wide.data());
    const WideTensor& result = tensors_.back();
    const auto* const made = static_cast<const float*>(wide.back());
    auto* const to = static_cast<std::uint16_t*>(pointers[wide_.operands.size()]);
    result.forEachLine([&](std::int64_t target, std::int64_t source) {
      narrow(made + source, to + target, result.lineStep(), result.lineCount(), dtype_);
    });
  }

  std::string description() const override {
    return fmt::format(
               "made in float32, for oneDNN {} has no fast way in {}: the operands are brought "
               "there, the "
               "result is rounded once; {} bytes of memory\n",
               version_, info(dtype_).name, bytes_) +
           inner_->description();
  }

 private:
  LibraryCall wide_;
  DType dtype_;
  std::vector<WideTensor> tensors_;
  std::vector<std::int64_t> integers_;
  std::size_t bytes_ = 0;
  std::unique_ptr<PreparedCall> inner_;
  std::string version_;
};

}  // namespace

std::unique_ptr<WideCall> WideCall::make(OneDnn& library, const LibraryRequest& request) {
  if (!isRounded(request.call.result) || request.sizes.count() == 0) return nullptr;
  auto made = std::make_unique<WideCallOfLibrary>(request);
  if (!made->prepare(library, request)) return nullptr;
  return made;
}

}  // namespace fusebench::cpu
