// SPDX-License-Identifier: GPL-3.0-or-later
// Which op is which after a text was edited by hand.
#include <algorithm>
#include <cmath>

#include "engine/edit/sketch.h"

namespace fusebench {
namespace {

bool sameNumber(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

bool sameSettings(const Op& a, const Op& b) {
  if (a.operands.size() != b.operands.size() || a.dims != b.dims || a.keepDims != b.keepDims)
    return false;
  for (std::size_t i = 0; i < a.operands.size(); ++i) {
    if (a.operands[i].isNumber() != b.operands[i].isNumber()) return false;
    if (a.operands[i].isNumber() && !sameNumber(a.operands[i].number, b.operands[i].number))
      return false;
  }
  return std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(),
                    b.parameters.end(), sameNumber);
}

const Statement* statementOf(const Program& program, const Op& op) {
  return op.statement < 0 ? nullptr : &program.statements[static_cast<std::size_t>(op.statement)];
}

/// How alike two ops are; 0: not at all.
int likeness(const Program& before, const Op& a, const Program& after, const Op& b) {
  const Statement* const s = statementOf(before, a);
  const Statement* const t = statementOf(after, b);
  const bool sameTarget = s && t ? s->target == t->target : s == t;
  // A line that is being typed: what it was or will be is in the same place.
  if (!a.row || !b.row) return sameTarget ? (a.row == b.row ? 2 : 1) : 0;
  if (a.row != b.row) return 0;
  const bool sameText =
      s && t ? s->text == t->text : s == t && before.returnText == after.returnText;
  return 4 + (sameSettings(a, b) ? 2 : 0) + (sameTarget ? 1 : 0) + (sameText ? 1 : 0);
}

constexpr int kAlike = 8;

/// Longest tables that are filled; beyond, only what is alike from both ends is matched.
constexpr std::size_t kMostCells = 4'000'000;

/// The matching in order with the greatest sum of likeness between ops [a, aEnd) and [b, bEnd).
void align(const Program& before, std::size_t a, std::size_t aEnd, const Program& after,
           std::size_t b, std::size_t bEnd, std::vector<int>& result) {
  const std::size_t rows = aEnd - a, columns = bEnd - b;
  if (rows == 0 || columns == 0 || rows * columns > kMostCells) return;
  std::vector<int> best((rows + 1) * (columns + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return best[i * (columns + 1) + j]; };
  const auto like = [&](std::size_t i, std::size_t j) {
    return likeness(before, before.ops[a + i], after, after.ops[b + j]);
  };
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;) {
      at(i, j) = std::max(at(i + 1, j), at(i, j + 1));
      if (const int both = like(i, j); both > 0)
        at(i, j) = std::max(at(i, j), both + at(i + 1, j + 1));
    }
  for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
    const int both = like(i, j);
    if (both > 0 && at(i, j) == both + at(i + 1, j + 1)) {
      result[a + i++] = static_cast<int>(b + j++);
    } else if (at(i, j) == at(i + 1, j)) {
      ++i;
    } else {
      ++j;
    }
  }
}

}  // namespace

std::vector<int> matchOps(const Sketch& before, const Sketch& after) {
  const Program& p = before.program;
  const Program& q = after.program;
  std::vector<int> result(p.ops.size(), -1);
  const auto same = [&](std::size_t i, std::size_t j) {
    return likeness(p, p.ops[i], q, q.ops[j]) == kAlike;
  };
  std::size_t begin = 0, end = p.ops.size(), otherEnd = q.ops.size();
  for (; begin < end && begin < otherEnd && same(begin, begin); ++begin)
    result[begin] = static_cast<int>(begin);
  for (; end > begin && otherEnd > begin && same(end - 1, otherEnd - 1); --end, --otherEnd)
    result[end - 1] = static_cast<int>(otherEnd - 1);
  align(p, begin, end, q, begin, otherEnd, result);
  return result;
}

}  // namespace fusebench
