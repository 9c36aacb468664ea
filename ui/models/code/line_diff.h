// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <utility>
#include <vector>

namespace fusebench {

/// The lines that two texts have in common. Spaces at the ends of lines do not count.
struct LineDiff {
  std::vector<bool> first, second;          ///< per line: the other text has no such line here
  std::vector<std::pair<int, int>> common;  ///< lines that are the same, from 0, both growing
  std::size_t differing() const;            ///< lines of both texts together
  /// The line of the second text that is shown next to a line of the first.
  int beside(int line) const;
  /// The other way around.
  int besideSecond(int line) const;
};

/// Finds a longest common sequence of lines. Texts too long for that are matched greedily, line
/// after line.
LineDiff lineDiff(const QStringList& first, const QStringList& second);

}  // namespace fusebench
