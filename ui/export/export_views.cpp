// SPDX-License-Identifier: GPL-3.0-or-later
// The views that a run can be exported as, and their figures.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/bandwidth.h"
#include "profiler/files/files.h"
#include "ui/export/export_files.h"
#include "ui/export/figures/anatomy_figure.h"
#include "ui/export/figures/chart_figure.h"
#include "ui/export/figures/figure_beside.h"
#include "ui/export/figures/figure_heading.h"
#include "ui/export/figures/map_figure.h"
#include "ui/export/figures/ratio_figure.h"
#include "ui/export/figures/scatter_figure.h"
#include "ui/export/figures/storages_figure.h"
#include "ui/export/report/program_picture.h"
#include "ui/export/storages_export.h"
#include "ui/models/anatomy/anatomy_model.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/runs/run_comparison.h"
#include "ui/models/setup/documents.h"

namespace fusebench {
namespace {

/// A chart: a metric, and of latencies which time.
using ChartChoice = std::pair<Metric, ShownTime>;

/// Whether some of its results are known to be less than exact: then what that gains in time and
/// memory is a picture, too.
bool hasErrors(const Run& run) {
  return std::ranges::any_of(
      run.cells, [](const Cell& cell) { return cell.accuracy && cell.accuracy->relative > 0; });
}

/// The charts that a run has.
std::vector<ChartChoice> chartsOf(const Run& run) {
  std::vector<ChartChoice> charts;
  const bool errors = hasErrors(run);
  for (const Metric metric : kMetrics) {
    if (!errors && (metric == Metric::memory || metric == Metric::error)) continue;
    if (metric == Metric::bandwidth && !hasBandwidth(run)) continue;
    charts.emplace_back(metric, ShownTime::wall);
    if (metric == Metric::latency && hasDeviceTimes(run))
      for (const ShownTime time : kShownTimes)
        if (time != ShownTime::wall && isAvailable(run, time)) charts.emplace_back(metric, time);
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
  analysis.bandwidthCrossings = bandwidthCrossings(timesPerByte(*exported.run));
  analysis.sliceLaunches = launchModels(*exported.run, slice);
  return analysis;
}

/// The one that is chosen, or the first that is not the baseline; -1: there is none.
int variantOf(const Run& run, const ExportChoices& choices) {
  int variant = choices.variant;
  for (int v = 0; variant < 0 && v < static_cast<int>(run.experiment.variants.size()); ++v)
    if (run.experiment.baselineOf(v)) variant = v;
  return variant;
}

Figure mapOf(const Run& run, const ExportChoices& choices) {
  const int variant = variantOf(run, choices);
  if (run.experiment.axes.size() < 2 || variant < 0)
    throw InputError(
        saying("this run sweeps one axis, so there is no map of it; choose another view"));
  return mapFigure(breakEvenMap(run, variant), run.experiment, choices.style);
}

/// Time against error, sizes by memory.
Figure scatterOf(const Run& run, const ExportChoices& choices) {
  CellSummaries summaries;
  summaries.update(run);
  const auto reference = choices.published ? referenceFor(run.experiment) : std::nullopt;
  FigureStyle style = choices.style;
  const ScatterContent content =
      scatterContent(run, summaries, choices.slice, Metric::latency, Metric::error, Metric::memory,
                     reference ? &*reference : nullptr);
  if (style.caption.isEmpty()) style.caption = scatterCaption(content);
  return scatterFigure(content, style);
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

/// The program as the canvas draws it, with the kernels that the variant makes of it: as large as
/// there is room for, or, if no size was chosen, in its own.
Figure programOf(const Run& run, const ExportChoices& choices) {
  const FigureStyle& style = choices.style;
  const ReportPicture drawn =
      programPicture(run.experiment, std::max(0, variantOf(run, choices)), style.theme);
  if (!drawn.picture) throw InputError(saying("this run's program cannot be drawn"));
  Figure figure;
  figure.id = QLatin1String(kProgramView);
  figure.ground = style.theme.panel;
  figure.ink = style.theme.text;
  figure.title = style.title.isEmpty() ? text(said(run.experiment.title)) : style.title;
  figure.description = drawn.description;
  figure.picture = drawn.picture;
  figure.pictureSize = drawn.size;
  const double pad = 0.9 * style.em;
  const double widest = (style.size.width() - 2 * pad) / drawn.size.width();
  double scale = std::min(style.unit(), widest);
  figure.size = style.size;
  if (!choices.sized) figure.size.setWidth(drawn.size.width() * scale + 2 * pad);
  const double top = drawTitle(figure, style);
  if (!choices.sized)
    figure.size.setHeight(top + drawn.size.height() * scale + pad +
                          captionHeight(style, figure.size.width()));
  const double room = drawCaption(figure, style) - top;
  scale = std::min(scale, std::max(0.02, room / drawn.size.height()));
  const QSizeF size = drawn.size * scale;
  figure.plot =
      QRectF({(figure.size.width() - size.width()) / 2, top + (room - size.height()) / 2}, size);
  return figure;
}

/// The second axis' value that a slice stands for.
std::optional<std::int64_t> sliceValue(const Run& run, std::size_t slice) {
  const auto& axes = run.experiment.axes;
  if (axes.size() < 2 || slice >= axes[1].values.size()) return std::nullopt;
  return axes[1].values[slice];
}

ChartSubject ratioOf(std::span<const ExportedRun> runs, const ExportChoices& choices) {
  if (runs.size() < 2) throw InputError(saying("a ratio needs two runs, and there is only one"));
  const ExportedRun& other = runs[std::clamp<std::size_t>(choices.other, 1, runs.size() - 1)];
  const RunComparison comparison = compareRuns(*runs.front().run, *other.run);
  if (!comparison.mismatch.isEmpty()) throw InputError(comparison.mismatch.toStdString());
  return ratioSubject(comparison, QString::fromStdString(runs.front().name),
                      QString::fromStdString(other.name),
                      sliceValue(*runs.front().run, choices.slice));
}

ChartSubject chartOf(std::span<const ExportedRun> runs, const ChartChoice& chart,
                     const ExportChoices& choices) {
  const Run& run = *runs.front().run;
  CellSummaries summaries;
  summaries.update(run);
  std::vector<Overlay> overlays;
  for (const ExportedRun& other : runs.subspan(1))
    overlays.push_back({QString::fromStdString(other.name), other.run});
  ChartSubject subject = chartSubject(run, summaries, analysisOf(runs.front(), choices.slice),
                                      chart.first, choices.slice, overlays, chart.second);
  subject.logAxis = choices.shown.logAxis.value_or(subject.logAxis);
  subject.logValue = choices.shown.logValue.value_or(subject.logValue);
  subject.x = choices.shown.x;
  subject.y = choices.shown.y;
  return subject;
}

/// Published curves of the run's study, if there are any of the same axis.
std::optional<Reference> publishedFor(const Run& run) {
  auto reference = referenceFor(run.experiment);
  if (reference && !fits(*reference, run.experiment)) reference.reset();
  return reference;
}

/// The measured curves next to the published ones.
Figure withPublished(ChartSubject measured, ChartSubject published, const QString& caption,
                     const FigureStyle& style) {
  measured.heading = {uiText("Measured: median with its 95% interval")};
  const auto panel = [](ChartSubject subject, const FigureStyle& inner, qsizetype lines) {
    while (subject.heading.size() < lines) subject.heading << QString();
    return chartFigure(subject, inner);
  };
  // As many lines above both, or the plots would begin at different heights.
  published.heading =
      figureLines(caption, 0.92 * style.em, secondPanelWidth(style) - 1.8 * style.em);
  const qsizetype lines = panelsAcross(style) ? published.heading.size() : 0;
  return besideEachOther([&](const FigureStyle& inner) { return panel(measured, inner, lines); },
                         [&](const FigureStyle& inner) { return panel(published, inner, lines); },
                         QStringLiteral("published"), style);
}

}  // namespace

QStringList exportViews(const Run& run) {
  QStringList views;
  for (const auto& [metric, time] : chartsOf(run)) views << viewName(metric, time);
  if (run.experiment.axes.size() > 1) views << QLatin1String(kMapView);
  if (hasAnatomy(run)) views << QLatin1String(kAnatomyView);
  if (hasErrors(run)) views << QLatin1String(kScatterView);
  if (!run.experiment.program.ops.empty()) views << QLatin1String(kProgramView);
  return views;
}

QStringList exportViews(std::span<const ExportedRun> runs) {
  QStringList views = exportViews(*runs.front().run);
  if (runs.size() > 1) views.prepend(QLatin1String(kRatioView));
  return views;
}

QString fittedLinesName() {
  return uiText("Fitted lines");
}

QString breakEvensName() {
  return uiText("Break-evens");
}

QString publishedName() {
  return uiText("Published curves");
}

std::vector<FigurePart> figureParts(std::span<const ExportedRun> runs, const QString& view) {
  const Run& run = *runs.front().run;
  std::vector<FigurePart> parts;
  const bool ratio = view == QLatin1String(kRatioView);
  for (std::size_t v = 0; v < run.experiment.variants.size(); ++v)
    parts.push_back({QString::fromStdString(run.experiment.variants[v].name),
                     ratio ? static_cast<int>(v) : seriesOf(run.experiment, static_cast<int>(v))});
  const auto chart = chartNamed(run, view);
  if (ratio || !chart) return parts;
  for (const ExportedRun& other : runs.subspan(1))
    parts.push_back({QString::fromStdString(other.name)});
  const ChartSubject subject = chartOf(runs.first(1), *chart, {});
  if (!subject.content.costs.empty()) parts.push_back({costsName()});
  if (!subject.content.models.empty()) parts.push_back({fittedLinesName()});
  if (!subject.content.crossings.empty()) parts.push_back({breakEvensName()});
  if (chart->first == Metric::latency && publishedFor(run)) parts.push_back({publishedName()});
  return parts;
}

Figure figureOf(std::span<const ExportedRun> runs, const ExportChoices& choices) {
  const Run& run = *runs.front().run;
  const auto hidden = [&](const QString& name) {
    return choices.hidden.contains(name, Qt::CaseInsensitive);
  };
  FigureStyle style = choices.style;
  style.models = style.models && !hidden(fittedLinesName());
  style.markers = style.markers && !hidden(breakEvensName());
  if (choices.view == QLatin1String(kMapView)) return mapOf(run, choices);
  if (choices.view == QLatin1String(kAnatomyView) && hasAnatomy(run))
    return anatomyOf(run, choices);
  if (choices.view == QLatin1String(kProgramView)) return programOf(run, choices);
  if (choices.view == QLatin1String(kStoragesView)) {
    const StoragesSubject subject = storagesOf(run, choices);
    if (style.caption.isEmpty()) style.caption = subject.place;
    return storagesFigure(subject, style);
  }
  if (choices.view == QLatin1String(kScatterView) && hasErrors(run)) return scatterOf(run, choices);
  if (choices.view == QLatin1String(kRatioView)) {
    ChartSubject ratio = ratioOf(runs, choices);
    leaveOut(ratio.content, run.experiment, {}, hidden);
    return chartFigure(ratio, style);
  }
  const auto chart = chartNamed(run, choices.view);
  if (!chart)
    throw InputError(saying("there is no view \"{}\"; this run has {}", choices.view.toStdString(),
                            (exportViews(runs) << QLatin1String(kStoragesView))
                                .join(QStringLiteral(", "))
                                .toStdString()));
  ChartSubject subject = chartOf(runs, *chart, choices);
  leaveOut(subject.content, run.experiment, subject.overlayNames, hidden);
  // The caption has to say which line is which time.
  if (isSeveral(subject.content.time) && style.caption.isEmpty())
    style.caption = timeCaption(subject.content.time) + uiText(".");
  const auto reference =
      choices.published && chart->first == Metric::latency ? publishedFor(run) : std::nullopt;
  if (!reference) return chartFigure(subject, style);
  return withPublished(std::move(subject), chartSubject(*reference, run.experiment),
                       publishedCaption(*reference), style);
}

}  // namespace fusebench
