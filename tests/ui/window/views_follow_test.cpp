// SPDX-License-Identifier: GPL-3.0-or-later
// Every view shows what the open experiment is, whatever made it the open one.
#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/code/code_editor.h"
#include "ui/views/code/code_pane.h"
#include "ui/views/whatif/what_if_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

const char* const kOther = R"json({"fusebench": "experiment", "version": 1, "title": "Another",
  "program": ["x = torch.exp(x)", "x = torch.tanh(x)", "return x.sum()"],
  "inputs": [{"name": "all", "count": 1, "tensors": [{"name": "x", "extents": [4, 4]}]}],
  "variants": [{"name": "eager", "executor": "eager"}],
  "baseline": "eager", "axes": [{"name": "statements", "values": [1, 2]}]})json";

class ViewsFollow : public testing::Test {
 protected:
  ViewsFollow() {
    dialogs.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), dialogs,
                                          folder.filePath("data"));
    window->resize(1280, 800);
    window->openMainStudy();
    window->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    window->workbench().showView("whatif");
  }
  ~ViewsFollow() override { study->rounds = 0; }

  const WhatIfModel& whatIf() { return window->workbench().view<WhatIfView>().model(); }
  const Experiment& open() { return window->document().experiment(); }
  std::string write(const char* name, const char* text) {
    const QString path = folder.filePath(name);
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return path.toStdString();
  }
  /// Until nothing is worked out any more.
  void settle() {
    ASSERT_TRUE(QTest::qWaitFor(
        [this] { return !whatIf().busy() && !window->document().reading(); }, 30'000));
    test::handleEvents();
  }
  void expectEveryViewFollows() {
    settle();
    const fusebench::Run* const predicted = whatIf().run().run();
    if (predicted) {
      EXPECT_EQ(predicted->experiment.programText, open().programText) << "What if";
      EXPECT_EQ(predicted->experiment.title, open().title) << "What if";
    }
    EXPECT_EQ(predicted != nullptr, window->document().runnable())
        << whatIf().problem().toStdString();
    EXPECT_EQ(whatIf().experiment().title, open().title) << "What if, before it is predicted";
    if (const fusebench::Run* const run = window->runModel().run()) {
      EXPECT_EQ(run->experiment.title, open().title) << "chart, table, findings";
    }
    CanvasView& canvas = window->workbench().view<CanvasView>();
    EXPECT_EQ(canvas.surface().graph().program.ops.size(),
              window->document().sketch().program.ops.size())
        << "canvas";
    EXPECT_EQ(window->workbench().view<CodePane>().editor().toPlainText().toStdString(),
              open().programText)
        << "text";
  }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  std::unique_ptr<MainWindow> window;
};

TEST_F(ViewsFollow, WhateverOpensAnExperiment) {
  const QString other = QString::fromStdString(write("other.json", kOther));
  const std::vector<std::pair<const char*, std::function<void()>>> ways = {
      {"new", [this] { window->newChain(); }},
      {"open", [&] { window->openFile(other); }},
      {"paste",
       [this] {
         window->document().paste("Paste", "def f(a):\n    return torch.exp(a * 2).sum()\n");
       }},
      {"undo", [this] { window->document().undo(); }},
      {"redo", [this] { window->document().redo(); }},
      {"edit", [this] { window->document().setText("Type", {}, "def f(a):\n    return a.sin()"); }},
      {"main study", [this] { window->openMainStudy(); }},
      {"device", [this] { window->devices().choose("sim:h100"); }},
  };
  expectEveryViewFollows();
  for (const auto& [way, change] : ways) {
    SCOPED_TRACE(way);
    change();
    expectEveryViewFollows();
  }
}

TEST_F(ViewsFollow, NothingIsPredictedOfWhatCannotRun) {
  settle();
  ASSERT_NE(whatIf().run().run(), nullptr);
  window->document().setText("Type", {}, "def f(x):\n    return torch.nonsense(x)\n");
  settle();
  EXPECT_EQ(whatIf().run().run(), nullptr) << "the curves of the program before";
  EXPECT_FALSE(whatIf().problem().isEmpty());
}

TEST_F(ViewsFollow, AnotherExperimentsCurvesGoAtOnce) {
  settle();
  ASSERT_NE(whatIf().run().run(), nullptr);
  window->newChain();
  const fusebench::Run* const shown = whatIf().run().run();
  EXPECT_TRUE(!shown || shown->experiment.title == open().title);
}

TEST_F(ViewsFollow, ShippedExperimentsOpenByTheirNames) {
  ASSERT_TRUE(window->openFile("launch_overhead"));
  EXPECT_TRUE(
      QTest::qWaitFor([this] { return open().title != "Fusion against launches"; }, 10'000));
  expectEveryViewFollows();
}

TEST_F(ViewsFollow, ARunFromAFileIsShownAsCurves) {
  fusebench::Run run = test::syntheticHeader(open());
  for (Cell& cell : run.cells) cell = test::syntheticCell(cell.key);
  const QString path = folder.filePath("run.jsonl");
  saveRun(run, path.toStdString());
  ASSERT_TRUE(window->workbench().shows("whatif"));
  window->openFile(path);
  ASSERT_TRUE(QTest::qWaitFor([this] { return window->runModel().run() != nullptr; }, 10'000));
  EXPECT_TRUE(window->workbench().shows("chart"));
}

}  // namespace
}  // namespace fusebench
