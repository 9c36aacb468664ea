// SPDX-License-Identifier: GPL-3.0-or-later
// The section that sets runs against each other.
#include "profiler/analysis/wording.h"
#include "ui/export/figures/chart_figure.h"
#include "ui/export/figures/ratio_figure.h"
#include "ui/export/report/report_sections.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/runs/run_comparison.h"

namespace fusebench::sections {

ReportSection comparison(std::span<const Context> contexts) {
  ReportSection section{QStringLiteral("comparison"), uiText("Comparison"), {}};
  const Context& first = contexts.front();
  std::vector<Overlay> overlays;
  for (const Context& other : contexts.subspan(1))
    if (overlayProblem(other.run.experiment, first.run.experiment, 0).isEmpty())
      overlays.push_back({text(other.exported.name), &other.run});
  if (!overlays.empty()) {
    ChartSubject subject =
        chartSubject(first.run, first.summaries, first.analysis, Metric::latency, 0, overlays);
    subject.id = QStringLiteral("compared");
    FigureStyle style = figureStyle();
    style.markers = style.models = false;
    Figure figure = chartFigure(subject, style);
    addReadings(figure, subject, first.run, first.summaries);
    section.blocks.emplace_back(ReportFigure{
        std::move(figure),
        uiText("Strong: %1. Thin, with hollow marks: the others.").arg(text(first.exported.name))});
  }
  for (const Context& other : contexts.subspan(1)) {
    const RunComparison compared = compareRuns(first.run, other.run);
    section.blocks.emplace_back(ReportHeading{
        uiText("%1 (A) against %2 (B)").arg(text(first.exported.name), text(other.exported.name))});
    section.blocks.emplace_back(ReportText{
        compared.mismatch.isEmpty() ? summaryOf(compared) : compared.mismatch + uiText(".")});
    if (compared.mismatch.isEmpty() && compared.axes.size() == 1) {
      ChartSubject ratio =
          ratioSubject(compared, text(first.exported.name), text(other.exported.name));
      ratio.id = other.prefix + ratio.id;
      section.blocks.emplace_back(
          ReportFigure{chartFigure(ratio, figureStyle()),
                       uiText("Time per call of B over that of A, with 95% intervals: above 1 B is "
                              "slower."),
                       [ratio](const QSizeF& size) {
                         FigureStyle style = figureStyle();
                         style.size = size;
                         return chartFigure(ratio, style);
                       }});
    }
    ExportTable table;
    for (const QString& axis : compared.axes) {
      table.header.push_back(axis.toStdString());
      table.numeric.push_back(true);
    }
    table.header.insert(table.header.end(), {"variant", "A", "B", "B / A", "95% interval", "B is"});
    table.numeric.insert(table.numeric.end(), {false, true, true, true, true, false});
    for (const ComparedCell& cell : compared.cells) {
      if (!cell.both()) continue;
      std::vector<std::string> row;
      for (const std::int64_t at : cell.at) row.push_back(std::to_string(at));
      row.insert(row.end(),
                 {cell.variant.toStdString(), wording::time(cell.a.value),
                  wording::time(cell.b.value), wording::ratio(cell.ratio.value),
                  wording::ratioInterval(cell.ratio), name(cell.verdict()).toStdString()});
      table.rows.push_back(std::move(row));
    }
    if (!table.rows.empty()) section.blocks.emplace_back(ReportTable{std::move(table), {}});
    ReportFacts differences;
    for (const RunDifference& difference : compared.differences)
      differences.rows.emplace_back(
          difference.what,
          QStringLiteral("A: %1\nB: %2")
              .arg(difference.a.isEmpty() ? uiText("not recorded") : difference.a,
                   difference.b.isEmpty() ? uiText("not recorded") : difference.b));
    if (differences.rows.empty()) continue;
    section.blocks.emplace_back(ReportText{uiText("These also differ and may explain the ratio:")});
    section.blocks.emplace_back(std::move(differences));
  }
  return section;
}

}  // namespace fusebench::sections
