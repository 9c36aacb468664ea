// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <array>
#include <vector>

#include "profiler/trace/trace.h"

namespace fusebench {

/// An arrow from a call to its execution, drawn in the window or in a file.
struct LaunchArrow {
  QPointF from, to;
  bool marked = false;  ///< the pointer is at one of its ends
};

/// Whether an execution that is drawn this many units wide gets an arrow from its call. It must be
/// wide enough to be visible, and its call in another track; within a track the two are nested.
bool getsArrow(const Trace& trace, EventId execution, double width);

/// Whether a collective, drawn this many units wide, gets an arrow from the same collective of the
/// previous rank.
bool meetingGetsArrow(double width);

/// Too many arrows would hide what they join: beyond this number only the marked ones are drawn.
void leaveReadable(std::vector<LaunchArrow>& arrows);

/// A Bézier curve from `from` to `to`, upright at both ends, and the head at its end.
struct ArrowStroke {
  QPointF firstControl, secondControl;
  std::array<QPointF, 3> head;  ///< side, tip, side
};
ArrowStroke strokeOf(const LaunchArrow& arrow, double headWidth);

}  // namespace fusebench
