// SPDX-License-Identifier: GPL-3.0-or-later
// The traced pass: which cells get the host's side and the device's, and what the others say.
#include "profiler/study/anatomy_pass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <optional>

#include "profiler/run/anatomy_json.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/profiler/worker/fake_worker.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class AnatomyPass : public testing::Test {
 protected:
  AnatomyPass() {
    run.experiment = smallExperiment({1, 2});
    run.device = "cuda";
    run.environment = json::object();
    for (const CellKey& key : cells(run.experiment)) {
      Cell cell;
      cell.key = key;
      cell.samples = {{0, 100, DeviceTimes{10, 20, 30}}};
      run.cells.push_back(cell);
    }
    world.misbehave = [this](const Request& request) -> std::optional<std::string> {
      if (request.verb == Verb::load && request.body.contains("record")) {
        recording = true;
        return okLine(request.id,
                      {{"cells", 1}, {"recording", {{"version", "13.0"}, {"state", state}}}});
      }
      if (request.verb != Verb::trace) return std::nullopt;
      if (!recording) {
        world.seconds += hostSeconds;
        return ++hosts > mostHosts ? std::optional<std::string>("die") : std::nullopt;
      }
      world.seconds += deviceSeconds;
      if (++devices > mostDevices) return "die";
      json answer = {{"note", note}, {"collects", collects}};
      if (note.empty())
        answer["device"] = toJson(DeviceAnatomy{{1, 0, 2, 3, 4}, 5, 6, {}, {}, {}, {}});
      return okLine(request.id, answer);
    };
  }
  std::string trace(double seconds = 100) {
    StudyOptions options;
    options.connect = options.connectTrace = world.connector();
    options.seconds = [this] { return world.seconds; };
    return traceCells(
        run, options, seconds, {}, [&](std::size_t i) { heard.push_back(i); },
        [](std::size_t, std::size_t) {});
  }
  int sides(bool device) const {
    int count = 0;
    for (const Cell& cell : run.cells)
      count += cell.anatomy && (!device || cell.anatomy->device.has_value());
    return count;
  }
  std::vector<std::string> problems() const {
    std::vector<std::string> all;
    for (const Cell& cell : run.cells)
      if (cell.anatomy && !cell.anatomy->device) all.push_back(cell.anatomy->deviceProblem);
    return all;
  }

  fusebench::Run run;
  FakeWorld world;
  bool recording = false, collects = true;
  double hostSeconds = 1, deviceSeconds = 1;
  int hosts = 0, devices = 0, mostHosts = 100, mostDevices = 100;
  std::string note, state = "on";
  std::vector<std::size_t> heard;
};

TEST_F(AnatomyPass, AsksOneWorkerForTheHostsSideAndOneForTheDevices) {
  EXPECT_EQ(trace(), "");
  EXPECT_EQ(world.workersStarted, 2);
  EXPECT_EQ(sides(true), static_cast<int>(run.cells.size()));
  EXPECT_EQ(run.cells[0].anatomy->device->of(DevicePart::gaps), 3);
  EXPECT_EQ(run.environment["cupti"], "13.0");
  EXPECT_THAT(heard, SizeIs(2 * run.cells.size()));
}

TEST_F(AnatomyPass, LeavesTheDevicesSideOutWhereTheHostRunsTheKernels) {
  run.device = "cpu";
  EXPECT_EQ(trace(), "");
  EXPECT_EQ(world.workersStarted, 1);
  EXPECT_EQ(sides(true), 0);
  EXPECT_FALSE(run.environment.contains("cupti"));
}

TEST_F(AnatomyPass, GivesTheDevicesSideToCellsThatWereTracedBeforeTheTimeWasUp) {
  const std::string problem = trace(1.5);
  EXPECT_EQ(sides(false), 2);
  EXPECT_EQ(sides(true), 2);
  EXPECT_THAT(problem, HasSubstr("its time budget was used up after 2 of"));
  EXPECT_THAT(problem, testing::Not(HasSubstr("device")));
}

TEST_F(AnatomyPass, FinishesAPointThatItBeganSoThatItsVariantsCanBeCompared) {
  trace(0.5);  // used up by the first cell
  EXPECT_TRUE(run.cells[0].anatomy && run.cells[1].anatomy);
  EXPECT_EQ(run.cells[0].key.at, run.cells[1].key.at);
  EXPECT_EQ(sides(false), 2);
}

TEST_F(AnatomyPass, GivesItToThemAlsoWhereTheFirstWorkerWasLost) {
  mostHosts = 2;
  EXPECT_THAT(trace(), HasSubstr("killed"));
  EXPECT_EQ(sides(false), 2);
  EXPECT_EQ(sides(true), 2);
}

TEST_F(AnatomyPass, SaysAtEachCellThatTheTimeForTheDeviceWasUp) {
  hostSeconds = 0;
  deviceSeconds = 10;
  const std::string problem = trace(5);
  const auto all = run.cells.size();
  EXPECT_EQ(sides(false), static_cast<int>(all));
  EXPECT_EQ(sides(true), 1);
  EXPECT_THAT(problem, HasSubstr("the time budget for the device was used up after 1 of"));
  EXPECT_THAT(problems(), SizeIs(all - 1));
  EXPECT_THAT(problems(), testing::Each(problem));
  EXPECT_THAT(heard, SizeIs(2 * all));  // those that lack it are heard of, too
}

TEST_F(AnatomyPass, SaysAtEachCellThatTheSecondWorkerWasLost) {
  mostDevices = 1;
  EXPECT_THAT(trace(), HasSubstr("killed"));
  EXPECT_EQ(sides(true), 1);
  EXPECT_THAT(problems(), testing::Each(HasSubstr("killed")));
}

TEST_F(AnatomyPass, GoesOnAfterACellOfWhichRecordsWereLost) {
  note = "of the device's records 3 dropped";
  EXPECT_EQ(trace(), "");
  EXPECT_EQ(devices, static_cast<int>(run.cells.size()));
  EXPECT_THAT(problems(), SizeIs(run.cells.size()));
  EXPECT_THAT(problems(), testing::Each(note));
}

TEST_F(AnatomyPass, AsksNoFurtherWhereNothingIsRecorded) {
  note = "denied";
  state = "denied";
  collects = false;
  EXPECT_EQ(trace(), note);
  EXPECT_EQ(devices, 1);
  EXPECT_FALSE(run.environment.contains("cupti"));
  EXPECT_THAT(problems(), testing::Each(note));
}

TEST_F(AnatomyPass, OfARunThatLacksOnlyTheDevicesSideAsksOnlyForThat) {
  mostDevices = 0;
  trace();
  mostDevices = 100;
  recording = false;
  const int before = hosts;
  EXPECT_EQ(trace(), "");
  EXPECT_EQ(hosts, before);
  EXPECT_EQ(sides(true), static_cast<int>(run.cells.size()));
  EXPECT_THAT(problems(), IsEmpty());
  EXPECT_EQ(run.cells[0].anatomy->deviceProblem, "");
}

TEST_F(AnatomyPass, GathersWhatIsMissingByItsReason) {
  note = "a reason";
  trace();
  run.cells[0].anatomy->deviceProblem = "another";
  std::vector<const Cell*> some{&run.cells[0], &run.cells[1]};
  auto missing = missingDeviceSides(run, some);
  ASSERT_THAT(missing, SizeIs(2));
  EXPECT_EQ(missing[0].why, "another");
  EXPECT_THAT(missing[1].variants, ElementsAre(run.experiment.variants[1].name));
  run.cells[0].anatomy->deviceProblem = "a reason";
  EXPECT_THAT(missingDeviceSides(run, some), SizeIs(1));
  for (Cell& cell : run.cells) cell.samples[0].device.reset();
  EXPECT_THAT(missingDeviceSides(run, some), IsEmpty());
}

}  // namespace
}  // namespace fusebench
