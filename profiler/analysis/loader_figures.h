// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// Figures of a loader, for a cell whose inputs come from host memory.
struct LoaderFigure {
  CellKey key;
  double bytes = 0;  ///< copied bytes of one batch
  double batch = 0;  ///< ns per batch, calls in a row: the median
  /// Part of that time in which no kernel runs; nothing where the device's own times are not known.
  std::optional<double> waits;
  double throughput() const { return bytes / batch; }  ///< bytes per nanosecond, or GB/s
  Estimate bandwidth;  ///< bytes per second, with the interval of the time
};

/// The bytes that each call of the cell copies from host memory; nothing where the inputs are on
/// the device.
std::optional<double> broughtBytesOf(const Run& run, const Cell& cell);

/// Nothing for a cell that is not measured or fetches nothing.
std::optional<LoaderFigure> loaderFigureOf(const Run& run, const Cell& cell);

}  // namespace fusebench
