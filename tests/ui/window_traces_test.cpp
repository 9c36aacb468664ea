// SPDX-License-Identifier: GPL-3.0-or-later
// Traces in the whole window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUrl>

#include "profiler/trace_import.h"
#include "tests/ui/synthetic.h"
#include "ui/views/banner.h"
#include "ui/views/main_window.h"
#include "ui/views/timeline_view.h"
#include "ui/views/workbench.h"

namespace fusebench {
namespace {

constexpr const char* kTrace = FUSEBENCH_SOURCE_DIR "/tests/profiler/traces/kineto_cpu.json";

class WindowTraces : public testing::Test {
 protected:
  WindowTraces() {
    dialogs.openFile = [this](QWidget*, const QString&) { return toOpen; };
    dialogs.saveFile = [this](QWidget*, const QString&, const QString&) { return toSave; };
    dialogs.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), dialogs,
                                          folder.filePath("data"));
    window->openMainStudy();
    window->show();
  }
  void wait() {
    for (int i = 0; i < 1'000 && window->timeline().loader().busy(); ++i) QTest::qWait(10);
  }
  void click(const QString& text) {
    for (auto* button : window->workbench().timeline().findChildren<QToolButton*>())
      if (button->text() == text) return QTest::mouseClick(button, Qt::LeftButton);
    FAIL() << text.toStdString();
  }
  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  QString toOpen, toSave;
  std::unique_ptr<MainWindow> window;
};

TEST_F(WindowTraces, OpenAsAFileAndLeaveTheExperimentAlone) {
  const Experiment before = window->document().experiment();
  EXPECT_TRUE(window->openFile(kTrace));
  EXPECT_TRUE(window->workbench().shows("timeline"));
  wait();
  ASSERT_EQ(window->timeline().shown().size(), 1u);
  EXPECT_EQ(toJson(window->document().experiment()), toJson(before));
  EXPECT_EQ(settings.recentFiles().value(0), kTrace);
}

TEST_F(WindowTraces, AreDropped) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(kTrace)});
  QDragEnterEvent enter(QPoint(640, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window.get(), &enter);
  QDropEvent drop(QPointF(640, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window.get(), &drop);
  EXPECT_TRUE(QTest::qWaitFor([this] { return window->timeline().shown().size() == 1; }, 10'000));
}

TEST_F(WindowTraces, ComeBelowAndGoOut) {
  window->openFile(kTrace);
  wait();
  toOpen = kTrace;
  click("Below…");
  wait();
  EXPECT_EQ(window->timeline().shown().size(), 2u);
  toSave = folder.filePath("out.json.gz");
  click("Export…");
  wait();
  EXPECT_THAT(window->banner().text().toStdString(), testing::HasSubstr("out.json.gz"));
  EXPECT_EQ(differenceOf(*window->timeline().shown()[0].trace, *importTrace(toSave.toStdString())),
            "");
}

TEST_F(WindowTraces, ThatCannotBeReadSayWhy) {
  QFile wrong(folder.filePath("wrong.json"));
  ASSERT_TRUE(wrong.open(QIODevice::WriteOnly));
  wrong.write("[1,2,3]");
  wrong.close();
  window->openFile(wrong.fileName());
  wait();
  EXPECT_THAT(window->workbench().timeline().notice().text().toStdString(),
              testing::HasSubstr("no event of the trace can be shown: 3 malformed"));
}

}  // namespace
}  // namespace fusebench
