// SPDX-License-Identifier: GPL-3.0-or-later
// The questions when a window closes, and the state that the next window finds.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "profiler/experiment/experiment.h"
#include "tests/ui/synthetic.h"
#include "ui/models/results/comparison.h"
#include "ui/views/base/banner.h"
#include "ui/views/window/main_window.h"

namespace fusebench {
namespace {

class ClosingWindow : public testing::Test {
 protected:
  ClosingWindow() {
    dialogs.unsaved = [this](QWidget*, const QString&) { return answer; };
  }
  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  Dialogs::Unsaved answer = Dialogs::Unsaved::discard;
};

TEST_F(ClosingWindow, WhatIsDiscardedAtTheEndDoesNotComeBack) {
  const QString data = folder.filePath("other");
  const auto shownNext = [&] {
    MainWindow next(settings, test::fakeRunner(study), dialogs, data);
    next.restoreSession();
    EXPECT_FALSE(next.document().modified());
    return QString::fromStdString(next.document().experiment().title);
  };
  const auto closeWith = [&](const QString& title, const QString& file) {
    MainWindow one(settings, test::fakeRunner(study), dialogs, data);
    one.restoreSession();
    EXPECT_TRUE(file.isEmpty() || one.openFile(file));
    one.document().edit("Rename", {},
                        [&](Experiment& experiment) { experiment.title = title.toStdString(); });
    answer = Dialogs::Unsaved::discard;
    EXPECT_TRUE(one.close());
  };
  closeWith("Discarded", {});
  EXPECT_EQ(shownNext(), "Fusion against launches");
  const QString saved = folder.filePath("mine.json");
  Experiment mine = test::syntheticExperiment();
  mine.title = "Mine";
  saveExperiment(mine, saved.toStdString());
  closeWith("Discarded", saved);
  EXPECT_EQ(shownNext(), "Mine");
}

TEST_F(ClosingWindow, ClosingWhileRunningAsksFirstAndStopsNothingIfTheAnswerIsNo) {
  int askedToStop = 0;
  bool stop = false;
  Dialogs asking = dialogs;
  asking.stop = [&](QWidget*, const QString&) {
    ++askedToStop;
    return stop;
  };
  MainWindow one(settings, test::fakeRunner(study), asking, folder.filePath("other"));
  one.openMainStudy();
  one.show();
  study->rounds = 100'000;
  one.run();
  ASSERT_TRUE(QTest::qWaitFor(
      [&] {
        return one.controller().state() == StudyController::State::running &&
               one.runModel().run() && sampleCount(*one.runModel().run()) > 0;
      },
      10'000));
  EXPECT_FALSE(one.close());
  EXPECT_EQ(askedToStop, 1);
  EXPECT_EQ(one.controller().state(), StudyController::State::running);
  // No question is lost for the first having been answered, and nothing is stopped before the last.
  stop = true;
  one.document().edit("Rename", {}, [](Experiment& experiment) { experiment.title = "Mine"; });
  answer = Dialogs::Unsaved::cancel;
  EXPECT_FALSE(one.close());
  EXPECT_TRUE(one.controller().busy());
  EXPECT_EQ(one.controller().state(), StudyController::State::running);
  answer = Dialogs::Unsaved::discard;
  one.close();
  EXPECT_TRUE(QTest::qWaitFor([&] { return !one.isVisible(); }, 10'000));
  EXPECT_EQ(askedToStop, 3);
}

TEST_F(ClosingWindow, ASessionThatCannotBeReadIsKeptUnderAnotherNameAndNamed) {
  QTemporaryDir other;
  const QString data = other.filePath("data");
  const auto write = [&](const QByteArray& text) {
    QDir().mkpath(data);
    QFile file(data + "/session.json");
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
  };
  const auto start = [&] {
    MainWindow next(settings, test::fakeRunner(study), dialogs, data);
    next.restoreSession();
    EXPECT_EQ(next.document().experiment().title, "Fusion against launches");
    return next.banner().text();
  };
  write("{\"experiment\": {\"title\": \"Half written");
  EXPECT_TRUE(start().contains("session-unread-1.json"));
  write(QByteArray(200'000, '['));
  EXPECT_TRUE(start().contains("session-unread-2.json"));
  QFile first(data + "/session-unread-1.json");
  ASSERT_TRUE(first.open(QIODevice::ReadOnly));
  EXPECT_TRUE(first.readAll().contains("Half written"));
  QFile::remove(data + "/session.json");
  EXPECT_FALSE(start().contains("session-unread"));
}

}  // namespace
}  // namespace fusebench
