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
/// Into `place`, whose left edge is at `scale.from`. Values hold until the next one; where several
/// share a pixel, the least and the greatest are seen. The edges are those of the whole trace, with
/// 0 among them.
CounterPicture drawnCounter(const CounterTrack& counter, const TimeScale& scale,
                            const QRectF& place);

/// "Memory allocated, CPU", and its process where that tells more.
QString counterTitle(const CounterTrack& counter);
/// "1.50 GiB".
QString counterValue(const CounterTrack& counter, double value);
/// Its name, its value at a time, and what its values are in all of the trace.
QStringList counterFacts(const CounterTrack& counter, Nanoseconds time);

}  // namespace fusebench
