// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"
#include "ui/models/timeline/timeline_model.h"

namespace fusebench {

/// A row of events: its trace, and its index among that trace's rows.
struct TimelineRow {
  std::size_t trace = 0, row = 0;
};

/// A part of a timeline, which does not change when the timeline does.
struct TimelineSubject {
  std::vector<TimelineModel::Shown> traces;
  double from = 0, to = 1;  ///< nanoseconds
  std::optional<TimeRange> selection;
  std::vector<TimelineModel::Summary> summaries;  ///< totals of the selection, or of everything
  std::vector<TimelineRow> rows;                  ///< that are drawn, in order
  /// A counter that is drawn below the rows of its trace.
  struct CounterRow {
    std::size_t trace = 0, counter = 0;
  };
  std::vector<CounterRow> counters = {};
  /// A note within the visible time.
  struct SeenNote {
    std::size_t trace = 0;
    TraceNote note;
  };
  std::vector<SeenNote> notes = {};
};
/// The titles of the traces that are drawn; others may be out of view.
QStringList drawnTitles(const TimelineSubject& subject);
/// The part of the time that the model shows, with its rows; only the outer rows of very deep
/// tracks.
TimelineSubject timelineSubject(const TimelineModel& model);

/// Tracks with their names on one time axis, the selection, and a legend of the colors. The height
/// follows from the tracks; the style's height is ignored. Groups: heading, traceN-laneN,
/// traceN-counterN, arrows, axes, selection, notes, legend, caption.
Figure timelineFigure(const TimelineSubject& subject, const FigureStyle& style);

}  // namespace fusebench
