// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/tab_order.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <stop_token>
#include <string>

#include "tests/ui/events.h"
#include "tests/ui/export/exported.h"
#include "tests/ui/synthetic.h"
#include "ui/export/run_export.h"
#include "ui/models/window/settings.h"
#include "ui/views/export/export_dialog.h"
#include "ui/views/export/export_fields.h"
#include "ui/views/setup/python_dialog.h"
#include "ui/views/whatif/what_if_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/view_rows.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

QRect placeOf(const QWidget* widget) {
  return {widget->mapTo(widget->window(), QPoint()), widget->size()};
}

std::string wordsFor(const QWidget* widget) {
  return std::string(widget->metaObject()->className()) + " \"" +
         (widget->accessibleName() + widget->property("text").toString()).toStdString() + "\" at " +
         std::to_string(placeOf(widget).x()) + ", " + std::to_string(placeOf(widget).y());
}

bool within(const QWidget* inner, const QWidget* outer) {
  for (const QWidget* at = inner; at; at = at->parentWidget())
    if (at == outer) return true;
  return false;
}

/// Whether the eye would have to go back from `a` to `b`: up, and not into the next column.
bool isAStepBack(const QWidget* a, const QWidget* b) {
  if (within(a, b) || within(b, a)) return false;
  const QRect from = placeOf(a), to = placeOf(b);
  return to.center().y() < from.top() && to.left() < from.right();
}

/// The widgets of a window that can have the keyboard focus, in any order.
std::vector<QWidget*> reachable(QWidget& window) {
  std::vector<QWidget*> all;
  for (QWidget* widget : window.findChildren<QWidget*>())
    if (widget->window() == &window && widget->isVisible() && widget->isEnabled() &&
        (widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy() &&
        !widget->size().isEmpty())
      all.push_back(widget);
  return all;
}

/// The widgets that have the focus after each press of Tab, until it returns to the first one.
std::vector<QWidget*> walk(QWidget& window, QWidget* first) {
  std::vector<QWidget*> visited{first};
  for (int presses = 0; presses < 600; ++presses) {
    QWidget* at = window.focusWidget();
    QTest::keyClick(at, Qt::Key_Tab);
    QWidget* now = window.focusWidget();
    if (now == first) break;
    if (now != at) visited.push_back(now);
  }
  return visited;
}

void expectEachOnce(const std::vector<QWidget*>& visited, const std::vector<QWidget*>& expected) {
  for (QWidget* widget : expected)
    EXPECT_EQ(std::ranges::count(visited, widget), 1) << wordsFor(widget);
  for (std::size_t i = 1; i < visited.size(); ++i)
    EXPECT_FALSE(isAStepBack(visited[i - 1], visited[i]))
        << wordsFor(visited[i - 1]) << ", then " << wordsFor(visited[i]);
}

class TabOrder : public testing::Test {
 protected:
  TabOrder() {
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), Dialogs{},
                                          folder.filePath("data"));
    window->resize(1500, 900);
    window->openMainStudy();
    window->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    window->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
    window->run();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !window->controller().busy(); }, 10'000));
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->analysisModel().upToDate(); }, 20'000));
  }
  ~TabOrder() override { study->rounds = 0; }
  /// Until a view has what it computes by itself, controls come and go in it.
  void show(const ViewRow& row) {
    window->workbench().showView(QString::fromLatin1(row.key));
    const auto* whatIf = window->findChild<WhatIfView*>();
    EXPECT_TRUE(QTest::qWaitFor([whatIf] { return !whatIf || !whatIf->model().busy(); }, 20'000));
    test::handleEvents();
  }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  std::unique_ptr<MainWindow> window;
};

TEST_F(TabOrder, OfEachViewComesByEveryControlAndNeverGoesBack) {
  for (const ViewRow& row : viewRows()) {
    SCOPED_TRACE(row.key);
    show(row);
    const std::vector<QWidget*> order = tabOrder(*window);
    ASSERT_FALSE(order.empty());
    order.front()->setFocus(Qt::TabFocusReason);
    const std::vector<QWidget*> visited = walk(*window, order.front());
    expectEachOnce(visited, reachable(*window));
  }
}

TEST_F(TabOrder, WhatHasTheKeyboardShowsIt) {
  window->setAttribute(Qt::WA_KeyboardFocusChange);  // as a press of Tab does
  for (const ViewRow& row : viewRows()) {
    SCOPED_TRACE(row.key);
    show(row);
    const std::vector<QWidget*> order = tabOrder(*window);
    for (std::size_t i = 0; i < order.size(); ++i) {
      // Far from what is looked at, so that nothing else there changes.
      order[(i + order.size() / 2) % order.size()]->setFocus(Qt::TabFocusReason);
      const QImage before = order[i]->grab().toImage();
      order[i]->setFocus(Qt::TabFocusReason);
      test::handleEvents();
      EXPECT_TRUE(order[i]->grab().toImage() != before) << wordsFor(order[i]);
    }
  }
}

TEST(TabOrderOfDialogs, ComesByEveryControlAndNeverGoesBack) {
  QTemporaryDir folder;
  Settings settings(folder.filePath("settings.ini"));
  const auto run = std::make_shared<const fusebench::Run>(test::measuredRun());
  std::vector<std::unique_ptr<QDialog>> dialogs;
  for (const char* form : {"svg", "csv"}) {
    auto shown = std::make_unique<ExportDialog>(
        std::make_unique<RunExport>(run, findCrossings(*run)), Dialogs{}, folder.path());
    ASSERT_TRUE(shown->fields().chooseForm(form));
    dialogs.push_back(std::move(shown));
  }
  dialogs.push_back(std::make_unique<PythonDialog>(
      settings, [](const std::string&, std::stop_token) { return DoctorCheck{}; }));
  for (const auto& dialog : dialogs) {
    SCOPED_TRACE(dialog->windowTitle().toStdString());
    dialog->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog.get()));
    dialog->activateWindow();
    const std::vector<QWidget*> order = tabOrder(*dialog);
    order.front()->setFocus(Qt::TabFocusReason);
    expectEachOnce(walk(*dialog, order.front()), reachable(*dialog));
    dialog->hide();
  }
}

}  // namespace
}  // namespace fusebench
