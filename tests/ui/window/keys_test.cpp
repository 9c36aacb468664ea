// SPDX-License-Identifier: GPL-3.0-or-later
// Presses each key in the window's list of keys and checks that it does what the list states.
#include "ui/views/window/shortcuts_dialog.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolTip>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include "profiler/trace/trace_builder.h"
#include "tests/ui/canvas/canvas_fixture.h"
#include "tests/ui/chart/map_run.h"
#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/models/results/comparison.h"
#include "ui/views/canvas/canvas_field_editor.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/palette_popup.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/map_canvas.h"
#include "ui/views/chart/map_view.h"
#include "ui/views/code/code_editor.h"
#include "ui/views/code/code_pane.h"
#include "ui/views/code/completion_popup.h"
#include "ui/views/lesson/lesson_view.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/runs/runs_view.h"
#include "ui/views/scatter/scatter_view.h"
#include "ui/views/storages/storage_canvas.h"
#include "ui/views/timeline/overview_strip.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/views/window/command_palette.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/view_groups.h"
#include "ui/views/window/view_rows.h"
#include "ui/views/window/view_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

/// The lines of one part of the list, each with what presses its keys and looks at what they do.
using KeyChecks = std::vector<std::pair<const char*, std::function<void()>>>;

/// Tries each line of a part, and that the part has these lines and no others.
void tryPart(const char* part, const KeyChecks& checks) {
  std::multiset<std::string> listed, tried;
  for (const ShownKey& key : shownKeys())
    if (key.part == std::string(part)) listed.insert(key.keys);
  for (const auto& [keys, check] : checks) {
    tried.insert(keys);
    SCOPED_TRACE(std::string(part) + ": " + keys);
    check();
  }
  EXPECT_EQ(listed, tried);
}

class KeysOfTheWindow : public testing::Test {
 protected:
  KeysOfTheWindow() {
    dialogs.openFile = [this](QWidget*, const QString&) {
      ++opened;
      return QString();
    };
    dialogs.saveFile = [this](QWidget*, const QString&, const QString&) {
      return folder.filePath(QStringLiteral("saved%1.json").arg(++saved));
    };
    dialogs.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), dialogs,
                                          folder.filePath("data"));
    window->resize(1280, 800);
    window->openMainStudy();
    window->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    window->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
  }
  ~KeysOfTheWindow() override { study->rounds = 0; }
  void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(window.get(), Qt::Key(key), modifiers);
  }
  template <typename View>
  View& view(const char* key) {
    window->workbench().showView(QLatin1String(key), true);
    return window->workbench().view<View>();
  }
  bool ended() {
    return QTest::qWaitFor([this] { return !window->controller().busy(); }, 10'000);
  }
  void finishARun() {
    window->run();
    ASSERT_TRUE(ended());
    ASSERT_TRUE(QTest::qWaitFor([this] { return window->analysisModel().upToDate(); }, 20'000));
  }
  std::string title() { return window->document().experiment().title; }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  int opened = 0, saved = 0;
  std::unique_ptr<MainWindow> window;
};

constexpr auto kCtrl = Qt::ControlModifier, kShift = Qt::ShiftModifier, kAlt = Qt::AltModifier;

TEST_F(KeysOfTheWindow, AnywhereDoWhatTheListSays) {
  using Region = Workbench::Region;
  Workbench& views = window->workbench();
  tryPart("Anywhere",
          {{"Ctrl+R",
            [&] {
              press(Qt::Key_R, kCtrl);
              EXPECT_TRUE(window->controller().busy());
              EXPECT_TRUE(ended());
            }},
           {"Esc",
            [&] {
              study->rounds = 100'000;
              // The run that begins counts, not the one that is still shown.
              const auto before = window->runModel().shared();
              window->run();
              EXPECT_TRUE(QTest::qWaitFor(
                  [&] {
                    const auto shown = window->runModel().shared();
                    return shown != before && sampleCount(*shown) > 0;
                  },
                  10'000));
              press(Qt::Key_Escape);
              EXPECT_TRUE(ended());
            }},
           {"Ctrl+Shift+R",
            [&] {
              study->rounds = 3;
              press(Qt::Key_R, kCtrl | kShift);
              EXPECT_TRUE(ended());
              EXPECT_TRUE(study->continued);
            }},
           {"Ctrl+E",
            [&] {
              const bool before = settings.explore();
              press(Qt::Key_E, kCtrl);
              EXPECT_NE(settings.explore(), before);
              press(Qt::Key_E, kCtrl);
              EXPECT_EQ(settings.explore(), before);
            }},
           {"Ctrl+K",
            [&] {
              press(Qt::Key_K, kCtrl);
              EXPECT_TRUE(settings.quick());
              press(Qt::Key_K, kCtrl);
              EXPECT_FALSE(settings.quick());
            }},
           {"Ctrl+Z, Ctrl+Shift+Z",
            [&] {
              const std::string before = title();
              window->document().edit("Rename", {}, [](Experiment& each) { each.title = "other"; });
              press(Qt::Key_Z, kCtrl);
              EXPECT_EQ(title(), before);
              press(Qt::Key_Z, kCtrl | kShift);
              EXPECT_EQ(title(), "other");
            }},
           {"Ctrl+Shift+S",
            [&] {
              press(Qt::Key_S, kCtrl | kShift);
              EXPECT_TRUE(QFile::exists(folder.filePath("saved1.json")));
            }},
           {"Ctrl+N, Ctrl+O, Ctrl+S",
            [&] {
              window->document().edit("Rename", {}, [](Experiment& each) { each.title = "third"; });
              press(Qt::Key_S, kCtrl);
              EXPECT_FALSE(window->document().modified());
              EXPECT_EQ(saved, 1) << "it has its place already";
              press(Qt::Key_O, kCtrl);
              EXPECT_EQ(opened, 1);
              press(Qt::Key_N, kCtrl);
              EXPECT_LT(window->document().experiment().program.statements.size(), 3u);
              window->openMainStudy();
            }},
           {"Ctrl+Shift+E",
            [&] {
              finishARun();
              press(Qt::Key_E, kCtrl | kShift);
              QWidget* dialog = QApplication::activeModalWidget();
              ASSERT_TRUE(dialog);
              dialog->close();
              test::handleEvents();
              window->activateWindow();
              EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
            }},
           {"Ctrl+Alt+S",
            [&] {
              const int before = saved;
              press(Qt::Key_S, kCtrl | kAlt);
              EXPECT_EQ(saved, before + 1);
            }},
           {"F6, Shift+F6",
            [&] {
              views.showView("canvas", true);
              const QWidget* before = QApplication::focusWidget();
              press(Qt::Key_F6);
              EXPECT_NE(QApplication::focusWidget(), before);
              press(Qt::Key_F6, kShift);
              EXPECT_EQ(QApplication::focusWidget(), before);
            }},
           {"F7, Shift+F7",
            [&] {
              views.showView("map", true);
              press(Qt::Key_F7);
              EXPECT_TRUE(views.groups().besideShown());
              EXPECT_EQ(views.groups().orientation(), Qt::Horizontal);
              press(Qt::Key_F7, kShift);
              EXPECT_EQ(views.groups().orientation(), Qt::Vertical);
            }},
           {"F8, Shift+F8",
            [&] {
              views.showView("map", true);
              press(Qt::Key_F8);
              EXPECT_FALSE(views.groups().besideShown());
              press(Qt::Key_F8);
              EXPECT_TRUE(views.groups().besideShown());
              press(Qt::Key_F8, kShift);
              EXPECT_FALSE(views.groups().besideShown());
            }},
           {"F9",
            [&] {
              views.showView("map", true);
              press(Qt::Key_F9);
              QWidget* own = views.groups().windowOf("map");
              ASSERT_TRUE(own);
              QTest::keyClick(own, Qt::Key_F9);
              EXPECT_FALSE(views.groups().windowOf("map"));
              test::handleEvents();
              window->activateWindow();
              EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
            }},
           {"F11",
            [&] {
              press(Qt::Key_F11);
              EXPECT_TRUE(window->isFullScreen());
              press(Qt::Key_F11);
              EXPECT_FALSE(window->isFullScreen());
            }},
           {"Shift+F11",
            [&] {
              press(Qt::Key_F11, kShift);
              EXPECT_TRUE(views.focusMode());
              press(Qt::Key_F11, kShift);
              EXPECT_FALSE(views.focusMode());
            }},
           {"Ctrl+B, Ctrl+Alt+B, Ctrl+J",
            [&] {
              const std::tuple<Region, int, Qt::KeyboardModifiers> kKeys[] = {
                  {Region::left, Qt::Key_B, kCtrl},
                  {Region::right, Qt::Key_B, kCtrl | kAlt},
                  {Region::table, Qt::Key_J, kCtrl}};
              for (const auto& [region, key, modifiers] : kKeys) {
                press(key, modifiers);
                EXPECT_TRUE(views.hidden(region));
                press(key, modifiers);
                EXPECT_FALSE(views.hidden(region));
              }
            }},
           {"Alt+1 … Alt+9, Alt+0",
            [&] {
              for (const ViewRow* row : viewsByRank()) {
                if (row->rank > 10) continue;
                press(Qt::Key_0 + row->rank % 10, kAlt);
                EXPECT_TRUE(views.shows(QLatin1String(row->key))) << row->key;
              }
            }},
           {"F1",
            [&] {
              views.showView("setup");
              press(Qt::Key_F1);
              EXPECT_TRUE(views.view<LessonView>().isVisible());
            }},
           {"Ctrl+Shift+P",
            [&] {
              press(Qt::Key_P, kCtrl | kShift);
              const QPointer<CommandPalette> palette = window->findChild<CommandPalette*>();
              ASSERT_FALSE(palette.isNull());
              palette->reject();
              ASSERT_TRUE(QTest::qWaitFor([&] { return palette.isNull(); }, 10'000));
              window->activateWindow();
              EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
            }},
           {"F10",
            [&] {
              bool menu = false;
              QTimer::singleShot(100, window.get(), [&] {
                menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
                if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
              });
              press(Qt::Key_F10);
              EXPECT_TRUE(QTest::qWaitFor([&] { return menu; }, 2000));
            }},
           {"Ctrl+T",
            [&] {
              press(Qt::Key_T, kCtrl);
              EXPECT_FALSE(settings.dark());
              press(Qt::Key_T, kCtrl);
              EXPECT_TRUE(settings.dark());
            }},
           {"Ctrl+Q", [&] {
              press(Qt::Key_Q, kCtrl);
              EXPECT_TRUE(QTest::qWaitFor([&] { return !window->isVisible(); }, 5000));
            }}});
}

TEST_F(KeysOfTheWindow, OfThePyTorchTextDoWhatTheListSays) {
  auto& pane = view<CodePane>("code");
  CodeEditor& editor = pane.editor();
  editor.setFocus();
  tryPart("PyTorch text", {{"Ctrl+Space",
                            [&] {
                              editor.moveCursor(QTextCursor::End);
                              QTest::keyClick(&editor, Qt::Key_Return);
                              QTest::keyClicks(&editor, "    y = torch.sig");
                              QTest::keyClick(&editor, Qt::Key_Space, kCtrl);
                              EXPECT_TRUE(editor.completion().isVisible());
                              QTest::keyClick(&editor, Qt::Key_Escape);
                            }},
                           {"Ctrl+Z",
                            [&] {
                              const QString before = editor.toPlainText();
                              QTest::keyClick(&editor, Qt::Key_Z, kCtrl);
                              EXPECT_NE(editor.toPlainText(), before);
                            }},
                           {"Tab, Shift+Tab", [&] {
                              const QString before = editor.toPlainText();
                              QTest::keyClick(&editor, Qt::Key_Tab);
                              EXPECT_FALSE(editor.hasFocus());
                              editor.setFocus();
                              QTest::keyClick(&editor, Qt::Key_Backtab, kShift);
                              EXPECT_FALSE(editor.hasFocus());
                              EXPECT_EQ(editor.toPlainText(), before);
                            }}});
}

TEST_F(KeysOfTheWindow, OfChartAndMapDoWhatTheListSays) {
  finishARun();
  auto& chart = view<ChartView>("chart");
  const auto width = [&] { return chart.measured().shownX().high - chart.measured().shownX().low; };
  const auto key = [&](int which, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&chart, Qt::Key(which), modifiers);
  };
  tryPart("Chart and map",
          {{"Left, Right",
            [&] {
              key(Qt::Key_Right);
              const auto first = chart.pin();
              ASSERT_TRUE(first);
              key(Qt::Key_Right);
              EXPECT_GT(*chart.pin(), *first);
              key(Qt::Key_Left);
              EXPECT_EQ(chart.pin(), first);
            }},
           {"Esc",
            [&] {
              key(Qt::Key_Escape);
              EXPECT_FALSE(chart.pin());
            }},
           {"+, −",
            [&] {
              const double before = width();
              key(Qt::Key_Plus);
              EXPECT_LT(width(), before);
              const double near = width();
              key(Qt::Key_Minus);
              EXPECT_GT(width(), near);
              key(Qt::Key_Plus);
            }},
           {"Shift+arrows",
            [&] {
              const double before = chart.measured().shownX().low;
              key(Qt::Key_Right, kShift);
              EXPECT_GT(chart.measured().shownX().low, before);
            }},
           {"Home or F",
            [&] {
              for (const int each : {Qt::Key_Home, Qt::Key_F}) {
                key(Qt::Key_Plus);
                EXPECT_FALSE(chart.measured().fitted());
                key(each);
                EXPECT_TRUE(chart.measured().fitted());
              }
            }},
           {"L",
            [&] {
              const bool before = chart.measured().shownY().logarithmic;
              key(Qt::Key_L);
              EXPECT_NE(chart.measured().shownY().logarithmic, before);
            }},
           {"1 … 8",
            [&] {
              ASSERT_EQ(std::size(kMetrics), 8u);
              for (int i = 0; i < 8; ++i) {
                key(Qt::Key_1 + i);
                EXPECT_EQ(chart.metric(), kMetrics[i]);
              }
              key(Qt::Key_1);
            }},
           {"T",
            [&] {
              fusebench::Run onDevice = *window->runModel().run();
              for (Cell& cell : onDevice.cells)
                for (Sample& sample : cell.samples) sample.device = DeviceTimes{1, 2, 3};
              window->runModel().show(std::move(onDevice), true);
              const ShownTime before = chart.time();
              key(Qt::Key_T);
              EXPECT_NE(chart.time(), before);
            }},
           {"Enter", [&] {
              window->runModel().show(
                  test::mapRun({4, 8}, {4, 8}, [](double, double) { return 2; }), true);
              auto& map = view<MapView>("map");
              ASSERT_TRUE(QTest::qWaitFor([&] { return map.model().upToDate(); }, 10'000));
              QTest::keyClick(&map.canvas(), Qt::Key_Right);
              QSignalSpy picked(&map, &MapView::cellPicked);
              QTest::keyClick(&map.canvas(), Qt::Key_Return);
              EXPECT_EQ(picked.size(), 1);
              EXPECT_TRUE(window->workbench().shows("chart"));
            }}});
}

TEST_F(KeysOfTheWindow, OfTheScatterDoWhatTheListSays) {
  finishARun();
  auto& scatter = view<ScatterView>("scatter");
  scatter.upwards().setCurrentIndex(scatter.upwards().findData(static_cast<int>(Metric::latency)));
  ASSERT_GT(scatter.figure().spots.size(), 2u);
  scatter.setFocus();
  tryPart("Scatter", {{"Left, Right",
                       [&] {
                         scatter.setCurrent(0);
                         QTest::keyClick(&scatter, Qt::Key_Right);
                         EXPECT_EQ(scatter.current(), 1);
                         QTest::keyClick(&scatter, Qt::Key_Left);
                         EXPECT_EQ(scatter.current(), 0);
                       }},
                      {"Enter", [&] {
                         QTest::keyClick(&scatter, Qt::Key_Return);
                         EXPECT_EQ(QToolTip::text(), scatter.wordsOf(0));
                       }}});
}

TEST_F(KeysOfTheWindow, OfTheStripAboveTheTimelineDoWhatTheListSays) {
  TraceBuilder builder("t");
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  for (int e = 0; e < 100; ++e)
    builder.addSpan({stream, SpanKind::kernel, "kernel", e * 1'000, e * 1'000 + 500});
  TimelineModel& model = window->timeline();
  model.setTraces({builder.finish()});
  OverviewStrip& strip = view<TimelineView>("timeline").overview();
  strip.setFocus();
  const auto seen = [&] { return model.to() - model.from(); };
  tryPart("Strip above the timeline", {{"Up, Down",
                                        [&] {
                                          const double before = seen();
                                          QTest::keyClick(&strip, Qt::Key_Up);
                                          const double near = seen();
                                          EXPECT_LT(near, before);
                                          QTest::keyClick(&strip, Qt::Key_Down);
                                          EXPECT_GT(seen(), near);
                                        }},
                                       {"Left, Right",
                                        [&] {
                                          model.zoom(double(model.length()) / 2, 0.1);
                                          const double before = model.from();
                                          QTest::keyClick(&strip, Qt::Key_Right);
                                          EXPECT_GT(model.from(), before);
                                          QTest::keyClick(&strip, Qt::Key_Left);
                                          EXPECT_NEAR(model.from(), before, 1);
                                        }},
                                       {"Enter", [&] {
                                          QTest::keyClick(&strip, Qt::Key_Return);
                                          EXPECT_GE(seen(), double(model.length()));
                                        }}});
}

TEST_F(KeysOfTheWindow, OfResultsAndRunsDoWhatTheListSays) {
  finishARun();
  auto& results = view<ResultsView>("results");
  QTableView& table = results.table();
  table.setFocus();
  table.setCurrentIndex(results.shown().index(0, 0));
  tryPart("Results", {{"Up, Down",
                       [&] {
                         QTest::keyClick(&table, Qt::Key_Down);
                         QTest::keyClick(&table, Qt::Key_Down);
                         EXPECT_EQ(table.currentIndex().row(), 2);
                         QTest::keyClick(&table, Qt::Key_Up);
                         EXPECT_EQ(table.currentIndex().row(), 1);
                       }},
                      {"Enter",
                       [&] {
                         QTest::keyClick(&table, Qt::Key_Return);
                         EXPECT_EQ(window->workbench().view<ChartView>().pin(), 1.0);
                       }},
                      {"Ctrl+C",
                       [&] {
                         QApplication::clipboard()->clear();
                         QTest::keyClick(&table, Qt::Key_C, kCtrl);
                         EXPECT_TRUE(QApplication::clipboard()->text().contains("static"))
                             << QApplication::clipboard()->text().toStdString();
                       }},
                      {"Ctrl+F", [&] {
                         QTest::keyClick(&table, Qt::Key_F, kCtrl);
                         EXPECT_TRUE(results.filter().hasFocus());
                       }}});
  ASSERT_TRUE(QTest::qWaitFor([&] { return !window->library().busy(); }, 10'000));
  auto& runs = view<RunsView>("runs");
  QListView& list = runs.list();
  list.setFocus();
  list.setCurrentIndex(list.model()->index(0, 0));
  QSignalSpy opens(&runs, &RunsView::openRequested), laid(&runs, &RunsView::overlaysChanged);
  tryPart("Runs", {{"Space",
                    [&] {
                      QTest::keyClick(&list, Qt::Key_Space);
                      QTest::keyClick(&list, Qt::Key_Space);
                      EXPECT_EQ(laid.size(), 2);
                    }},
                   {"Enter",
                    [&] {
                      QTest::keyClick(&list, Qt::Key_Return);
                      EXPECT_EQ(opens.size(), 1);
                    }},
                   {"F2, Delete", [&] {
                      QTest::keyClick(&list, Qt::Key_F2);
                      EXPECT_TRUE(list.isPersistentEditorOpen(list.currentIndex()));
                      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
                      list.setFocus();
                      const int before = list.model()->rowCount();
                      QTest::keyClick(&list, Qt::Key_Delete);
                      EXPECT_EQ(list.model()->rowCount(), before - 1);
                    }}});
}

TEST(KeysOfMemory, DoWhatTheListSays) {
  StorageCanvas canvas;
  auto picture = std::make_shared<StoragePicture>();
  picture->columns.resize(5);
  canvas.setPicture(picture, 1);
  canvas.resize(400, 200);
  canvas.show();
  tryPart("Memory", {{"Home, End",
                      [&] {
                        QTest::keyClick(&canvas, Qt::Key_End);
                        const int last = canvas.current();
                        EXPECT_GT(last, 2);
                        QTest::keyClick(&canvas, Qt::Key_Home);
                        EXPECT_EQ(canvas.current(), 0);
                      }},
                     {"Left, Right", [&] {
                        QTest::keyClick(&canvas, Qt::Key_Right);
                        QTest::keyClick(&canvas, Qt::Key_Right);
                        EXPECT_EQ(canvas.current(), 2);
                        QTest::keyClick(&canvas, Qt::Key_Left);
                        EXPECT_EQ(canvas.current(), 1);
                      }}});
}

using KeysOfTheChain = Canvas;

TEST_F(KeysOfTheChain, DoWhatTheListSays) {
  const auto start = [&] {
    load("    x = torch.exp(x)\n    x = x + 0.1\n    x = torch.cos(x)\n    return x.sum()");
    view.surface().select({node("+")}, node("+"));
  };
  const auto popsUp = [&](int pressed, Qt::KeyboardModifiers modifiers = {}) {
    start();
    key(pressed, modifiers);
    auto* popup = view.findChild<PalettePopup*>();
    if (!popup)
      for (QWidget* each : QApplication::topLevelWidgets())
        if (auto* found = qobject_cast<PalettePopup*>(each); found && found->isVisible())
          popup = found;
    const bool shown = popup && popup->isVisible();
    if (shown) popup->close();
    view.surface().setFocus();
    return shown;
  };
  tryPart("Operator chain",
          {{"Arrows, Tab",
            [&] {
              start();
              key(Qt::Key_Down);
              EXPECT_EQ(current(), "cos");
              key(Qt::Key_Up);
              key(Qt::Key_Tab);
              EXPECT_EQ(current(), "cos");
            }},
           {"/ or Insert",
            [&] {
              EXPECT_TRUE(popsUp(Qt::Key_Slash));
              EXPECT_TRUE(popsUp(Qt::Key_Insert));
              EXPECT_TRUE(popsUp(Qt::Key_Insert, kShift));
            }},
           {"B, R",
            [&] {
              EXPECT_TRUE(popsUp(Qt::Key_B));
              EXPECT_TRUE(popsUp(Qt::Key_R));
            }},
           {"Enter or F2",
            [&] {
              for (const int each : {Qt::Key_Return, Qt::Key_F2}) {
                start();
                key(each);
                EXPECT_TRUE(view.editor().isOpen());
                type("7");
                key(Qt::Key_Return);
                EXPECT_NE(code().find("x + 7"), std::string::npos) << code();
              }
            }},
           {"Alt+Up, Alt+Down",
            [&] {
              start();
              const std::string before = code();
              key(Qt::Key_Up, kAlt);
              EXPECT_LT(code().find("x + 0.1"), code().find("exp"));
              key(Qt::Key_Down, kAlt);
              EXPECT_EQ(code(), before);
            }},
           {"Shift+arrows, Ctrl+A",
            [&] {
              start();
              key(Qt::Key_Down, kShift);
              EXPECT_EQ(selected(), "+ cos");
              key(Qt::Key_A, kCtrl);
              EXPECT_EQ(selected(), "exp + cos sum");
            }},
           {"C",
            [&] {
              start();
              key(Qt::Key_C);
              key(Qt::Key_Home);
              key(Qt::Key_Return);
              EXPECT_FALSE(undoName().empty()) << "what it reads was changed: " << code();
            }},
           {"F",
            [&] {
              load(
                  "    for i in range(2):\n        x = torch.exp(x)\n        x = x * 3\n"
                  "    return x.sum()");
              view.surface().select({1}, 1);
              const std::size_t open = view.surface().frames().size();
              key(Qt::Key_F);
              EXPECT_EQ(view.surface().frames().size(), open - 1);
              key(Qt::Key_F);
              EXPECT_EQ(view.surface().frames().size(), open);
            }},
           {"Ctrl+F",
            [&] {
              load(
                  "    for i in range(2):\n        x = torch.exp(x)\n        x = x * 3\n"
                  "    return x.sum()");
              view.surface().select({1}, 1);
              key(Qt::Key_F);  // a folded chain has a path
              key(Qt::Key_F, kCtrl);
              type("sum");
              key(Qt::Key_Return);
              EXPECT_EQ(current(), "sum");
              key(Qt::Key_Escape);
              EXPECT_TRUE(view.surface().hasFocus());
            }},
           {"L",
            [&] {
              load("    y = x.t()\n    return y");
              view.surface().select({1}, 1);
              key(Qt::Key_L);
              EXPECT_TRUE(QToolTip::text().contains("column-major"));
              QToolTip::hideText();
            }},
           {"Ctrl+D",
            [&] {
              start();
              key(Qt::Key_D, kCtrl);
              const std::string now = code();
              EXPECT_NE(now.find("0.1"), now.rfind("0.1")) << now;
            }},
           {"Ctrl+C, Ctrl+X, Ctrl+V",
            [&] {
              start();
              key(Qt::Key_C, kCtrl);
              EXPECT_TRUE(QApplication::clipboard()->text().contains("x + 0.1"));
              key(Qt::Key_X, kCtrl);
              EXPECT_EQ(code().find("0.1"), std::string::npos);
              key(Qt::Key_V, kCtrl);
              EXPECT_NE(code().find("0.1"), std::string::npos) << code();
            }},
           {"Delete",
            [&] {
              start();
              key(Qt::Key_Delete);
              EXPECT_EQ(code().find("0.1"), std::string::npos);
            }},
           {"Ctrl+0, Ctrl+1, +, −", [&] {
              start();
              key(Qt::Key_1, kCtrl);
              EXPECT_DOUBLE_EQ(view.surface().zoom(), 1);
              key(Qt::Key_Plus);
              EXPECT_GT(view.surface().zoom(), 1);
              key(Qt::Key_Minus);
              key(Qt::Key_Minus);
              EXPECT_LT(view.surface().zoom(), 1);
              key(Qt::Key_0, kCtrl);
              EXPECT_GT(view.surface().zoom(), 0.85) << "a short chain fits whole";
            }}});
}

TEST(KeysOfTheTimeline, DoWhatTheListSays) {
  TraceBuilder builder("training.json");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  for (int depth = 0; depth < 30; ++depth)
    builder.addSpan({host, SpanKind::op, "step " + std::to_string(depth), depth, 9'900 - depth});
  for (int i = 0; i < 6; ++i)
    builder.addLaunch({.name = "k" + std::to_string(i),
                       .hostBegin = 2'000 + 1'000 * i,
                       .hostEnd = 2'500 + 1'000 * i,
                       .start = 20'000 + 4'000 * i,
                       .end = 22'000 + 4'000 * i,
                       .hostLane = host,
                       .deviceLane = stream});
  TimelineModel model;
  TimelineView view(model);
  view.resize(900, 600);
  view.setTheme(darkTheme());
  view.show();
  view.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&view));
  model.setTraces({builder.finish()});
  test::handleEvents();
  TimelineCanvas& canvas = view.canvas();
  const auto key = [&](int which, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&canvas, Qt::Key(which), modifiers);
  };
  const auto seen = [&] { return model.to() - model.from(); };
  const LaneChoices::Place hostLane{0, host}, deviceLane{0, stream};
  const auto first = [&] {
    for (int i = 0; i < 40; ++i) {
      key(Qt::Key_N);
      if (model.current() &&
          model.shown()[0]
                  .trace->rows()[model.shown()[0].trace->rowOf(model.current()->event)]
                  .lane == stream)
        return;
    }
    FAIL() << "no kernel was come to";
  };
  const auto order = [&] {
    std::vector<std::size_t> lanes;
    for (const auto& entry : model.lanes().entries()) lanes.push_back(entry.place.lane);
    return lanes;
  };
  tryPart(
      "Timeline",
      {{"W, S or +, −",
        [&] {
          for (const auto& [in, out] :
               {std::pair(Qt::Key_W, Qt::Key_S), {Qt::Key_Plus, Qt::Key_Minus}}) {
            const double before = seen();
            key(in);
            EXPECT_LT(seen(), before);
            key(out);
            EXPECT_NEAR(seen(), before, before * 0.01);
          }
          key(Qt::Key_W);
          key(Qt::Key_W);
        }},
       {"A, D or Left, Right",
        [&] {
          for (const auto& [back, on] :
               {std::pair(Qt::Key_A, Qt::Key_D), {Qt::Key_Left, Qt::Key_Right}}) {
            const double before = model.from();
            key(on);
            EXPECT_GT(model.from(), before);
            const double after = model.from();
            key(back);
            EXPECT_LT(model.from(), after);
          }
        }},
       {"Home, End, F",
        [&] {
          key(Qt::Key_End);
          EXPECT_NEAR(model.to(), double(model.length()), 1);
          key(Qt::Key_Home);
          EXPECT_NEAR(model.from(), 0, 1);
          key(Qt::Key_F);
          EXPECT_GE(seen(), double(model.length()));
        }},
       {"Ctrl+drag",
        [&] {
          const auto& band = canvas.bands().front();
          const QPoint from(canvas.gutter() + 100, band.y + 5);
          QTest::mousePress(canvas.viewport(), Qt::LeftButton, Qt::ControlModifier, from);
          QTest::mouseMove(canvas.viewport(), from + QPoint(150, 0));
          QTest::mouseMove(canvas.viewport(), from + QPoint(300, 0));
          QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, Qt::ControlModifier,
                              from + QPoint(300, 0));
          EXPECT_TRUE(model.ruler());
          key(Qt::Key_Escape);
          EXPECT_FALSE(model.ruler());
        }},
       {"R",
        [&] {
          first();
          key(Qt::Key_R);
          EXPECT_TRUE(model.ruler());
          key(Qt::Key_Escape);
        }},
       {"B",
        [&] {
          key(Qt::Key_B);
          EXPECT_EQ(model.notes().count(), 1u);
        }},
       {"[, ]",
        [&] {
          key(Qt::Key_BracketRight);
          EXPECT_TRUE(model.selection());
          key(Qt::Key_Escape);
          key(Qt::Key_BracketLeft);
          EXPECT_TRUE(model.selection());
          key(Qt::Key_Escape);
        }},
       {"N, P or F3, Shift+F3",
        [&] {
          first();
          const auto at = model.current();
          key(Qt::Key_N);
          const auto next = model.current();
          EXPECT_NE(at, next);
          key(Qt::Key_P);
          EXPECT_EQ(model.current(), at);
          QTest::keyClick(&view, Qt::Key_F3);
          EXPECT_EQ(model.current(), next);
          QTest::keyClick(&view, Qt::Key_F3, kShift);
          EXPECT_EQ(model.current(), at);
        }},
       {"Ctrl+F",
        [&] {
          key(Qt::Key_F, kCtrl);
          EXPECT_TRUE(view.searchField().hasFocus());
          canvas.setFocus();
        }},
       {"L",
        [&] {
          first();
          const auto kernel = model.current();
          key(Qt::Key_L);
          EXPECT_NE(model.current(), kernel);
          key(Qt::Key_L);
          EXPECT_EQ(model.current(), kernel);
        }},
       {"M, Esc",
        [&] {
          key(Qt::Key_M);
          EXPECT_TRUE(model.selection());
          key(Qt::Key_Escape);
          EXPECT_FALSE(model.selection());
        }},
       {"C, Shift+C",
        [&] {
          first();
          key(Qt::Key_C);
          EXPECT_TRUE(model.lanes().collapsed(deviceLane));
          key(Qt::Key_C, kShift);
          EXPECT_TRUE(model.lanes().collapsed(hostLane));
          key(Qt::Key_C, kShift);
          EXPECT_FALSE(model.lanes().collapsed(hostLane) || model.lanes().collapsed(deviceLane));
        }},
       {"O",
        [&] {
          key(Qt::Key_L);  // to the call, in the deep lane
          const auto outer = canvas.bands().size();
          key(Qt::Key_O);
          EXPECT_NE(canvas.bands().size(), outer);
          key(Qt::Key_O);
          EXPECT_EQ(canvas.bands().size(), outer);
          first();
        }},
       {"T",
        [&] {
          key(Qt::Key_T);
          EXPECT_TRUE(model.lanes().pinned(deviceLane));
          key(Qt::Key_T);
          EXPECT_FALSE(model.lanes().pinned(deviceLane));
        }},
       {"Alt+Up, Alt+Down",
        [&] {
          const auto before = order();
          key(Qt::Key_Up, kAlt);
          EXPECT_NE(order(), before);
          key(Qt::Key_Down, kAlt);
          EXPECT_EQ(order(), before);
        }},
       {"H, Shift+H", [&] {
          const auto bands = canvas.bands().size();
          key(Qt::Key_H);
          test::handleEvents();
          EXPECT_LT(canvas.bands().size(), bands);
          key(Qt::Key_H, kShift);
          test::handleEvents();
          EXPECT_EQ(canvas.bands().size(), bands);
        }}});
}

TEST(KeyList, HasNoPartThatIsNotTried) {
  std::set<std::string> parts;
  for (const ShownKey& key : shownKeys()) parts.insert(key.part);
  EXPECT_EQ(parts, (std::set<std::string>{"Anywhere", "Operator chain", "PyTorch text",
                                          "Chart and map", "Results", "Runs", "Memory", "Timeline",
                                          "Scatter", "Strip above the timeline"}));
}

}  // namespace
}  // namespace fusebench
