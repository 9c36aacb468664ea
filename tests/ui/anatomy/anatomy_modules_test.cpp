// SPDX-License-Identifier: GPL-3.0-or-later
// The table of a captured model's modules in the breakdown of a call.
#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <string>
#include <vector>

#include "tests/ui/synthetic.h"
#include "ui/models/base/format.h"
#include "ui/theme/theme.h"
#include "ui/views/anatomy/anatomy_bars.h"
#include "ui/views/anatomy/anatomy_kernels.h"
#include "ui/views/anatomy/anatomy_modules.h"
#include "ui/views/anatomy/anatomy_view.h"

namespace fusebench {
namespace {

/// A model of two modules and an operation of its own, with a recorded call of each variant.
fusebench::Run recordedModel() {
  fusebench::Run run;
  run.experiment = parseExperiment(R"json({"fusebench": "experiment", "version": 2,
    "title": "m", "program": ["def forward(x):", "    a = torch.ops.aten.exp.default(x)",
      "    b = torch.ops.aten.sin.default(a)", "    c = torch.ops.aten.cos.default(b)",
      "    return c"],
    "inputs": [{"name": "captured", "tensors": [{"name": "x", "extents": [4, 8]}]}],
    "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
    "baseline": "eager",
    "capture": {"modules": ["", "stem", "head"], "sources": [""],
      "nodes": [[0, 2, 1, 0], [0, 3, 2, 0], [0, 4, 0, 0]]}})json",
                                   "m.json");
  run.experiment.axes = {{"threads", "threads", {1}}};
  for (const CellKey& key : cells(run.experiment)) {
    Cell& cell = run.cells.emplace_back();
    cell.key = key;
    cell.stop = Stop::converged;
    for (int i = 0; i < 31; ++i) cell.samples.push_back({i, 50.0});
    CallAnatomy& anatomy = cell.anatomy.emplace();
    anatomy.calls = 10;
    const std::vector<std::pair<std::vector<int>, double>> eager = {{{0}, 10},
                                                                    {{1}, 60},
                                                                    {{2}, 30}},
                                                           fused = {{{0, 1, 2}, 30}};
    for (const auto& [statements, time] : key.variant == 0 ? eager : fused) {
      LaunchAnatomy& launch = anatomy.launches.emplace_back();
      launch.statements = statements;
      launch.nanoseconds[static_cast<std::size_t>(CallPart::kernel)] = time;
      anatomy.nanoseconds[static_cast<std::size_t>(CallPart::kernel)] += time;
    }
  }
  return run;
}

class ModuleTable : public testing::Test {
 protected:
  ModuleTable() {
    applyTheme(*qApp, darkTheme());
    view.setTheme(darkTheme());
    view.resize(700, 520);
    view.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&view));
  }
  void open() {
    run.show(recordedModel(), true);
    view.modulesButton().click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.modules().busy(); }));
  }
  std::vector<std::string> row(int number) {
    std::vector<std::string> texts;
    const QAbstractItemModel& rows = *view.modules().table().model();
    for (int column = 0; column < rows.columnCount(); ++column)
      texts.push_back(rows.index(number, column).data().toString().toStdString());
    return texts;
  }
  RunModel run;
  AnatomyView view{run};
};

TEST_F(ModuleTable, HasTheSlowestModuleFirstWithLaunchesBytesAndArithmetic) {
  open();
  ASSERT_EQ(view.modules().table().model()->rowCount(), 3);
  EXPECT_EQ(row(0).at(0), "(the model)");
  EXPECT_EQ(row(0).at(1), "100.0%");
  EXPECT_EQ(row(0).at(3), "3");
  EXPECT_EQ(row(0).at(4), formatBytes(3 * 2 * 32 * 4).toStdString());
  EXPECT_EQ(row(1).at(0), "head");
  EXPECT_EQ(row(1).at(1), "60.0%");
  EXPECT_EQ(row(1).at(2), formatTime(60).toStdString());
  EXPECT_EQ(row(2).at(0), "stem");
  EXPECT_NE(row(2).at(5), "–");
  view.bars().setFocus();
  QTest::keyClick(&view.bars(), Qt::Key_Down);
  EXPECT_EQ(row(1).at(3), "0.33") << "a third of the only launch of static";
}

TEST_F(ModuleTable, IsOfferedOnlyForAProgramWithModules) {
  EXPECT_FALSE(view.modulesButton().isVisible());
  run.show(test::syntheticRun(), true);
  EXPECT_FALSE(view.modulesButton().isVisible());
  EXPECT_FALSE(view.modules().isVisible());
  open();
  EXPECT_TRUE(view.modulesButton().isVisible());
  EXPECT_TRUE(view.modules().isVisible());
  run.show(test::syntheticRun(), true);
  EXPECT_FALSE(view.modules().isVisible());
}

TEST_F(ModuleTable, TakesThePlaceOfTheKernels) {
  open();
  view.kernelsButton().click();
  EXPECT_TRUE(view.kernels().isVisible());
  EXPECT_FALSE(view.modules().isVisible());
  view.modulesButton().click();
  EXPECT_FALSE(view.kernels().isVisible());
  EXPECT_TRUE(view.modules().isVisible());
}

TEST_F(ModuleTable, AChosenRowNamesItsModule) {
  open();
  QSignalSpy chosen(&view.modules(), &AnatomyModules::moduleChosen);
  const KernelTable& table = view.modules().table();
  emit view.modules().table().activated(table.model()->index(1, 2));
  ASSERT_EQ(chosen.size(), 1);
  EXPECT_EQ(chosen[0][0].toString(), "head");
}

}  // namespace
}  // namespace fusebench
