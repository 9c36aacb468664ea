// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/attention_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/base/checked_size.h"
#include "engine/plan/library_call.h"

namespace fusebench {
namespace {

/// The nearest border after which each row leaves out all scores. A later step that can replace
/// such scores by another number cancels this.
std::optional<std::int64_t> borderOf(const AttentionCall& call) {
  std::optional<std::int64_t> nearest;
  for (const ScoreStep& step : call.steps) {
    if (!leavesOut(step)) nearest = std::nullopt;
    if (step.kind == ScoreStep::Kind::border && step.border.below && leavesOut(step))
      nearest = nearest ? std::min(*nearest, step.border.at) : step.border.at;
  }
  return nearest;
}

std::string borderText(const ScoreBorder& border) {
  return fmt::format("column - row {} {}", border.below ? "<=" : ">=", border.at);
}

}  // namespace

bool leavesOut(const ScoreStep& step) {
  return step.kind != ScoreStep::Kind::add && std::isinf(step.other) && step.other < 0;
}

std::int64_t AttentionSizes::batches() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : batch) count = checkedMultiply(count, extent);
  return count;
}

std::int64_t AttentionSizes::begin(std::size_t tensor, std::int64_t number) const {
  std::int64_t place = 0;
  for (std::size_t d = batch.size(); d-- > 0;) {
    place += number % batch[d] * tensors[tensor].batch[d];
    number /= batch[d];
  }
  return place;
}

AttentionSizes attentionSizesOf(const LibraryCall& call, const std::int64_t* integers) {
  const AttentionCall& attention = call.attention;
  const CallSizes all = sizesOf(call, integers);
  const auto at = [&](char letter) { return call.form.loop(letter); };
  AttentionSizes sizes;
  sizes.rows = all.loops[at(attention.row)];
  sizes.columns = all.loops[at(attention.column)];
  sizes.depth = all.loops[at(attention.depth)];
  sizes.values = all.loops[at(attention.values)];
  std::vector<std::size_t> batch;
  for (std::size_t l = 0; l < call.form.kept; ++l) {
    const char letter = call.form.letters[l];
    if (letter == attention.row || letter == attention.values) continue;
    batch.push_back(l);
    sizes.batch.push_back(all.loops[l]);
  }
  for (std::size_t t = 0; t < call.tensors(); ++t) {
    const std::vector<std::int64_t>& steps = all.steps[t];
    AttentionSizes::Steps& own = sizes.tensors.emplace_back();
    own.row = steps[at(attention.row)];
    own.column = steps[at(attention.column)];
    own.depth = steps[at(attention.depth)];
    own.values = steps[at(attention.values)];
    for (const std::size_t l : batch) own.batch.push_back(steps[l]);
  }
  return sizes;
}

std::int64_t columnsFor(const AttentionCall& call, const AttentionSizes& sizes, std::int64_t end) {
  const std::optional<std::int64_t> border = borderOf(call);
  return border ? std::clamp<std::int64_t>(end + *border, 0, sizes.columns) : sizes.columns;
}

std::int64_t scoresOf(const AttentionCall& call, const AttentionSizes& sizes) {
  const auto inAll = [&](std::int64_t each) { return cappedMultiply(sizes.batches(), each); };
  const std::optional<std::int64_t> border = borderOf(call);
  if (!border) return inAll(cappedMultiply(sizes.rows, sizes.columns));
  // Row r has r + 1 + border columns: none before row `first`, all of them at row `full` and after
  // it.
  const std::int64_t first = std::clamp<std::int64_t>(-*border, 0, sizes.rows);
  const std::int64_t full = std::clamp<std::int64_t>(sizes.columns - *border, first, sizes.rows);
  const std::int64_t growing = full - first, least = first + 1 + *border;
  const std::int64_t more = growing % 2 == 0 ? cappedMultiply(growing / 2, growing - 1)
                                             : cappedMultiply(growing, (growing - 1) / 2);
  return inAll(cappedAdd(cappedAdd(cappedMultiply(growing, least), more),
                         cappedMultiply(sizes.rows - full, sizes.columns)));
}

std::int64_t flopsOf(const AttentionCall& call, const AttentionSizes& sizes) {
  constexpr std::int64_t kOfSoftmax = 4;  // a maximum, a difference, an exponential, a sum
  const std::int64_t scaled = call.scale != 1 ? 1 : 0;
  const std::int64_t perScore = 2 * (sizes.depth + sizes.values) + scaled +
                                static_cast<std::int64_t>(call.steps.size()) + kOfSoftmax;
  const std::int64_t results =
      cappedMultiply(sizes.batches(), cappedMultiply(sizes.rows, sizes.values));
  return cappedAdd(cappedMultiply(scoresOf(call, sizes), perScore), results);
}

std::string canonicalText(const AttentionCall& call) {
  std::string text = fmt::format("attention {}{}{}{} {} {}", call.row, call.column, call.depth,
                                 call.values, call.scale, call.zeroRows);
  for (const ScoreStep& step : call.steps)
    text += fmt::format(" {} {} {} {} {} {}", static_cast<int>(step.kind), step.operand, step.keeps,
                        step.other, step.border.below, step.border.at);
  return text;
}

std::string readableText(const AttentionCall& call) {
  std::string text =
      fmt::format("  scores: operand 1 times operand 2, over {}\n", std::string(1, call.depth));
  if (call.scale != 1) text += fmt::format("  scores times {}\n", call.scale);
  for (const ScoreStep& step : call.steps) switch (step.kind) {
      case ScoreStep::Kind::add:
        text += fmt::format("  scores plus operand {}\n", step.operand + 1);
        break;
      case ScoreStep::Kind::keep:
        text += fmt::format("  scores where operand {} is {}, elsewhere {}\n", step.operand + 1,
                            step.keeps ? "true" : "false", step.other);
        break;
      case ScoreStep::Kind::border:
        text +=
            fmt::format("  scores where {}, elsewhere {}\n", borderText(step.border), step.other);
        break;
    }
  text += fmt::format("  softmax of the scores over {}{}, a block of them at a time\n",
                      std::string(1, call.column),
                      call.zeroRows ? ", 0 where all of them are -inf" : "");
  return text + fmt::format("  result: the softmax times operand 3, over {}\n",
                            std::string(1, call.column));
}

}  // namespace fusebench
