// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QSet>
#include <QSvgRenderer>
#include <QXmlStreamReader>
#include <cmath>
#include <set>
#include <string>

#include "tests/ui/chart/map_run.h"
#include "tests/ui/export/exported.h"
#include "tests/ui/synthetic.h"
#include "ui/export/export_files.h"
#include "ui/export/figures/chart_figure.h"
#include "ui/export/figures/figure_paint.h"
#include "ui/export/figures/figure_svg.h"
#include "ui/export/report/report_sections.h"
#include "ui/models/base/format.h"

namespace fusebench {
namespace {

using test::exportedOf;

/// What an XML reader finds: elements with their attributes, and texts.
struct Xml {
  QSet<QString> ids;
  QStringList texts, clipped, problems;
  QMap<QString, int> elements;

  explicit Xml(const QString& text) {
    QXmlStreamReader reader(text);
    QString within;
    while (!reader.atEnd()) {
      const auto token = reader.readNext();
      if (token == QXmlStreamReader::StartElement) {
        within = reader.name().toString();
        ++elements[within];
        const auto attributes = reader.attributes();
        if (attributes.hasAttribute("id")) {
          const QString id = attributes.value("id").toString();
          if (ids.contains(id)) problems << "twice: " + id;
          ids << id;
        }
        if (attributes.hasAttribute("clip-path"))
          clipped << attributes.value("clip-path").toString();
      }
      if (token == QXmlStreamReader::Characters && !reader.isWhitespace())
        texts << reader.text().toString();
    }
    if (reader.hasError()) problems << reader.errorString();
  }
};

TEST(ExportedSvg, HasTitleDescriptionClippingAndAnIdOnEveryCurve) {
  const auto run = test::syntheticRun();
  const ExportedRun one = exportedOf(run);
  const QString svg = toSvg(figureOf({&one, 1}, {}));
  const Xml xml(svg);
  EXPECT_TRUE(xml.problems.isEmpty()) << xml.problems.join("; ").toStdString();
  for (const char* id :
       {"latency-title", "latency-desc", "latency-clip", "latency-curve-eager",
        "latency-curve-static", "latency-curve-dynamic", "latency-axes", "latency-break-evens"})
    EXPECT_TRUE(xml.ids.contains(id)) << id;
  const Figure figure = figureOf({&one, 1}, {});
  EXPECT_EQ(xml.clipped.size(), std::count_if(figure.items.begin(), figure.items.end(),
                                              [](const FigureItem& item) { return item.clipped; }));
  EXPECT_GE(xml.clipped.size(), 6) << "three curves and their bands";
  for (const QString& clip : xml.clipped) EXPECT_EQ(clip, "url(#latency-clip)");
  EXPECT_EQ(xml.elements["title"], 1);
  EXPECT_THAT(svg.toStdString(), testing::HasSubstr("DejaVu Sans"));
  EXPECT_THAT(xml.texts.join('\n').toStdString(),
              testing::HasSubstr("Break-even: static is faster"));
  EXPECT_TRUE(xml.texts.contains("statements"));
}

TEST(ChartSubject, SpeedUpsFarApartAreOnALogarithmicAxisWithTheLineAtOne) {
  auto run = test::syntheticRun();
  const auto speedUps = [&] {
    const ExportedRun one = exportedOf(run);
    const auto context = sections::contextOf(one, {});
    return chartSubject(context.run, context.summaries, context.analysis, Metric::speedUp);
  };
  EXPECT_FALSE(speedUps().logValue);
  for (Cell& cell : run.cells)
    if (cell.key.variant == 0)
      for (Sample& sample : cell.samples) sample.nanoseconds *= 100;
  const ChartSubject subject = speedUps();
  EXPECT_TRUE(subject.logValue);
  const Figure figure = chartFigure(subject, {});
  const auto rule = std::find_if(figure.items.begin(), figure.items.end(),
                                 [](const FigureItem& item) { return item.group == "rule"; });
  ASSERT_NE(rule, figure.items.end());
  EXPECT_TRUE(figure.y.low < 1 && figure.plot.contains(rule->shapes.at(0).front()));
}

TEST(ExportedFigure, NamesEveryCurveOfAComparisonAndGivesEachVariantAColor) {
  auto first = test::syntheticRun(), second = first;
  for (Variant& variant : second.experiment.variants)
    if (variant.name == "dynamic") variant.name = "other";
  const ExportedRun both[] = {exportedOf(first, "before"), exportedOf(second, "after")};
  const auto texts = [&](const ExportChoices& choices) {
    QMap<QString, QColor> inks;
    for (const FigureItem& item : figureOf(both, choices).items)
      if (item.kind == FigureItem::Kind::text) inks[item.text] = item.fill;
    return inks;
  };
  const auto labels = texts({});
  for (const char* label : {"eager", "static", "dynamic", "eager · after", "static · after"})
    EXPECT_TRUE(labels.contains(QString::fromUtf8(label))) << label;
  const QColor other = labels[QString::fromUtf8("other · after")];
  ASSERT_TRUE(other.isValid());
  EXPECT_EQ(labels[QString::fromUtf8("static · after")], labels["static"]);
  for (const char* own : {"eager", "static", "dynamic"}) EXPECT_NE(other, labels[own]) << own;
  ExportChoices above;
  above.style.legend = LegendPlace::top;
  EXPECT_TRUE(texts(above).contains("other"));
}

TEST(ExportedFigure, NoViewTakesATitleForMarkup) {
  fusebench::Run run = test::measuredRun();
  run.experiment.title = "a & b <script>alert(1)</script>\"";
  for (std::size_t v = 0; v < run.experiment.variants.size(); ++v)
    run.experiment.variants[v].name += " <b> & \"\u202ecod\u2066\u200f";
  run.experiment.baseline = run.experiment.variants[0].name;
  const ExportedRun one = exportedOf(run);
  for (const QString& view : exportViews(run)) {
    ExportChoices choices;
    choices.view = view;
    choices.variant = 1;
    const QString svg = toSvg(figureOf({&one, 1}, choices));
    const Xml xml(svg);
    EXPECT_TRUE(xml.problems.isEmpty())
        << view.toStdString() << ": " << xml.problems.join("; ").toStdString();
    EXPECT_FALSE(xml.elements.contains("script")) << view.toStdString();
    for (const QChar turning : {QChar(0x202e), QChar(0x2066), QChar(0x200f)})
      EXPECT_FALSE(svg.contains(turning)) << view.toStdString();
  }
}

TEST(ExportedFigure, AnatomyAndProgramAreViewsToo) {
  const auto run = test::measuredRun();
  const ExportedRun one = exportedOf(run);
  const QStringList views = exportViews(run);
  EXPECT_TRUE(views.contains("anatomy") && views.contains("program"));
  ExportChoices choices;
  choices.view = "anatomy";
  EXPECT_TRUE(figureOf({&one, 1}, choices).description.contains("kernel"));
  choices.view = "program";
  choices.variant = 1;
  const Figure program = figureOf({&one, 1}, choices);
  ASSERT_TRUE(program.picture);
  EXPECT_TRUE(program.description.contains("kernels of static"));
  const QString svg = toSvg(program);
  const Xml xml(svg);
  EXPECT_TRUE(xml.problems.isEmpty()) << xml.problems.join("; ").toStdString();
  EXPECT_GT(xml.elements["path"], 20);
  EXPECT_TRUE(svg.contains("sigmoid"));
  const QImage image = figureImage(program, 1);
  QSet<QRgb> colors;
  for (int y = 0; y < image.height(); y += 3)
    for (int x = 0; x < image.width(); x += 3) colors << image.pixel(x, y);
  EXPECT_GT(colors.size(), 8);
}

TEST(ExportedFigure, ShowsAChartAsItStands) {
  const auto run = test::syntheticRun();
  const ExportedRun one = exportedOf(run);
  ExportChoices choices;
  choices.shown = {true, false, AxisRange{5, 20, true}, AxisRange{100, 900, false}};
  const Figure figure = figureOf({&one, 1}, choices);
  EXPECT_TRUE(figure.x.logarithmic);
  EXPECT_FALSE(figure.y.logarithmic);
  EXPECT_EQ(figure.x.low, 5);
  EXPECT_EQ(figure.x.high, 20);
  EXPECT_EQ(figure.y.high, 900);
  for (const FigureItem& item : figure.items)
    if (item.kind == FigureItem::Kind::ellipse) {
      EXPECT_TRUE(figure.plot.adjusted(-6, -6, 6, 6).contains(item.rect.center()));
    }
}

TEST(ExportedFigure, NamesItsCurvesWhereOnlyAPartOfThemShows) {
  const auto run = test::syntheticRun();
  const ExportedRun one = exportedOf(run);
  ExportChoices choices;
  choices.shown.x = AxisRange{5, 20, false};
  const Figure figure = figureOf({&one, 1}, choices);
  QStringList texts;
  bool marks = false;
  for (const FigureItem& item : figure.items) {
    texts << item.text;
    marks |= item.kind == FigureItem::Kind::ellipse;
  }
  EXPECT_TRUE(marks);
  for (const Variant& variant : run.experiment.variants)
    EXPECT_TRUE(texts.contains(QString::fromStdString(variant.name))) << variant.name;
}

TEST(ExportedSvg, EscapesWhatXmlWouldTakeForItsOwn) {
  auto run = test::syntheticRun();
  run.experiment.variants[1].name = "a<b> & \"c\"";
  const ExportedRun one = exportedOf(run);
  ExportChoices choices;
  choices.style.title = QStringLiteral("1 < 2 & 3") + QChar(7);
  const Xml xml(toSvg(figureOf({&one, 1}, choices)));
  EXPECT_TRUE(xml.problems.isEmpty()) << xml.problems.join("; ").toStdString();
  EXPECT_TRUE(xml.texts.contains("1 < 2 & 3"));
  EXPECT_TRUE(xml.texts.contains("a<b> & \"c\""));
}

TEST(ExportedSvg, LooksAsThePainterDrawsIt) {
  const auto run = test::syntheticRun();
  const ExportedRun one = exportedOf(run);
  Figure figure = figureOf({&one, 1}, {});
  std::erase_if(figure.items,
                [](const FigureItem& item) { return item.kind == FigureItem::Kind::text; });
  const QImage painted = figureImage(figure, 1);
  QSvgRenderer renderer(toSvg(figure).toUtf8());
  ASSERT_TRUE(renderer.isValid());
  QImage drawn(painted.size(), QImage::Format_ARGB32_Premultiplied);
  QPainter painter(&drawn);
  renderer.render(&painter);
  painter.end();
  int different = 0;
  for (int y = 0; y < drawn.height(); ++y)
    for (int x = 0; x < drawn.width(); ++x)
      different += std::abs(qGray(drawn.pixel(x, y)) - qGray(painted.pixel(x, y))) > 48;
  EXPECT_LT(different, drawn.width() * drawn.height() / 200);
}

TEST(ExportedFigure, CurvesLieWithinThePlotAndTheTextsWithinTheFigure) {
  const auto run = test::syntheticRun();
  const ExportedRun one = exportedOf(run);
  for (const FigurePreset& preset : figurePresets())
    for (const QString& view : exportViews(run))
      for (const LegendPlace legend : {LegendPlace::ends, LegendPlace::top, LegendPlace::bottom}) {
        ExportChoices choices;
        choices.view = view;
        choices.style = styleOf(preset);
        choices.style.legend = legend;
        choices.style.title = "Fusion against launches";
        const Figure figure = figureOf({&one, 1}, choices);
        const QRectF whole({0, 0}, figure.size);
        EXPECT_GT(figure.plot.width(), 0.4 * figure.size.width());
        EXPECT_GT(figure.plot.height(), 0.3 * figure.size.height());
        for (const FigureItem& item : figure.items) {
          if (item.kind != FigureItem::Kind::text) continue;
          const double width = figureTextWidth(item.text, item.size, item.bold);
          const double left = item.anchor == Qt::AlignLeft    ? 0
                              : item.anchor == Qt::AlignRight ? -width
                                                              : -width / 2;
          QRectF box(item.at.x() + left, item.at.y() - item.size, width, 1.2 * item.size);
          if (item.rotation != 0)
            box = QRectF(item.at.x() - item.size, item.at.y() + left, 1.2 * item.size, width);
          EXPECT_TRUE(whole.contains(box)) << item.text.toStdString() << " in "
                                           << preset.key.toStdString() << " " << view.toStdString();
        }
      }
}

TEST(ExportedFigure, ReadsAtEachPlaceWhatWasMeasuredThere) {
  const auto run = test::syntheticRun();
  CellSummaries summaries;
  summaries.update(run);
  Analysis analysis;
  const ChartSubject subject = chartSubject(run, summaries, analysis, Metric::latency);
  Figure figure = chartFigure(subject, {});
  addReadings(figure, subject, run, summaries);
  ASSERT_EQ(figure.readings.size(), run.experiment.axes[0].values.size());
  for (std::size_t i = 0; i < figure.readings.size(); ++i) {
    const FigureReading& reading = figure.readings[i];
    const std::int64_t at = run.experiment.axes[0].values[i];
    EXPECT_NEAR(reading.pixel, figure.pixelX(static_cast<double>(at)), 1e-9);
    ASSERT_EQ(reading.readout.rows.size(), run.experiment.variants.size());
    for (std::size_t v = 0; v < run.experiment.variants.size(); ++v) {
      const double latency = run.find({static_cast<int>(v), {at}})->latency().value;
      EXPECT_EQ(reading.readout.rows[v].value, formatTime(latency));
      EXPECT_NEAR(reading.heights[v], figure.pixelY(latency), 1e-6);
    }
  }
}

TEST(ExportedFigure, RunsLaidOverAreNamed) {
  const auto a = test::syntheticRun(), b = test::syntheticRun(40);
  const ExportedRun both[] = {exportedOf(a, "before"), exportedOf(b, "after")};
  for (const LegendPlace legend : {LegendPlace::ends, LegendPlace::top, LegendPlace::bottom}) {
    ExportChoices choices;
    choices.style.legend = legend;
    const Figure figure = figureOf(both, choices);
    EXPECT_EQ(figure.series.size(), 6U);
    EXPECT_EQ(std::count_if(figure.items.begin(), figure.items.end(),
                            [](const FigureItem& item) { return item.text == "thin: after"; }),
              1);
  }
}

TEST(ExportedFigure, GrayHasNoColor) {
  const auto run =
      test::mapRun({1, 10, 20}, {16, 64, 256}, [](double n, double) { return n > 5 ? 2.0 : 0.5; });
  const ExportedRun one = exportedOf(run);
  for (const QString& view : exportViews(run)) {
    ExportChoices choices;
    choices.view = view;
    choices.style = styleOf(*figurePreset("single"));
    for (const FigureItem& item : figureOf({&one, 1}, choices).items)
      for (const QColor& color : {item.fill, item.stroke.color})
        EXPECT_TRUE(!color.isValid() || color.hsvSaturation() < 2) << view.toStdString();
  }
}

TEST(GrayTheme, TellsSixCurvesApartAndEachFromThePaper) {
  const auto lightness = [](const QColor& color) {  // relative, as WCAG has it
    const double c = color.redF();
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const auto& colors = grayTheme().seriesColors;
  std::set<std::pair<int, QList<qreal>>> looks;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    EXPECT_GE(1.05 / (lightness(colors[i]) + 0.05), 3.0) << i;
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GE(std::abs(colors[i].lightness() - colors[j].lightness()), 20) << i << " " << j;
    const SeriesStyle style = grayTheme().series(static_cast<int>(i));
    looks.insert({static_cast<int>(style.marker), style.dashes});
  }
  EXPECT_EQ(looks.size(), colors.size()) << "marks and dashes";
  const auto run = test::syntheticRun();
  const ExportedRun one = exportedOf(run);
  ExportChoices choices;
  choices.style = styleOf(*figurePreset("single"));
  for (const FigureItem& item : figureOf({&one, 1}, choices).items)
    if (item.text == "static") {
      EXPECT_EQ(item.fill, grayTheme().text) << "words are black";
    }
}

TEST(ExportedFigure, AGrayMapGrowsDarkerWithTheSpeedUp) {
  const auto run = test::mapRun({1, 10, 20}, {16, 64}, [](double n, double) {
    return n < 5 ? 0.5 : n < 15 ? 1.0 : 2.0;
  });
  const ExportedRun one = exportedOf(run);
  ExportChoices choices;
  choices.view = "map";
  choices.style = styleOf(*figurePreset("double"));
  std::vector<int> grays;  // first axis outermost
  for (const FigureItem& item : figureOf({&one, 1}, choices).items)
    if (item.group == "places") grays.push_back(qGray(item.fill.rgb()));
  ASSERT_EQ(grays.size(), 6U);
  EXPECT_GT(grays[0], grays[2] + 20);
  EXPECT_GT(grays[2], grays[4] + 20);
}

TEST(ExportedFigure, AMapHasAPlaceForEveryPairAndSaysWhatItShows) {
  const auto run = test::mapRun({1, 10, 20}, {16, 64, 256, 1024},
                                [](double n, double) { return n > 5 ? 2.0 : 0.5; });
  const ExportedRun one = exportedOf(run);
  ExportChoices choices;
  choices.view = "map";
  const Figure figure = figureOf({&one, 1}, choices);
  int places = 0, contour = 0;
  for (const FigureItem& item : figure.items) {
    places += item.group == "places";
    contour += item.group == "contour";
  }
  EXPECT_EQ(places, 12);
  EXPECT_GT(contour, 0);
  EXPECT_FALSE(figure.description.isEmpty());
  EXPECT_TRUE(Xml(toSvg(figure)).problems.isEmpty());
}

TEST(ExportedFigure, APngHasTheSizeAskedForAndAPdfIsVectors) {
  const auto run = test::syntheticRun();
  const ExportedRun one = exportedOf(run);
  ExportChoices choices;
  choices.scale = 3;
  const QByteArray png = exportedContent({&one, 1}, *exportForm("a.png"), choices);
  EXPECT_EQ(QImage::fromData(png).size(), QSize(2880, 1620));
  const QByteArray pdf = exportedContent({&one, 1}, *exportForm("a.chart.pdf"), choices);
  EXPECT_TRUE(pdf.startsWith("%PDF-"));
  EXPECT_TRUE(pdf.contains("/Font"));
  EXPECT_FALSE(pdf.contains("/Subtype /Image")) << "text and lines, no picture";
}

TEST(ExportedFigure, AViewThatIsNotThereIsNamedWithThoseThatAre) {
  const auto run = test::syntheticRun();
  const ExportedRun one = exportedOf(run);
  ExportChoices choices;
  choices.view = "colour";
  try {
    figureOf({&one, 1}, choices);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("latency, speed-up"));
  }
  choices.view = "map";
  EXPECT_THROW(figureOf({&one, 1}, choices), InputError) << "one axis only";
}

TEST(ExportedFigure, ShowsTheRatiosOfTwoRunsWithWhiskers) {
  auto a = test::syntheticRun(), b = test::syntheticRun(40);
  for (Cell& cell : b.cells)
    if (cell.key.variant == 1)
      for (Sample& sample : cell.samples) sample.nanoseconds *= 2;
  const ExportedRun both[] = {exportedOf(a, "before"), exportedOf(b, "after")};
  EXPECT_EQ(exportViews(both).front(), "ratio");
  ExportChoices choices;
  choices.view = "ratio";
  const Figure figure = figureOf(both, choices);
  EXPECT_EQ(figure.series.size(), 3U);
  int whiskers = 0;
  std::vector<double> marks;  // those of the variant that takes twice as long
  for (const FigureItem& item : figure.items) {
    if (item.kind == FigureItem::Kind::areas) {
      EXPECT_EQ(item.fill.alpha(), 255) << "a mark, no band";
    }
    if (item.group != "curve-static") continue;
    if (item.kind == FigureItem::Kind::lines && item.shapes.size() > 1) whiskers += 1;
    if (item.kind == FigureItem::Kind::rect) marks.push_back(item.rect.center().y());
  }
  EXPECT_EQ(whiskers, 1);
  EXPECT_EQ(marks.size(), a.experiment.axes[0].values.size());
  for (const double y : marks) EXPECT_NEAR(y, figure.pixelY(2), 4);
  EXPECT_TRUE(Xml(toSvg(figure)).problems.isEmpty());
  choices.hidden = {"static"};
  EXPECT_EQ(figureOf(both, choices).series.size(), 2U);
  EXPECT_THROW(figureOf({both, 1}, choices), InputError);
}

TEST(ExportedFigure, PublishedCurvesStandBesideTheMeasuredOnes) {
  const auto run = test::syntheticRun();
  const ExportedRun one = exportedOf(run);
  for (const char* preset : {"screen", "single"}) {
    ExportChoices choices;
    choices.style = styleOf(*figurePreset(preset));
    choices.style.title = "Both";
    choices.published = true;
    const Figure figure = figureOf({&one, 1}, choices);
    EXPECT_EQ(figure.size.width(), choices.style.size.width());
    EXPECT_GE(figure.size.height(), choices.style.size.height());
    QRectF measured, published;
    for (const FigureItem& item : figure.items) {
      if (item.kind != FigureItem::Kind::lines) continue;
      for (const QPolygonF& shape : item.shapes)
        if (item.group == "curve-eager")
          measured |= shape.boundingRect();
        else if (item.group == "published-curve-eager")
          published |= shape.boundingRect();
    }
    EXPECT_TRUE(QRectF({0, 0}, figure.size).contains(published)) << preset;
    EXPECT_FALSE(measured.isEmpty() || published.isEmpty());
    EXPECT_TRUE(preset == std::string("screen") ? published.left() > measured.right()
                                                : published.top() > measured.bottom())
        << preset;
    EXPECT_TRUE(Xml(toSvg(figure)).problems.isEmpty());
  }
}

TEST(ExportForms, GoByTheLongestEnding) {
  EXPECT_STREQ(exportForm("x.benchmark.json")->ending, "benchmark.json");
  EXPECT_STREQ(exportForm("x.json")->ending, "json");
  EXPECT_STREQ(exportForm("x.chart.PDF")->ending, "chart.pdf");
  EXPECT_STREQ(exportForm("chart.pdf")->ending, "pdf");
  EXPECT_EQ(exportForm("x.doc"), nullptr);
  EXPECT_EQ(exportForm("html"), nullptr);
}

TEST(ExportForms, EachCanHoldSomethingAndHasAnEndingOfItsOwn) {
  QStringList endings;
  for (const ExportForm& form : exportForms()) {
    EXPECT_TRUE(form.ofRuns() || form.ofTraces()) << form.ending;
    EXPECT_EQ(exportForm(QStringLiteral("out.") + QLatin1String(form.ending)), &form);
    EXPECT_TRUE(formsInWords().contains(QLatin1Char('.') + QLatin1String(form.ending)));
    endings << QLatin1String(form.ending);
  }
  endings.removeDuplicates();
  EXPECT_EQ(endings.size(), static_cast<qsizetype>(exportForms().size()));
  EXPECT_EQ(endingsOf([](const ExportForm& form) { return form.kernels != nullptr; }, " or "),
            ".csv, .md or .tex");
}

TEST(ExportForms, AreCalledAsPeopleKnowThem) {
  const std::pair<const char*, const char*> kNames[] = {{"html", "HTML report"},
                                                        {"pdf", "PDF report"},
                                                        {"csv", "CSV"},
                                                        {"png", "PNG"},
                                                        {"tex", "LaTeX"}};
  for (const auto& [ending, name] : kNames) {
    const ExportForm* form = exportForm(QStringLiteral("out.") + QLatin1String(ending));
    ASSERT_TRUE(form) << ending;
    EXPECT_TRUE(QLatin1String(form->name).startsWith(QLatin1String(name))) << form->name;
  }
}

TEST(ExportForms, WhatIsOfTracesIsNotOfRuns) {
  const auto run = test::syntheticRun();
  const ExportedRun one = exportedOf(run);
  const ExportForm& launches = *exportForm("x.trace.json.gz");
  EXPECT_FALSE(launches.ofRuns());
  try {
    exportedContent({&one, 1}, launches, {});
    FAIL() << "a run holds no launches";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(".trace.json.gz is for traces"));
  }
}

}  // namespace
}  // namespace fusebench
