// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// A device's own times of a cell; see DeviceTimes.
struct DeviceEstimates {
  Estimate enqueue, event, single, device;  ///< `device`: kind none where it was not measured
};

/// Whether cells of the run have a time on the device without the host's pace.
bool hasHeldTimes(const Run& run);

/// The values that views show for a cell, computed from its samples.
struct CellSummary {
  Estimate latency;                 ///< kind none without samples
  std::optional<Estimate> speedUp;  ///< over the baseline, paired by round; not of the baseline
  /// The ratio of the two medians, which disturbances of one of the two affect.
  std::optional<double> ratioOfMedians;
  bool drifted = false;
  std::optional<DeviceEstimates> device;  ///< where the device has times of its own
};

/// Summaries of all cells of a run, kept up to date: only cells with new samples are computed
/// again, since sorting the samples of thousands of cells takes longer than a frame.
class CellSummaries {
 public:
  /// Call when the run has changed: anywhere, or in these cells of it.
  void update(const Run& run);
  void update(const Run& run, const std::vector<int>& changed);
  /// Forgets all; call when another run is shown.
  void clear() { entries_.clear(); }
  const CellSummary& at(std::size_t cell) const { return entries_[cell].summary; }
  std::size_t size() const { return entries_.size(); }
  /// Cells computed by the last update.
  std::size_t computed() const { return computed_; }

 private:
  /// Samples are only ever added, so the ends identify samples of another run.
  struct Mark {
    std::size_t count = 0;
    double first = 0, last = 0;
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  static Mark markOf(const Cell& cell);
  void updateCell(const Run& run, std::size_t at);
  struct Entry {
    Mark own, baseline;
    bool known = false;
    CellSummary summary;
  };

  std::vector<Entry> entries_;
  std::size_t computed_ = 0;
};

}  // namespace fusebench
