// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_files.h"

#include <fmt/format.h>

#include <QBuffer>
#include <QFileInfo>
#include <cstdio>

#include "profiler/export_python.h"
#include "profiler/files.h"
#include "ui/export/chart_figure.h"
#include "ui/export/figure_paint.h"
#include "ui/export/figure_svg.h"
#include "ui/export/map_figure.h"
#include "ui/export/report.h"
#include "ui/models/documents.h"

namespace fusebench {
namespace {

constexpr const char* kMap = "map";

QString endings() {
  QStringList names;
  for (const ExportForm& form : exportForms())
    names << QLatin1Char('.') + QLatin1String(form.ending);
  return names.join(u' ');
}

const Metric* metricNamed(const QString& view) {
  for (const Metric& metric : kMetrics)
    if (metricName(metric).compare(view, Qt::CaseInsensitive) == 0) return &metric;
  return nullptr;
}

Analysis analysisOf(const ExportedRun& exported, std::size_t slice) {
  Analysis analysis;
  analysis.crossings = exported.crossings;
  analysis.sliceLaunches = launchModels(*exported.run, slice);
  return analysis;
}

Figure mapOf(const Run& run, const ExportChoices& choices) {
  int variant = choices.variant;
  for (int v = 0; variant < 0 && v < static_cast<int>(run.experiment.variants.size()); ++v)
    if (v != run.experiment.baselineIndex()) variant = v;
  if (run.experiment.axes.size() < 2 || variant < 0)
    throw InputError("this run sweeps one axis, so there is no map of it; choose another view");
  return mapFigure(breakEvenMap(run, variant), run.experiment, choices.style);
}

QByteArray bytes(const std::string& text) {
  return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

std::span<const ExportForm> exportForms() {
  static constexpr ExportForm kForms[] = {
      {"html", "Report, one interactive page"},
      {"pdf", "Report, pages to print"},
      {"svg", "Chart, vectors (SVG)", true},
      {"png", "Chart, picture (PNG)", true},
      {"chart.pdf", "Chart, vectors (PDF)", true},
      {"csv", "Data, comma-separated"},
      {"json", "Data, JSON"},
      {"md", "Table, Markdown"},
      {"tex", "Table, LaTeX"},
      {"benchmark.json", "Data, google/benchmark JSON"},
      {"py", "PyTorch script of the experiment"},
  };
  return kForms;
}

const ExportForm* exportForm(const QString& path) {
  const ExportForm* best = nullptr;
  for (const ExportForm& form : exportForms())
    if (path.endsWith(QLatin1Char('.') + QLatin1String(form.ending), Qt::CaseInsensitive) &&
        (!best || qstrlen(form.ending) > qstrlen(best->ending)))
      best = &form;
  return best;
}

QStringList exportViews(const Run& run) {
  QStringList views;
  for (const Metric metric : kMetrics) views << metricName(metric).toLower();
  if (run.experiment.axes.size() > 1) views << QLatin1String(kMap);
  return views;
}

Figure figureOf(std::span<const ExportedRun> runs, const ExportChoices& choices) {
  const Run& run = *runs.front().run;
  if (choices.view == QLatin1String(kMap)) return mapOf(run, choices);
  const Metric* metric = metricNamed(choices.view);
  if (!metric)
    throw InputError(fmt::format("there is no view \"{}\"; this run has {}",
                                 choices.view.toStdString(),
                                 exportViews(run).join(QStringLiteral(", ")).toStdString()));
  CellSummaries summaries;
  summaries.update(run);
  std::vector<Overlay> overlays;
  for (const ExportedRun& other : runs.subspan(1))
    overlays.push_back({QString::fromStdString(other.name), other.run});
  const ChartSubject subject = chartSubject(run, summaries, analysisOf(runs.front(), choices.slice),
                                            *metric, choices.slice, overlays);
  return chartFigure(subject, choices.style);
}

QByteArray exportedContent(std::span<const ExportedRun> runs, const ExportForm& form,
                           const ExportChoices& choices) {
  const std::string_view ending = form.ending;
  if (ending == "html") return toHtml(makeReport(runs)).toUtf8();
  if (ending == "pdf") return toPdf(makeReport(runs));
  if (ending == "py") return bytes(toPython(runs.front().run->experiment));
  if (!form.figure) return bytes(exportedAs(ending, runs));
  const Figure figure = figureOf(runs, choices);
  if (ending == "svg") return toSvg(figure).toUtf8();
  if (ending == "chart.pdf") return figurePdf(figure);
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  if (!figureImage(figure, choices.scale).save(&buffer, "PNG"))
    throw InputError("the picture is too large to be made; choose a smaller size or scale");
  return buffer.data();
}

LoadedRuns loadForExport(const QStringList& files) {
  LoadedRuns loaded;
  for (const QString& file : files) {
    Document document = openDocument(file);
    auto* run = std::get_if<Run>(&document);
    if (!run)
      throw InputError(
          fmt::format("{}: this is an experiment, which holds no results; run it first: "
                      "fusebench-cli run {} --out run.jsonl",
                      file.toStdString(), file.toStdString()));
    loaded.runs.push_back(std::make_unique<Run>(std::move(*run)));
    const Run* kept = loaded.runs.back().get();
    loaded.exported.push_back(
        {QFileInfo(file).completeBaseName().toStdString(), kept, findCrossings(*kept)});
  }
  return loaded;
}

int exportFiles(const QString& out, const QStringList& runs, const ExportChoices& choices) {
  try {
    const ExportForm* form = exportForm(out);
    if (!form)
      throw InputError(fmt::format("{}: what it is to be goes by its ending, one of {}",
                                   out.toStdString(), endings().toStdString()));
    if (runs.isEmpty()) throw InputError("--export needs the file of a run; see --help");
    if (std::string_view(form->ending) == "py") {  // of an experiment that was not run, too
      const Document document = openDocument(runs.front());
      const auto* run = std::get_if<Run>(&document);
      const Experiment& experiment = run ? run->experiment : std::get<Experiment>(document);
      if (const auto problems = problemsOf(experiment); !problems.empty())
        throw InputError(fmt::format("{}: {}", runs.front().toStdString(), problems[0].message));
      writeFile(out.toStdString(), toPython(experiment));
      return 0;
    }
    const LoadedRuns loaded = loadForExport(runs);
    const QByteArray content = exportedContent(loaded.exported, *form, choices);
    writeFile(out.toStdString(), {content.data(), static_cast<std::size_t>(content.size())});
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "fusebench: {}\n", error.what());
    return 2;
  }
}

}  // namespace fusebench
