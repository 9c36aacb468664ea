// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/counter_picture.h"

#include <algorithm>
#include <cmath>

#include "profiler/trace/trace_counters.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/timeline/timeline_model.h"

namespace fusebench {

CounterPicture drawnCounter(const CounterTrack& counter, const TimeScale& scale,
                            const QRectF& place) {
  CounterPicture picture;
  if (counter.values.empty()) return picture;
  const auto [least, most] = std::minmax_element(counter.values.begin(), counter.values.end());
  picture.low = std::min(0.0, *least);
  picture.high = std::max(0.0, *most);
  if (picture.high <= picture.low) picture.high = picture.low + 1;
  const double perPixel = place.height() / (picture.high - picture.low);
  const auto y = [&](double value) { return place.bottom() - (value - picture.low) * perPixel; };
  const auto startingAt = [&](double time) {
    const double within = std::clamp(time, -4e18, 4e18);
    return static_cast<std::size_t>(
        std::partition_point(counter.times.begin(), counter.times.end(),
                             [&](Nanoseconds t) { return static_cast<double>(t) < within; }) -
        counter.times.begin());
  };
  QList<QPointF> line;
  std::size_t next = startingAt(scale.from);
  bool known = next > 0;
  double value = known ? counter.values[next - 1] : 0;
  if (known) line << QPointF(place.left(), y(value));
  const std::size_t end = startingAt(scale.time(place.width()));
  while (next < end) {
    const double x = scale.x(static_cast<double>(counter.times[next]));
    const std::size_t beyond =
        std::max(next + 1, std::min(end, startingAt(scale.time(std::floor(x) + 1))));
    const auto from = counter.values.begin() + static_cast<std::ptrdiff_t>(next);
    const auto to = counter.values.begin() + static_cast<std::ptrdiff_t>(beyond);
    const double left = place.left() + x;
    if (known) line << QPointF(left, y(value));
    if (beyond - next > 1) {
      const auto [low, high] = std::minmax_element(from, to);
      line << QPointF(left, y(*high)) << QPointF(left, y(*low));
    }
    value = counter.values[beyond - 1];
    known = true;
    line << QPointF(left, y(value));
    next = beyond;
  }
  if (!known) return picture;
  line << QPointF(place.right(), y(value));
  QList<QPointF> area = line;
  area << QPointF(line.back().x(), y(0)) << QPointF(line.front().x(), y(0));
  picture.areas.push_back(std::move(area));
  picture.lines.push_back(std::move(line));
  return picture;
}

QString counterTitle(const CounterTrack& counter) {
  return text(counter.name);
}

QString counterValue(const CounterTrack& counter, double value) {
  return text(valueText(value, counter.unit));
}

QStringList counterFacts(const CounterTrack& counter, Nanoseconds time) {
  QStringList facts{counterTitle(counter)};
  const auto value = valueAt(counter, time);
  facts << (value ? uiText("%1 at %2").arg(counterValue(counter, *value), exactTime(time))
                  : uiText("no value yet at %1").arg(exactTime(std::max<Nanoseconds>(0, time))));
  const auto [least, most] = std::minmax_element(counter.values.begin(), counter.values.end());
  facts << uiText("%1 to %2 in the whole trace")
               .arg(counterValue(counter, *least), counterValue(counter, *most));
  if (!counter.processName.empty()) facts << text(counter.processName);
  return facts;
}

}  // namespace fusebench
