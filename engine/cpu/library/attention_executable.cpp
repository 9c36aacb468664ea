// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/attention_executable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/cpu/library/attention_rows.h"
#include "engine/cpu/library/float_product.h"

namespace fusebench::cpu {
namespace {

/// The size of a block of scores: at most 256 KiB, so that a second-level cache holds it and its
/// operands. With a border there are fewer rows, since more columns of theirs are left out.
constexpr std::int64_t kBlockRows = 128, kBorderRows = 64, kBlockColumns = 512;
/// The largest block of scores that is multiplied here: with 64 elements a head, the library takes
/// twice the time for 16 by 16 and the same for 64 by 64.
constexpr std::int64_t kSmallBlock = 64 * 64;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::int64_t rowsOf(const AttentionCall& call, const AttentionSizes& sizes) {
  return columnsFor(call, sizes, 1) < sizes.columns ? kBorderRows : kBlockRows;
}
std::int64_t blocksOf(const AttentionCall& call, const AttentionSizes& sizes) {
  const std::int64_t rows = rowsOf(call, sizes);
  return (sizes.rows + rows - 1) / rows;
}

std::int64_t padded(std::int64_t count) {
  return (count + kRowLanes - 1) / kRowLanes * kRowLanes;
}

/// A thread's working memory.
struct BlockMemory {
  std::vector<float> scores, sums, query, key, value;
  std::vector<float> tops, totals;  ///< per row
};

/// One block of rows of one batch.
class BlockOfRows {
 public:
  BlockOfRows(const AttentionCall& call, const AttentionSizes& sizes, OneDnn* library,
              void* const* pointers, BlockMemory& memory)
      : call_(call),
        sizes_(sizes),
        library_(library),
        pointers_(pointers),
        memory_(memory),
        rows_(attentionRows()),
        scaledFirst_(call.scale < 0 || !std::ranges::all_of(call.steps, leavesOut)) {}

  void run(std::int64_t batch, std::int64_t firstRow) {
    batch_ = batch;
    firstRow_ = firstRow;
    count_ = std::min(rowsOf(call_, sizes_), sizes_.rows - firstRow);
    const std::int64_t columns = columnsFor(call_, sizes_, firstRow + count_);
    const auto count = static_cast<std::size_t>(count_);
    memory_.tops.assign(count, -kInfinity);
    memory_.totals.assign(count, 0);
    valuesWide_ = padded(sizes_.values);
    memory_.sums.resize(count * static_cast<std::size_t>(valuesWide_));
    if (columns == 0) std::ranges::fill(memory_.sums, 0.0f);
    const FloatMatrix query = matrixOf(
        {at(0, firstRow, 0), count_, sizes_.depth, steps(0).row, steps(0).depth}, memory_.query);
    for (std::int64_t column = 0; column < columns; column += kBlockColumns)
      addBlock(query, column, std::min(kBlockColumns, columns - column));
    store();
  }

 private:
  const AttentionSizes::Steps& steps(std::size_t tensor) const { return sizes_.tensors[tensor]; }
  const float* at(std::size_t tensor, std::int64_t row, std::int64_t column) const {
    return static_cast<const float*>(pointers_[tensor]) + sizes_.begin(tensor, batch_) +
           row * steps(tensor).row + column * steps(tensor).column;
  }

  /// An operand's part as a library takes it: where it is, or copied row-major into `room`.
  static FloatMatrix matrixOf(const FloatMatrix& form, std::vector<float>& room) {
    if (form.isRowMajor() || form.isColumnMajor()) return form;
    room.resize(static_cast<std::size_t>(form.rows * form.columns));
    for (std::int64_t r = 0; r < form.rows; ++r)
      for (std::int64_t c = 0; c < form.columns; ++c)
        room[static_cast<std::size_t>(r * form.columns + c)] =
            form.data[r * form.rowStep + c * form.columnStep];
    return {room.data(), form.rows, form.columns, form.columns, 1};
  }

  void addBlock(const FloatMatrix& query, std::int64_t column, std::int64_t count) {
    const std::int64_t wide = padded(count);
    memory_.scores.resize(static_cast<std::size_t>(count_ * wide));
    float* const scores = memory_.scores.data();
    const bool small = count_ * count <= kSmallBlock;
    const FloatMatrix keys{at(1, 0, column), sizes_.depth, count, steps(1).depth, steps(1).column};
    if (small)
      multiplySmall(query, keys, memory_.key, scores, wide, /*adds=*/false);
    else
      multiplyFloats(library_, query, matrixOf(keys, memory_.key), scores, wide, /*adds=*/false);
    for (std::int64_t r = 0; r < count_; ++r) {
      float* const row = scores + r * wide;
      if (scaledFirst_) rows_.multiply(row, count, static_cast<float>(call_.scale));
      std::fill(row + count, row + wide, -kInfinity);
      for (const ScoreStep& step : call_.steps) apply(step, row, firstRow_ + r, column, count);
      raise(row, wide, static_cast<std::size_t>(r));
    }
    const FloatMatrix weights{scores, count_, count, wide, 1};
    const FloatMatrix values{at(2, 0, column), count, sizes_.values, steps(2).column,
                             steps(2).values};
    float* const sums = memory_.sums.data();
    if (small)
      multiplySmall(weights, values, memory_.value, sums, valuesWide_, column > 0);
    else
      multiplyFloats(library_, weights, matrixOf(values, memory_.value), sums, valuesWide_,
                     column > 0);
  }

  /// Copies `second` into `room`, its columns next to each other, unless they already are.
  void multiplySmall(const FloatMatrix& first, const FloatMatrix& second, std::vector<float>& room,
                     float* to, std::int64_t toStep, bool adds) const {
    SmallProduct product{.first = first.data,
                         .second = second.data,
                         .to = to,
                         .rows = first.rows,
                         .depth = first.columns,
                         .padded = toStep,
                         .firstRow = first.rowStep,
                         .firstStep = first.columnStep,
                         .secondRow = second.rowStep,
                         .toStep = toStep,
                         .adds = adds};
    if (second.columnStep != 1 || second.columns != toStep) {
      room.resize(static_cast<std::size_t>(second.rows * toStep));
      for (std::int64_t c = 0; c < toStep; ++c)
        for (std::int64_t r = 0; r < second.rows; ++r)
          room[static_cast<std::size_t>(r * toStep + c)] =
              c < second.columns ? second.data[r * second.rowStep + c * second.columnStep] : 0;
      product.second = room.data();
      product.secondRow = toStep;
    }
    rows_.product(product);
  }

  void apply(const ScoreStep& step, float* row, std::int64_t r, std::int64_t column,
             std::int64_t count) const {
    const auto other = static_cast<float>(step.other);
    const auto operand = static_cast<std::size_t>(step.operand);
    switch (step.kind) {
      case ScoreStep::Kind::add:
        return rows_.add(row, at(operand, r, column), steps(operand).column, count);
      case ScoreStep::Kind::keep:
        return rows_.keep(row,
                          static_cast<const std::uint8_t*>(pointers_[operand]) +
                              sizes_.begin(operand, batch_) + r * steps(operand).row +
                              column * steps(operand).column,
                          steps(operand).column, count, step.keeps, other);
      case ScoreStep::Kind::border: {
        // The first column of this block that is past the border, or not before it.
        const std::int64_t past = r + step.border.at - column + (step.border.below ? 1 : 0);
        const std::int64_t place = std::clamp<std::int64_t>(past, 0, count);
        return step.border.below ? std::fill(row + place, row + count, other)
                                 : std::fill(row, row + place, other);
      }
    }
  }

  /// Makes weights of a row's scores, relative to the greatest so far. Corrects what the blocks
  /// before gave where that has changed.
  void raise(float* row, std::int64_t wide, std::size_t r) {
    const float scale = scaledFirst_ ? 1.0f : static_cast<float>(call_.scale);
    const float before = memory_.tops[r], own = scale * rows_.greatest(row, wide);
    float top = own > before || std::isnan(own) ? own : before;
    if (top == -kInfinity) {
      if (std::none_of(row, row + wide, [](float each) { return std::isnan(each); })) {
        std::fill(row, row + wide, 0.0f);
        return;
      }
      top = std::numeric_limits<float>::quiet_NaN();
    }
    const float correction = before == -kInfinity ? 0.0f : std::exp(before - top);
    memory_.tops[r] = top;
    memory_.totals[r] = memory_.totals[r] * correction + rows_.raise(row, wide, scale, top);
    if (correction == 1.0f || before == -kInfinity) return;
    float* const sums = memory_.sums.data() + r * static_cast<std::size_t>(valuesWide_);
    for (std::int64_t v = 0; v < sizes_.values; ++v) sums[v] *= correction;
  }

  void store() const {
    const std::size_t result = sizes_.tensors.size() - 1;
    const AttentionSizes::Steps& to = steps(result);
    float* const data = static_cast<float*>(pointers_[result]) + sizes_.begin(result, batch_);
    for (std::int64_t r = 0; r < count_; ++r) {
      const auto row = static_cast<std::size_t>(r);
      const float* const sums = memory_.sums.data() + row * static_cast<std::size_t>(valuesWide_);
      float* const out = data + (firstRow_ + r) * to.row;
      const bool none = memory_.tops[row] == -kInfinity;
      const float total = none && call_.zeroRows ? 1.0f : memory_.totals[row];
      for (std::int64_t v = 0; v < sizes_.values; ++v) out[v * to.values] = sums[v] / total;
    }
  }

  const AttentionCall& call_;
  const AttentionSizes& sizes_;
  OneDnn* library_;
  void* const* pointers_;
  BlockMemory& memory_;
  const AttentionRows& rows_;
  bool scaledFirst_;  ///< the scale is applied before the steps, not within the exponential
  std::int64_t batch_ = 0, firstRow_ = 0, count_ = 0;
  std::int64_t valuesWide_ = 0;  ///< from row to row of the sums
};

}  // namespace

AttentionExecutable::AttentionExecutable(LibraryCall call, OneDnn* library)
    : CpuExecutable({static_cast<int>(call.tensors()), static_cast<int>(call.integers()), 0},
                    /*splits=*/true),
      call_(std::move(call)),
      library_(library) {}

void AttentionExecutable::run(const LaunchArguments& arguments, std::int64_t begin,
                              std::int64_t end, std::uint64_t* /*partials*/) const {
  thread_local BlockMemory memory;
  const AttentionSizes sizes = attentionSizesOf(call_, arguments.integers);
  const std::int64_t rows = rowsOf(call_.attention, sizes);
  const std::int64_t blocks = blocksOf(call_.attention, sizes);
  BlockOfRows block(call_.attention, sizes, library_, arguments.pointers, memory);
  for (std::int64_t part = begin; part < end; ++part)
    block.run(part / blocks, part % blocks * rows);
}

std::int64_t AttentionExecutable::firstExtent(const std::int64_t* integers) const {
  const AttentionSizes sizes = attentionSizesOf(call_, integers);
  return sizes.values == 0 ? 0 : sizes.batches() * blocksOf(call_.attention, sizes);
}

double AttentionExecutable::estimate(const std::int64_t* integers) const {
  constexpr double kOperationsPerNanosecond = 100;
  return static_cast<double>(flopsOf(call_.attention, attentionSizesOf(call_, integers))) /
         kOperationsPerNanosecond;
}

std::string AttentionExecutable::description(const std::int64_t* integers) const {
  std::string text = readableText(call_, integers);
  const AttentionSizes sizes = attentionSizesOf(call_, integers);
  text += "loops of Fusebench's own, blocks of " + std::to_string(rowsOf(call_.attention, sizes)) +
          " by " + std::to_string(kBlockColumns) + " scores, exponentials with " +
          attentionRows().name + "\n";
  return text + (library_ ? "products by oneDNN " + library_->version() + ", sgemm\n"
                          : "products by loops of Fusebench's own: " + OneDnn::missing() + "\n");
}

}  // namespace fusebench::cpu
