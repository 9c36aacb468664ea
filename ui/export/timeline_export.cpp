// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/timeline_export.h"

#include <fmt/format.h>

#include <QFileInfo>
#include <filesystem>

#include "profiler/files/files.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_parts.h"
#include "ui/export/figures/timeline_totals.h"

namespace fusebench {
namespace {

constexpr const char* kTraceEnding = "trace.json.gz";

bool isTable(const ExportForm& form) {
  const std::string_view ending = form.ending;
  return ending == "csv" || ending == "md" || ending == "tex";
}

/// The forms of a chart and of a table, which a timeline takes as well.
std::vector<ExportForm> sharedForms() {
  std::vector<ExportForm> forms;
  for (const ExportForm& form : exportForms())
    if (form.figure || isTable(form)) forms.push_back(form);
  return forms;
}

}  // namespace

QString TimelineExport::title() const {
  return drawnTitles(subject_).join(QStringLiteral(" · "));
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
  std::vector<ExportForm> forms = sharedForms();
  forms.push_back({kTraceEnding, "All launches, for Perfetto (Chrome trace)"});
  return forms;
}

ViewChoices TimelineExport::choicesOf(const QString&) const {
  ViewChoices choices;
  choices.legends = {LegendPlace::bottom, LegendPlace::none};
  choices.height = false;
  return choices;
}

Figure TimelineExport::figure(const ExportChoices& choices) const {
  return timelineFigure(subject_, choices.style);
}

QString TimelineExport::preview(const ExportForm& form, const ExportChoices&, bool& isText) const {
  // Figures of a large trace may not be there yet, and are not waited for here.
  isText = isTable(form) && !subject_.summaries.empty();
  if (isText) return QString::fromStdString(timelineTotals(subject_, form.ending));
  QStringList lines;
  for (const auto& shown : subject_.traces)
    lines << shown.title + QStringLiteral(":  ") + factsOf(shown).join(QStringLiteral(" · "));
  lines << QString();
  if (isTable(form))
    return (lines << (subject_.selection
                          ? QStringLiteral("Time by kernel, of the part that is selected.")
                          : QStringLiteral("Time by kernel, of all of it.")))
        .join(u'\n');
  lines << QStringLiteral(
      "Every span with what is known of it, as Chrome trace events, whatever part of the "
      "time is seen: for Perfetto, chrome://tracing, or this timeline.");
  return lines.join(u'\n');
}

ExportSource::Writer TimelineExport::writer(const ExportForm& form, const ExportChoices&) const {
  if (isTable(form))
    return [subject = subject_, ending = std::string_view(form.ending)](const QString& path,
                                                                        const std::stop_token&) {
      writeFile(path.toStdString(), timelineTotals(subject, ending));
    };
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
  if (!form.figure && !isTable(form))
    throw InputError(
        fmt::format("a trace can be drawn, as .svg, .png or .chart.pdf, or its kernels listed, as "
                    ".csv, .md or .tex; .{} is for runs",
                    form.ending));
  TimelineModel model;
  std::vector<std::shared_ptr<const Trace>> traces;
  for (const QString& file : files)
    for (auto& part : partsOf(importTrace(file.toStdString()))) traces.push_back(std::move(part));
  model.setTraces(std::move(traces));
  if (isTable(form))
    return QByteArray::fromStdString(timelineTotals(timelineSubject(model), form.ending));
  return figureContent(timelineFigure(timelineSubject(model), choices.style), form, choices.scale);
}

}  // namespace fusebench
