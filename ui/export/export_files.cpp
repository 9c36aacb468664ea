// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_files.h"

#include <fmt/format.h>

#include <QBuffer>
#include <QFileInfo>
#include <algorithm>
#include <cstdio>
#include <optional>

#include "profiler/export_python.h"
#include "profiler/files.h"
#include "ui/export/anatomy_figure.h"
#include "ui/export/chart_figure.h"
#include "ui/export/figure_paint.h"
#include "ui/export/figure_svg.h"
#include "ui/export/map_figure.h"
#include "ui/export/program_picture.h"
#include "ui/export/report.h"
#include "ui/models/anatomy_model.h"
#include "ui/models/documents.h"

namespace fusebench {
namespace {

constexpr const char *kMap = "map", *kAnatomy = "anatomy", *kProgram = "program";

QString endings() {
  QStringList names;
  for (const ExportForm& form : exportForms())
    names << QLatin1Char('.') + QLatin1String(form.ending);
  return names.join(u' ');
}

/// A chart: a metric, and of latencies which time.
using ChartChoice = std::pair<Metric, ShownTime>;

/// The charts that a run has.
std::vector<ChartChoice> chartsOf(const Run& run) {
  std::vector<ChartChoice> charts;
  for (const Metric metric : kMetrics) {
    charts.emplace_back(metric, ShownTime::wall);
    if (metric == Metric::latency && hasDeviceTimes(run))
      for (const ShownTime time : kShownTimes)
        if (time != ShownTime::wall) charts.emplace_back(metric, time);
  }
  return charts;
}

std::optional<ChartChoice> chartNamed(const Run& run, const QString& view) {
  for (const ChartChoice& chart : chartsOf(run))
    if (viewName(chart.first, chart.second).compare(view, Qt::CaseInsensitive) == 0) return chart;
  return std::nullopt;
}

Analysis analysisOf(const ExportedRun& exported, std::size_t slice) {
  Analysis analysis;
  analysis.crossings = exported.crossings;
  analysis.sliceLaunches = launchModels(*exported.run, slice);
  return analysis;
}

/// The one that is chosen, or the first that is not the baseline; -1: there is none.
int variantOf(const Run& run, const ExportChoices& choices) {
  int variant = choices.variant;
  for (int v = 0; variant < 0 && v < static_cast<int>(run.experiment.variants.size()); ++v)
    if (v != run.experiment.baselineIndex()) variant = v;
  return variant;
}

Figure mapOf(const Run& run, const ExportChoices& choices) {
  const int variant = variantOf(run, choices);
  if (run.experiment.axes.size() < 2 || variant < 0)
    throw InputError("this run sweeps one axis, so there is no map of it; choose another view");
  return mapFigure(breakEvenMap(run, variant), run.experiment, choices.style);
}

QByteArray bytes(const std::string& text) {
  return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

bool hasAnatomy(const Run& run) {
  return std::any_of(run.cells.begin(), run.cells.end(),
                     [](const Cell& cell) { return cell.anatomy.has_value(); });
}

Figure anatomyOf(const Run& run, const ExportChoices& choices) {
  RunModel model;
  model.show(run, true);
  AnatomyModel anatomy(model);
  anatomy.setSlice(choices.slice);
  return anatomyFigure(anatomy, choices.style);
}

/// The program as the canvas draws it, with the kernels that the variant makes of it.
Figure programOf(const Run& run, const ExportChoices& choices) {
  const ReportPicture drawn =
      programPicture(run.experiment, std::max(0, variantOf(run, choices)), choices.style.theme);
  if (!drawn.picture) throw InputError("this run's program cannot be drawn");
  Figure figure;
  figure.id = QLatin1String(kProgram);
  figure.size = drawn.size;
  figure.ground = choices.style.theme.panel;
  figure.ink = choices.style.theme.text;
  figure.title = choices.style.title.isEmpty() ? QString::fromStdString(run.experiment.title)
                                               : choices.style.title;
  figure.description = drawn.description;
  figure.picture = drawn.picture;
  return figure;
}

Report reportOf(std::span<const ExportedRun> runs, const ExportChoices& choices) {
  const std::vector<VariantCode> code = chosenCode(*runs.front().run, choices);
  Report report = makeReport(runs);
  if (!choices.style.title.isEmpty()) report.title = choices.style.title;
  addGeneratedCode(report, code);
  return report;
}

}  // namespace

std::vector<VariantCode> chosenCode(const Run& run, const ExportChoices& choices,
                                    std::stop_token stop) {
  const auto& variants = run.experiment.variants;
  std::vector<VariantCode> code;
  for (const std::string& name : choices.code) {
    bool found = false;
    for (std::size_t v = 0; v < variants.size(); ++v) {
      if (name != "all" && name != variants[v].name) continue;
      code.push_back(variantCode(run, static_cast<int>(v), choices.workerCommand, stop));
      found = true;
    }
    if (found) continue;
    std::string names;
    for (const Variant& variant : variants) names += variant.name + ", ";
    throw InputError(fmt::format("there is no variant \"{}\"; this run has {}or all", name, names));
  }
  return code;
}

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
  for (const auto& [metric, time] : chartsOf(run)) views << viewName(metric, time);
  if (run.experiment.axes.size() > 1) views << QLatin1String(kMap);
  if (hasAnatomy(run)) views << QLatin1String(kAnatomy);
  if (!run.experiment.program.ops.empty()) views << QLatin1String(kProgram);
  return views;
}

Figure figureOf(std::span<const ExportedRun> runs, const ExportChoices& choices) {
  const Run& run = *runs.front().run;
  if (choices.view == QLatin1String(kMap)) return mapOf(run, choices);
  if (choices.view == QLatin1String(kAnatomy) && hasAnatomy(run)) return anatomyOf(run, choices);
  if (choices.view == QLatin1String(kProgram)) return programOf(run, choices);
  const auto chart = chartNamed(run, choices.view);
  if (!chart)
    throw InputError(fmt::format("there is no view \"{}\"; this run has {}",
                                 choices.view.toStdString(),
                                 exportViews(run).join(QStringLiteral(", ")).toStdString()));
  CellSummaries summaries;
  summaries.update(run);
  std::vector<Overlay> overlays;
  for (const ExportedRun& other : runs.subspan(1))
    overlays.push_back({QString::fromStdString(other.name), other.run});
  ChartSubject subject = chartSubject(run, summaries, analysisOf(runs.front(), choices.slice),
                                      chart->first, choices.slice, overlays, chart->second);
  subject.logAxis = choices.shown.logAxis.value_or(subject.logAxis);
  subject.logValue = choices.shown.logValue.value_or(subject.logValue);
  subject.x = choices.shown.x;
  subject.y = choices.shown.y;
  FigureStyle style = choices.style;
  // Which line is which time is to be said somewhere.
  if (subject.content.time == ShownTime::all && style.caption.isEmpty())
    style.caption = timeCaption(ShownTime::all) + u'.';
  return chartFigure(subject, style);
}

QByteArray exportedContent(std::span<const ExportedRun> runs, const ExportForm& form,
                           const ExportChoices& choices) {
  const std::string_view ending = form.ending;
  if (ending == "html") return toHtml(reportOf(runs, choices)).toUtf8();
  if (ending == "pdf") return toPdf(reportOf(runs, choices));
  if (ending == "py") return bytes(toPython(runs.front().run->experiment));
  if (!form.figure) return bytes(exportedAs(ending, runs));
  return figureContent(figureOf(runs, choices), form, choices.scale);
}

QByteArray figureContent(const Figure& figure, const ExportForm& form, double scale) {
  const std::string_view ending = form.ending;
  if (ending == "svg") return toSvg(figure).toUtf8();
  if (ending == "chart.pdf") return figurePdf(figure);
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  if (!figureImage(figure, scale).save(&buffer, "PNG"))
    throw InputError("the picture is too large to be made; choose a smaller size or scale");
  return buffer.data();
}

LoadedRuns loadForExport(const QStringList& files) {
  LoadedRuns loaded;
  for (const QString& file : files) {
    std::vector<Run> runs = openRuns(file);
    if (runs.empty())
      throw InputError(
          fmt::format("{}: this is an experiment, which holds no results; run it first: "
                      "fusebench-cli run {} --out run.jsonl",
                      file.toStdString(), file.toStdString()));
    const std::string name = QFileInfo(file).completeBaseName().toStdString();
    for (Run& run : runs) {
      loaded.runs.push_back(std::make_unique<Run>(std::move(run)));
      const Run* kept = loaded.runs.back().get();
      loaded.exported.push_back(
          {runs.size() == 1 ? name : fmt::format("{} {}", name, loaded.runs.size()), kept,
           findCrossings(*kept)});
    }
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
      if (runs.size() > 1)
        throw InputError(
            fmt::format("{}: a script is of one experiment, but there are {} files; name one",
                        out.toStdString(), runs.size()));
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
