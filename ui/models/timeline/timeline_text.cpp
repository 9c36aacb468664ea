// SPDX-License-Identifier: GPL-3.0-or-later
// The texts and numbers of the timeline.
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "engine/base/said_again.h"
#include "profiler/trace/trace_counters.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/timeline/timeline_model.h"

namespace fusebench {
namespace {

/// What led to an execution: the call, and the operator around it.
void addCause(const Trace& trace, EventId call, EventId execution, QStringList& facts) {
  facts << uiText("launched by %1, %2 before")
               .arg(text(trace.name(call)),
                    formatTime(double(trace.start(execution) - trace.start(call))));
  if (const EventId around = operatorAround(trace, call); around != kNoEvent)
    facts << uiText("in %1").arg(text(trace.name(around)));
}

QString shortNumber(double value) {
  return QString::fromStdString(wording::number(value));
}

void addDetails(const Trace& trace, EventId event, QStringList& facts) {
  const LaunchDetails& d = *trace.details(event);
  if (d.op != 0) facts << text(trace.nameText(d.op));
  if (d.grid[0] > 0)
    facts << uiText("grid %1 × %2 × %3, block %4 × %5 × %6")
                 .arg(d.grid[0])
                 .arg(d.grid[1])
                 .arg(d.grid[2])
                 .arg(d.block[0])
                 .arg(d.block[1])
                 .arg(d.block[2]);
  QStringList resources;
  if (d.registers > 0) resources << uiText("%1 registers").arg(d.registers);
  if (d.staticShared + d.dynamicShared > 0)
    resources << formatBytes(std::int64_t{d.staticShared} + d.dynamicShared) + uiText(" shared");
  if (!resources.isEmpty()) facts << resources.join(QStringLiteral(", "));
  if (const auto most = occupancyOf(trace, event))
    facts << uiText("occupancy at most %1%").arg(shortNumber(100 * most->share)) +
                 (most->share < 1 ? uiText(", limited by ") + text(most->limit) : QString());
  if (d.occupancy >= 0)
    facts << uiText("achieved occupancy %1%, estimated by the profiler")
                 .arg(shortNumber(double(d.occupancy)));
  QStringList held;
  if (d.blocksPerSm >= 0) held << uiText("%1 blocks").arg(shortNumber(double(d.blocksPerSm)));
  if (d.warpsPerSm >= 0) held << uiText("%1 warps").arg(shortNumber(double(d.warpsPerSm)));
  if (!held.isEmpty()) facts << held.join(uiText(" and ")) + uiText(" for each multiprocessor");
  if (d.bytesRead >= 0 && d.bytesWritten >= 0)
    facts
        << uiText("reads %1, writes %2").arg(formatBytes(d.bytesRead), formatBytes(d.bytesWritten));
  QStringList before;
  const auto earlier = [&](const QString& what, Nanoseconds time) {
    if (time == kNoTime || time >= trace.start(event)) return;
    before << QStringLiteral("%1 %2").arg(what, formatTime(double(trace.start(event) - time)));
  };
  earlier(uiText("queued"), d.queued);
  earlier(uiText("submitted"), d.submitted);
  if (!before.isEmpty()) facts << before.join(QStringLiteral(", ")) + uiText(" before its start");
  if (d.graphNode != 0) facts << uiText("node %1 of graph %2").arg(d.graphNode).arg(d.graph);
}

/// Adds the numbers by which other tools identify it.
void addNumbers(const LaunchDetails& d, bool execution, QStringList& facts) {
  QStringList numbers;
  if (d.correlation > 0 && d.correlation < kFirstOwnCorrelation)
    numbers << uiText("correlation %1").arg(d.correlation);
  if (execution && d.device >= 0) numbers << uiText("device %1").arg(d.device);
  if (execution && d.context >= 0) numbers << uiText("context %1").arg(d.context);
  if (!numbers.isEmpty()) facts << numbers.join(QStringLiteral(" · "));
}

}  // namespace

QString exactTime(Nanoseconds time) {
  if (time < 1'000) return QStringLiteral("%1 ns").arg(time);
  const ShownUnit unit = timeUnit(double(time));
  const int decimals = int(std::lround(std::log10(unit.nanoseconds)));
  QString digits = QString::number(double(time) / unit.nanoseconds, 'f', decimals);
  while (digits.contains(u'.') && (digits.endsWith(u'0') || digits.endsWith(u'.'))) {
    const bool point = digits.endsWith(u'.');
    digits.chop(1);
    if (point) break;
  }
  return digits + QChar(0xA0) + unit.symbol;
}

QString sentenceOf(const RangeStatistics& statistics, Work work) {
  const double whole = double(std::max<Nanoseconds>(1, statistics.counted));
  const bool device = work == Work::device;
  const QString counts = statistics.counts == WorkCounts()
                             ? uiText("nothing starts here")
                             : QString::fromStdString(sentenceOf(statistics.counts));
  if (!device && statistics.counts == WorkCounts() && statistics.busy == 0)
    return uiText("no host or device activity is recorded here");
  // Work there may have started earlier: then "nothing" would be shown with a busy time.
  if (!device && statistics.counts == WorkCounts())
    return uiText("no device activity is recorded · nothing starts here, busy for %1 of %2")
        .arg(formatTime(double(statistics.busy)), formatTime(whole));
  if (!device)
    return uiText("no device activity is recorded · %1, busy for %2 of %3")
        .arg(counts, formatTime(double(statistics.busy)), formatTime(whole));
  QString line = uiText("busy %1 (%2%) · idle %3 · %4")
                     .arg(formatTime(double(statistics.busy)),
                          QString::number(100 * double(statistics.busy) / whole, 'f', 1),
                          formatTime(double(statistics.idle)), counts);
  if (statistics.gaps > 0) line += uiText(" · mean gap %1").arg(formatTime(statistics.meanGap));
  return line;
}

QStringList factsOf(const Trace& trace, EventId event) {
  QStringList facts;
  facts << text(labelOf(trace, event));
  facts << uiText("%1 · %2 at %3")
               .arg(text(nameOf(trace.kind(event))), exactTime(trace.duration(event)),
                    exactTime(trace.start(event)));
  const Lane& lane = trace.laneOf(event);
  facts << text(lane.name) + QStringLiteral(", ") + text(lane.processName);
  const EventId link = trace.link(event);
  if (isDeviceWork(trace.kind(event))) {
    if (link != kNoEvent) addCause(trace, link, event, facts);
    if (trace.details(event)) addDetails(trace, event, facts);
  } else if (link != kNoEvent) {
    std::int64_t count = 0;
    Nanoseconds total = 0;
    for (EventId e = link; e != kNoEvent && count < 1'000'000; e = trace.details(e)->sibling) {
      ++count;
      total += trace.duration(e);
    }
    facts << (count == 1 ? uiText("launches 1 kernel of %1").arg(formatTime(double(total)))
                         : uiText("launches %1 kernels, %2 in total")
                               .arg(formatCount(count), formatTime(double(total))));
  }
  if (const LaunchDetails* details = trace.details(event))
    addNumbers(*details, isDeviceWork(trace.kind(event)), facts);
  return facts;
}

QStringList laneFacts(const Trace& trace, LaneId lane) {
  const auto rows = trace.rowsOf(lane);
  std::int64_t events = 0;
  for (const TraceRow& row : rows) events += std::int64_t{row.last} - row.first;
  const auto count = static_cast<std::int64_t>(rows.size());
  QStringList facts{
      fullLaneTitle(trace, lane),
      (events == 1 ? uiText("%1 slice in %2") : uiText("%1 slices in %2"))
          .arg(formatCount(events),
               count == 1 ? uiText("one row") : uiText("%1 rows").arg(formatCount(count)))};
  facts << (count > 1 ? uiText("click: collapse or open · drag: move · right click: more")
                      : uiText("drag: move · right click: more"));
  return facts;
}

QStringList factsOf(const TimelineModel::Shown& shown) {
  const Trace& trace = *shown.trace;
  QStringList facts;
  if (!trace.device().empty()) facts << text(trace.device());
  facts << uiText("%1 slices, %2")
               .arg(formatCount(std::int64_t(trace.size())), formatTime(double(trace.length())));
  if (!trace.note().empty()) facts << text(saidAgain(trace.note()));
  if (const std::string remarks = sentenceOf(trace.remarks()); !remarks.empty())
    facts << text(remarks);
  return facts;
}

QString warningOf(const Trace& trace) {
  QStringList warnings;
  if (!trace.partial().empty()) warnings << uiText("partial: ") + text(trace.partial());
  if (const std::string lost = sentenceOf(trace.losses()); !lost.empty())
    warnings << uiText("not drawn: ") + text(lost);
  return warnings.join(QStringLiteral("; "));
}

QString laneTitle(const Trace& trace, LaneId id) {
  const Lane& lane = trace.lanes()[id];
  const bool shared = std::ranges::any_of(trace.lanes(), [&](const Lane& other) {
    return other.name == lane.name && other.process != lane.process;
  });
  // If there are more rows, the second one shows the process.
  if (!shared || trace.rowsOf(id).size() > 1) return text(lane.name);
  return text(lane.name) + QStringLiteral(" · ") + text(lane.processName);
}

QString fullLaneTitle(const Trace& trace, LaneId id) {
  const Lane& lane = trace.lanes()[id];
  if (lane.processName.empty() || lane.processName == lane.name) return text(lane.name);
  return text(lane.name) + QStringLiteral(" · ") + text(lane.processName);
}

QString colorName(const TimelineModel::Shown& shown, ColorClass color) {
  if (color < kFirstRank) return text(nameOf(static_cast<SpanKind>(color)));
  const auto name = shown.colors.nameOf(color);
  return name ? text(shown.trace->nameText(*name)) : uiText("other kernels");
}

QStringList statisticsLines(const std::vector<TimelineModel::Shown>& traces,
                            const std::vector<TimelineModel::Summary>& summaries,
                            const std::optional<TimeRange>& selection) {
  // More than two have rows of a table, "By device", and would take the room from it here.
  constexpr std::size_t kMostDevices = 2;
  std::size_t devices = 0;
  for (const auto& summary : summaries) devices += summary.devices.size();
  QStringList lines;
  for (std::size_t t = 0; t < summaries.size() && t < traces.size(); ++t) {
    const auto& summary = summaries[t];
    const Work work = traces[t].work;
    QStringList of;
    if (summaries.size() > 1) of << traces[t].title;
    if (!summary.devices.empty()) of << uiText("any device");
    QString line = of.isEmpty() ? QString() : of.join(QStringLiteral(", ")) + QStringLiteral(": ");
    if (t == 0 && selection)
      line = uiText("Selected %1 · ").arg(exactTime(summary.statistics.range.length())) + line;
    if (isMadeOfCounters(*traces[t].trace)) {
      lines << line + uiText("memory over time: no work is recorded");
      continue;
    }
    // Time outside the recording is not idle time.
    const TimeRange recorded = recordedOf(*traces[t].trace);
    if (selection && (selection->to <= recorded.from || selection->from >= recorded.to)) {
      lines << line + uiText("nothing was recorded there");
      continue;
    }
    lines << line + sentenceOf(summary.statistics, work);
    if (devices > kMostDevices) continue;
    for (const auto& device : summary.devices)
      lines << QStringLiteral("    %1: ").arg(device.name) +
                   sentenceOf(device.figures.statistics, work);
  }
  return lines;
}

std::vector<TimeTick> timeTicks(double from, double to, double least) {
  std::vector<TimeTick> ticks;
  if (!(to > from) || !(least > 0)) return ticks;
  const double decade = std::pow(10, std::floor(std::log10(std::max(1.0, least))));
  double step = decade * 10;
  for (const double factor : {1.0, 2.0, 5.0})
    if (decade * factor >= least) {
      step = decade * factor;
      break;
    }
  const ShownUnit unit = timeUnit(std::max(std::abs(to), std::abs(from)));
  const int decimals = std::max(0, int(std::ceil(std::log10(unit.nanoseconds / step) - 1e-9)));
  for (double i = std::ceil(from / step); i * step <= to; ++i) {
    const double shown = i == 0 ? 0 : i * step / unit.nanoseconds;
    QString text = QString::number(shown, 'f', decimals) + QChar(0xA0) + unit.symbol;
    ticks.push_back({i * step, text.replace(u'-', QChar(0x2212))});
  }
  return ticks;
}

}  // namespace fusebench
