// SPDX-License-Identifier: GPL-3.0-or-later
// What a new user does in the first minutes, in one go, with mouse and keys: each step from where
// the one before ended, so that none of them leads to a dead end.
#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <vector>

#include "tests/support/built_paths.h"
#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/views/canvas/canvas_edge_item.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/export/export_dialog.h"
#include "ui/views/setup/inspector.h"
#include "ui/views/setup/inspector_variants.h"
#include "ui/views/timeline/kernel_table.h"
#include "ui/views/timeline/timeline_figures.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

const QString kTraces =
    QString::fromStdString(fusebench::test::sourcePath("/tests/profiler/traces/"));

class FirstWalk : public testing::Test {
 protected:
  FirstWalk() {
    dialogs.openFile = [this](QWidget*, const QString&) { return toOpen; };
    dialogs.saveFile = [this](QWidget*, const QString& suggestion, const QString&) {
      return saved = folder.filePath(QFileInfo(suggestion).fileName());
    };
    dialogs.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), dialogs,
                                          folder.filePath("data"));
    window->resize(1280, 800);
    window->openMainStudy();
    window->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    window->activateWindow();
    window->explore().setEnabled(false);
  }
  ~FirstWalk() override { study->rounds = 0; }

  template <typename View>
  View& view() {
    return window->workbench().view<View>();
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), key, modifiers);
  }
  void type(const QString& words) {
    ASSERT_TRUE(QApplication::focusWidget());
    QTest::keyClicks(QApplication::focusWidget(), words);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  }
  /// Scrolls the widget into view, as a user would, and clicks it.
  void click(QWidget& widget) {
    view<Inspector>().ensureWidgetVisible(&widget);
    test::handleEvents();
    ASSERT_TRUE(widget.isVisible() && widget.isEnabled());
    // A box is ticked at its left, wherever its text ends.
    QTest::mouseClick(&widget, Qt::LeftButton, {}, {8, widget.height() / 2});
  }
  void tick(const char* executor) {
    for (ExecutorRow* row : view<Inspector>().findChildren<ExecutorRow*>())
      if (row->executor() == executor) return click(row->tick());
    FAIL() << executor;
  }
  template <typename Button>
  Button* button(QWidget& in, const char* text) {
    for (Button* each : in.findChildren<Button*>())
      if (each->text() == QString::fromUtf8(text)) return each;
    return nullptr;
  }
  void openTrace(const char* buttonText, const char* file) {
    toOpen = kTraces + QLatin1String(file);
    auto* open = button<QToolButton>(view<TimelineView>(), buttonText);
    ASSERT_TRUE(open);
    QTest::mouseClick(open, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window->timeline().loader().busy(); }, 20'000));
  }
  void show(const char* figures) {
    QComboBox& subject = view<TimelineView>().figures().subject();
    const int at = subject.findText(QLatin1String(figures));
    ASSERT_GE(at, 0) << figures;
    subject.setFocus();
    QTest::keyClick(&subject, Qt::Key_Home);
    for (int i = 0; i < at; ++i) QTest::keyClick(&subject, Qt::Key_Down);
    ASSERT_EQ(subject.currentIndex(), at);
  }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  QString toOpen, saved;
  std::unique_ptr<MainWindow> window;
};

TEST_F(FirstWalk, FromAChainToAReportHasNoDeadEnd) {
  const auto experiment = [this] { return window->document().experiment(); };
  // A chain.
  press(Qt::Key_N, Qt::ControlModifier);
  press(Qt::Key_3, Qt::AltModifier);
  for (const char* op : {"mul", "sigmoid", "tanh", "exp"}) type(QLatin1String(op));
  ASSERT_EQ(experiment().program.statements.size(), 4u);

  // The tensor's shape: a click on the shape next to the input leads to the field.
  const CanvasSurface& surface = view<CanvasView>().surface();
  test::handleEvents();
  QTest::mouseClick(surface.viewport(), Qt::LeftButton, {},
                    surface.mapFromScene(surface.edge(0).labelFrame().center()));
  test::handleEvents();
  auto* shape = qobject_cast<QLineEdit*>(QApplication::focusWidget());
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->accessibleName(), "Shape of x");
  EXPECT_EQ(shape->selectedText(), "8, 16") << "typing replaces it";
  type(QStringLiteral("64, 256"));
  EXPECT_EQ(experiment().inputSets[0].inputs[0].extents, (std::vector<std::string>{"64", "256"}));

  // Two executors, and its size.
  tick("replay");
  tick("static+replay");
  EXPECT_EQ(experiment().variants.size(), 6u);
  auto* sweep = button<QAbstractButton>(view<Inspector>(), "Sweep size");
  ASSERT_TRUE(sweep);
  click(*sweep);
  EXPECT_EQ(experiment().axes[0].name, "elements");
  EXPECT_TRUE(window->document().runnable());
  press(Qt::Key_R, Qt::ControlModifier);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !window->controller().busy(); }, 20'000));
  ASSERT_TRUE(window->runModel().run());
  EXPECT_EQ(window->runModel().run()->experiment.variants.size(), 6u);

  // A trace, its longest gap, and another below it.
  window->workbench().showView("timeline");
  openTrace("Open…", "torch_2_11_h100_eager.json.gz");
  EXPECT_TRUE(window->windowTitle().startsWith("torch_2_11_h100_eager.json.gz"));
  show("Longest gaps");
  KernelTable& table = view<TimelineView>().table();
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                    table.visualRect(table.model()->index(0, 0)).center());
  ASSERT_TRUE(window->timeline().selection());
  EXPECT_NEAR(double(window->timeline().selection()->length()), 51.8e6, 0.1e6);
  openTrace("Add trace to compare…", "torch_2_11_h100_replay.json.gz");
  ASSERT_EQ(window->timeline().shown().size(), 2u);
  show("Two traces compared");
  EXPECT_EQ(table.model()->index(0, 0).data().toString(), "All together");
  EXPECT_GT(table.model()->rowCount(), 2);

  // The report of what was measured.
  window->workbench().showView("chart");
  press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
  auto* dialog = window->findChild<ExportDialog*>();
  ASSERT_TRUE(dialog && dialog->isVisible());
  auto* write = button<QPushButton>(*dialog, "Export…");
  ASSERT_TRUE(write);
  QTest::mouseClick(write, Qt::LeftButton);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !dialog->busy(); }, 60'000));
  EXPECT_TRUE(saved.endsWith("new-experiment.html")) << saved.toStdString();
  EXPECT_GT(QFileInfo(saved).size(), 10'000);
}

}  // namespace
}  // namespace fusebench
