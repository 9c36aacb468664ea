// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// What a loader brings, of a cell whose inputs come from host memory.
struct LoaderFigure {
  CellKey key;
  double bytes = 0;  ///< of a batch: the inputs that are brought
  double batch = 0;  ///< ns a batch, calls in a row: the median
  /// Part of that time in which no kernel runs; nothing where the device's own times are not known.
  std::optional<double> waits;
  double throughput() const { return bytes / batch; }  ///< bytes a nanosecond, or GB/s
  Estimate bandwidth;  ///< bytes a second, with the interval of the time
};

/// What a call of the cell is given anew from host memory; nothing where it lies on the device.
std::optional<double> broughtBytesOf(const Run& run, const Cell& cell);

/// Nothing for a cell that is not measured or fetches nothing.
std::optional<LoaderFigure> loaderFigureOf(const Run& run, const Cell& cell);

}  // namespace fusebench
