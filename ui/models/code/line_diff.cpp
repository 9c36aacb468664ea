// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/code/line_diff.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace fusebench {
namespace {

constexpr std::size_t kMostSteps = 4'000'000;  ///< limit of the exact method: tens of milliseconds

using Lines = std::vector<int>;  ///< equal numbers are equal lines

Lines numbered(const QStringList& lines, std::map<QString, int>& known) {
  Lines numbers;
  for (const QString& line : lines)
    numbers.push_back(known.emplace(line.trimmed(), static_cast<int>(known.size())).first->second);
  return numbers;
}

/// Pairs of the middle parts [from, toA) and [from, toB).
void addLongest(const Lines& a, const Lines& b, std::size_t from, std::size_t toA, std::size_t toB,
                std::vector<std::pair<int, int>>& common) {
  const std::size_t n = toA - from, m = toB - from;
  // lengths[i * (m + 1) + j]: length of the common sequence after the first i and j lines
  std::vector<std::uint32_t> lengths((n + 1) * (m + 1), 0);
  const auto at = [m](std::size_t i, std::size_t j) { return i * (m + 1) + j; };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      lengths[at(i, j)] = a[from + i] == b[from + j]
                              ? lengths[at(i + 1, j + 1)] + 1
                              : std::max(lengths[at(i + 1, j)], lengths[at(i, j + 1)]);
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    if (a[from + i] == b[from + j]) {
      common.emplace_back(static_cast<int>(from + i), static_cast<int>(from + j));
      ++i;
      ++j;
    } else if (lengths[at(i + 1, j)] >= lengths[at(i, j + 1)]) {
      ++i;
    } else {
      ++j;
    }
  }
}

/// Each line with the next one that is the same.
void addNext(const Lines& a, const Lines& b, std::size_t from, std::size_t toA, std::size_t toB,
             std::vector<std::pair<int, int>>& common) {
  constexpr std::size_t kReach = 200;  ///< lines that are looked through
  std::size_t j = from;
  for (std::size_t i = from; i < toA && j < toB; ++i) {
    const auto end = b.begin() + static_cast<std::ptrdiff_t>(std::min(toB, j + kReach));
    const auto found = std::find(b.begin() + static_cast<std::ptrdiff_t>(j), end, a[i]);
    if (found == end) continue;
    j = static_cast<std::size_t>(found - b.begin());
    common.emplace_back(static_cast<int>(i), static_cast<int>(j));
    ++j;
  }
}

int partner(const std::vector<std::pair<int, int>>& common, int line, bool ofSecond) {
  const auto after = std::upper_bound(
      common.begin(), common.end(), line,
      [&](int value, const auto& pair) { return value < (ofSecond ? pair.second : pair.first); });
  if (after == common.begin()) return line;
  const auto& [a, b] = *(after - 1);
  return ofSecond ? a + line - b : b + line - a;
}

}  // namespace

std::size_t LineDiff::differing() const {
  return static_cast<std::size_t>(std::count(first.begin(), first.end(), true) +
                                  std::count(second.begin(), second.end(), true));
}

int LineDiff::beside(int line) const {
  return partner(common, line, false);
}

int LineDiff::besideSecond(int line) const {
  return partner(common, line, true);
}

LineDiff lineDiff(const QStringList& first, const QStringList& second) {
  std::map<QString, int> known;
  const Lines a = numbered(first, known), b = numbered(second, known);
  LineDiff diff;
  std::size_t from = 0, toA = a.size(), toB = b.size();
  while (from < std::min(toA, toB) && a[from] == b[from]) ++from;
  while (toA > from && toB > from && a[toA - 1] == b[toB - 1]) {
    --toA;
    --toB;
  }
  for (std::size_t i = 0; i < from; ++i)
    diff.common.emplace_back(static_cast<int>(i), static_cast<int>(i));
  if ((toA - from) * (toB - from) <= kMostSteps)
    addLongest(a, b, from, toA, toB, diff.common);
  else
    addNext(a, b, from, toA, toB, diff.common);
  for (std::size_t i = toA, j = toB; i < a.size(); ++i, ++j)
    diff.common.emplace_back(static_cast<int>(i), static_cast<int>(j));
  diff.first.assign(a.size(), true);
  diff.second.assign(b.size(), true);
  for (const auto& [i, j] : diff.common) {
    diff.first[static_cast<std::size_t>(i)] = false;
    diff.second[static_cast<std::size_t>(j)] = false;
  }
  return diff;
}

}  // namespace fusebench
