// SPDX-License-Identifier: GPL-3.0-or-later
// Other machines, as a model and in Setup. A stand-in replaces the connections.
#include "ui/models/setup/targets_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QToolButton>
#include <atomic>
#include <string>

#include "profiler/targets/target_program.h"
#include "tests/ui/synthetic.h"
#include "ui/models/setup/devices_model.h"
#include "ui/views/setup/inspector_targets.h"

namespace fusebench {
namespace {

using TargetState = TargetsModel::Target::State;

class Targets : public testing::Test {
 protected:
  Targets() {
    model.setReach(
        [this](const std::string& name, bool install, const auto& waiting, std::stop_token stop) {
          ++asked;
          if (name.starts_with("slurm:")) waiting(12);
          while (hold && !stop.stop_requested()) QThread::msleep(1);
          if (name == "ssh:nobody")
            throw TargetFailed("ssh:nobody cannot be reached: no such host");
          ReachedTarget target;
          target.name = name;
          target.spec = parseTarget(name);
          if (target.spec.kind == TargetSpec::Kind::slurm && target.spec.job.empty())
            target.allocation = allocate(target.spec);
          target.system = "Linux x86_64";
          target.ready = (name != "ssh:bare" && name != "slurm:bare") || install;
          target.programBytes = 3 << 20;
          ListedDevice cpu, gpu, simulated;
          cpu.name = "cpu";
          cpu.model = "EPYC";
          gpu.name = "cuda:0";
          gpu.model = "A100";
          simulated.name = "sim:h100";
          simulated.simulated = true;
          if (target.ready) target.devices = {cpu, gpu, simulated};
          return target;
        });
  }
  bool becomes(const QString& name, TargetState state) {
    return QTest::qWaitFor([&] { return model.find(name)->state == state; }, 10'000);
  }
  /// Nobody calls it: only how long it is held counts.
  std::shared_ptr<SlurmAllocation> allocate(TargetSpec& spec) {
    spec.job = std::to_string(++allocations);
    ++held;
    const auto token = std::shared_ptr<void>(&held, [this](void*) { --held; });
    return {token, reinterpret_cast<SlurmAllocation*>(&held)};
  }
  bool areHeld(int number) {
    return QTest::qWaitFor([&] { return held == number; }, 10'000);
  }
  std::atomic<int> asked = 0, allocations = 0, held = 0;
  std::atomic<bool> hold = false;
  TargetsModel model;
};

TEST_F(Targets, AreThisMachineAndThoseThatWereAdded) {
  EXPECT_EQ(model.targets().size(), 1u);
  EXPECT_EQ(model.chosen(), "here");
  EXPECT_EQ(model.add("ssh:anna@node7"), "");
  EXPECT_EQ(model.add("ssh:anna@node7"), "");
  EXPECT_FALSE(model.add("telnet:node7").isEmpty());
  EXPECT_EQ(model.names(), QStringList{"ssh:anna@node7"});
  EXPECT_EQ(model.find("ssh:anna@node7")->state, TargetState::unknown);
  EXPECT_EQ(asked, 0);
  model.remove("ssh:anna@node7");
  EXPECT_TRUE(model.names().isEmpty());
  model.remove("here");
  EXPECT_EQ(model.targets().size(), 1u);
}

TEST_F(Targets, AreChosenOnceTheyAreReachedAndNobodyWaitsMeanwhile) {
  hold = true;
  model.add("ssh:anna@node7");
  QSignalSpy chosen(&model, &TargetsModel::chosenChanged);
  model.choose("ssh:anna@node7");
  EXPECT_EQ(model.find("ssh:anna@node7")->state, TargetState::looking);
  EXPECT_EQ(model.chosen(), "here");
  EXPECT_EQ(model.reached(), nullptr);
  hold = false;
  ASSERT_TRUE(becomes("ssh:anna@node7", TargetState::ready));
  EXPECT_EQ(chosen.count(), 1);
  EXPECT_EQ(model.chosen(), "ssh:anna@node7");
  ASSERT_NE(model.reached(), nullptr);
  EXPECT_EQ(model.find("ssh:anna@node7")->words, "Linux x86_64: cpu (EPYC), cuda:0 (A100)");
  model.choose("here");
  EXPECT_EQ(model.chosen(), "here");
  EXPECT_EQ(chosen.count(), 2);
}

TEST_F(Targets, ThatCannotBeReachedSaySoAndAreNotChosen) {
  model.add("ssh:nobody");
  model.choose("ssh:nobody");
  ASSERT_TRUE(becomes("ssh:nobody", TargetState::failed));
  EXPECT_EQ(model.find("ssh:nobody")->words, "ssh:nobody cannot be reached: no such host");
  EXPECT_EQ(model.chosen(), "here");
}

TEST_F(Targets, GetTheProgramOnlyWhenThatIsWanted) {
  model.add("ssh:bare");
  model.choose("ssh:bare");
  ASSERT_TRUE(becomes("ssh:bare", TargetState::lacksProgram));
  EXPECT_TRUE(model.find("ssh:bare")->words.contains("3.00 MiB"));
  EXPECT_EQ(model.chosen(), "here");
  model.install("ssh:bare");
  ASSERT_TRUE(becomes("ssh:bare", TargetState::ready));
  EXPECT_EQ(model.chosen(), "ssh:bare");
}

TEST_F(Targets, ThatQueueSayHowLong) {
  hold = true;
  model.add("slurm:gpu");
  model.look("slurm:gpu");
  EXPECT_TRUE(QTest::qWaitFor(
      [&] { return model.find("slurm:gpu")->words == "in Slurm's queue for 12 s"; }, 10'000));
  hold = false;
  ASSERT_TRUE(becomes("slurm:gpu", TargetState::ready));
  EXPECT_EQ(model.chosen(), "here");
}

TEST_F(Targets, HoldAnAllocationOnlyWhileTheyAreChosen) {
  model.add("slurm:gpu");
  model.look("slurm:gpu");
  ASSERT_TRUE(becomes("slurm:gpu", TargetState::ready));
  EXPECT_TRUE(areHeld(0)) << "nobody measures there";
  model.choose("slurm:gpu");
  ASSERT_TRUE(QTest::qWaitFor([&] { return model.chosen() == "slurm:gpu"; }, 10'000));
  EXPECT_EQ(held, 1);
  model.choose("here");
  EXPECT_TRUE(areHeld(0));
  EXPECT_EQ(model.reached(), nullptr);
}

TEST_F(Targets, AreLookedAtAnewInTheAllocationThereIs) {
  model.add("slurm:gpu");
  model.choose("slurm:gpu");
  ASSERT_TRUE(QTest::qWaitFor([&] { return model.chosen() == "slurm:gpu"; }, 10'000));
  QSignalSpy chosen(&model, &TargetsModel::chosenChanged);
  model.look("slurm:gpu");
  ASSERT_TRUE(QTest::qWaitFor([&] { return chosen.count() == 1; }, 10'000));
  EXPECT_EQ(allocations, 1);
  EXPECT_EQ(held, 1);
  ASSERT_NE(model.reached(), nullptr);
  EXPECT_EQ(model.reached()->name, "slurm:gpu");
}

TEST_F(Targets, WaitForNoAllocationWhileTheyHoldOne) {
  model.add("slurm:bare");
  model.choose("slurm:bare");
  ASSERT_TRUE(becomes("slurm:bare", TargetState::lacksProgram));
  EXPECT_TRUE(areHeld(0)) << "for as long as a person takes to answer";
  model.install("slurm:bare");
  ASSERT_TRUE(QTest::qWaitFor([&] { return model.chosen() == "slurm:bare"; }, 10'000));
  EXPECT_EQ(held, 1);
}

TEST_F(Targets, AreWaitedForUntilSomebodyThinksBetterOfIt) {
  model.add("slurm:gpu");
  for (const bool byRemoving : {false, true}) {
    hold = true;
    model.choose("slurm:gpu");
    ASSERT_EQ(model.find("slurm:gpu")->state, TargetState::looking);
    if (byRemoving)
      model.remove("slurm:gpu");
    else
      model.choose("here");
    // Nothing lets it go but the stop.
    EXPECT_TRUE(QTest::qWaitFor([&] { return allocations == (byRemoving ? 2 : 1); }, 10'000));
    EXPECT_TRUE(areHeld(0));
    if (!byRemoving) {
      EXPECT_EQ(model.find("slurm:gpu")->state, TargetState::unknown);
    }
    EXPECT_EQ(model.chosen(), "here");
  }
}

TEST_F(Targets, StayAsTheyAreWhileSomethingIsMeasured) {
  model.add("ssh:anna@node7");
  model.setQuiet(true);
  model.choose("ssh:anna@node7");
  EXPECT_EQ(model.find("ssh:anna@node7")->state, TargetState::unknown);
  EXPECT_EQ(asked, 0);
}

TEST_F(Targets, InSetUpAreAListWithWhatWasFound) {
  InspectorTargets view(model, nullptr);
  ASSERT_EQ(view.rows().size(), 1u);
  EXPECT_TRUE(view.rows()[0].name->isChecked());
  view.line().setText("node7");
  QTest::keyClick(&view.line(), Qt::Key_Return);
  EXPECT_FALSE(view.problem().isEmpty());
  view.line().setText("ssh:bare");
  QTest::keyClick(&view.line(), Qt::Key_Return);
  EXPECT_TRUE(view.problem().isEmpty());
  ASSERT_EQ(view.rows().size(), 2u);
  ASSERT_TRUE(becomes("ssh:bare", TargetState::lacksProgram));
  EXPECT_FALSE(view.rows()[1].copy->isHidden());
  view.rows()[1].copy->click();
  ASSERT_TRUE(becomes("ssh:bare", TargetState::ready));
  EXPECT_TRUE(view.rows()[1].copy->isHidden());
  EXPECT_TRUE(view.rows()[1].name->isChecked());
  EXPECT_FALSE(view.rows()[0].name->isChecked());
  EXPECT_TRUE(view.rows()[1].words->text().contains("A100"));
  view.rows()[1].remove->click();
  EXPECT_TRUE(QTest::qWaitFor([&] { return view.rows().size() == 1; }, 5'000));
  EXPECT_EQ(model.chosen(), "here");
}

TEST_F(Targets, RunsOfAnotherMachineAreOfAnotherDevice) {
  DevicesModel devices;
  fusebench::Run run = test::syntheticRun();
  run.device = "cpu";
  EXPECT_TRUE(devices.measures(run));
  run.environment["target"] = {{"name", "ssh:anna@node7"}};
  EXPECT_FALSE(devices.measures(run));
  EXPECT_EQ(targetOf(run), QStringLiteral("ssh:anna@node7"));
}

}  // namespace
}  // namespace fusebench
