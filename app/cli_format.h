// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/quantity_text.h"
#include "profiler/export/cell_text.h"
#include "profiler/statistics/statistics.h"

namespace fusebench::cli {

/// "12 s", "3 min 20 s": the remaining time in a progress bar.
std::string leftText(double seconds);

/// The number of terminal columns that a text takes: two for a Chinese character.
std::size_t columnsOf(std::string_view text);

/// The text, or a dash if it is empty.
std::string orDash(std::string text);

/// "1.56 [1.41-1.70]", values multiplied by `times`; a dash for no estimate, and the value alone
/// for one without an interval.
std::string estimateText(const Estimate& estimate, double times);
/// The same of nanoseconds: "230 ns [221-239 ns]".
std::string timeEstimateText(const Estimate& estimate);

/// Rows of text in aligned columns, numbers to the right. Two spaces between columns.
class Table {
 public:
  explicit Table(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// This column and all later ones are left-aligned.
  void leftFrom(std::size_t column) { leftFrom_ = column; }
  std::size_t width() const;
  std::string text() const;

 private:
  std::vector<std::size_t> widths() const;
  std::vector<std::vector<std::string>> rows_;
  std::size_t leftFrom_ = static_cast<std::size_t>(-1);
};

/// The text broken between words, and between Chinese characters, so that no line is longer than
/// `width`; each line starts with `indent`.
std::string wrapped(std::string_view given, std::string_view indent = "", std::size_t width = 100);

}  // namespace fusebench::cli
