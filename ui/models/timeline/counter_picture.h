// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <vector>

#include "profiler/trace/trace.h"
#include "ui/models/timeline/timeline_pixels.h"

namespace fusebench {

/// The drawing of a counter, for the window and for exports.
struct CounterPicture {
  std::vector<QList<QPointF>> areas;  ///< down to the line of 0
  std::vector<QList<QPointF>> lines;
  double low = 0, high = 1;  ///< values at the lower and upper edge
};
/// Draws into `place`, whose left edge is at `scale.from`. A value is valid until the next one;
/// where several share a pixel, the smallest and the largest are visible. The edges are those of
/// the whole trace, including 0.
CounterPicture drawnCounter(const CounterTrack& counter, const TimeScale& scale,
                            const QRectF& place);

/// "Memory allocated, CPU", and its process if that adds information.
QString counterTitle(const CounterTrack& counter);
/// "1.50 GiB".
QString counterValue(const CounterTrack& counter, double value);
/// Its name, its value at a time, and the range of its values in the whole trace.
QStringList counterFacts(const CounterTrack& counter, Nanoseconds time);

}  // namespace fusebench
