// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/timeline_export.h"

#include <fmt/format.h>

#include <QFileInfo>
#include <filesystem>

#include "profiler/trace_export.h"
#include "profiler/trace_import.h"
#include "profiler/trace_parts.h"

namespace fusebench {
namespace {

constexpr const char* kTraceEnding = "trace.json.gz";

/// The forms of a chart, which a timeline takes as well.
std::vector<ExportForm> pictureForms() {
  std::vector<ExportForm> forms;
  for (const ExportForm& form : exportForms())
    if (form.figure) forms.push_back(form);
  return forms;
}

}  // namespace

QString TimelineExport::title() const {
  QStringList titles;
  for (const auto& shown : subject_.traces) titles << shown.title;
  return titles.join(QStringLiteral(" · "));
}

QString TimelineExport::caption() const {
  if (!subject_.selection) return {};
  return statisticsLines(subject_.traces, subject_.summaries, subject_.selection)
      .join(QStringLiteral("; "));
}

QString TimelineExport::fileName() const {
  return subject_.traces.empty() ? QStringLiteral("timeline")
                                 : QFileInfo(subject_.traces.front().title).baseName();
}

std::vector<ExportForm> TimelineExport::forms() const {
  std::vector<ExportForm> forms = pictureForms();
  forms.push_back({kTraceEnding, "All launches, for Perfetto (Chrome trace)"});
  return forms;
}

ViewChoices TimelineExport::choicesOf(const QString&) const {
  ViewChoices choices;
  choices.height = false;
  return choices;
}

Figure TimelineExport::figure(const ExportChoices& choices) const {
  return timelineFigure(subject_, choices.style);
}

QString TimelineExport::preview(const ExportForm&, const ExportChoices&, bool& isText) const {
  isText = false;
  QStringList lines = {title(), {}};
  for (const auto& shown : subject_.traces)
    lines << QStringLiteral("·  ") + factsOf(shown).join(QStringLiteral(" · "));
  lines << QString()
        << QStringLiteral(
               "Every span with what is known of it, as Chrome trace events, whatever part of the "
               "time is seen: for Perfetto, chrome://tracing, or this timeline.");
  return lines.join(u'\n');
}

ExportSource::Writer TimelineExport::writer(const ExportForm&, const ExportChoices&) const {
  std::vector<std::shared_ptr<const Trace>> traces;
  for (const auto& shown : subject_.traces) traces.push_back(shown.trace);
  return [traces](const QString& path, std::stop_token stop) {
    const std::string to = path.toStdString();
    const TraceProgress goOn = [&](double) { return !stop.stop_requested(); };
    const auto trace = traces.size() == 1
                           ? traces.front()
                           : joinedTrace(traces, std::filesystem::path(to).stem().string(), goOn);
    exportTrace(*trace, to, goOn);
  };
}

QByteArray exportedTraces(const QStringList& files, const ExportForm& form,
                          const ExportChoices& choices) {
  if (!form.figure)
    throw InputError(fmt::format(
        "a trace can be drawn, as .svg, .png or .chart.pdf; .{} is for runs", form.ending));
  TimelineModel model;
  std::vector<std::shared_ptr<const Trace>> traces;
  for (const QString& file : files)
    for (auto& part : partsOf(importTrace(file.toStdString()))) traces.push_back(std::move(part));
  model.setTraces(std::move(traces));
  return figureContent(timelineFigure(timelineSubject(model), choices.style), form, choices.scale);
}

}  // namespace fusebench
