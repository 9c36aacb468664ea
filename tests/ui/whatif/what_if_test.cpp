// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <memory>

#include "profiler/experiment/experiment.h"
#include "profiler/machine/sim_devices.h"
#include "profiler/measure/prediction.h"
#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/whatif/what_if_view.h"

namespace fusebench {
namespace {

Experiment whatIfStudy() {
  return parseExperiment(R"json({"fusebench": "experiment", "version": 1, "title": "Small",
    "program": ["x = x + 1", "x = torch.sin(x)", "return x.sum()"],
    "inputs": [{"name": "all", "count": 2, "tensors": [{"name": "x", "extents": [8, 16]}]}],
    "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
    "baseline": "eager", "axes": [{"name": "statements", "values": [1, 2, 4, 8]}]})json",
                         "small.json");
}

class WhatIf : public testing::Test {
 protected:
  WhatIf() {
    applyTheme(*qApp, darkTheme());
    experiment = whatIfStudy();
    view = std::make_unique<WhatIfView>(model, nullptr);
    view->setTheme(darkTheme());
    view->chart().setExperiment(&experiment, nullptr);
    view->resize(900, 500);
    model.setExperiment(experiment);
  }
  /// Until the curves are those of the values as they are.
  void settle() {
    QSignalSpy predicted(&model, &WhatIfModel::predicted);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !model.busy() && model.run().run(); }, 20'000));
  }
  double eagerAtTheEnd() const { return model.run().run()->cells[6].samples.front().nanoseconds; }
  WhatIfModel model;
  Experiment experiment;
  std::unique_ptr<WhatIfView> view;
};

/// Data parallel on one rank and two, as if it had been measured on a core.
std::shared_ptr<fusebench::Run> measuredRanks() {
  const Experiment experiment =
      parseExperiment(R"json({"fusebench": "experiment", "version": 2, "title": "Ranks",
    "program": ["class Net(nn.Module):", "    def __init__(self):", "        super().__init__()",
                "        self.layer = nn.Linear(64, 64)",
                "    def forward(self, x):", "        return F.relu(self.layer(x)).sum()"],
    "inputs": [{"name": "all", "count": 1, "tensors": [{"name": "x", "extents": [256, 64]}]}],
    "variants": [{"name": "eager", "executor": "eager", "gradients": true},
                 {"name": "static", "executor": "static", "gradients": true},
                 {"name": "weak", "executor": "static", "gradients": true, "scaling": "weak"}],
    "baseline": "eager", "axes": [{"name": "ranks", "values": [1, 2]}]})json",
                      "ranks.json");
  auto run = std::make_shared<fusebench::Run>(
      Prediction(experiment).on(findSimDevice("sim:one-core").parameters, "cpu"));
  return run;
}

TEST_F(WhatIf, NothingIsWorkedOutBeforeItIsLookedAt) {
  test::handleEvents();
  EXPECT_EQ(model.run().run(), nullptr);
  view->show();
  settle();
  ASSERT_TRUE(model.run().run());
  EXPECT_TRUE(model.run().run()->isSimulated());
  EXPECT_EQ(model.run().run()->cells.size(), 8u);
}

TEST_F(WhatIf, ASliderMovesTheCurvesAndTheDeviceSaysSo) {
  view->show();
  settle();
  const double before = eagerAtTheEnd();
  EXPECT_TRUE(view->truth().contains("Simulated"));
  EXPECT_FALSE(view->resetButton().isEnabled());
  QSlider* launch = view->slider("launch_ns");
  ASSERT_TRUE(launch);
  launch->setValue(launch->maximum() / 4);  // twice as long
  settle();
  EXPECT_NEAR(eagerAtTheEnd() / before, 2, 0.2);
  EXPECT_NE(model.deviceName().find(",launch_ns="), std::string::npos);
  EXPECT_TRUE(view->resetButton().isEnabled());
  view->resetButton().click();
  settle();
  EXPECT_EQ(eagerAtTheEnd(), before);
  EXPECT_EQ(launch->value(), 0);
}

TEST_F(WhatIf, WhateverThePersonMayAskForHasASlider) {
  for (const char* key :
       {"launch_ns", "graph_launch_ns", "kernel_floor_ns", "queue_depth", "bandwidth_bytes_per_ns",
        "pinned_bytes_per_ns", "link_bytes_per_ns", "link_latency_ns", "copy_engines"}) {
    QSlider* const slider = view->slider(key);
    ASSERT_TRUE(slider) << key;
    EXPECT_TRUE(slider->isEnabled()) << key;
    EXPECT_FALSE(slider->accessibleName().isEmpty()) << key;
  }
}

TEST_F(WhatIf, CopyEnginesAreCounted) {
  experiment = parseExperiment(R"json({"fusebench": "experiment", "version": 2, "title": "Copies",
    "program": ["def f(x):", "    return torch.sin(x)"],
    "inputs": [{"name": "all", "count": 8, "tensors": [{"name": "x", "extents": ["elements"]}]}],
    "variants": [{"name": "ahead", "executor": "static", "from": "pinned", "prefetch": 2,
                  "results": "host"}],
    "baseline": "ahead", "axes": [{"name": "elements", "values": [1048576]}]})json",
                               "copies.json");
  model.setExperiment(experiment);
  view->show();
  settle();
  ASSERT_FALSE(model.run().run()->cells[0].samples.empty())
      << model.run().run()->cells[0].error.value_or("");
  QSlider* const engines = view->slider("copy_engines");
  EXPECT_EQ(engines->minimum(), 1);
  EXPECT_EQ(engines->maximum(), 2);
  ASSERT_EQ(engines->value(), 2);
  const double two = model.run().run()->cells[0].samples.front().nanoseconds;
  engines->setValue(1);
  settle();
  EXPECT_NE(model.deviceName().find(",copy_engines=1"), std::string::npos);
  const double one = model.run().run()->cells[0].samples.front().nanoseconds;
  EXPECT_GT(one, 1.3 * two) << "both ways share it";
}

TEST_F(WhatIf, ALatencyOfLinksMovesWhatPassesBetweenRanks) {
  const auto measured = measuredRanks();
  experiment = measured->experiment;
  model.setExperiment(experiment);
  view->show();
  settle();
  const auto ofTwo = [&] { return model.run().run()->cells[3].samples.front().nanoseconds; };
  const auto ofOne = [&] { return model.run().run()->cells[0].samples.front().nanoseconds; };
  const double alone = ofOne(), together = ofTwo();
  QSlider* const latency = view->slider("link_latency_ns");
  latency->setValue(latency->maximum());
  settle();
  EXPECT_EQ(ofOne(), alone);
  EXPECT_GT(ofTwo(), together + 15 * model.device().parameters.linkLatency);
}

TEST_F(WhatIf, OneOfManyMovesInARowIsTheLastOne) {
  view->show();
  settle();
  QSlider* launch = view->slider("launch_ns");
  for (int value = 0; value <= 50; ++value) launch->setValue(value);
  settle();
  const double moved = eagerAtTheEnd();
  model.reset();
  settle();
  launch->setValue(50);
  settle();
  EXPECT_EQ(eagerAtTheEnd(), moved);
}

TEST_F(WhatIf, AnotherDeviceIsAnotherCurveAndMadeUpOnesSaySo) {
  view->show();
  settle();
  const double before = eagerAtTheEnd();
  for (std::size_t d = 0; d < model.devices().size(); ++d)
    if (model.devices()[d].madeUp) {
      model.choose(static_cast<int>(d));
      break;
    }
  settle();
  EXPECT_NE(eagerAtTheEnd(), before);
  EXPECT_TRUE(view->truth().contains("made up"));
}

TEST_F(WhatIf, ARunOfAProcessorIsNotHeldAgainstAGpu) {
  view->show();
  settle();
  const auto measuredOn = [&](const char* device) {
    auto run = std::make_shared<fusebench::Run>(*model.run().run());
    run->device = device;
    view->setMeasured(run);
    return view->truth().toStdString();
  };
  ASSERT_GT(model.device().parameters.queueDepth, 1);
  EXPECT_THAT(measuredOn("cpu"),
              testing::EndsWith(
                  "Compared with this run: it was measured on cpu, a device of another kind."));
  EXPECT_THAT(measuredOn("cuda:0"), testing::HasSubstr("points the median error is"));
}

TEST_F(WhatIf, TheDeviceIsThatOfTheRunUntilAnotherIsChosen) {
  const auto shownFor = [&](const char* device, nlohmann::json environment = {}) {
    auto run = std::make_shared<fusebench::Run>();
    run->experiment = experiment;
    run->device = device;
    run->environment = std::move(environment);
    view->setMeasured(run);
    return model.deviceName();
  };
  EXPECT_EQ(model.deviceName(), "sim:h100");
  EXPECT_EQ(shownFor("sim:slow-launch"), "sim:slow-launch");
  EXPECT_EQ(shownFor("sim:h200,launch_ns=1650"), "sim:h200,launch_ns=1650");
  EXPECT_EQ(shownFor("sim:no-such-device"), "sim:h200,launch_ns=1650");
  EXPECT_EQ(shownFor("cuda:0", {{"backend", "NVIDIA H100 80GB HBM3, compute capability 9.0"}}),
            "sim:h100");
  EXPECT_EQ(view->findChild<QComboBox*>()->currentIndex(), model.chosen());
  const int chosen = model.chosen() + 1;
  model.choose(chosen);
  shownFor("sim:slow-launch");
  EXPECT_EQ(model.chosen(), chosen);
}

TEST_F(WhatIf, WhereTheFiguresComeFromIsToldOnPointing) {
  view->show();
  settle();
  const QString note = QString::fromStdString(model.device().note);
  ASSERT_FALSE(note.isEmpty());
  EXPECT_FALSE(view->truth().contains(note));
  const auto labels = view->findChildren<QLabel*>();
  const auto label = std::ranges::find(labels, view->truth(), &QLabel::text);
  ASSERT_NE(label, labels.end());
  EXPECT_TRUE((*label)->toolTip().contains(note.left(20)));
}

TEST_F(WhatIf, ADeviceIsFittedToTheRunAndItsRanksGoOn) {
  const auto measured = measuredRanks();
  experiment = measured->experiment;
  view->show();
  EXPECT_TRUE(view->ranks().isHidden());
  EXPECT_FALSE(view->fitButton().isEnabled());
  model.setExperiment(experiment);
  view->setMeasured(measured);
  settle();
  EXPECT_FALSE(view->ranks().isHidden());
  ASSERT_TRUE(view->fitButton().isEnabled());
  const std::size_t before = model.devices().size();
  view->fitButton().click();
  ASSERT_TRUE(QTest::qWaitFor([&] { return model.devices().size() == before + 1; }, 60'000));
  settle();
  EXPECT_EQ(model.device().name, "fitted");
  EXPECT_TRUE(view->truth().contains("at the 6 measured points the median error is"))
      << view->truth().toStdString();
  view->ranks().setCurrentIndex(view->ranks().findData(64));
  emit view->ranks().activated(view->ranks().currentIndex());
  settle();
  ASSERT_TRUE(QTest::qWaitFor([&] { return model.run().run()->cells.size() == 3u * 7u; }, 20'000));
  EXPECT_TRUE(model.run().run()->isSimulated());
  EXPECT_EQ(model.run().run()->experiment.axes[0].values.back(), 64);
  // Once more takes the place of the one before.
  view->fitButton().click();
  settle();
  EXPECT_EQ(model.devices().size(), before + 1);
}

TEST_F(WhatIf, CurvesAreHatched) {
  view->show();
  settle();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(view.get()));
  ASSERT_TRUE(
      QTest::qWaitFor([this] { return !view->chart().measured().curves().empty(); }, 10'000));
  for (std::size_t c = 0; c < view->chart().measured().curves().size(); ++c) {
    EXPECT_TRUE(view->chart().measured().curves()[c].simulated);
    EXPECT_TRUE(view->chart().measured().marks(c).hatched());
  }
}

}  // namespace
}  // namespace fusebench
