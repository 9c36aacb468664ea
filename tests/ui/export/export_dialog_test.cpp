// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/export/export_dialog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QImage>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <string>
#include <vector>

#include "profiler/files/files.h"
#include "tests/ui/chart/map_run.h"
#include "tests/ui/export/exported.h"
#include "tests/ui/synthetic.h"
#include "ui/export/run_export.h"
#include "ui/models/setup/documents.h"
#include "ui/views/chart/chart_choices.h"
#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/export/export_fields.h"
#include "ui/views/export/figure_preview.h"
#include "ui/views/runs/compare_view.h"
#include "ui/views/runs/ratio_plot.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/window/files_controller.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

using test::measuredRun;

class ExportWindow : public testing::Test {
 protected:
  ExportDialog& open(std::unique_ptr<const ExportSource> source) {
    dialog_ = std::make_unique<ExportDialog>(std::move(source), Dialogs{}, folder_.path());
    dialog_->show();
    return *dialog_;
  }
  static std::unique_ptr<RunExport> sourceOf(fusebench::Run run = measuredRun()) {
    auto kept = std::make_shared<const fusebench::Run>(std::move(run));
    return std::make_unique<RunExport>(kept, findCrossings(*kept));
  }
  ExportDialog& open(fusebench::Run run = measuredRun()) { return open(sourceOf(std::move(run))); }
  static QStringList texts(const ExportDialog& dialog) {
    QStringList found;
    for (const FigureItem& item : dialog.preview().figure().items) found << item.text;
    return found;
  }
  QTemporaryDir folder_;
  std::unique_ptr<ExportDialog> dialog_;
};

TEST_F(ExportWindow, ShowsTheChartThatItWillWrite) {
  ExportDialog& dialog = open();
  ASSERT_TRUE(dialog.fields().chooseForm("svg"));
  EXPECT_EQ(dialog.preview().figure().id, "latency");
  ASSERT_TRUE(dialog.fields().chooseView("speed-up"));
  EXPECT_EQ(dialog.preview().figure().id, "speed-up");
  ASSERT_TRUE(dialog.fields().choosePreset("single"));
  EXPECT_NEAR(dialog.preview().figure().size.width(), 85 / 25.4 * 96, 1);
  EXPECT_EQ(dialog.fields().choices().style.theme.seriesColors, grayTheme().seriesColors);
  EXPECT_FALSE(dialog.fields().chooseView("map")) << "one axis only";
  EXPECT_NE(dialog.focusWidget(), nullptr) << "the keys choose the form";
}

TEST_F(ExportWindow, ShowsDataAsText) {
  ExportDialog& dialog = open();
  ASSERT_TRUE(dialog.fields().chooseForm("csv"));
  EXPECT_TRUE(dialog.previewText().startsWith("statements,variant"));
  ASSERT_TRUE(dialog.fields().chooseForm("html"));
  EXPECT_TRUE(dialog.previewText().contains("Machine and method"));
}

TEST_F(ExportWindow, WritesInTheBackgroundAndSaysWhenDone) {
  ExportDialog& dialog = open();
  QSignalSpy written(&dialog, &ExportDialog::exported), failed(&dialog, &ExportDialog::failed);
  for (const ExportForm& form : exportForms()) {
    if (!form.ofRuns()) continue;
    ASSERT_TRUE(dialog.fields().chooseForm(form.ending));
    const QString path = folder_.filePath(QStringLiteral("out.") + form.ending);
    dialog.writeTo(path);
    EXPECT_TRUE(dialog.busy());
    ASSERT_TRUE(written.wait(60'000)) << form.ending;
    EXPECT_EQ(written.back()[0].toString(), path);
    EXPECT_GT(QFileInfo(path).size(), 500) << form.ending;
  }
  EXPECT_EQ(failed.count(), 0);
  dialog.writeTo(folder_.filePath("no/such/folder.svg"));
  ASSERT_TRUE(failed.wait(60'000));
  EXPECT_THAT(failed[0][0].toString().toStdString(), testing::HasSubstr("cannot be written"));
  EXPECT_FALSE(dialog.busy());
}

TEST_F(ExportWindow, CopiesThePictureAndTheVectors) {
  ExportDialog& dialog = open();
  dialog.fields().chooseForm("png");
  dialog.copy();
  const QMimeData* data = QGuiApplication::clipboard()->mimeData();
  ASSERT_TRUE(data->hasImage());
  EXPECT_EQ(qvariant_cast<QImage>(data->imageData()).size(), QSize(1920, 1080));
  EXPECT_TRUE(data->data("image/svg+xml").contains("<svg"));
  dialog.fields().chooseForm("md");
  dialog.copy();
  EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith("## "));
}

TEST_F(ExportWindow, OffersTheMapOfARunOverTwoAxes) {
  ExportDialog& dialog = open(
      test::mapRun({1, 10, 20}, {16, 64, 256}, [](double n, double) { return n > 5 ? 2.0 : 0.5; }));
  dialog.fields().chooseForm("svg");
  ASSERT_TRUE(dialog.fields().chooseView("map"));
  EXPECT_EQ(dialog.preview().figure().id, "map");
}

TEST_F(ExportWindow, WritesAComparison) {
  ExportDialog& dialog = open(std::make_unique<RunExport>(
      std::vector<NamedRun>{{"before", std::make_shared<const fusebench::Run>(measuredRun())},
                            {"after", std::make_shared<const fusebench::Run>(measuredRun(40))},
                            {"later", std::make_shared<const fusebench::Run>(measuredRun(36))}}));
  dialog.fields().chooseForm("html");
  EXPECT_TRUE(dialog.previewText().contains("Comparison"));
  EXPECT_TRUE(dialog.previewText().contains("Where a call's time goes"));
  QSignalSpy written(&dialog, &ExportDialog::exported);
  dialog.writeTo(folder_.filePath("both.html"));
  ASSERT_TRUE(written.wait(60'000));
  EXPECT_EQ(openRuns(folder_.filePath("both.html")).size(), 3U);
  dialog.fields().chooseForm("svg");
  EXPECT_EQ(dialog.preview().figure().id, "ratio");
  EXPECT_EQ(dialog.preview().figure().title, "Fusion against launches");
  EXPECT_TRUE(texts(dialog).contains("B: after"));
  ASSERT_TRUE(dialog.fields().chooseOther("later"));
  EXPECT_TRUE(texts(dialog).contains("B: later"));
  ASSERT_TRUE(dialog.fields().chooseView("latency"));
  EXPECT_EQ(dialog.preview().figure().series.size(), 9U);
}

TEST_F(ExportWindow, PartsOfAChartCanBeHidden) {
  ExportDialog& dialog = open();
  dialog.fields().chooseForm("svg");
  EXPECT_EQ(dialog.fields().parts(), (QStringList{"eager", "static", "dynamic", "Fitted lines",
                                                  "Break-evens", "Published curves"}));
  const auto groups = [&] {
    QStringList found;
    for (const FigureItem& item : dialog.preview().figure().items)
      if (!found.contains(item.group)) found << item.group;
    return found;
  };
  EXPECT_TRUE(groups().contains("models") && groups().contains("break-evens"));
  for (const char* part : {"static", "Fitted lines", "Break-evens"})
    dialog.fields().setShown(part, false);
  EXPECT_EQ(dialog.preview().figure().series.size(), 2U);
  EXPECT_FALSE(groups().contains("curve-static"));
  EXPECT_FALSE(groups().contains("models") || groups().contains("break-evens"));
  dialog.fields().chooseView("speed-up");
  EXPECT_EQ(dialog.preview().figure().series.size(), 1U) << "hidden in every view";
  dialog.fields().setShown("static", true);
  EXPECT_EQ(dialog.preview().figure().series.size(), 2U);
}

TEST_F(ExportWindow, TheProgramTakesSizePresetAndCaption) {
  ExportDialog& dialog = open();
  dialog.fields().chooseForm("svg");
  ASSERT_TRUE(dialog.fields().chooseView("program"));
  const QSizeF whole = dialog.preview().figure().size;
  EXPECT_LT(whole.width(), 960) << "no empty room beside it";
  dialog.fields().choosePreset("single");
  EXPECT_LE(dialog.preview().figure().size.width(), 85 / 25.4 * 96 + 1);
  dialog.fields().setSize({700, 300});
  dialog.fields().setCaption("What is measured");
  const Figure& figure = dialog.preview().figure();
  EXPECT_EQ(figure.size, QSizeF(700, 300));
  EXPECT_TRUE(texts(dialog).contains("What is measured"));
  EXPECT_TRUE(QRectF(0, 0, 700, 300).contains(figure.plot));
  EXPECT_NEAR(figure.plot.width() / figure.plot.height(),
              figure.pictureSize.width() / figure.pictureSize.height(), 1e-6);
}

TEST_F(ExportWindow, OffersGeneratedCodeWhereThereIsAWorker) {
  EXPECT_FALSE(open().fields().chooseCode("static"));
  auto source = sourceOf();
  source->setWorker({"fusebench-cli", "worker"});
  ExportDialog& dialog = open(std::move(source));
  dialog.fields().chooseForm("html");
  ASSERT_TRUE(dialog.fields().chooseCode("static"));
  EXPECT_EQ(dialog.fields().choices().code, std::vector<std::string>{"static"});
  EXPECT_TRUE(dialog.previewText().contains("Generated code"));
  dialog.fields().chooseForm("svg");
  EXPECT_TRUE(dialog.fields().choices().code.empty());
}

TEST(ExportFromTheWindow, ExportsAComparisonAndOpensItAgain) {
  QTemporaryDir folder;
  Settings settings(folder.filePath("settings.ini"));
  settings.setExplore(false);
  MainWindow window(settings, test::fakeRunner(std::make_shared<test::FakeStudy>()), Dialogs{},
                    folder.path());
  window.show();
  const auto a = measuredRun(), b = measuredRun(40);
  const ExportedRun both[] = {test::exportedOf(a, "before"), test::exportedOf(b, "after")};
  const std::string html = toHtml(makeReport(both)).toStdString();
  writeFile(folder.filePath("both.html").toStdString(), html);
  ASSERT_TRUE(window.openFile(folder.filePath("both.html")));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !window.files().opening(); }, 60'000));
  CompareView& compare = window.workbench().view<CompareView>();
  EXPECT_TRUE(compare.header().text().contains("both 2"));
  compare.exportButton().click();
  auto* dialog = window.findChild<ExportDialog*>("exportDialog");
  ASSERT_TRUE(dialog);
  EXPECT_EQ(dialog->windowTitle(), "Export comparison");
  dialog->fields().chooseForm("svg");
  EXPECT_EQ(dialog->preview().figure().id, "ratio");
}

TEST(ComparisonInTheWindow, HasRoomInASmallOneForTheRunsTableIsAway) {
  QTemporaryDir folder;
  Settings settings(folder.filePath("settings.ini"));
  settings.setExplore(false);
  MainWindow window(settings, test::fakeRunner(std::make_shared<test::FakeStudy>()), Dialogs{},
                    folder.path());
  window.resize(960, 600);
  window.show();
  const auto a = measuredRun(), b = measuredRun(40);
  const ExportedRun both[] = {test::exportedOf(a, "before"), test::exportedOf(b, "after")};
  writeFile(folder.filePath("both.html").toStdString(), toHtml(makeReport(both)).toStdString());
  ASSERT_TRUE(window.openFile(folder.filePath("both.html")));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !window.files().opening(); }, 60'000));
  CompareView& compare = window.workbench().view<CompareView>();
  auto* table = compare.findChild<QTableView*>();
  EXPECT_TRUE(table->isVisible()) << "while the runs are still being compared, too";
  ASSERT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() > 0; }, 30'000));
  QCoreApplication::processEvents();
  EXPECT_FALSE(window.workbench().view<ResultsView>().isVisible());
  EXPECT_GE(compare.height(), 380);
  EXPECT_GE(compare.header().height(), compare.header().heightForWidth(compare.header().width()));
  EXPECT_GE(compare.findChild<RatioPlot*>()->height(), 120);
  EXPECT_GE(table->viewport()->height(), 3 * 24) << "rows";
  window.workbench().showView("chart");
  EXPECT_TRUE(window.workbench().view<ResultsView>().isVisible());
}

TEST(ExportFromTheWindow, OpensOnWhatTheChartShows) {
  QTemporaryDir folder;
  Settings settings(folder.filePath("settings.ini"));
  settings.setExplore(false);
  MainWindow window(settings, test::fakeRunner(std::make_shared<test::FakeStudy>()), Dialogs{},
                    folder.path());
  window.show();
  ASSERT_TRUE(window.openMainStudy());
  EXPECT_FALSE(window.actions().exportRun->isEnabled()) << "nothing was measured";
  window.controller().setRun(measuredRun());
  ASSERT_TRUE(QTest::qWaitFor([&] { return window.analysisModel().upToDate(); }));
  EXPECT_TRUE(window.actions().exportRun->isEnabled());
  EXPECT_TRUE(window.workbench().view<ChartView>().actions().contains(window.actions().exportRun));
  window.workbench().view<ChartView>().setMetric(Metric::speedUp);
  window.workbench().view<ChartView>().setLogAxis(true);
  window.workbench().view<ChartView>().setShowModels(false);
  window.actions().exportRun->trigger();
  auto* dialog = window.findChild<ExportDialog*>("exportDialog");
  ASSERT_TRUE(dialog);
  EXPECT_EQ(dialog->fields().choices().view, "speed-up");
  EXPECT_TRUE(dialog->fields().choices().hidden.contains(fittedLinesName()));
  dialog->fields().chooseForm("svg");
  EXPECT_TRUE(dialog->preview().figure().x.logarithmic);
  EXPECT_GT(dialog->preview().figure().x.high, 30) << "all is shown";
  dialog->fields().chooseForm("md");
  EXPECT_TRUE(dialog->previewText().startsWith("## "));
}

TEST(ExportFromTheWindow, TakesHiddenCurvesTheSliceAndPublishedCurvesAlong) {
  QTemporaryDir folder;
  Settings settings(folder.filePath("settings.ini"));
  settings.setExplore(false);
  MainWindow window(settings, test::fakeRunner(std::make_shared<test::FakeStudy>()), Dialogs{},
                    folder.path());
  window.show();
  const auto exported = [&]() -> ExportDialog& {
    delete window.findChild<ExportDialog*>("exportDialog");
    window.actions().exportRun->trigger();
    auto& dialog = *window.findChild<ExportDialog*>("exportDialog");
    dialog.fields().chooseForm("svg");
    return dialog;
  };
  window.controller().setRun(
      test::mapRun({1, 10, 20}, {16, 64, 256}, [](double n, double) { return n > 5 ? 2.0 : 0.5; }));
  ASSERT_TRUE(QTest::qWaitFor([&] { return window.analysisModel().upToDate(); }));
  emit window.workbench().view<ChartChoices>().sliceChosen(2);
  EXPECT_EQ(exported().fields().choices().slice, 2U);

  ASSERT_TRUE(window.openMainStudy());
  window.controller().setRun(measuredRun());
  ASSERT_TRUE(QTest::qWaitFor([&] { return window.analysisModel().upToDate(); }));
  window.workbench().view<ChartView>().setShowPublished(false);
  for (LegendEntry* entry : window.workbench().view<ChartView>().legend().entries())
    if (entry->item().name == "static") entry->click();
  ExportDialog& dialog = exported();
  EXPECT_EQ(dialog.preview().figure().series.size(), 2U);
  EXPECT_TRUE(dialog.fields().parts().contains(publishedName()));
  const auto published = [&] {
    return std::ranges::count_if(dialog.preview().figure().items, [](const FigureItem& item) {
      return item.group.startsWith("published-curve");
    });
  };
  EXPECT_EQ(published(), 0);
  dialog.fields().setShown(publishedName(), true);
  EXPECT_GT(published(), 2);
  window.workbench().view<ChartView>().setShowPublished(true);
  EXPECT_GT(std::ranges::count_if(
                exported().preview().figure().items,
                [](const FigureItem& item) { return item.group.startsWith("published-curve"); }),
            2);
}

}  // namespace
}  // namespace fusebench
