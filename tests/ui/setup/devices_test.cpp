// SPDX-License-Identifier: GPL-3.0-or-later
// The devices, as a model and in Setup. A stand-in replaces the search for them.
#include "ui/models/setup/devices_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QToolButton>
#include <atomic>
#include <stdexcept>
#include <string>

#include "profiler/protocol/worker_client.h"
#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/views/setup/inspector.h"
#include "ui/views/setup/inspector_axes.h"
#include "ui/views/setup/inspector_device.h"
#include "ui/views/setup/inspector_variants.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

ListedDevice gpu(const char* name, const char* model) {
  ListedDevice device;
  device.name = name;
  device.model = model;
  device.details = "1.0 GiB of memory";
  return device;
}

class Devices : public testing::Test {
 protected:
  Devices() {
    found = {gpu("cpu", "EPYC"), gpu("cuda:0", "H100"), gpu("cuda:1", "A2")};
    model.setProbes({[this](std::stop_token) {
                       ++asked;
                       return found;
                     },
                     [this](const std::string& device, std::stop_token stop) -> RecordingState {
                       ++tried;
                       while (hold && !stop.stop_requested()) QThread::msleep(1);
                       if (stop.stop_requested()) throw StopRequested();
                       return {"busy", "another tool records " + device, "close Nsight"};
                     }});
  }
  bool examined() {
    model.examineOnce();
    return QTest::qWaitFor([this] { return model.known(); }, 10'000);
  }
  bool triedRecording() {
    return QTest::qWaitFor([this] { return model.recording() != nullptr; }, 10'000);
  }
  static fusebench::Run runOn(const char* device, const char* backend) {
    fusebench::Run run = test::syntheticRun();
    run.device = device;
    run.environment = {{"cpu", {{"model", "EPYC"}}}, {"backend", backend}};
    return run;
  }
  std::atomic<int> asked = 0, tried = 0;
  std::atomic<bool> hold = false;
  DeviceList found;
  DevicesModel model;
};

TEST_F(Devices, AreTheCpuUntilTheAnswerComesAndAskedForOnce) {
  EXPECT_FALSE(model.known());
  EXPECT_EQ(model.devices().size(), 1u);
  EXPECT_EQ(model.chosenText(), "cpu");
  ASSERT_TRUE(examined());
  model.examineOnce();
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(model.devices().size(), 3u);
  EXPECT_EQ(model.chosenText(), QStringLiteral("cpu · EPYC"));
  EXPECT_EQ(tried, 0);  // nothing is to be recorded on the CPU
}

TEST_F(Devices, GetTheirPlainNames) {
  model.choose("cuda");
  EXPECT_EQ(model.chosen(), "cuda:0");
  ASSERT_TRUE(examined());
  EXPECT_EQ(model.chosenText(), QStringLiteral("cuda:0 · H100"));
  QSignalSpy chosen(&model, &DevicesModel::chosenChanged);
  model.choose("cuda:0");
  EXPECT_EQ(chosen.count(), 0);
  model.choose("cpu");
  EXPECT_EQ(chosen.count(), 1);
}

TEST_F(Devices, KnowWhichRunsAreTheirs) {
  ASSERT_TRUE(examined());
  EXPECT_TRUE(model.measures(runOn("cpu", "")));
  EXPECT_FALSE(model.measures(runOn("cuda", "H100, 132")));
  model.choose("cuda:0");
  EXPECT_TRUE(model.measures(runOn("cuda", "H100, 132")));
  EXPECT_FALSE(model.measures(runOn("cuda", "V100, 80")));  // another card of the same name
  EXPECT_FALSE(model.nameHere(runOn("cuda:0", "V100, 80")).has_value());
  EXPECT_EQ(model.nameHere(runOn("cuda:1", "A2, 10")), QStringLiteral("cuda:1"));
  EXPECT_FALSE(model.nameHere(runOn("cuda:7", "")).has_value());
}

TEST_F(Devices, TryRecordingOnTheChosenGpuOnceAndNotWhileMeasuring) {
  ASSERT_TRUE(examined());
  hold = true;
  model.choose("cuda:0");
  ASSERT_TRUE(QTest::qWaitFor([this] { return tried == 1; }, 10'000));
  model.setQuiet(true);  // ends the try
  hold = false;
  test::handleEvents();
  EXPECT_EQ(model.recording(), nullptr);
  model.setQuiet(false);
  ASSERT_TRUE(triedRecording());
  EXPECT_EQ(model.recording()->state, "busy");
  model.choose("cpu");
  EXPECT_EQ(model.recording(), nullptr);
  model.choose("cuda:0");
  EXPECT_NE(model.recording(), nullptr);
  EXPECT_EQ(tried, 2);
}

TEST_F(Devices, ThatCannotBeListedLeaveTheCpuAndAReason) {
  model.setProbes(
      {[](std::stop_token) -> DeviceList { throw std::runtime_error("no program"); }, {}});
  ASSERT_TRUE(examined());
  EXPECT_EQ(model.problem(), "no program");
  EXPECT_EQ(model.devices().size(), 1u);
}

/// The form, with room.
class DeviceChoice : public Devices {
 protected:
  DeviceChoice() : inspector(document, model) {
    inspector.resize(320, 900);
    inspector.show();
  }
  QComboBox& combo() { return inspector.device().choice().combo(); }
  void choose(int row) {
    combo().setCurrentIndex(row);
    emit combo().activated(row);
  }
  DocumentModel document;
  Inspector inspector;
};

TEST_F(DeviceChoice, ListsThemAndGraysWhatIsMissingWithReasonAndRemedy) {
  ListedDevice missing;
  missing.name = "cuda";
  missing.problem = "no GPU: no driver is installed";
  missing.remedy = "install NVIDIA's driver";
  found = {gpu("cpu", "EPYC"), missing};
  ASSERT_TRUE(examined());
  ASSERT_EQ(combo().count(), 2);
  EXPECT_EQ(combo().itemText(0), QStringLiteral("cpu · EPYC"));
  EXPECT_EQ(combo().itemText(1), QStringLiteral("cuda · none here"));
  const auto* items = qobject_cast<QStandardItemModel*>(combo().model());
  EXPECT_TRUE(items->item(0)->isEnabled());
  EXPECT_FALSE(items->item(1)->isEnabled());
  EXPECT_EQ(combo().itemData(1, Qt::ToolTipRole).toString(),
            "<qt>no GPU: no driver is installed<br>install NVIDIA's driver</qt>");
  EXPECT_EQ(inspector.device().recording(), "");
  inspector.device().lookAgain().click();
  EXPECT_EQ(inspector.device().recording(), QStringLiteral("Looking for GPUs…"));
  ASSERT_TRUE(QTest::qWaitFor([this] { return asked == 2 && !model.looking(); }, 10'000));
}

TEST_F(DeviceChoice, ChoosesAndSaysWhetherLaunchesAreRecorded) {
  ASSERT_TRUE(examined());
  choose(1);
  EXPECT_EQ(model.chosen(), "cuda:0");
  EXPECT_EQ(inspector.device().choice().note(), "1.0 GiB of memory");
  ASSERT_TRUE(triedRecording());
  EXPECT_EQ(inspector.device().recording(), "CUPTI busy: launches are not recorded");
  EXPECT_EQ(inspector.device().recordingTip(),
            "<qt>another tool records cuda:0<br>close Nsight</qt>");
  model.setQuiet(true);
  EXPECT_FALSE(inspector.device().choice().isEnabled());
  EXPECT_EQ(combo().toolTip(), "Stop the run to choose another device");
  model.setQuiet(false);
  choose(0);
  EXPECT_EQ(model.chosen(), "cpu");
  EXPECT_EQ(inspector.device().recording(), "");
}

TEST_F(DeviceChoice, HidesTheThreadsOfTheCpuOnAGpuUnlessTheFileHasSome) {
  ASSERT_TRUE(examined());
  const auto threads = [this](int card) {
    return inspector.findChildren<VariantCard*>()[card]->findChild<LineField*>("threads");
  };
  document.edit("Threads", {}, [](Experiment& e) { e.variants[1].threads = 4; });
  EXPECT_FALSE(threads(0)->isHidden());
  EXPECT_EQ(threads(1)->note(), "");
  choose(1);
  EXPECT_TRUE(threads(0)->isHidden());
  EXPECT_FALSE(threads(1)->isHidden());
  EXPECT_THAT(threads(1)->note().toStdString(), HasSubstr("a GPU ignores it"));
  document.edit("Sweep threads", {}, [](Experiment& e) {
    e.axes.push_back({"threads", "threads", {1, 2}});
  });
  const auto axis = [this] {
    return inspector.findChildren<AxisCard*>()[1]->findChild<ChoiceField*>("name")->note();
  };
  EXPECT_THAT(axis().toStdString(), HasSubstr("a GPU ignores it"));
  choose(0);
  EXPECT_FALSE(threads(0)->isHidden());
  EXPECT_EQ(axis(), "replaces the variants' number of threads");
}

}  // namespace
}  // namespace fusebench
