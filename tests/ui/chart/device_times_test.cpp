// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of a device that works on its own: its times, its costs, what was dropped.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <variant>

#include "profiler/run/recordings.h"
#include "tests/ui/synthetic.h"
#include "ui/export/export_files.h"
#include "ui/export/figures/chart_figure.h"
#include "ui/export/figures/figure_svg.h"
#include "ui/export/report/report.h"
#include "ui/export/report/report_sections.h"
#include "ui/models/chart/chart_readout.h"
#include "ui/models/runs/results_table_model.h"
#include "ui/views/chart/chart_bar.h"
#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/runs/results_view.h"

namespace fusebench {
namespace {

/// The synthetic run as if on a GPU, with known costs and known times in addition to the latency.
fusebench::Run deviceRun() {
  fusebench::Run run = test::syntheticRun();
  for (Cell& cell : run.cells)
    for (Sample& sample : cell.samples) sample.device = DeviceTimes{1500, 2500, 6500, 2200};
  run.cells[0].dropped = 3;
  run.cells[0].droppedWhy = "slowed down by heat";
  run.environment = {{"calibration",
                      {{"launch_ns", {{"value", 300}, {"ci_low", 299}, {"ci_high", 301}}},
                       {"enqueue_ns", {{"value", 200}, {"ci_low", 199}, {"ci_high", 201}}},
                       {"graph_node_ns", {{"value", 120}, {"ci_low", 119}, {"ci_high", 121}}}}}};
  return run;
}

ChartContent contentOf(const fusebench::Run& run, const CellSummaries& summaries, Metric metric) {
  return chartContent(run, summaries, Analysis(), metric, 0);
}

TEST(DeviceTimesShown, StandInTheTableOnlyWhereThereAreAny) {
  RunModel run;
  ResultsTableModel model(run);
  ResultsView view(model);
  const auto text = [&](int row, int column) {
    return model.index(row, 1 + column).data().toString();
  };
  run.show(test::syntheticRun(), true);
  EXPECT_FALSE(model.hasDeviceTimes());
  EXPECT_TRUE(view.table().isColumnHidden(1 + ResultsTableModel::hostColumn));
  EXPECT_EQ(text(0, ResultsTableModel::hostColumn), QString::fromUtf8("–"));
  run.show(deviceRun(), true);
  EXPECT_TRUE(model.hasDeviceTimes());
  for (const int column : {ResultsTableModel::hostColumn, ResultsTableModel::deviceColumn,
                           ResultsTableModel::eventsColumn, ResultsTableModel::aloneColumn})
    EXPECT_FALSE(view.table().isColumnHidden(1 + column));
  EXPECT_TRUE(text(4, ResultsTableModel::hostColumn).startsWith("1.5"));
  EXPECT_TRUE(text(4, ResultsTableModel::deviceColumn).startsWith("2.2"));
  EXPECT_TRUE(text(4, ResultsTableModel::eventsColumn).startsWith("2.5"));
  EXPECT_TRUE(text(4, ResultsTableModel::aloneColumn).startsWith("6.5"));
  EXPECT_EQ(model.index(4, 1 + ResultsTableModel::aloneColumn)
                .data(ResultsTableModel::RawRole)
                .toDouble(),
            6500);
  EXPECT_TRUE(text(0, ResultsTableModel::stopColumn).contains("3 dropped"));
  EXPECT_TRUE(model.index(0, 1 + ResultsTableModel::stopColumn)
                  .data(Qt::ToolTipRole)
                  .toString()
                  .contains("3 samples were dropped: the device was slowed down by heat."));
  const QStringList lines = model.toText().split('\n');
  const auto host = lines[0].split('\t').indexOf("host [ns]");
  ASSERT_GE(host, 0);
  EXPECT_EQ(lines[5].split('\t')[host], "1500");
  EXPECT_EQ(lines[5].split('\t')[host + 1], "2200");
  EXPECT_EQ(lines[5].split('\t')[host + 3], "6500");
}

/// As it was measured before the device could be held back.
fusebench::Run earlierRun() {
  fusebench::Run run = deviceRun();
  for (Cell& cell : run.cells)
    for (Sample& sample : cell.samples) sample.device->device = 0;
  return run;
}

TEST(DeviceTimesShown, AreTheCadenceAloneInRunsOfEarlierVersions) {
  RunModel shown;
  ResultsTableModel model(shown);
  ResultsView table(model);
  AnalysisModel analysis(shown);
  ChartView view(shown, analysis);
  shown.show(earlierRun(), true);
  EXPECT_TRUE(table.table().isColumnHidden(1 + ResultsTableModel::deviceColumn));
  EXPECT_FALSE(table.table().isColumnHidden(1 + ResultsTableModel::eventsColumn));
  const fusebench::Run run = earlierRun();
  CellSummaries summaries;
  summaries.update(run);
  const auto content = [&](ShownTime time) {
    return chartContent(run, summaries, Analysis(), Metric::latency, 0, time);
  };
  EXPECT_EQ(content(ShownTime::device).time, ShownTime::wall);
  EXPECT_EQ(content(ShownTime::cadence).curves[0].points[0].y.value, 2500);
  const ChartContent all = content(ShownTime::all);
  EXPECT_EQ(all.curves[2].part, CurvePart::device);
  EXPECT_EQ(all.curves[2].points[0].y.value, 2500);
  const QString more = readoutAt(run, summaries, content(ShownTime::wall), {}, 0, 10).rows[1].more;
  EXPECT_TRUE(more.contains("cadence 2.5"));
  EXPECT_FALSE(more.contains("device"));
  view.setTime(ShownTime::device);
  EXPECT_EQ(view.time(), ShownTime::wall);
  view.setTime(ShownTime::host);
  view.setFocus();
  QTest::keyClick(&view, Qt::Key_T);
  EXPECT_EQ(view.time(), ShownTime::cadence);
}

TEST(DeviceTimesShown, StandBelowALatencyAtTheCursor) {
  const fusebench::Run run = deviceRun();
  CellSummaries summaries;
  summaries.update(run);
  const auto at = [&](Metric metric) {
    return readoutAt(run, summaries, contentOf(run, summaries, metric), {}, 0, 10);
  };
  for (const ReadoutRow& row : at(Metric::latency).rows) {
    EXPECT_TRUE(row.more.startsWith("host 1.5")) << row.more.toStdString();
    EXPECT_TRUE(row.more.contains("device 2.2"));
    EXPECT_TRUE(row.more.contains("cadence 2.5"));
    EXPECT_TRUE(row.more.contains("synchronized 6.5"));
  }
  EXPECT_TRUE(at(Metric::latency).plainText().contains("synchronized 6.5"));
  for (const ReadoutRow& row : at(Metric::speedUp).rows) EXPECT_TRUE(row.more.isEmpty());
}

TEST(DeviceTimesShown, AreCurvesOfTheirOwn) {
  const fusebench::Run run = deviceRun();
  CellSummaries summaries;
  summaries.update(run);
  Analysis analysis;
  analysis.crossings = findCrossings(run);
  analysis.sliceLaunches = launchModels(run, 0);
  const auto content = [&](ShownTime time) {
    return chartContent(run, summaries, analysis, Metric::latency, 0, time);
  };
  EXPECT_FALSE(content(ShownTime::wall).crossings.empty());
  EXPECT_FALSE(content(ShownTime::wall).models.empty());
  for (const auto& [time, value] : {std::pair{ShownTime::host, 1500.0},
                                    {ShownTime::device, 2200.0},
                                    {ShownTime::cadence, 2500.0},
                                    {ShownTime::single, 6500.0}}) {
    const ChartContent shown = content(time);
    ASSERT_EQ(shown.curves.size(), 3u);
    for (const Curve& curve : shown.curves) {
      EXPECT_EQ(curve.part, CurvePart::main);
      ASSERT_EQ(curve.points.size(), 7u);
      for (const CurvePoint& point : curve.points) EXPECT_EQ(point.y.value, value);
      EXPECT_EQ(curve.points[0].y.kind, Estimate::Kind::interval);
    }
    EXPECT_TRUE(shown.crossings.empty());  // they are of wall times
    EXPECT_TRUE(shown.models.empty());
  }
  const ChartContent all = content(ShownTime::all);
  ASSERT_EQ(all.curves.size(), 12u);
  EXPECT_EQ(all.curves[0].part, CurvePart::main);
  EXPECT_EQ(all.curves[0].points[6].y.value, content(ShownTime::wall).curves[0].points[6].y.value);
  EXPECT_EQ(all.curves[1].part, CurvePart::host);
  EXPECT_EQ(all.curves[1].points[0].y.value, 1500);
  EXPECT_EQ(all.curves[2].part, CurvePart::device);
  EXPECT_EQ(all.curves[2].points[0].y.value, 2200);
  EXPECT_EQ(all.curves[3].part, CurvePart::single);

  // Shows queued and synchronized calls together, where one of the two alone could mislead.
  const ChartContent both = content(ShownTime::queuedAndAlone);
  ASSERT_EQ(both.curves.size(), 6u);
  EXPECT_EQ(both.curves[0].part, CurvePart::main);
  EXPECT_EQ(both.curves[0].points[6].y.value, all.curves[0].points[6].y.value);
  EXPECT_EQ(both.curves[1].part, CurvePart::single);
  EXPECT_EQ(both.curves[1].points[0].y.value, 6500);

  const fusebench::Run host = test::syntheticRun();
  summaries.update(host);
  const ChartContent none =
      chartContent(host, summaries, analysis, Metric::latency, 0, ShownTime::all);
  EXPECT_EQ(none.time, ShownTime::wall);
  EXPECT_EQ(none.curves.size(), 3u);
}

TEST(DeviceTimesShown, ReadOutTheOnesThatAreNotDrawn) {
  const fusebench::Run run = deviceRun();
  CellSummaries summaries;
  summaries.update(run);
  const auto row = [&](ShownTime time) {
    const ChartContent shown = chartContent(run, summaries, Analysis(), Metric::latency, 0, time);
    return readoutAt(run, summaries, shown, {}, 0, 10).rows[1];
  };
  EXPECT_TRUE(row(ShownTime::host).value.startsWith("1.5"));
  EXPECT_TRUE(row(ShownTime::host).more.startsWith("wall "));
  EXPECT_FALSE(row(ShownTime::host).more.contains("host"));
  EXPECT_TRUE(row(ShownTime::host).beside.isEmpty());  // the speedup compares wall times
  EXPECT_FALSE(row(ShownTime::all).beside.isEmpty());
  EXPECT_TRUE(row(ShownTime::all).more.startsWith("host "));
}

TEST(DeviceTimesShown, AreChosenInTheChartsBarOrByAKey) {
  RunModel run;
  AnalysisModel analysis(run);
  ChartView view(run, analysis);
  view.resize(900, 520);
  view.show();
  fusebench::Run plain = test::syntheticRun();
  const Experiment experiment = plain.experiment;
  view.setExperiment(&experiment, nullptr);
  run.show(std::move(plain), true);
  EXPECT_FALSE(view.bar().times().isVisible());
  view.setFocus();
  QTest::keyClick(&view, Qt::Key_T);
  EXPECT_EQ(view.time(), ShownTime::wall);
  run.show(deviceRun(), true);
  ASSERT_TRUE(view.bar().times().isVisible());
  EXPECT_TRUE(view.bar().models().isEnabled());
  emit view.bar().times().activated(static_cast<int>(ShownTime::device));
  EXPECT_EQ(view.time(), ShownTime::device);
  EXPECT_EQ(view.measured().curves()[0].points[0].y.value, 2200);
  EXPECT_EQ(view.bar().times().currentText(), "Device");
  EXPECT_FALSE(view.bar().models().isEnabled());
  QTest::keyClick(&view, Qt::Key_T);
  EXPECT_EQ(view.time(), ShownTime::cadence);
  QTest::keyClick(&view, Qt::Key_T);
  QTest::keyClick(&view, Qt::Key_T);
  EXPECT_EQ(view.time(), ShownTime::queuedAndAlone);
  EXPECT_EQ(view.bar().times().currentText(), "Wall and synchronized");
  EXPECT_EQ(view.measured().curves().size(), 6u);
  QTest::keyClick(&view, Qt::Key_T);
  EXPECT_EQ(view.time(), ShownTime::all);
  EXPECT_EQ(view.measured().curves().size(), 12u);
  view.setMetric(Metric::speedUp);
  EXPECT_FALSE(view.bar().times().isVisible());
  view.goTo({Metric::latency, 10.0, 1, false});
  EXPECT_EQ(view.time(), ShownTime::wall);
}

TEST(DeviceTimesShown, AreExportedAsViewsOfTheirOwn) {
  const fusebench::Run run = deviceRun(), host = test::syntheticRun();
  EXPECT_EQ(exportViews(run).mid(0, 6),
            (QStringList{"latency", "host", "device", "cadence", "alone", "wall-and-alone"}));
  EXPECT_FALSE(exportViews(earlierRun()).contains("device"));
  EXPECT_EQ(exportViews(host)[1], "speed-up");
  const ExportedRun exported{"a", &run, findCrossings(run)};
  ExportChoices choices;
  choices.view = "times";
  const QString all = toSvg(figureOf({&exported, 1}, choices));
  for (const char* group : {"curve-eager", "curve-eager-host", "curve-eager-device",
                            "curve-eager-alone", "curve-dynamic-alone"})
    EXPECT_TRUE(all.contains(QStringLiteral("\"times-%1\"").arg(QLatin1String(group)))) << group;
  EXPECT_TRUE(all.contains("dash-dotted synchronized"));
  choices.view = "device";
  const QString device = toSvg(figureOf({&exported, 1}, choices));
  EXPECT_TRUE(device.contains("Device time (D)"));
  EXPECT_FALSE(device.contains("curve-eager-alone"));
  const ExportedRun other{"b", &host, {}};
  EXPECT_THROW(figureOf({&other, 1}, choices), InputError);
  const Report report = makeReport({&exported, 1});
  bool found = false;
  for (const ReportSection& section : report.sections)
    for (const ReportBlock& block : section.blocks)
      if (const auto* figure = std::get_if<ReportFigure>(&block))
        found |= figure->figure.id == "times";
  EXPECT_TRUE(found);
}

TEST(StepCosts, AreLevelsOfLatenciesAndOfNothingElse) {
  const fusebench::Run run = deviceRun();
  CellSummaries summaries;
  summaries.update(run);
  const std::vector<CostLevel> expected = {{"empty launch", 300}, {"graph node", 120}};
  EXPECT_EQ(contentOf(run, summaries, Metric::latency).costs, expected);
  EXPECT_TRUE(contentOf(run, summaries, Metric::speedUp).costs.empty());
  const fusebench::Run host = test::syntheticRun();
  summaries.update(host);
  EXPECT_TRUE(contentOf(host, summaries, Metric::latency).costs.empty());
}

TEST(StepCosts, HaveNamesInFiguresThatLieInsideAndCrossNeitherCurvesNorEachOther) {
  for (const Recording& recording : shippedRecordings()) {
    if (!recording.isRun()) continue;
    const fusebench::Run run = loadRun(recording.path);
    const ExportedRun exported{recording.name, &run, findCrossings(run)};
    const auto context = sections::contextOf(exported, {});
    const Figure figure = chartFigure(
        chartSubject(context.run, context.summaries, context.analysis, Metric::latency), {});
    std::vector<QRectF> names;
    for (const FigureItem& item : figure.items)
      if (item.group == QLatin1String("costs") && item.kind == FigureItem::Kind::text)
        names.emplace_back(item.at.x(), item.at.y() - 0.6 * item.size,
                           figureTextWidth(item.text, item.size), 0.5 * item.size);
    EXPECT_GE(names.size(), 2u) << recording.name;
    for (const QRectF& name : names) {
      EXPECT_TRUE(figure.plot.contains(name)) << recording.name;
      for (const QRectF& other : names) EXPECT_TRUE(&other == &name || !other.intersects(name));
      for (const FigureItem& item : figure.items) {
        if (!item.group.startsWith(QLatin1String("curve-"))) continue;
        for (const QPolygonF& line : item.shapes)
          for (const QPointF& point : line) EXPECT_FALSE(name.contains(point)) << recording.name;
      }
    }
  }
}

// A level can be at any height. Just below a curve, its name would cover the marks or the band of
// the curve.
TEST(StepCosts, HaveNamesThatMeetNeitherMarkNorBandWhereverTheirLevelsLie) {
  fusebench::Run run = deviceRun();
  for (Cell& cell : run.cells)  // bands that are wide enough to be seen
    for (std::size_t i = 0; i < cell.samples.size(); ++i)
      cell.samples[i].nanoseconds *= i % 3 == 0 ? 1.6 : 1;
  std::size_t named = 0;
  for (double level = 60; level < 20'000; level *= 1.05) {
    run.environment["calibration"]["launch_ns"] = {
        {"value", level}, {"ci_low", level}, {"ci_high", level}};
    const ExportedRun exported{"levels", &run, {}};
    const auto context = sections::contextOf(exported, {});
    const Figure figure = chartFigure(
        chartSubject(context.run, context.summaries, context.analysis, Metric::latency), {});
    for (const FigureItem& name : figure.items) {
      if (name.group != QLatin1String("costs") || name.kind != FigureItem::Kind::text) continue;
      ++named;
      // The bounds of the letters, from the baseline up to the height of a capital.
      const QRectF letters(name.at.x(), name.at.y() - 0.7 * name.size,
                           figureTextWidth(name.text, name.size), 0.7 * name.size);
      EXPECT_TRUE(figure.plot.contains(letters)) << level;
      for (const FigureItem& item : figure.items) {
        if (!item.group.startsWith(QLatin1String("curve-"))) continue;
        if (item.clipped) {  // curves and their bands
          for (const QPolygonF& shape : item.shapes)
            if (item.kind == FigureItem::Kind::areas) {
              EXPECT_FALSE(shape.intersects(QPolygonF(letters)))
                  << level << " " << name.text.toStdString();
            }
          continue;
        }
        if (item.kind == FigureItem::Kind::rect || item.kind == FigureItem::Kind::ellipse) {
          EXPECT_FALSE(item.rect.intersects(letters)) << level << " " << name.text.toStdString();
        }
        for (const QPolygonF& shape : item.shapes)
          EXPECT_FALSE(shape.boundingRect().intersects(letters))
              << level << " " << name.text.toStdString();
      }
    }
  }
  EXPECT_GE(named, 100u);
}

TEST(StepCosts, NamesOfThemStandClearOfThoseOfTheFittedLines) {
  RunModel run;
  AnalysisModel analysis(run);
  ChartView view(run, analysis);
  view.show();
  // As high as the fitted line's name wants to be.
  fusebench::Run shown = deviceRun();
  run.show(std::move(shown), true);
  ASSERT_TRUE(QTest::qWaitFor([&] { return analysis.upToDate(); }, 20'000));
  int both = 0;
  for (int height = 230; height <= 620; height += 15)
    for (const int width : {418, 560, 700}) {
      view.resize(width, height);
      auto& plot = *view.findChild<QCustomPlot*>();
      plot.replot(QCustomPlot::rpImmediateRefresh);
      QList<QRectF> costs, lines;
      for (int i = 0; i < plot.itemCount(); ++i) {
        const auto* text = qobject_cast<QCPItemText*>(plot.item(i));
        if (!text || !text->realVisibility()) continue;
        const QRectF place(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
        if (text->text().contains(QStringLiteral("per launch"))) lines << place;
        if (text->text().startsWith(QStringLiteral("empty launch")) ||
            text->text().startsWith(QStringLiteral("graph node")))
          costs << place;
      }
      both += !costs.empty() && !lines.empty() ? 1 : 0;
      for (const QRectF& cost : costs)
        for (const QRectF& line : lines)
          EXPECT_FALSE(cost.intersects(line)) << width << " x " << height;
    }
  EXPECT_GT(both, 5);
}

TEST(StepCosts, AreDrawnWithTheirNamesUntilTheLegendHidesThem) {
  RunModel run;
  AnalysisModel analysis(run);
  ChartView view(run, analysis);
  view.resize(900, 520);
  view.show();
  const auto entryOf = [&]() -> LegendEntry* {
    for (LegendEntry* entry : view.legend().entries())
      if (entry->item().series == kCostSeries) return entry;
    return nullptr;
  };
  const auto settle = [&] {
    view.findChild<QCustomPlot*>()->replot(QCustomPlot::rpImmediateRefresh);
  };
  fusebench::Run plain = test::syntheticRun();
  const Experiment experiment = plain.experiment;
  view.setExperiment(&experiment, nullptr);
  run.show(std::move(plain), true);
  EXPECT_EQ(entryOf(), nullptr);
  run.show(deviceRun(), true);
  settle();
  ASSERT_NE(entryOf(), nullptr);
  EXPECT_EQ(view.measured().shownCosts(), (QStringList{"empty launch", "graph node"}));
  EXPECT_LE(view.measured().wholeY().low, 120);  // they are part of what is fitted
  QTest::mouseClick(entryOf(), Qt::LeftButton);
  settle();
  EXPECT_TRUE(view.measured().shownCosts().isEmpty());
  EXPECT_GT(view.measured().wholeY().low, 120);
}

}  // namespace
}  // namespace fusebench
