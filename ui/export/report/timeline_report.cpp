// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report/timeline_report.h"

#include <algorithm>
#include <vector>

#include "profiler/trace/trace_breakdown.h"
#include "ui/export/figures/timeline_totals.h"
#include "ui/export/report/report_sections.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostKernelsReported = 40;

/// A table of texts and figures by the titles of its columns.
ExportTable titledTable(const QStringList& titles, int texts) {
  ExportTable table;
  for (int i = 0; i < titles.size(); ++i) {
    table.header.push_back(titles[i].toStdString());
    table.numeric.push_back(i >= texts);
  }
  return table;
}

void addTextRow(ExportTable& table, const QStringList& cells) {
  std::vector<std::string>& row = table.rows.emplace_back();
  for (const QString& cell : cells) row.push_back(cell.toStdString());
}

TimeRange reportedRange(const TimelineSubject& subject, const Trace& trace) {
  return subject.selection.value_or(recordedOf(trace));
}

ReportSection tracePicture(const TimelineSubject& subject) {
  ReportSection section{QStringLiteral("timeline"), uiText("Timeline"), {}};
  const QStringList lines = statisticsLines(subject.traces, subject.summaries, subject.selection);
  for (const QString& line : lines) section.blocks.emplace_back(ReportText{line});
  Figure figure = timelineFigure(subject, sections::figureStyle());
  figure.id = QStringLiteral("timeline");
  section.blocks.emplace_back(ReportFigure{std::move(figure), {}});
  return section;
}

/// Numbered as in the picture.
ReportSection traceNotesTable(const TimelineSubject& subject) {
  ReportSection section{QStringLiteral("notes"), uiText("Notes"), {}};
  if (subject.notes.empty()) return section;
  const bool several = subject.traces.size() > 1;
  QStringList titles{uiText("Number"), uiText("Note"), uiText("At")};
  if (several) titles << uiText("Trace");
  const int texts = int(titles.size());
  titles << uiText("From") << uiText("Length");
  ExportTable table = titledTable(titles, texts);
  for (std::size_t i = 0; i < subject.notes.size(); ++i) {
    const TraceNote& note = subject.notes[i].note;
    QStringList cells{QString::number(i + 1), note.text, note.about};
    if (several) cells << subject.traces[subject.notes[i].trace].title;
    cells << exactTime(note.time.from)
          << (note.time.length() > 0 ? exactTime(note.time.length()) : QStringLiteral("–"));
    addTextRow(table, cells);
  }
  section.blocks.emplace_back(ReportTable{std::move(table), {}});
  return section;
}

ReportSection traceBreakdown(const TimelineSubject& subject) {
  ReportSection section{QStringLiteral("time"), uiText("Where the time went"), {}};
  ExportTable table = titledTable(
      {uiText("Device"), uiText("Computing"), uiText("Communication"), uiText("Memory"),
       uiText("Idle"), uiText("Host wait"), uiText("Kernel wait"), uiText("Other wait")},
      1);
  for (const TimelineModel::Shown& shown : subject.traces)
    for (const DeviceBreakdown& one :
         breakdownOf(*shown.trace, reportedRange(subject, *shown.trace))) {
      const auto share = [&](Nanoseconds part) {
        return formatTime(double(part)) +
               QStringLiteral(" (%1%)").arg(
                   100 * double(part) / double(std::max<Nanoseconds>(1, one.total)), 0, 'f', 1);
      };
      const QString name = text(one.device.name);
      addTextRow(table,
                 {subject.traces.size() > 1 ? name + QStringLiteral(" · ") + shown.title : name,
                  share(one.computing), share(one.communication), share(one.memory),
                  share(one.idle), formatTime(double(one.hostWait)),
                  formatTime(double(one.kernelWait)), formatTime(double(one.otherWait))});
    }
  if (!table.rows.empty()) section.blocks.emplace_back(ReportTable{std::move(table), {}});
  return section;
}

ReportSection traceKernels(const TimelineSubject& subject) {
  ReportSection section{QStringLiteral("kernels"), uiText("Time by kernel"), {}};
  std::string caption;
  ExportTable table = kernelsTable(subject, kMostKernelsReported, caption);
  if (!table.rows.empty())
    section.blocks.emplace_back(ReportTable{std::move(table), text(caption)});
  return section;
}

ReportSection traceFacts(const TimelineSubject& subject) {
  ReportSection section{QStringLiteral("traces"), uiText("Traces"), {}};
  ReportFacts facts;
  for (const TimelineModel::Shown& shown : subject.traces)
    facts.rows.emplace_back(
        shown.title,
        (factsOf(shown) + warningOf(*shown.trace).split(u'\n', Qt::SkipEmptyParts)).join(u'\n'));
  section.blocks.emplace_back(std::move(facts));
  return section;
}

}  // namespace

Report makeTimelineReport(const TimelineSubject& given) {
  TimelineSubject subject = given;
  if (subject.summaries.empty())
    subject.summaries = TimelineModel::summariesNow(subject.traces, subject.selection);
  Report report;
  report.title = drawnTitles(subject).join(QStringLiteral(" · "));
  QStringList devices;
  for (const TimelineModel::Shown& shown : subject.traces)
    if (const QString device = text(shown.trace->device());
        !device.isEmpty() && !devices.contains(device))
      devices << device;
  report.subtitle = devices.join(QStringLiteral(" · "));
  for (auto* const make : {tracePicture, traceNotesTable, traceBreakdown, traceKernels, traceFacts})
    if (ReportSection section = make(subject); !section.blocks.empty())
      report.sections.push_back(std::move(section));
  return report;
}

}  // namespace fusebench
