// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/timeline_export.h"

#include <fmt/format.h>

#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/files/files.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_parts.h"
#include "profiler/trace/trace_ranks.h"
#include "ui/export/figures/timeline_totals.h"
#include "ui/export/report/timeline_report.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

using Traces = std::vector<std::shared_ptr<const Trace>>;

void writeLaunches(const Traces& traces, const ExportForm& form, const std::string& path,
                   const TraceProgress& goOn) {
  const auto trace = traces.size() == 1
                         ? traces.front()
                         : joinedTrace(traces, std::filesystem::path(path).stem().string(), goOn);
  form.launches(*trace, path, goOn);
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
  std::vector<ExportForm> forms;
  std::ranges::copy_if(exportForms(), std::back_inserter(forms), &ExportForm::ofTraces);
  return forms;
}

ViewChoices TimelineExport::choicesOf(const QString&) const {
  ViewChoices choices;
  choices.legends = {LegendPlace::bottom, LegendPlace::none};
  choices.height = false;
  return choices;
}

Figure TimelineExport::figure(const ExportChoices& choices) const {
  if (!subject_.summaries.empty()) return timelineFigure(subject_, choices.style);
  // The summaries of a large trace may not be ready yet, but an exported picture needs them.
  TimelineSubject whole = subject_;
  whole.summaries = TimelineModel::summariesNow(whole.traces, whole.selection);
  return timelineFigure(whole, choices.style);
}

/// The sections of a report, for the preview.
QString TimelineExport::reportContents() const {
  QStringList lines{title(), {}};
  for (const char* const part : {uiMark("Timeline"), uiMark("Notes"), uiMark("Where the time went"),
                                 uiMark("Time by kernel"), uiMark("Traces")})
    if (!subject_.notes.empty() || qstrcmp(part, "Notes") != 0)
      lines << QStringLiteral("·  ") + uiText(part);
  return lines.join(u'\n');
}

QString TimelineExport::preview(const ExportForm& form, const ExportChoices&, bool& isText) const {
  // Figures of a large trace may not be there yet, and are not waited for here.
  isText = form.kernels && !subject_.summaries.empty();
  if (form.report) return reportContents();
  if (isText) return QString::fromStdString(form.kernels(subject_));
  QStringList lines;
  for (const auto& shown : subject_.traces)
    lines << shown.title + QStringLiteral(":  ") + factsOf(shown).join(QStringLiteral(" · "));
  lines << QString();
  if (form.kernels)
    return (lines << (subject_.selection ? uiText("Time by kernel, selected range.")
                                         : uiText("Time by kernel, whole trace.")))
        .join(u'\n');
  lines << uiText(
      "Every slice with all its details, as Chrome trace events, independent of the range that is "
      "shown: for Perfetto, chrome://tracing, or this timeline.");
  return lines.join(u'\n');
}

ExportSource::Writer TimelineExport::writer(const ExportForm& form, const ExportChoices&) const {
  if (form.kernels)
    return
        [subject = subject_, kernels = form.kernels](const QString& path, const std::stop_token&) {
          writeFile(path.toStdString(), kernels(subject));
        };
  if (form.report)
    return [subject = subject_, report = form.report](const QString& path, const std::stop_token&) {
      const QByteArray content = report(makeTimelineReport(subject));
      writeFile(path.toStdString(), {content.data(), static_cast<std::size_t>(content.size())});
    };
  Traces traces;
  for (const auto& shown : subject_.traces) traces.push_back(shown.trace);
  return [traces, form](const QString& path, std::stop_token stop) {
    writeLaunches(traces, form, path.toStdString(), [&](double) { return !stop.stop_requested(); });
  };
}

void exportTraces(const QString& out, const QStringList& files, const ExportForm& form,
                  const ExportChoices& choices) {
  if (!form.ofTraces()) {
    const auto endings = [](auto has) {
      return endingsOf([has](const ExportForm& one) { return one.*has != nullptr; }, uiText(" or "))
          .toStdString();
    };
    throw InputError(
        saying("a trace can be exported as a report ({}), as a picture ({}) or as a table of its "
               "kernels ({}); .{} is for runs",
               endings(&ExportForm::report), endings(&ExportForm::figure),
               endings(&ExportForm::kernels), form.ending));
  }
  TimelineModel model;
  Traces traces;
  std::vector<TraceNotes::Owner> owners;
  for (const QString& file : files)
    for (auto& part : openTraces(file.toStdString())) {
      owners.push_back({file, QString::fromStdString(part->title())});
      traces.push_back(std::move(part));
    }
  const std::string to = out.toStdString();
  if (form.launches) return writeLaunches(traces, form, to, {});
  model.setTraces(std::move(traces));
  model.notes().setOwners(owners);
  TimelineSubject subject = timelineSubject(model);
  if (subject.summaries.empty())
    subject.summaries = TimelineModel::summariesNow(subject.traces, subject.selection);
  if (form.kernels) return writeFile(to, form.kernels(subject));
  const QByteArray drawn = form.report
                               ? form.report(makeTimelineReport(subject))
                               : form.figure(timelineFigure(subject, choices.style), choices.scale);
  writeFile(to, {drawn.data(), static_cast<std::size_t>(drawn.size())});
}

}  // namespace fusebench
