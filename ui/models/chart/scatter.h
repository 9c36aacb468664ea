// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "ui/models/chart/chart_series.h"

namespace fusebench {

/// The metrics that cells can be laid out by: those that each of them has for itself.
inline constexpr Metric kScatterMetrics[] = {Metric::latency, Metric::memory, Metric::error,
                                             Metric::launches, Metric::compile};

/// One cell, or what was published, by its metrics.
struct ScatterPoint {
  int variant = -1;  ///< -1: not a variant of the experiment
  int series = 0;
  QString name;   ///< name of the variant
  QString place;  ///< "width 256"; "published" for published points
  double x = 0, y = 0;
  double size = 0;  ///< 0: nothing is shown by size, or it is not known
  bool published = false;
  bool last = false;  ///< the variant's last one, which its name is next to
};

/// Cells laid out by two metrics, and a third one as the size of their marks.
struct ScatterContent {
  Metric x = Metric::latency, y = Metric::error;
  std::optional<Metric> size = Metric::memory;
  std::vector<ScatterPoint> points;  ///< those that have both, variant by variant
  double largest = 0;                ///< of the sizes
  int unplaced = 0;                  ///< number of published points that lack one of them
};

/// The content for one run, at one place of the second axis, if any. `published` is added if it has
/// both metrics; null: none.
ScatterContent scatterContent(const Run& run, const CellSummaries& summaries, std::size_t slice,
                              Metric x, Metric y, std::optional<Metric> size,
                              const Reference* published = nullptr);

/// "Error against latency; marks as large as memory"
QString scatterTitle(const ScatterContent& content);
/// The same as a sentence; it also names the metrics for which there is published data if these
/// have none.
QString scatterCaption(const ScatterContent& content);

}  // namespace fusebench
