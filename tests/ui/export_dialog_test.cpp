// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/export_dialog.h"

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

#include "profiler/files.h"
#include "tests/ui/exported.h"
#include "tests/ui/map_run.h"
#include "tests/ui/synthetic.h"
#include "ui/models/documents.h"
#include "ui/views/chart_view.h"
#include "ui/views/compare_view.h"
#include "ui/views/figure_preview.h"
#include "ui/views/main_window.h"
#include "ui/views/workbench.h"

namespace fusebench {
namespace {

using test::measuredRun;

class ExportWindow : public testing::Test {
 protected:
  ExportDialog& open(fusebench::Run run = measuredRun()) {
    auto kept = std::make_shared<const fusebench::Run>(std::move(run));
    dialog_ = std::make_unique<ExportDialog>(kept, findCrossings(*kept), Dialogs{}, folder_.path());
    dialog_->show();
    return *dialog_;
  }
  QTemporaryDir folder_;
  std::unique_ptr<ExportDialog> dialog_;
};

TEST_F(ExportWindow, ShowsTheChartThatItWillWrite) {
  ExportDialog& dialog = open();
  ASSERT_TRUE(dialog.chooseForm("svg"));
  EXPECT_EQ(dialog.preview().figure().id, "latency");
  ASSERT_TRUE(dialog.chooseView("speed-up"));
  EXPECT_EQ(dialog.preview().figure().id, "speed-up");
  ASSERT_TRUE(dialog.choosePreset("single"));
  EXPECT_NEAR(dialog.preview().figure().size.width(), 85 / 25.4 * 96, 1);
  EXPECT_EQ(dialog.choices().style.theme.seriesColors, greyTheme().seriesColors);
  EXPECT_FALSE(dialog.chooseView("map")) << "one axis only";
}

TEST_F(ExportWindow, ShowsDataAsText) {
  ExportDialog& dialog = open();
  ASSERT_TRUE(dialog.chooseForm("csv"));
  EXPECT_TRUE(dialog.previewText().startsWith("statements,variant"));
  ASSERT_TRUE(dialog.chooseForm("html"));
  EXPECT_TRUE(dialog.previewText().contains("Machine and method"));
}

TEST_F(ExportWindow, WritesInTheBackgroundAndSaysWhenDone) {
  ExportDialog& dialog = open();
  QSignalSpy written(&dialog, &ExportDialog::exported), failed(&dialog, &ExportDialog::failed);
  for (const ExportForm& form : exportForms()) {
    ASSERT_TRUE(dialog.chooseForm(form.ending));
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
  dialog.chooseForm("png");
  dialog.copy();
  const QMimeData* data = QGuiApplication::clipboard()->mimeData();
  ASSERT_TRUE(data->hasImage());
  EXPECT_EQ(qvariant_cast<QImage>(data->imageData()).size(), QSize(1920, 1080));
  EXPECT_TRUE(data->data("image/svg+xml").contains("<svg"));
  dialog.chooseForm("md");
  dialog.copy();
  EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith("## "));
}

TEST_F(ExportWindow, OffersTheMapOfARunOverTwoAxes) {
  ExportDialog& dialog = open(
      test::mapRun({1, 10, 20}, {16, 64, 256}, [](double n, double) { return n > 5 ? 2.0 : 0.5; }));
  dialog.chooseForm("svg");
  ASSERT_TRUE(dialog.chooseView("map"));
  EXPECT_EQ(dialog.preview().figure().id, "map");
}

TEST_F(ExportWindow, WritesAComparison) {
  ExportDialog& dialog = open();
  dialog.compareWith("before", std::make_shared<const fusebench::Run>(measuredRun(40)), "after");
  dialog.chooseForm("html");
  EXPECT_TRUE(dialog.previewText().contains("Comparison"));
  EXPECT_TRUE(dialog.previewText().contains("Where a call's time goes"));
  QSignalSpy written(&dialog, &ExportDialog::exported);
  dialog.writeTo(folder_.filePath("both.html"));
  ASSERT_TRUE(written.wait(60'000));
  EXPECT_EQ(openRuns(folder_.filePath("both.html")).size(), 2U);
  dialog.chooseForm("svg");
  EXPECT_EQ(dialog.preview().figure().series.size(), 6U);
}

TEST_F(ExportWindow, OffersGeneratedCodeWhereThereIsAWorker) {
  ExportDialog& dialog = open();
  dialog.chooseForm("html");
  ASSERT_TRUE(dialog.chooseCode("static"));
  EXPECT_TRUE(dialog.choices().code.empty());
  dialog.setWorker({"fusebench-cli", "worker"});
  EXPECT_EQ(dialog.choices().code, std::vector<std::string>{"static"});
  EXPECT_TRUE(dialog.previewText().contains("Generated code"));
  dialog.chooseForm("svg");
  EXPECT_TRUE(dialog.choices().code.empty());
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
  CompareView& compare = window.workbench().compare();
  EXPECT_TRUE(compare.header().text().contains("both 2"));
  compare.exportButton().click();
  auto* dialog = window.findChild<ExportDialog*>("exportDialog");
  ASSERT_TRUE(dialog);
  EXPECT_EQ(dialog->windowTitle(), "Export comparison");
  dialog->chooseForm("svg");
  EXPECT_EQ(dialog->preview().figure().series.size(), 6U);
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
  EXPECT_TRUE(window.workbench().chart().actions().contains(window.actions().exportRun));
  window.workbench().chart().setMetric(Metric::speedUp);
  window.workbench().chart().setLogAxis(true);
  window.workbench().chart().setShowModels(false);
  window.actions().exportRun->trigger();
  auto* dialog = window.findChild<ExportDialog*>("exportDialog");
  ASSERT_TRUE(dialog);
  EXPECT_EQ(dialog->choices().view, "speed-up");
  EXPECT_EQ(dialog->choices().shown.logAxis, true);
  EXPECT_FALSE(dialog->choices().style.models);
  EXPECT_FALSE(dialog->choices().shown.x) << "all is shown";
  dialog->chooseForm("md");
  EXPECT_TRUE(dialog->previewText().startsWith("## "));
}

}  // namespace
}  // namespace fusebench
