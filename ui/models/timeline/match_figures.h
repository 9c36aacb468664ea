// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "ui/models/timeline/range_figures.h"

namespace fusebench {

/// The events that a search finds in the selected range, grouped by name.
class MatchFigures : public RangeFigures {
  Q_OBJECT

 public:
  explicit MatchFigures(TimelineModel& timeline, QObject* parent = nullptr);

  struct Match {
    NameId name = 0;
    SpanKind kind = SpanKind::kernel;
    std::uint64_t count = 0;          ///< that start in the range; 0: one overlaps it
    Nanoseconds total = 0;            ///< inside the range
    Nanoseconds least = 0, most = 0;  ///< of whole events
    double mean = 0;                  ///< the same
    std::uint64_t touching = 0;       ///< the range
    EventId longest = kNoEvent;
  };
  struct Made {
    std::shared_ptr<const Trace> trace;
    std::vector<Match> matches;  ///< the longest total first
    Match all;                   ///< for all names together
  };
  /// Null while they are computed, without a search and without a trace.
  std::shared_ptr<const Made> made() const {
    return std::static_pointer_cast<const Made>(result());
  }

 private:
  Compute computation() const override;

  TimelineModel& searched_;
};

}  // namespace fusebench
