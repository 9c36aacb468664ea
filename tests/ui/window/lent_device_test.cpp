// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson's device, and the chip that shows on what Run measures.
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QPushButton>
#include <QTemporaryDir>
#include <memory>

#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/views/course/course_view.h"
#include "ui/views/window/files_controller.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

class LentDevice : public testing::Test {
 protected:
  LentDevice() {
    dialogs.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
    settings.setExplore(false);
    open();
  }
  ~LentDevice() override { study->rounds = 0; }
  void open() {
    window.reset();
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), dialogs,
                                          folder.filePath("data"));
    window->openMainStudy();
    window->show();
  }
  CourseView& course() { return window->workbench().view<CourseView>(); }
  /// Opens the lesson and takes what it offers: its experiment, and its device.
  void beginLesson() {
    emit window->files().lessonGiven("copies");
    emit course().showWanted();
    emit course().deviceWanted("sim:h100");
    test::handleEvents();
    ASSERT_EQ(chosen(), "sim:h100");
  }
  std::string chosen() { return window->devices().device(); }
  std::string chip() { return window->actions().device->text().toStdString(); }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  std::unique_ptr<MainWindow> window;
};

TEST_F(LentDevice, IsGivenBackByNew) {
  EXPECT_EQ(chip(), "cpu");
  beginLesson();
  EXPECT_EQ(chip(), "sim:h100 (simulated)");
  window->newChain();
  EXPECT_EQ(chosen(), "cpu");
  EXPECT_EQ(chip(), "cpu");
}

TEST_F(LentDevice, IsGivenBackByAnotherExperiment) {
  beginLesson();
  window->openMainStudy();
  EXPECT_EQ(chosen(), "cpu");
}

TEST_F(LentDevice, IsGivenBackByAnotherLesson) {
  beginLesson();
  emit window->files().lessonGiven("threads");
  EXPECT_EQ(chosen(), "cpu");
}

TEST_F(LentDevice, IsGivenBackByARestart) {
  beginLesson();
  open();
  EXPECT_EQ(chosen(), "cpu");
}

TEST_F(LentDevice, StaysWhileTheLessonsExperimentIsOpen) {
  beginLesson();
  emit course().showWanted();
  test::handleEvents();
  EXPECT_EQ(chosen(), "sim:h100");
}

TEST_F(LentDevice, ADeviceThatThePersonChoseStays) {
  beginLesson();
  window->devices().choose("sim:slow-launch");
  window->newChain();
  EXPECT_EQ(chosen(), "sim:slow-launch");
}

TEST_F(LentDevice, IsNotNotedForALessonThatAsksForTheProcessor) {
  window->devices().choose("sim:slow-launch");
  emit window->files().lessonGiven("launch-cost");
  emit course().deviceWanted("cpu");
  test::handleEvents();
  EXPECT_EQ(chosen(), "cpu");
  window->newChain();
  EXPECT_EQ(chosen(), "cpu");
}

TEST_F(LentDevice, MeasuringKeepsTheKeyboardOnTheLesson) {
  emit window->files().lessonGiven("launch-cost");
  test::handleEvents();
  auto* measure = course().findChild<QPushButton*>(QStringLiteral("courseMeasure"));
  window->activateWindow();
  measure->setFocus();
  ASSERT_EQ(QApplication::focusWidget(), measure);
  measure->click();
  test::handleEvents();
  EXPECT_EQ(QApplication::focusWidget(), measure);
}

}  // namespace
}  // namespace fusebench
