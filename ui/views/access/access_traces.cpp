// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the views of a trace.
#include <algorithm>
#include <cmath>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/access/access_parts.h"
#include "ui/views/timeline/flame_graph.h"
#include "ui/views/timeline/histogram_view.h"
#include "ui/views/timeline/roofline_chart.h"
#include "ui/views/timeline/timeline_canvas.h"

namespace fusebench {
namespace {

/// More events of one track are closer together than a pixel or two, and zooming shows them.
constexpr std::size_t kMostEventsOfTrack = 40;

/// The first line is the name, the second what it measures.
AccessPart partOf(QStringList lines) {
  AccessPart part;
  if (!lines.isEmpty()) part.name = lines.takeFirst();
  if (!lines.isEmpty()) part.value = lines.takeFirst();
  part.description = lines.join(QStringLiteral(", "));
  return part;
}

AccessPart eventPart(TimelineCanvas& canvas, const TimelineCanvas::Band& band, EventId event) {
  TimelineModel& model = canvas.model();
  const Trace& trace = *model.shown()[band.trace].trace;
  AccessPart part = partOf(factsOf(trace, event));
  const TimeScale scale = canvas.scale();
  const auto pixel = [&](Nanoseconds time) {
    return canvas.gutter() + (double(time) - scale.from) / scale.perPixel;
  };
  const QRect room(canvas.gutter(), band.y, canvas.viewport()->width() - canvas.gutter(),
                   TimelineCanvas::kRow);
  const double from = std::max(pixel(trace.start(event)), double(room.left())),
               to = std::min(pixel(trace.end(event)), double(room.right()));
  part.place =
      QRectF(from, band.y, std::max(1.0, to - from), TimelineCanvas::kRow).toAlignedRect() & room;
  const TimelineModel::Place place{band.trace, event};
  part.current = part.selected = model.current() == place;
  part.press = [&model, place] { model.setCurrent(place); };
  return part;
}

}  // namespace

AccessParts timelineParts(QWidget& widget) {
  auto& canvas = static_cast<TimelineCanvas&>(widget);
  const TimelineModel& model = canvas.model();
  AccessParts parts;
  const TimeRange seen{Nanoseconds(model.from()), Nanoseconds(std::ceil(model.to()))};
  for (const TimelineCanvas::Band& band : canvas.bandsInSight()) {
    if (parts.size() >= kMostAccessParts) break;
    const Trace& trace = *model.shown()[band.trace].trace;
    const TraceRow& row = trace.rows()[band.row];
    const EventId first = trace.firstEndingAfter(row, seen.from),
                  last = trace.firstStartingAt(row, seen.to);
    if (band.firstOfLane) {
      AccessPart lane = partOf(laneFacts(trace, band.lane));
      lane.role = QAccessible::Grouping;
      lane.place = QRect(0, band.y, canvas.gutter(), TimelineCanvas::kRow);
      parts.push_back(std::move(lane));
    }
    const std::size_t inSight = first < last ? last - first : 0;
    AccessParts events;
    for (EventId event = first; event < last && events.size() < kMostEventsOfTrack; ++event)
      events.push_back(eventPart(canvas, band, event));
    // The current event is always among them, however many come before it.
    if (const auto& at = model.current();
        at && at->trace == band.trace && at->event < last && at->event >= first + events.size())
      events.push_back(eventPart(canvas, band, at->event));
    if (inSight > events.size()) {
      AccessPart rest;
      rest.role = QAccessible::StaticText;
      rest.name = uiText("and %1 more").arg(formatCount(std::int64_t(inSight - events.size())));
      events.push_back(std::move(rest));
    }
    std::move(events.begin(), events.end(), std::back_inserter(parts));
  }
  return parts;
}

AccessParts histogramParts(QWidget& widget) {
  auto& view = static_cast<HistogramView&>(widget);
  AccessParts parts;
  const auto bins = static_cast<int>(view.edges().size());
  for (int bin = 0; bin < bins; ++bin) {
    AccessPart part;
    part.name = view.wordsOf(bin);
    part.place = view.placeOf(bin).toAlignedRect();
    part.current = bin == view.current();
    part.press = [&view, bin] { view.setCurrent(bin); };
    parts.push_back(std::move(part));
  }
  boundParts(parts, parts.size());
  return parts;
}

AccessParts flameParts(QWidget& widget) {
  auto& graph = static_cast<FlameGraph&>(widget);
  AccessParts parts;
  for (const FlameGraph::Bar& bar : graph.bars()) {
    if (parts.size() >= kMostAccessParts) break;
    AccessPart part = partOf(graph.wordsOf(bar.node).split(u'\n'));
    part.role = QAccessible::TreeItem;
    part.place = bar.place.translated(0, -graph.scrolled()).toAlignedRect() & graph.rect();
    part.current = bar.node == graph.marked();
    part.press = [&graph, node = bar.node] {
      graph.mark(node);
      graph.showNode(node);
    };
    parts.push_back(std::move(part));
  }
  boundParts(parts, graph.bars().size());
  return parts;
}

AccessParts rooflineParts(QWidget& widget) {
  auto& chart = static_cast<RooflineChart&>(widget);
  AccessParts parts;
  for (const QString& roof : chart.roofs()) {
    AccessPart part;
    part.role = QAccessible::StaticText;
    part.name = roof;
    part.description = uiText("a rate that the device can sustain");
    parts.push_back(std::move(part));
  }
  for (const RooflineChart::Mark& mark : chart.marks()) {
    if (parts.size() >= kMostAccessParts) break;
    AccessPart part = partOf(chart.wordsOf(mark.point).split(u'\n'));
    const QPointF reach(mark.radius, mark.radius);
    part.place = QRectF(mark.place - reach, mark.place + reach).toAlignedRect();
    part.current = mark.point == chart.marked();
    part.press = [&chart, point = mark.point] {
      chart.mark(point);
      emit chart.pointChosen(point);
    };
    parts.push_back(std::move(part));
  }
  boundParts(parts, chart.marks().size() + std::size_t(chart.roofs().size()));
  return parts;
}

}  // namespace fusebench
