// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/short_rows.h"

#include <algorithm>
#include <cstring>

#include "engine/plan/joined_rows.h"

namespace fusebench::cpu {
namespace {

/// In place of positions: strides that the kernel knows.
constexpr int kNeighbors = -1, kSameElement = -2;
/// Elements of a joined row. A multiple of common row lengths and of all vectors, which fits the
/// L1 cache several times.
constexpr std::int64_t kJoinedElements = 768;
/// Repeats the first `bytes` of a buffer up to `all` bytes.
void repeat(std::byte* buffer, std::size_t bytes, std::size_t all) {
  for (std::size_t filled = bytes; filled < all; filled += std::min(filled, all - filled))
    std::memcpy(buffer + filled, buffer, std::min(filled, all - filled));
}

}  // namespace

bool joinsRows(const Kernel& kernel, const Schedule& schedule) {
  const auto isGiven = [](std::int64_t extent) { return extent == kAtLaunch; };
  return mayJoinRows(kernel) && std::ranges::all_of(kernel.extents, isGiven) &&
         !schedule.hasPanels() && schedule.streamed.empty() && schedule.order.front() == 0 &&
         schedule.vectorDim == kernel.rank() - 1;
}

ShortRowKernel::ShortRowKernel(const Kernel& kernel, std::shared_ptr<const CompiledKernel> whole)
    : CpuExecutable(kernel, whole->splits()),
      whole_(std::move(whole)),
      rank_(static_cast<std::size_t>(kernel.rank())),
      integers_(rank_) {
  const auto add = [this](const KernelTensor& tensor, bool written) {
    Walked& made = tensors_.emplace_back();
    made.bytes = static_cast<std::int64_t>(info(tensor.dtype).size);
    made.written = written;
    for (const std::int64_t stride : tensor.strides)
      made.strides.push_back(stride == 1   ? kNeighbors
                             : stride == 0 ? kSameElement
                                           : static_cast<int>(integers_++));
  };
  for (const KernelTensor& input : kernel.inputs) add(input, false);
  for (const KernelOutput& output : kernel.outputs) add(output.tensor, true);
}

std::int64_t ShortRowKernel::strideOf(const Walked& tensor, std::size_t loop,
                                      const std::int64_t* integers) const {
  const int position = tensor.strides[loop];
  return position == kNeighbors ? 1 : position == kSameElement ? 0 : integers[position];
}

bool ShortRowKernel::joins(const std::int64_t* integers) const {
  const std::int64_t rows = integers[rank_ - 2], length = integers[rank_ - 1];
  if (length < 1 || length > kLongestJoinedRow || rows < kFewestJoinedRows) return false;
  return std::ranges::all_of(tensors_, [&](const Walked& tensor) {
    const std::int64_t step = strideOf(tensor, rank_ - 2, integers);
    if (strideOf(tensor, rank_ - 1, integers) == 0) return step == 0;
    return step == length || (step == 0 && !tensor.written);
  });
}

/// One launch: what is given to the kernel in place of its arguments.
class ShortRowKernel::Launch {
 public:
  Launch(const ShortRowKernel& kernel, const LaunchArguments& given)
      : kernel_(kernel),
        given_(given),
        length_(given.integers[kernel.rank_ - 1]),
        integers_(given.integers, given.integers + kernel.integers_),
        pointers_(kernel.tensors_.size()) {}

  /// Rows [first, first + rows). `origins`: for each tensor, the element that row 0 starts at.
  void run(const std::vector<std::int64_t>& origins, std::int64_t first, std::int64_t rows) {
    const std::int64_t together = std::min(rows, kJoinedElements / length_);
    place(origins, first, together);
    const std::int64_t whole = rows / together, rest = rows % together;
    launch(whole, together * length_);
    if (rest == 0) return;
    for (std::size_t t = 0; t < pointers_.size(); ++t) advance(t, whole * together);
    launch(1, rest * length_);
  }

 private:
  const Walked& tensor(std::size_t t) const { return kernel_.tensors_[t]; }
  std::int64_t rowStep(std::size_t t) const {
    return kernel_.strideOf(tensor(t), kernel_.rank_ - 2, given_.integers);
  }
  bool isRepeated(std::size_t t) const {
    return rowStep(t) == 0 && kernel_.strideOf(tensor(t), kernel_.rank_ - 1, given_.integers) != 0;
  }
  void advance(std::size_t t, std::int64_t rows) {
    pointers_[t] = static_cast<std::byte*>(pointers_[t]) + rows * rowStep(t) * tensor(t).bytes;
  }

  void place(const std::vector<std::int64_t>& origins, std::int64_t first, std::int64_t together) {
    thread_local std::vector<std::byte> memory;
    const auto elements = static_cast<std::size_t>(together * length_);
    std::size_t wanted = 0;
    for (std::size_t t = 0; t < pointers_.size(); ++t)
      if (isRepeated(t)) wanted += elements * static_cast<std::size_t>(tensor(t).bytes);
    if (memory.size() < wanted) memory.resize(wanted);
    std::byte* buffer = memory.data();
    for (std::size_t t = 0; t < pointers_.size(); ++t) {
      auto* const from = static_cast<std::byte*>(given_.pointers[t]) + origins[t] * tensor(t).bytes;
      pointers_[t] = from;
      advance(t, first);
      if (!isRepeated(t)) continue;
      const auto row = static_cast<std::size_t>(length_ * tensor(t).bytes);
      const std::size_t all = elements * static_cast<std::size_t>(tensor(t).bytes);
      std::memcpy(buffer, from, row);
      repeat(buffer, row, all);
      pointers_[t] = buffer;
      buffer += all;
    }
  }

  /// `rows` rows of `elements` elements each, without gaps.
  void launch(std::int64_t rows, std::int64_t elements) {
    for (std::size_t loop = 0; loop + 2 < kernel_.rank_; ++loop) integers_[loop] = 1;
    integers_[kernel_.rank_ - 2] = rows;
    integers_[kernel_.rank_ - 1] = elements;
    for (std::size_t t = 0; t < pointers_.size(); ++t) {
      const int position = tensor(t).strides[kernel_.rank_ - 2];
      if (position >= 0 && rowStep(t) != 0)
        integers_[static_cast<std::size_t>(position)] = elements;
    }
    kernel_.whole_->runWhole({pointers_.data(), integers_.data(), given_.scalars, given_.step});
  }

  const ShortRowKernel& kernel_;
  const LaunchArguments& given_;
  std::int64_t length_;
  std::vector<std::int64_t> integers_;
  std::vector<void*> pointers_;
};

void ShortRowKernel::run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
                         std::uint64_t* partials) const {
  const std::int64_t* const integers = arguments.integers;
  if (!joins(integers)) return whole_->run(arguments, begin, end, partials);
  if (!splits()) end = integers[0];
  Launch launch(*this, arguments);
  std::vector<std::int64_t> origins(tensors_.size());
  if (rank_ == 2) return begin < end ? launch.run(origins, begin, end - begin) : void();
  std::int64_t blocks = end - begin;
  for (std::size_t loop = 1; loop + 2 < rank_; ++loop) blocks *= integers[loop];
  for (std::int64_t block = 0; block < blocks; ++block) {
    std::ranges::fill(origins, 0);
    std::int64_t left = block;
    for (std::size_t loop = rank_ - 2; loop-- > 0;) {
      const std::int64_t extent = loop == 0 ? end - begin : integers[loop];
      const std::int64_t index = left % extent + (loop == 0 ? begin : 0);
      left /= extent;
      for (std::size_t t = 0; t < tensors_.size(); ++t)
        origins[t] += index * strideOf(tensors_[t], loop, integers);
    }
    launch.run(origins, 0, integers[rank_ - 2]);
  }
}

}  // namespace fusebench::cpu
