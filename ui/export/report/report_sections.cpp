// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report/report_sections.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/findings.h"
#include "profiler/analysis/wording.h"
#include "ui/export/figures/chart_figure.h"
#include "ui/export/figures/map_figure.h"
#include "ui/export/report/program_picture.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/setup/documents.h"

namespace fusebench::sections {
namespace {

constexpr QSizeF kFigureSize(760, 400);
constexpr std::size_t kInAnswer = 3;  ///< findings that answer the question, at least

/// How many of the findings, the first, answer the question: all that say where a variant gets
/// ahead, and how far.
std::size_t answersIn(const std::vector<Finding>& findings) {
  const auto answers = [](const Finding& finding) {
    return finding.kind == Finding::Kind::simulated || finding.kind == Finding::Kind::failure ||
           finding.kind == Finding::Kind::claim || finding.kind == Finding::Kind::breakEven ||
           finding.kind == Finding::Kind::speedUp;
  };
  const auto end = std::find_if_not(findings.begin(), findings.end(), answers);
  return std::max(kInAnswer, static_cast<std::size_t>(end - findings.begin()));
}

QColor colorOf(const Run& run, int variant) {
  return variant < 0 ? QColor() : lightTheme().series(seriesOf(run.experiment, variant)).color;
}

QString unitAlong(const Experiment& experiment, const std::string& axisName) {
  for (const Axis& axis : experiment.axes)
    if (axis.name == axisName) return text(wording::unit(axis));
  return text(axisName);
}

bool hasCurves(const ChartSubject& subject) {
  return std::any_of(subject.content.curves.begin(), subject.content.curves.end(),
                     [](const Curve& curve) { return !curve.points.empty(); });
}

/// What keeps a chart from saying something: nothing measured of its metric.
bool worthShowing(const ChartSubject& subject) {
  return !subject.content.words.empty() || hasCurves(subject);
}

/// A chart of words alone as sentences: "static: first call, at 1 – 30 statements."
QString inWords(const ChartSubject& subject, const Experiment& experiment) {
  QStringList said;
  for (const WordSpan& span : subject.content.words) {
    const auto variant = static_cast<std::size_t>(span.variant);
    const Axis& axis = experiment.axes.at(0);
    const std::string from = wording::place(axis, span.from), to = wording::place(axis, span.to);
    said << uiText("%1: %2, at %3 %4.")
                .arg(text(experiment.variants.at(variant).name), span.text,
                     from == to ? text(from) : text(from) + QStringLiteral(" – ") + text(to),
                     text(fusebench::said(wording::unit(axis))));
  }
  return uiText("A payback cannot be drawn. ") + said.join(u'\n');
}

Figure laidOut(const ChartSubject& subject, const QSizeF& size) {
  FigureStyle style = figureStyle();
  style.size = size;
  return chartFigure(subject, style);
}

/// A chart that can be read by pointing, and laid out again in another size.
ReportFigure chartBlock(const Context& context, const ChartSubject& subject, std::size_t slice,
                        const QString& caption) {
  Figure figure = laidOut(subject, kFigureSize);
  addReadings(figure, subject, context.run, context.summaries, slice);
  return {std::move(figure), caption,
          [subject](const QSizeF& size) { return laidOut(subject, size); }};
}

/// For a map, the curves at the far end, where fusion gains the most; the map shows all of them.
std::size_t sliceOf(const Run& run) {
  return run.experiment.axes.size() > 1 ? run.experiment.axes[1].values.size() - 1 : 0;
}

ReportFigure metricChart(const Context& context, ChartSubject subject, Metric metric) {
  subject.id = context.prefix + subject.id;
  return chartBlock(
      context, subject, sliceOf(context.run),
      metricCaption(metric).replace(QStringLiteral("%1"), text(context.run.experiment.baseline)) +
          uiText("."));
}

}  // namespace

FigureStyle figureStyle() {
  FigureStyle style;
  style.size = kFigureSize;
  return style;
}

Context contextOf(const ExportedRun& exported, const QString& prefix) {
  Context context{exported, *exported.run, {}, {}, prefix};
  context.analysis.crossings = exported.crossings;
  context.analysis.launches = launchModels(context.run);
  context.analysis.sliceLaunches = launchModels(context.run, 0);
  context.analysis.findings = findingsOf(context.run, exported.crossings);
  context.summaries.update(context.run);
  return context;
}

/// The metric of the chart next to the answer: the one that the experiment shows first, if any.
Metric firstMetric(const Context& context) {
  const Metric wanted = firstShown(context.run.experiment);
  if (wanted == Metric::latency) return wanted;
  return hasCurves(chartSubject(context.run, context.summaries, context.analysis, wanted,
                                sliceOf(context.run)))
             ? wanted
             : Metric::latency;
}

ReportSection answer(const Context& context) {
  const Experiment& experiment = context.run.experiment;
  ReportSection section{context.prefix + QStringLiteral("answer"), uiText("Answer"), {}};
  if (!experiment.question.empty()) {
    section.title = uiText("Question and answer");
    section.blocks.emplace_back(
        ReportText{text(said(experiment.question)), ReportText::Tone::lead});
  }
  // The picture first: the sentences say what is to be seen in it.
  if (ChartSubject curves = chartSubject(context.run, context.summaries, context.analysis,
                                         firstMetric(context), sliceOf(context.run));
      hasCurves(curves))
    section.blocks.emplace_back(metricChart(context, std::move(curves), firstMetric(context)));
  const auto& findings = context.analysis.findings;
  const std::size_t answers = answersIn(findings);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (i == answers) section.blocks.emplace_back(ReportHeading{uiText("Further results")});
    section.blocks.emplace_back(ReportPoint{text(findings[i].headline), text(findings[i].text),
                                            colorOf(context.run, findings[i].variant)});
  }
  const bool noted = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.text.find(said(experiment.note)) != std::string::npos;
  });
  if (!noted)
    section.blocks.emplace_back(
        ReportText{uiText("Note: ") + text(said(experiment.note)), ReportText::Tone::muted});
  return section;
}

ReportSection charts(const Context& context) {
  ReportSection section{context.prefix + QStringLiteral("charts"), uiText("Curves"), {}};
  const std::size_t slice = sliceOf(context.run);
  if (context.run.experiment.axes.size() > 1)
    section.blocks.emplace_back(ReportText{
        uiText("At %1.").arg(
            text(wording::at(context.run.experiment.axes[1],
                             static_cast<double>(context.run.experiment.axes[1].values[slice])))),
        ReportText::Tone::muted});
  for (const Metric metric : kMetrics) {
    ChartSubject subject =
        chartSubject(context.run, context.summaries, context.analysis, metric, slice);
    if (!worthShowing(subject)) continue;
    if (metric != firstMetric(context)) {  // that one is next to the answer
      section.blocks.emplace_back(ReportHeading{metricName(metric)});
      if (hasCurves(subject))
        section.blocks.emplace_back(metricChart(context, std::move(subject), metric));
      else
        section.blocks.emplace_back(ReportText{inWords(subject, context.run.experiment)});
    }
    if (metric != Metric::latency) continue;
    if (hasDeviceTimes(context.run)) {
      ChartSubject times = chartSubject(context.run, context.summaries, context.analysis, metric,
                                        slice, {}, ShownTime::all);
      times.id = context.prefix + times.id;
      section.blocks.emplace_back(ReportHeading{uiText("Wall, host, device and synchronized")});
      section.blocks.emplace_back(
          chartBlock(context, times, slice, timeCaption(ShownTime::all) + uiText(".")));
    }
    if (const auto reference = referenceFor(context.run.experiment);
        reference && fits(*reference, context.run.experiment)) {
      ChartSubject published = chartSubject(*reference, context.run.experiment);
      published.id = context.prefix + published.id;
      section.blocks.emplace_back(ReportHeading{uiText("Published, for comparison")});
      section.blocks.emplace_back(ReportFigure{
          laidOut(published, kFigureSize),
          uiText("%1. Source: %2; device: %3. Measured elsewhere and in another way: compare its "
                 "shape with the curves above, not its figures.")
              .arg(text(reference->title), text(reference->source), text(reference->device)),
          [published](const QSizeF& size) { return laidOut(published, size); }});
    }
  }
  return section;
}

ReportSection breakEvens(const Context& context) {
  ReportSection section{
      context.prefix + QStringLiteral("break-evens"), uiText("Break-even and payback"), {}};
  const Experiment& experiment = context.run.experiment;
  std::vector<std::int64_t> last;
  for (const Axis& axis : experiment.axes) last.push_back(axis.values.back());
  std::vector<ReportBlock> found[2];
  int undecided[2] = {0, 0};
  for (const Crossing& crossing : context.analysis.crossings) {
    const bool payback = crossing.kind == Crossing::Kind::payback;
    if (payback && crossing.cell != last) continue;  // the chart has the others
    if (experiment.axes.size() > 1 && crossing.status == CrossingStatus::undefined) {
      ++undecided[payback];  // in a map most points may be undefined
      continue;
    }
    int variant = -1;
    for (std::size_t v = 0; v < experiment.variants.size(); ++v)
      if (experiment.variants[v].name == crossing.variant) variant = static_cast<int>(v);
    const std::string unit =
        payback ? "calls" : unitAlong(experiment, crossing.along).toStdString();
    found[payback].emplace_back(ReportPoint{
        {}, text(sentence(crossing, unit)) + uiText("."), colorOf(context.run, variant)});
  }
  const QString titles[] = {uiText("Break-even"), uiText("Compile payback, with no cache")};
  for (int kind = 0; kind < 2; ++kind) {
    if (undecided[kind] > 0)
      found[kind].emplace_back(ReportText{
          uiText("On %1 lines of the map there are too few samples.").arg(undecided[kind])});
    if (found[kind].empty()) continue;
    section.blocks.emplace_back(ReportHeading{titles[kind]});
    for (ReportBlock& block : found[kind]) section.blocks.push_back(std::move(block));
  }
  if (!section.blocks.empty())
    section.blocks.emplace_back(ReportText{
        context.run.modelError()
            ? uiText("In brackets: the model's error. A break-even is where the simulated curves "
                     "cross. A payback is the number of calls after which a compile with an empty "
                     "cache has paid for itself.")
            : uiText("In brackets: 95% intervals. A break-even is where the measured curves cross, "
                     "interpolated on the scale of the axis. A payback is the number of calls "
                     "after which a compile with an empty cache has paid for itself."),
        ReportText::Tone::muted});
  return section;
}

ReportSection map(const Context& context) {
  ReportSection section{context.prefix + QStringLiteral("map"), uiText("Where it pays off"), {}};
  const Experiment& experiment = context.run.experiment;
  if (experiment.axes.size() < 2) return section;
  for (int v = 0; v < static_cast<int>(experiment.variants.size()); ++v) {
    if (!experiment.baselineOf(v)) continue;
    const BreakEvenMap map = breakEvenMap(context.run, v);
    if (map.empty()) continue;
    Figure figure = mapFigure(map, experiment, figureStyle());
    figure.id = context.prefix + QStringLiteral("map%1").arg(v);
    QString caption = figure.description;
    section.blocks.emplace_back(ReportFigure{std::move(figure), std::move(caption)});
  }
  return section;
}

ReportSection tables(const Context& context) {
  ReportSection section{context.prefix + QStringLiteral("tables"), uiText("Tables"), {}};
  section.blocks.emplace_back(ReportTable{
      latencyTable(context.run),
      (context.run.modelError()
           ? uiText("Simulated time per call; speedup over %1")
           : uiText("Median time per call with its 95% interval; speedup over %1, paired by round"))
          .arg(text(wording::baselines(context.run.experiment)))});
  QString cells = uiText(
      "Each data point: launches per call, compile times, memory, largest relative error against "
      "the reference in double precision");
  if (mostDifferentFromTorch(context.run))
    cells += uiText(
        ", largest relative difference from PyTorch's results on the same inputs, which it "
        "computes in double precision where it can");
  section.blocks.emplace_back(ReportTable{cellTable(context.run), cells});
  return section;
}

ReportSection program(const Context& context) {
  ReportSection section{context.prefix + QStringLiteral("program"), uiText("Program"), {}};
  const Experiment& experiment = context.run.experiment;
  // This note is above the program, so that listing and graph can be next to each other.
  QString runs = uiText("Runs unchanged in PyTorch, after import torch.");
  if (std::ranges::any_of(experiment.axes,
                          [](const Axis& axis) { return axis.name == "statements"; }))
    runs += experiment.program.isChain()
                ? uiText(
                      " With n statements, the first n of these run, starting over after the last "
                      "one; then the return.")
                : uiText(
                      " With n statements, the first n of these run; then every value that no "
                      "statement has read is returned.");
  section.blocks.emplace_back(ReportText{runs, ReportText::Tone::muted});
  const auto add = [&](const std::string& name, const std::string& written,
                       const Program& program) {
    if (!name.empty()) section.blocks.emplace_back(ReportHeading{text(name)});
    section.blocks.emplace_back(
        ReportCode{text(program.outputs.empty() ? written : toText(program))});
  };
  add(experiment.programName, experiment.programText, experiment.program);
  for (const NamedProgram& each : experiment.morePrograms) add(each.name, each.text, each.program);
  if (auto picture = programPicture(context.run.experiment); picture.picture) {
    section.blocks.emplace_back(ReportHeading{uiText("As a graph")});
    section.blocks.emplace_back(std::move(picture));
  }
  return section;
}

}  // namespace fusebench::sections
