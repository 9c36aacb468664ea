// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "tests/support/built_paths.h"
#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/view_groups.h"
#include "ui/views/window/workbench.h"

namespace fusebench::test {

/// A window with the main study, whose views are moved about.
class Room : public testing::Test {
 protected:
  Room() { open(); }
  ~Room() override { study->rounds = 0; }
  void open() {
    dialogs.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), dialogs,
                                          folder.filePath("data"));
    window->resize(1280, 800);
    window->openMainStudy();
    window->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    window->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
    test::handleEvents();
  }
  void openAgain() {
    ASSERT_TRUE(window->close());
    window.reset();
    open();
  }
  Workbench& views() { return window->workbench(); }
  ViewGroups& groups() { return views().groups(); }
  QStringList resultTabs() {
    return views().findChild<TabPanel*>(QStringLiteral("centerTabs"))->keys();
  }
  void press(int key, Qt::KeyboardModifiers modifiers = {}) {
    // Without a window manager nothing is active once an active window has closed.
    if (!QApplication::activeWindow()) {
      window->activateWindow();
      ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    QTest::keyClick(QApplication::activeWindow(), Qt::Key(key), modifiers);
    test::handleEvents();
  }
  QRect placeOf(const QWidget& widget) {
    return {widget.mapTo(widget.window(), QPoint()), widget.size()};
  }
  void openTrace() {
    window->openFile(
        QString::fromStdString(test::sourcePath("/tests/profiler/traces/kineto_cpu.json")));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window->timeline().empty(); }, 60'000));
    test::handleEvents();
  }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  std::unique_ptr<MainWindow> window;
};

}  // namespace fusebench::test
