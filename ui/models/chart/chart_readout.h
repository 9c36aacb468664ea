// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/models/chart/chart_series.h"

namespace fusebench {

/// The readout of one variant at one value of the axis.
struct ReadoutRow {
  int variant = 0;
  int series = 0;
  bool faint = false;  ///< another run's
  QString name;
  QString value;
  QString interval;
  QString beside;  ///< a second number, such as the speedup for a latency
  QString note;    ///< why sampling stopped, with how many samples; drift
  QString more{};  ///< a device's own times, in a line below the row; mostly empty

  friend bool operator==(const ReadoutRow&, const ReadoutRow&) = default;
};

struct Readout {
  QString title;  ///< "10 statements"
  std::vector<ReadoutRow> rows;
  QString note;  ///< additional information that is not in the title; may be empty
  /// One line per row, for screen readers.
  QString plainText() const;

  friend bool operator==(const Readout&, const Readout&) = default;
};

/// All variants at a value of the first axis, those of other runs after them. `overlayNames` are
/// the names of the runs that curves of `content` come from.
Readout readoutAt(const Run& run, const CellSummaries& summaries, const ChartContent& content,
                  const std::vector<QString>& overlayNames, std::size_t slice, double x);

}  // namespace fusebench
