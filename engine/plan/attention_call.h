// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fusebench {

struct LibraryCall;

/// The scores that a mask keeps, by their position: those with column - row <= `at`, or, if not
/// `below`, with column - row >= `at`.
struct ScoreBorder {
  bool below = true;
  std::int64_t at = 0;

  friend bool operator==(const ScoreBorder&, const ScoreBorder&) = default;
};

/// A step that is applied to each score before the softmax.
struct ScoreStep {
  enum class Kind : std::uint8_t {
    add,    ///< an operand is added
    keep,   ///< scores for which an operand is true (or, if not `keeps`, false) are kept, others
            ///< become `other`
    border  ///< the same by the score's position
  };
  Kind kind = Kind::add;
  int operand = -1;  ///< operand of the call: the tensor that is added, or the bool tensor
  bool keeps = true;
  double other = 0;
  ScoreBorder border{};

  friend bool operator==(const ScoreStep&, const ScoreStep&) = default;
};

/// Whether a step sets all scores to -inf that it does not keep.
bool leavesOut(const ScoreStep& step);

/// softmax(steps(scale * query @ key)) @ value as one call, without a tensor of all scores. The
/// call's operands are query, key, value and those of the steps; its form has one letter for each
/// dimension of the scores, one for the depth that query and key share, and one for the columns of
/// the values.
struct AttentionCall {
  bool is = false;
  double scale = 1;
  std::vector<ScoreStep> steps;                     ///< in order
  bool zeroRows = false;                            ///< a row of only -inf gives 0, not NaN
  char row = 0, column = 0, depth = 0, values = 0;  ///< letters

  friend bool operator==(const AttentionCall&, const AttentionCall&) = default;
};

/// The loops of one execution of such a call, from a launch's integers. Steps are in elements.
struct AttentionSizes {
  /// A tensor's steps; 0: it does not follow the loop.
  struct Steps {
    std::int64_t row = 0, column = 0, depth = 0, values = 0;
    std::vector<std::int64_t> batch;
  };
  std::int64_t rows = 1, columns = 1, depth = 1, values = 1;
  std::vector<std::int64_t> batch;  ///< extents, outermost first
  std::vector<Steps> tensors;       ///< operands, then the result

  std::int64_t batches() const;
  /// Where a tensor's elements for this batch begin.
  std::int64_t begin(std::size_t tensor, std::int64_t batch) const;
};
AttentionSizes attentionSizesOf(const LibraryCall& call, const std::int64_t* integers);

/// How many columns the rows from `begin` to `end` need: all columns after them are -inf in each
/// row.
std::int64_t columnsFor(const AttentionCall& call, const AttentionSizes& sizes, std::int64_t end);
/// Number of scores that are computed: without those that a border excludes in all later columns of
/// a row.
std::int64_t scoresOf(const AttentionCall& call, const AttentionSizes& sizes);
/// Floating-point operations: two for each product, and for each score its steps and four of the
/// softmax; a division for each element of the result.
std::int64_t flopsOf(const AttentionCall& call, const AttentionSizes& sizes);

/// The part of a call's canonical text.
std::string canonicalText(const AttentionCall& call);
/// For display: a line for each of scale, steps and softmax.
std::string readableText(const AttentionCall& call);

}  // namespace fusebench
