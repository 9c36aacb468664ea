// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/slowdowns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "profiler/files/input_error.h"
#include "profiler/statistics/random.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using Runs = std::vector<Run>;

/// How the times of a machine vary, each as the standard deviation of a logarithm.
struct MachineNoise {
  double cell = 0.01;     ///< between sessions, for each data point separately
  double session = 0;     ///< between sessions, the same for all data points
  double sample = 0.025;  ///< between samples
  double run = 0;         ///< between runs, the same for all data points and for the pace
  bool pace = true;       ///< whether runs recorded the machine's own pace
  /// Share of a session's samples that other programs lengthen, at most: each session draws its
  /// own.
  double disturbed = 0;
  double tick = 0.02;  ///< between ticks of the pace
};

class SimulatedMachine {
 public:
  explicit SimulatedMachine(std::uint64_t seed, MachineNoise noise) : seed_(seed), noise_(noise) {}

  /// A run of `points` data points and two variants whose second one takes `slower` times as long.
  Run measure(double slower, int points = 6, int sessions = 8) {
    Run run;
    run.experiment.variants.resize(2);
    run.experiment.variants[0].name = run.experiment.baseline = "eager";
    run.experiment.variants[1].name = "static";
    run.experiment.axes.push_back({"statements", "statements", {}});
    for (int i = 1; i <= points; ++i) run.experiment.axes[0].values.push_back(i);
    const double machine = noise_.run * normal();
    std::vector<double> common, disturbed;
    for (int s = 0; s < sessions; ++s) {
      common.push_back(noise_.session * normal());
      disturbed.push_back(noise_.disturbed > 0 ? noise_.disturbed * uniform() : 0);
    }
    for (const CellKey& key : cells(run.experiment)) {
      Cell& cell = run.cells.emplace_back();
      cell.key = key;
      cell.stop = Stop::cap;
      const double time = 100.0 * static_cast<double>(key.at[0]) * (key.variant == 1 ? slower : 1);
      for (int s = 0; s < sessions; ++s) {
        const double own = noise_.cell * normal();
        for (int i = 0; i < kSamples; ++i)
          cell.samples.push_back({s * kSamples + i,
                                  time * std::exp(machine + common[static_cast<std::size_t>(s)] +
                                                  own + noise_.sample * normal() +
                                                  longer(disturbed[static_cast<std::size_t>(s)])),
                                  {},
                                  0,
                                  s});
      }
    }
    if (noise_.pace)
      for (const char* list : {"arithmetic_ns", "memory_ns"})
        for (int i = 0; i < 64; ++i)
          run.environment["pace"][list].push_back(1e6 * std::exp(machine + noise_.tick * normal()));
    return run;
  }
  double normal() { return normalAt(seed_, 1, count_++); }
  double uniform() { return std::erfc(-normal() / std::sqrt(2.0)) / 2; }

 private:
  /// How much longer a sample takes where other programs lengthen such a share of them.
  double longer(double share) {
    return share > 0 && uniform() < share ? kLonger * std::abs(normal()) : 0;
  }
  static constexpr double kLonger = 0.3;
  static constexpr int kSamples = 25;
  std::uint64_t seed_, count_ = 0;
  MachineNoise noise_;
};

struct Verdicts {
  int within = 0, slower = 0, cannotTell = 0;
};

/// The verdicts of so many checks of a build that takes `slower` times as long as that of its
/// baseline.
Verdicts checkOften(int checks, double slower, const MachineNoise& noise, double allowed = 0.05) {
  Verdicts verdicts;
  for (int check = 0; check < checks; ++check) {
    SimulatedMachine machine(static_cast<std::uint64_t>(check) + 1, noise);
    const std::vector<Run> before = {machine.measure(1)};
    CheckSettings settings;
    settings.allowed = allowed;
    const CheckReport report = checkUntilTold(
        before, [&] { return std::optional(machine.measure(slower)); }, 2, settings);
    verdicts.within += report.verdict == CheckVerdict::within;
    verdicts.slower += report.verdict == CheckVerdict::slower;
    verdicts.cannotTell += report.verdict == CheckVerdict::cannotTell;
  }
  return verdicts;
}

const MachineNoise kQuiet{}, kSessionsDiffer{0.02, 0.01, 0.03}, kBusy{0.03, 0.03, 0.1, 0.1, true},
    kShared{0.01, 0, 0.01, 0.005, true, 0.9};

constexpr int kChecks = 200;

TEST(SimulatedChecks, RaiseAtMostOneFalseAlarmInAHundred) {
  for (const MachineNoise& noise : {kQuiet, kSessionsDiffer, kBusy, kShared})
    EXPECT_LE(checkOften(kChecks, 1, noise).slower, kChecks / 100)
        << "between sessions " << noise.cell << ", between runs " << noise.run << ", disturbed "
        << noise.disturbed;
}

TEST(SimulatedChecks, RaiseAtMostOneFalseAlarmInAHundredWhereNoSlowdownIsAllowed) {
  for (const MachineNoise& noise : {kQuiet, kSessionsDiffer, kBusy, kShared})
    EXPECT_LE(checkOften(kChecks, 1, noise, 0).slower, kChecks / 100)
        << "between sessions " << noise.cell << ", between runs " << noise.run << ", disturbed "
        << noise.disturbed;
}

TEST(SimulatedChecks, FindASlowdownOfTenPercentInNinetyFiveOfAHundred) {
  for (const MachineNoise& noise : {kQuiet, kSessionsDiffer, kShared})
    EXPECT_GE(checkOften(kChecks, 1.1, noise).slower, kChecks * 95 / 100)
        << "between sessions " << noise.cell << ", disturbed " << noise.disturbed;
}

TEST(SimulatedChecks, PassAnUnchangedBuildWhereOtherProgramsLengthenSamples) {
  EXPECT_GE(checkOften(kChecks, 1, kShared).within, kChecks * 95 / 100);
}

TEST(SimulatedChecks, PassAnUnchangedBuildOnAQuietMachine) {
  EXPECT_GE(checkOften(kChecks, 1, kQuiet).within, kChecks * 95 / 100);
}

TEST(SimulatedChecks, SayThatTheyCannotTellOnABusyMachineRatherThanPass) {
  // A slowdown of 10% on a machine whose own speed changes by as much from run to run.
  const Verdicts verdicts = checkOften(kChecks, 1.1, kBusy);
  EXPECT_LE(verdicts.within, kChecks / 100);
  EXPECT_GT(verdicts.cannotTell, 0);
}

constexpr MachineNoise kSteady{0.001, 0, 0.001, 0, true, 0, 0.001};

CheckReport check(const Runs& before, const Runs& now, double allowed = 0.05) {
  CheckSettings settings;
  settings.allowed = allowed;
  return checkRuns(before, now, settings);
}

TEST(Checks, NameTheDataPointsThatAreSlower) {
  SimulatedMachine machine(1, kSteady);
  const CheckReport report = check({machine.measure(1)}, {machine.measure(1.1)});
  EXPECT_EQ(report.verdict, CheckVerdict::slower);
  EXPECT_EQ(report.count(CheckVerdict::slower), 6u);
  for (const CheckedCell& cell : report.cells) {
    EXPECT_EQ(cell.verdict == CheckVerdict::slower, cell.variant == "static");
    EXPECT_LT(cell.low, cell.change);
    EXPECT_LT(cell.change, cell.high);
  }
  EXPECT_NEAR(report.cells[1].change, 0.1, 0.01);
  EXPECT_EQ(nameOf(report, report.cells[1]), "static at statements = 1");
}

TEST(Checks, AllowWhatIsAllowed) {
  SimulatedMachine machine(1, kSteady);
  const Runs before = {machine.measure(1)}, now = {machine.measure(1.1)};
  EXPECT_EQ(check(before, now, 0.2).verdict, CheckVerdict::within);
  EXPECT_EQ(check(now, before, 0).verdict, CheckVerdict::within) << "faster is never an alarm";
}

TEST(Checks, SayHowManySamplesAreNeededWhereNoiseIsTooLarge) {
  SimulatedMachine machine(1, {0.2, 0, 0.01});
  const CheckReport report = check({machine.measure(1)}, {machine.measure(1)});
  ASSERT_EQ(report.verdict, CheckVerdict::cannotTell);
  for (const CheckedCell& cell : report.cells)
    if (cell.verdict == CheckVerdict::cannotTell) {
      ASSERT_TRUE(cell.samplesNeeded);
      EXPECT_GT(*cell.samplesNeeded, cell.samples);
      EXPECT_THAT(cell.why, HasSubstr(std::to_string(*cell.samplesNeeded)));
    }
}

/// The same run by a machine whose samples take `samples` times as long, and its own work `pace`.
Run scaled(Run run, double samples, double pace) {
  for (Cell& cell : run.cells)
    for (Sample& sample : cell.samples) sample.nanoseconds *= samples;
  for (auto& list : run.environment["pace"])
    for (auto& time : list) time = time.get<double>() * pace;
  return run;
}

TEST(Checks, CountNothingThatTheMachineItselfExplains) {
  SimulatedMachine machine(1, kSteady);
  const Runs before = {machine.measure(1)};
  EXPECT_EQ(check(before, {scaled(machine.measure(1), 1.2, 1)}).verdict, CheckVerdict::slower);
  const CheckReport report = check(before, {scaled(machine.measure(1), 1.2, 1.2)});
  EXPECT_EQ(report.verdict, CheckVerdict::within);
  EXPECT_NEAR(report.cells[0].change, 0, 0.02);
  ASSERT_TRUE(report.machine);
  EXPECT_NEAR(report.machine->value, 0.2, 0.02);
  // Nor does a slower machine hide a slowdown.
  EXPECT_EQ(check(before, {scaled(machine.measure(1.1), 1.2, 1.2)}).verdict, CheckVerdict::slower);
  // A faster one does not either; whether the experiment follows it is not known.
  EXPECT_EQ(check(before, {scaled(machine.measure(1.1), 1 / 1.1, 1 / 1.1)}).verdict,
            CheckVerdict::cannotTell);
}

TEST(Checks, SubtractOnlyWhatEveryKindOfTheMachinesWorkShows) {
  SimulatedMachine machine(1, kSteady);
  const Runs before = {machine.measure(1)};
  fusebench::Run now = scaled(machine.measure(1), 1.2, 1.2);
  now.environment["pace"]["memory_ns"] = before[0].environment["pace"]["memory_ns"];
  const CheckReport report = check(before, {now});
  EXPECT_EQ(report.verdict, CheckVerdict::cannotTell);
  EXPECT_NEAR(report.cells[0].change, 0.2, 0.02);
  EXPECT_THAT(report.cells[0].why, HasSubstr("machine"));
}

TEST(Checks, SubtractNothingOfAGpuByThePaceOfTheProcessor) {
  SimulatedMachine machine(1, kSteady);
  Runs before = {machine.measure(1)}, now = {scaled(machine.measure(1), 1.2, 1.2)};
  before[0].device = now[0].device = "cuda:0";
  const CheckReport report = check(before, now);
  EXPECT_EQ(report.verdict, CheckVerdict::cannotTell);
  EXPECT_NEAR(report.cells[0].change, 0.2, 0.02);
}

TEST(Checks, CompareWithBaselinesThatKnowFewerKindsOfWork) {
  SimulatedMachine machine(1, kSteady);
  Runs before = {machine.measure(1)}, now = {scaled(machine.measure(1), 1.2, 1.2)};
  now[0].environment["pace"]["launch_ns"] = now[0].environment["pace"]["memory_ns"];
  EXPECT_EQ(check(before, now).verdict, CheckVerdict::within);
  before[0].environment.erase("pace");
  const CheckReport report = check(before, now);
  EXPECT_EQ(report.verdict, CheckVerdict::slower);
  EXPECT_FALSE(report.machine);
}

TEST(Checks, PassNothingWhoseMedianIsSlowerThoughItsFastestSamplesAreNot) {
  SimulatedMachine machine(1, kSteady);
  const Runs before = {machine.measure(1)};
  Runs now = {machine.measure(1)};
  for (Cell& cell : now[0].cells)
    for (std::size_t i = 0; i < cell.samples.size(); ++i)
      if (i % 5 != 0) cell.samples[i].nanoseconds *= 1.3;
  const CheckReport report = check(before, now);
  EXPECT_EQ(report.verdict, CheckVerdict::cannotTell);
  EXPECT_LT(report.cells[0].high, 0.1);
  EXPECT_GT(report.cells[0].medianLow, 0.2);
  EXPECT_THAT(report.cells[0].why, HasSubstr("median"));
}

TEST(Checks, MeasureAgainOnlyWhileTheyMay) {
  SimulatedMachine machine(1, {0.2, 0, 0.01});
  const Runs before = {machine.measure(1)};
  int measured = 0;
  const auto measure = [&] {
    ++measured;
    return std::optional(machine.measure(1));
  };
  checkUntilTold(before, measure, 4, {});
  EXPECT_EQ(measured, 4);
  measured = 0;
  checkUntilTold(before, measure, 4, {}, [&] { return measured < 2; });
  EXPECT_EQ(measured, 2);
}

TEST(Checks, KeepIntervalsAsWideAsRunsAreApart) {
  SimulatedMachine machine(1, {0.001, 0, 0.001, 0, false});
  const Runs before = {machine.measure(1), machine.measure(1)};
  Runs now = {machine.measure(1), machine.measure(1)};
  for (Cell& cell : now[1].cells)
    for (Sample& sample : cell.samples) sample.nanoseconds *= 1.3;
  const CheckReport report = check(before, now);
  EXPECT_EQ(report.verdict, CheckVerdict::cannotTell);
  for (const CheckedCell& cell : report.cells) {
    EXPECT_LE(cell.low, 0.01);
    EXPECT_GE(cell.high, 0.29);
  }
}

TEST(Checks, FailWhereADataPointFailsThatWorked) {
  SimulatedMachine machine(1, kSteady);
  const Runs before = {machine.measure(1)};
  Runs now = {machine.measure(1)};
  now[0].cells[3].samples.clear();
  now[0].cells[3].stop = Stop::failed;
  now[0].cells[3].error = "out of memory";
  const CheckReport report = check(before, now);
  EXPECT_EQ(report.verdict, CheckVerdict::slower);
  EXPECT_THAT(report.cells[3].why, HasSubstr("out of memory"));
  now[0].cells[3].stop = Stop::unavailable;
  EXPECT_EQ(check(before, now).verdict, CheckVerdict::cannotTell);
}

TEST(Checks, CompareOnlyWhatBothSidesHave) {
  SimulatedMachine machine(1, kSteady);
  const Runs before = {machine.measure(1, 4)}, now = {machine.measure(1, 6)};
  const CheckReport more = check(before, now);
  EXPECT_EQ(more.verdict, CheckVerdict::within);
  EXPECT_EQ(more.count(CheckVerdict::within), 8u);
  EXPECT_EQ(check(now, before).onlyBefore, 4u);
  Runs other = {machine.measure(1)};
  other[0].experiment.axes[0].name = "batch";
  EXPECT_THROW(check(before, other), InputError);
}

TEST(Checks, DoNotTrustFewerThanThreeSessions) {
  SimulatedMachine machine(1, kSteady);
  const CheckReport report = check({machine.measure(1, 6, 2)}, {machine.measure(1.5, 6, 2)});
  EXPECT_EQ(report.verdict, CheckVerdict::cannotTell);
  EXPECT_THAT(report.cells[0].why, HasSubstr("sessions"));
}

TEST(Checks, RaiseNoAlarmAfterOneMeasurementOfTwo) {
  SimulatedMachine machine(1, kSteady);
  const Runs before = {machine.measure(1)};
  int measured = 0;
  const auto once = [&]() -> std::optional<fusebench::Run> {
    if (measured++ > 0) return std::nullopt;
    return machine.measure(1.5);
  };
  EXPECT_EQ(checkUntilTold(before, once, 2, {}).verdict, CheckVerdict::cannotTell);
  measured = 0;
  EXPECT_EQ(checkUntilTold(before, once, 1, {}).verdict, CheckVerdict::slower);
  // A disturbance of the first measurement is gone in the second.
  int run = 0;
  const auto disturbed = [&] { return std::optional(machine.measure(run++ == 0 ? 1.5 : 1)); };
  EXPECT_EQ(checkUntilTold(before, disturbed, 2, {}).verdict, CheckVerdict::cannotTell);
}

}  // namespace
}  // namespace fusebench
