// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

namespace fusebench {

/// A way of specifying the values of an axis. The experiment contains only the values.
struct AxisForm {
  enum class Kind { list, linear, octaves, decades };
  Kind kind = Kind::list;
  std::int64_t from = 1;
  std::int64_t to = 1;
  std::int64_t step = 1;  ///< linear
  int points = 1;         ///< octaves and decades: in each doubling, or each power of ten
  friend bool operator==(const AxisForm&, const AxisForm&) = default;
};

/// The values that a form stands for, rounded to whole numbers, each once, and at most kMostValues
/// + 1 of them: enough to detect that there are too many. Empty for a list, and if from, to and
/// step make no sense.
std::vector<std::int64_t> valuesOf(const AxisForm& form);
inline constexpr std::size_t kMostAxisValues = 1000;

/// The simplest form of given values: linear or octaves or decades if they are exactly that, else a
/// list.
AxisForm formOf(const std::vector<std::int64_t>& values);
/// From and to as the values have them, with a step or number of points that fits roughly.
AxisForm formLike(AxisForm::Kind kind, const std::vector<std::int64_t>& values);

/// "1, 5, 10" or "1 5 10" or "4k 1M 2^20"; nothing if a part is not a whole number. k, M and G are
/// powers of 1024.
std::optional<std::vector<std::int64_t>> readValues(const QString& text);
std::optional<std::int64_t> readWhole(const QString& text);
/// "1, 5, 10"; with `most`, "1, 5, 10, … , 30 (12 values)".
QString showValues(const std::vector<std::int64_t>& values, std::size_t most = 0);

}  // namespace fusebench
