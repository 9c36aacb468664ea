// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline as a picture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <cmath>
#include <list>

#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "ui/export/export_files.h"
#include "ui/export/figures/figure_svg.h"
#include "ui/export/figures/timeline_totals.h"
#include "ui/export/report/timeline_report.h"
#include "ui/export/timeline_export.h"
#include "ui/views/timeline/timeline_canvas.h"

namespace fusebench {
namespace {

/// Launches of `names` in turn, 1 µs apart: the host's call takes 300 ns, the kernel 500 ns.
std::shared_ptr<const Trace> deviceTrace(int launches) {
  TraceBuilder builder("eager");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "program", "main"});
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU", "stream 7"});
  for (int i = 0; i < launches; ++i)
    builder.addLaunch({.name = i % 2 == 0 ? "add" : "sin",
                       .hostBegin = 1'000 * i,
                       .hostEnd = 1'000 * i + 300,
                       .start = 1'000 * i + 400,
                       .end = 1'000 * i + 900,
                       .hostLane = host,
                       .deviceLane = stream});
  return builder.finish();
}

/// A call of 100 ns, whose kernel starts at 200 ns.
void addLaunch(TraceBuilder& builder, const char* name, LaneId host, LaneId stream,
               Nanoseconds end) {
  builder.addLaunch({.name = name,
                     .hostBegin = 0,
                     .hostEnd = 100,
                     .start = 200,
                     .end = end,
                     .hostLane = host,
                     .deviceLane = stream});
}

class TimelinePicture : public testing::Test {
 protected:
  Figure figure(const FigureStyle& style = {}) {
    return timelineFigure(timelineSubject(model), style);
  }
  static QStringList texts(const Figure& figure, const QString& group = {}) {
    QStringList found;
    for (const FigureItem& item : figure.items)
      if (!item.text.isEmpty() && (group.isEmpty() || item.group == group)) found << item.text;
    return found;
  }
  TimelineModel model;
};

TEST_F(TimelinePicture, HasLanesAxisLegendAndAnArrowFromEachCallToItsKernel) {
  model.setTraces({deviceTrace(4)});
  const Figure made = figure();
  const QStringList said = texts(made);
  for (const char* text : {"main · program", "stream 7 · GPU", "eager", "add", "sin"})
    EXPECT_TRUE(said.contains(QString::fromUtf8(text))) << text;
  for (const FigureItem& item : made.items)
    if (item.text == "stream 7 · GPU") {
      EXPECT_FALSE(item.clipped) << "it stands beside the plot";
    }
  EXPECT_EQ(texts(made, "legend"), (QStringList{"launch", "sin", "add"}));
  EXPECT_TRUE(texts(made, "axes").contains(QString::fromUtf8("2.0\u00A0µs")))
      << texts(made, "axes").join(" | ").toStdString();
  EXPECT_EQ(texts(made, "trace1-lane2").filter("idle").size(), 3);
  EXPECT_EQ(std::ranges::count_if(made.items,
                                  [](const FigureItem& item) { return item.group == "arrows"; }),
            4);
  // Boxes are where the scale puts them.
  std::vector<QRectF> kernels;
  for (const FigureItem& item : made.items)
    if (item.group == "trace1-lane2" && item.kind == FigureItem::Kind::rect &&
        item.fill.alpha() == 255)
      kernels.push_back(item.rect);
  ASSERT_GE(kernels.size(), 4U);
  const auto add = std::ranges::find_if(kernels, [&](const QRectF& rect) {
    return std::abs(rect.left() - made.pixelX(1'400)) < 0.6 &&
           std::abs(rect.right() - made.pixelX(1'900)) < 1.2;
  });
  EXPECT_NE(add, kernels.end());
  for (const FigureItem& item : made.items)
    if (item.kind == FigureItem::Kind::rect) {
      EXPECT_TRUE(QRectF({-1, -1}, made.size + QSizeF(2, 2)).contains(item.rect));
    }
  QXmlStreamReader reader(toSvg(made));
  while (!reader.atEnd()) reader.readNext();
  EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
}

TEST_F(TimelinePicture, ShowsThePartThatIsSeenAndSaysWhatIsSelected) {
  model.setTraces({deviceTrace(100)});
  model.setView(10'000, 14'000);
  model.select(TimeRange{11'000, 13'000});
  const TimelineExport source(timelineSubject(model));
  EXPECT_THAT(source.caption().toStdString(), testing::HasSubstr("Selected 2\u00A0µs · busy 1.00"));
  EXPECT_THAT(source.caption().toStdString(), testing::HasSubstr("2 launching calls, 2 kernels"));
  ExportChoices choices;
  choices.style.caption = source.caption();
  const Figure made = source.figure(choices);
  EXPECT_EQ(made.x.low, 10'000);
  EXPECT_EQ(made.x.high, 14'000);
  EXPECT_TRUE(texts(made, "selection").contains(exactTime(2'000)));
  EXPECT_THAT(texts(made, "caption").join(' ').toStdString(),
              testing::HasSubstr("2 launching calls, 2 kernels"));
  for (const FigureItem& item : made.items)
    if (item.group.startsWith("trace") && item.kind == FigureItem::Kind::rect) {
      EXPECT_GE(item.rect.left(), made.plot.left() - 0.01);
      EXPECT_LE(item.rect.right(), made.plot.right() + 0.51);
    }
}

TEST_F(TimelinePicture, IsAsHighAsItsLanesAndHoldsNoMoreThanItHasRoomFor) {
  model.setTraces({deviceTrace(3)});
  const double one = figure().size.height();
  model.setTraces({deviceTrace(200'000), deviceTrace(3)});
  const Figure two = figure();
  EXPECT_GT(two.size.height(), 1.4 * one);
  EXPECT_LT(two.items.size(), 20'000U) << "events that share a place are drawn together";
  EXPECT_EQ(std::ranges::count_if(two.items,
                                  [](const FigureItem& item) { return item.group == "arrows"; }),
            0)
      << "of what cannot be told apart";
}

TEST_F(TimelinePicture, TakesTheRowsThatAreInSight) {
  model.setTraces({deviceTrace(3), deviceTrace(5)});
  TimelineCanvas canvas(model);
  canvas.resize(800, TimelineCanvas::kAxis + TimelineCanvas::kHead + 2 * TimelineCanvas::kRow);
  canvas.show();
  EXPECT_EQ(canvas.bands().size(), 4U);
  for (const auto& band : canvas.bandsInSight()) EXPECT_EQ(band.trace, 0U);
  EXPECT_FALSE(canvas.bandsInSight().empty());
}

TEST_F(TimelinePicture, IsMadeOfTraceFilesWithNoWindow) {
  QTemporaryDir folder;
  const QString trace = folder.filePath("eager.json");
  exportTrace(*deviceTrace(6), trace.toStdString());
  for (const char* name : {"a.svg", "a.png", "a.chart.pdf", "a.html", "a.pdf"}) {
    const QString out = folder.filePath(name);
    EXPECT_EQ(exportFiles(out, {trace, trace}, {}), 0) << name;
    EXPECT_GT(QFileInfo(out).size(), 1'000) << name;
  }
  EXPECT_EQ(exportFiles(folder.filePath("a.json"), {trace}, {}), 2);
}

TEST_F(TimelinePicture, AReportHasTheNotesOfItsTraces) {
  QTemporaryDir folder;
  const QString trace = folder.filePath("eager.json");
  exportTrace(*deviceTrace(6), trace.toStdString());
  TraceNote note;
  note.time = {2'000, 2'500};
  note.text = QStringLiteral("the <slow> one");
  note.about = QStringLiteral("sin");
  const QString title = QString::fromStdString(importTrace(trace.toStdString())->title());
  writeNotes(TraceNotes::fileBeside(trace).toStdString(), title, {note});
  const QString out = folder.filePath("a.html");
  ASSERT_EQ(exportFiles(out, {trace}, {}), 0);
  QFile file(out);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const std::string page = file.readAll().toStdString();
  EXPECT_THAT(page, testing::HasSubstr("<h2>Notes</h2>"));
  EXPECT_THAT(page, testing::HasSubstr("the &lt;slow&gt; one"));
  EXPECT_THAT(page, testing::HasSubstr("<h2>Time by kernel</h2>"));
  EXPECT_THAT(page, testing::Not(testing::HasSubstr("every sample of the run")));
  // The same as pages, with a line in the contents for each section.
  model.setTraces({deviceTrace(6)});
  TimelineSubject subject = timelineSubject(model);
  subject.notes = {{0, note}};
  const Report report = makeTimelineReport(subject);
  std::vector<QString> ids;
  for (const ReportSection& section : report.sections) ids.push_back(section.id);
  EXPECT_THAT(ids, testing::ElementsAre("timeline", "notes", "time", "kernels", "traces"));
  EXPECT_TRUE(toPdf(report).startsWith("%PDF"));
}

TEST_F(TimelinePicture, IsNamedAfterTheTracesThatAreDrawn) {
  TraceBuilder other("fused");
  const LaneId host = other.lane({Lane::Kind::host, 1, 1, "program", "main"});
  addLaunch(other, "exp", host, other.lane({Lane::Kind::device, 0, 7, "GPU", "stream 7"}), 700);
  model.setTraces({deviceTrace(2), other.finish()});
  EXPECT_EQ(figure().title, "eager, fused");
  TimelineSubject scrolled = timelineSubject(model);
  std::erase_if(scrolled.rows, [](const TimelineRow& row) { return row.trace == 0; });
  EXPECT_EQ(timelineFigure(scrolled, {}).title, "fused");
}

TEST_F(TimelinePicture, SaysStatisticsThatAreNotThereYetAndTheEndOfTheTrace) {
  model.setTraces({deviceTrace(5)});
  TimelineSubject subject = timelineSubject(model);
  subject.summaries.clear();  // as of a large trace, until they are computed
  const QString said = TimelineExport(subject).figure({}).description;
  EXPECT_TRUE(said.contains(QStringLiteral("5 launching calls, 5 kernels"))) << said.toStdString();
  ASSERT_GT(subject.to, 4'900);
  EXPECT_TRUE(said.contains(QString::fromUtf8("to 4.9\u00A0µs."))) << said.toStdString();
}

TEST_F(TimelinePicture, NamesTheDeviceOfEachStreamThoughItsLaneHasSeveralRows) {
  TraceBuilder builder("two");
  for (int d = 0; d < 2; ++d) {
    const LaneId stream =
        builder.lane({Lane::Kind::device, d, 7, "GPU " + std::to_string(d), "stream 7"});
    for (int i = 0; i < 2; ++i)  // two at once: two rows
      builder.addLaunch({.name = "k", .start = 100 * i, .end = 500, .deviceLane = stream});
  }
  model.setTraces({builder.finish()});
  const QStringList said = texts(figure());
  EXPECT_TRUE(said.contains(QStringLiteral("stream 7 · GPU 0"))) << said.join('|').toStdString();
  EXPECT_TRUE(said.contains(QStringLiteral("stream 7 · GPU 1")));
}

TEST_F(TimelinePicture, ATableInLatexFitsAPage) {
  TraceBuilder builder("many");
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU", "stream 7"});
  std::list<std::string> names;
  for (int i = 0; i < 50; ++i)
    builder.addLaunch({.name = names.emplace_back("void at::native::kernel" + std::to_string(i) +
                                                  "<4, float>(int)"),
                       .start = 1'000 * i,
                       .end = 1'000 * i + 100 + i,
                       .deviceLane = stream});
  model.setTraces({builder.finish()});
  const std::string table = kernelsLatex(timelineSubject(model));
  EXPECT_NE(table.find("    kernel49 & 1 & "), std::string::npos) << table;
  EXPECT_EQ(table.find("kernel5 "), std::string::npos);
  EXPECT_EQ(table.find("at::native"), std::string::npos);
  EXPECT_NE(table.find("the 20 of 50 names that take the most time"), std::string::npos) << table;
}

TEST_F(TimelinePicture, ItsKernelsLeaveAsATable) {
  model.setTraces({deviceTrace(5)});
  const TimelineSubject all = timelineSubject(model);
  EXPECT_EQ(kernelsCsv(all),
            "trace,device,name,kind,count,total_ns,self_ns,share_ratio,mean_ns,min_ns,max_ns,"
            "read_bytes,written_bytes,from_ns,to_ns\n"
            "eager,,add,kernel,3,1500,1500,0.6,500,500,500,,,0,4900\n"
            "eager,,sin,kernel,2,1000,1000,0.4,500,500,500,,,0,4900\n");
  EXPECT_EQ(kernelsMarkdown(all),
            "Time by kernel of eager.\n\n"
            "| kernel | count | total, ns | mean, ns | min, ns | max, ns | share |\n"
            "| :--- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
            "| add | 3 | 1500 | 500 | 500 | 500 | 60.0% |\n"
            "| sin | 2 | 1000 | 500 | 500 | 500 | 40.0% |\n");
  EXPECT_NE(kernelsLatex(all).find("    add & 3 & 1500 & 500 & 500 & 500 & 60.0\\% \\\\\n"),
            std::string::npos)
      << kernelsLatex(all);
  // Summaries that are not computed yet are computed then.
  TimelineSubject early = all;
  early.summaries.clear();
  EXPECT_EQ(kernelsCsv(early), kernelsCsv(all));
  // Only the selected range counts.
  model.select(TimeRange{0, 1'300});
  EXPECT_NE(kernelsCsv(timelineSubject(model)).find("\neager,,add,kernel,1,500,500,1,"),
            std::string::npos);
}

TEST_F(TimelinePicture, TablesGuardWhatADocumentWouldTakeForItsOwn) {
  TraceBuilder builder("odd");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "program", "main"});
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU", "stream 7"});
  addLaunch(builder, "[CUDA memcpy_HtoD]", host, stream, 700);
  model.setTraces({builder.finish()});
  const TimelineSubject subject = timelineSubject(model);
  // The row above ends in what looks for an optional argument.
  EXPECT_NE(kernelsLatex(subject).find("    {}[CUDA memcpy\\_HtoD] & 1 & "), std::string::npos)
      << kernelsLatex(subject);
  EXPECT_NE(kernelsMarkdown(subject).find("| \\[CUDA memcpy\\_HtoD] | 1 | "), std::string::npos)
      << kernelsMarkdown(subject);
}

TEST_F(TimelinePicture, TablesOfVeryManyDevicesHaveARowForEach) {
  TraceBuilder builder("many");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "program", "main"});
  for (int device = 0; device < 70; ++device)
    addLaunch(builder, "add", host,
              builder.lane(
                  {Lane::Kind::device, 100 + device, 7, "GPU " + std::to_string(device), "stream"}),
              700);
  model.setTraces({builder.finish()});
  const std::string csv = kernelsCsv(timelineSubject(model));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 71);
  EXPECT_NE(csv.find("many,GPU 69,add,"), std::string::npos);
}

TEST_F(TimelinePicture, TablesTellTracesAndDevicesApart) {
  TraceBuilder builder("two \"GPUs\", one trace");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "program", "main"});
  for (int device = 0; device < 2; ++device) {
    const LaneId stream =
        builder.lane({Lane::Kind::device, 100 + device, 7, "GPU " + std::to_string(device), "s"});
    addLaunch(builder, "add", host, stream, 700 + 100 * device);
  }
  model.setTraces({builder.finish(), deviceTrace(1)});
  const std::string csv = kernelsCsv(timelineSubject(model));
  EXPECT_NE(csv.find("\"two \"\"GPUs\"\", one trace\",GPU 0,add,kernel,1,500,"), std::string::npos)
      << csv;
  EXPECT_NE(csv.find(",GPU 1,add,kernel,1,600,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\neager,,add,kernel,1,500,"), std::string::npos) << csv;
  EXPECT_NE(kernelsMarkdown(timelineSubject(model)).find("| trace | device | kernel | count |"),
            std::string::npos);
}

TEST_F(TimelinePicture, TheDialogOffersWhatItHasAndNamesEachTrace) {
  model.setTraces({deviceTrace(5), deviceTrace(2)});
  const TimelineExport source(timelineSubject(model));
  // There are no curves for a legend to be at the ends of.
  EXPECT_THAT(source.choicesOf({}).legends,
              testing::ElementsAre(LegendPlace::bottom, LegendPlace::none));
  bool isText = true;
  const QString words = source.preview(source.forms().back(), {}, isText);
  EXPECT_FALSE(isText);
  for (const auto& shown : timelineSubject(model).traces)
    EXPECT_TRUE(words.contains(u'\n' + shown.title + QStringLiteral(":  "))) << words.toStdString();
}

}  // namespace
}  // namespace fusebench
