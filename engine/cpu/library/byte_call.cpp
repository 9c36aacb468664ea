// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/byte_call.h"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/cpu/library/byte_dots.h"
#include "engine/cpu/library/transpose.h"
#include "engine/plan/product_loops.h"

namespace fusebench::cpu {
namespace {

/// Rows or columns of one part.
constexpr std::int64_t kPartRows = 48, kPartColumns = 32;

bool areBytes(const LibraryCall& call) {
  return call.result == DType::int32 && call.operands.size() == 2 &&
         std::ranges::all_of(call.operands, [](DType dtype) {
           return dtype == DType::int8 || dtype == DType::uint8;
         });
}

/// The layout of a factor.
struct ByteFactor {
  std::int64_t begin = 0, rows = 1, rowStep = 0, depth = 1, depthStep = 0;
  bool isSigned = false;

  bool liesAlongDepth() const { return depth == 1 || depthStep == 1; }

  /// `count` rows, contiguous along the depth: copied to `room` if they are not.
  ByteRows along(const void* data, std::int64_t offset, std::int64_t first, std::int64_t count,
                 std::vector<std::uint8_t>& room) const {
    const auto* const from =
        static_cast<const std::uint8_t*>(data) + begin + offset + first * rowStep;
    if (liesAlongDepth()) return {from, count, rowStep, depth, isSigned};
    room.resize(static_cast<std::size_t>(count * depth));
    if (rowStep == 1) {
      transposeElements(1, from, depthStep, room.data(), depth, depth, count);
    } else {
      std::uint8_t* to = room.data();
      for (std::int64_t r = 0; r < count; ++r)
        for (std::int64_t k = 0; k < depth; ++k) *to++ = from[r * rowStep + k * depthStep];
    }
    return {room.data(), count, depth, depth, isSigned};
  }
};

class ByteProduct final : public ByteCall {
 public:
  ByteProduct(const LibraryCall& call, const CallSizes& sizes, ProductLoops loops)
      : loops_(std::move(loops)), resultBegin_(sizes.begins[2]) {
    const ProductLoop &rows = loops_.rows[0], &columns = loops_.columns[0],
                      &depth = loops_.depth[0];
    first_ = {sizes.begins[0], rows.count,    rows.first(),
              depth.count,     depth.first(), call.operands[0] == DType::int8};
    second_ = {sizes.begins[1], columns.count,  columns.second(),
               depth.count,     depth.second(), call.operands[1] == DType::int8};
    for (const ProductLoop& loop : loops_.batch) batches_ *= loop.count;
    byRows_ = rows.count >= 4 * kPartRows || rows.count >= columns.count;
    const std::int64_t each = byRows_ ? kPartRows : kPartColumns;
    const std::int64_t all = byRows_ ? rows.count : columns.count;
    // A factor that has to be copied to be contiguous along the depth is copied once.
    const bool lie = first_.liesAlongDepth() && second_.liesAlongDepth();
    partSize_ = lie ? each : all;
    partsEach_ = (all + partSize_ - 1) / partSize_;
  }

  std::int64_t parts() const override { return batches_ * partsEach_; }

  void run(void* const* pointers, std::int64_t begin, std::int64_t end) const override {
    while (begin < end) {
      const std::int64_t batch = begin / partsEach_, part = begin % partsEach_;
      const std::int64_t count = std::min(end - begin, partsEach_ - part);
      runBatch(pointers, batch, part * partSize_, (part + count) * partSize_);
      begin += count;
    }
  }

  std::string description() const override {
    std::string text = "Fusebench's kernel for bytes, AVX2 (vpmaddwd): sums are exact\n";
    if (!first_.liesAlongDepth() || !second_.liesAlongDepth())
      text += "an operand is copied first: it is not contiguous along what is summed over\n";
    return text;
  }

 private:
  void runBatch(void* const* pointers, std::int64_t batch, std::int64_t from,
                std::int64_t to) const {
    thread_local std::vector<std::uint8_t> firstRoom, secondRoom;
    std::array<std::int64_t, 3> offsets{};
    for (std::size_t l = loops_.batch.size(); l-- > 0;) {
      const ProductLoop& loop = loops_.batch[l];
      for (std::size_t t = 0; t < offsets.size(); ++t)
        offsets[t] += batch % loop.count * loop.steps[t];
      batch /= loop.count;
    }
    const std::int64_t rowsFrom = byRows_ ? from : 0, columnsFrom = byRows_ ? 0 : from;
    const std::int64_t rows = (byRows_ ? std::min(to, first_.rows) : first_.rows) - rowsFrom;
    const std::int64_t columns =
        (byRows_ ? second_.rows : std::min(to, second_.rows)) - columnsFrom;
    const ByteRows first = first_.along(pointers[0], offsets[0], rowsFrom, rows, firstRoom);
    const ByteRows second =
        second_.along(pointers[1], offsets[1], columnsFrom, columns, secondRoom);
    const std::int64_t rowStep = loops_.rows[0].result(), columnStep = loops_.columns[0].result();
    multiplyBytes(first, second,
                  {static_cast<std::int32_t*>(pointers[2]) + resultBegin_ + offsets[2] +
                       rowsFrom * rowStep + columnsFrom * columnStep,
                   rowStep, columnStep});
  }

  ProductLoops loops_;
  std::int64_t resultBegin_;
  ByteFactor first_, second_;
  std::int64_t batches_ = 1, partsEach_ = 1, partSize_ = 1;
  bool byRows_ = true;  ///< parts are rows of the result, else columns
};

}  // namespace

std::unique_ptr<ByteCall> ByteCall::make(const LibraryCall& call, const CallSizes& sizes,
                                         const std::int64_t* integers) {
  if (!hasByteDots() || !areBytes(call) || !call.contracts() || call.form.addend >= 0 ||
      call.accumulate != Accumulate::sum || call.average || call.settings.alpha != 1 ||
      sizes.count() == 0)
    return nullptr;
  if (!sizes.spread.empty()) return nullptr;
  if (!sizes.windowed.empty()) return makeByteWindows(call, integers);
  ProductLoops loops;
  if (!divideLoops(call, sizes, loops)) return nullptr;
  return std::make_unique<ByteProduct>(call, sizes, std::move(loops));
}

}  // namespace fusebench::cpu
