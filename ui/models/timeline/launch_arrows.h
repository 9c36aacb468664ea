// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <array>
#include <vector>

#include "profiler/trace/trace.h"

namespace fusebench {

/// From a call to what it had executed, as it is drawn, in the window or in a file.
struct LaunchArrow {
  QPointF from, to;
  bool marked = false;  ///< what is at its ends is pointed at
};

/// Whether an execution that is drawn so many units wide gets an arrow from its call. It must be
/// wide enough to be seen, and its call in another track; within a track the two are nested.
bool getsArrow(const Trace& trace, EventId execution, double width);

/// Whether a collective, drawn so many units wide, gets one from the same one of the rank before.
bool meetingGetsArrow(double width);

/// Too many would hide what they join: then only those that are marked stay.
void leaveReadable(std::vector<LaunchArrow>& arrows);

/// A Bézier curve from `from` to `to`, upright at both ends, and the head at its end.
struct ArrowStroke {
  QPointF firstControl, secondControl;
  std::array<QPointF, 3> head;  ///< side, tip, side
};
ArrowStroke strokeOf(const LaunchArrow& arrow, double headWidth);

}  // namespace fusebench
