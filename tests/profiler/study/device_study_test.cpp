// SPDX-License-Identifier: GPL-3.0-or-later
// Studies on a device that works on its own: what is kept of its times, and in which files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "profiler/export/export_data.h"
#include "profiler/export/result_json.h"
#include "profiler/study/study.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/profiler/worker/fake_worker.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::SizeIs;

class DeviceStudies : public testing::Test {
 protected:
  StudyOutcome study() {
    StudyOptions options;
    options.connect = world.connector();
    options.seconds = [this] { return world.seconds; };
    StudyObserver nobody;
    return runStudy(experiment, options, nobody, {});
  }
  static json sampleAt(double clock) {
    return {{"enqueue_ns", 60}, {"event_ns", 90}, {"single_ns", 150}, {"clock_mhz", clock}};
  }
  Experiment experiment = smallExperiment({1, 2});
  FakeWorld world;
};

TEST_F(DeviceStudies, KeepEachSamplesTimes) {
  world.device = [](int count) { return sampleAt(1000 + count); };
  const fusebench::Run run = study().run;
  for (const Cell& cell : run.cells) {
    ASSERT_THAT(cell.samples, SizeIs(31));
    EXPECT_TRUE(cell.hasDeviceTimes());
    EXPECT_EQ(cell.latency().value, 100);
    EXPECT_EQ(cell.deviceTime(&DeviceTimes::enqueue).value, 60);
    EXPECT_EQ(cell.deviceTime(&DeviceTimes::event).value, 90);
    EXPECT_EQ(cell.deviceTime(&DeviceTimes::single).value, 150);
    EXPECT_EQ(cell.clockMegahertz().value, 1015);
    EXPECT_EQ(cell.clockMegahertz().low, 1000);
    EXPECT_EQ(cell.clockMegahertz().high, 1030);
    EXPECT_EQ(cell.dropped, 0);
  }
}

TEST_F(DeviceStudies, DropThrottledSamplesAndCountThem) {
  world.device = [](int count) {
    json sample = sampleAt(1000);
    if (count % 4 == 1) sample["throttled"] = "slowed down by heat";
    return sample;
  };
  world.time = [](const CellKey&, int count) { return count % 4 == 1 ? 900.0 : 100.0; };
  const fusebench::Run run = study().run;
  for (const Cell& cell : run.cells) {
    EXPECT_EQ(cell.stop, Stop::converged);
    EXPECT_THAT(cell.samples, SizeIs(31));
    EXPECT_EQ(cell.dropped, 10);  // 41 were requested
    EXPECT_EQ(cell.droppedWhy, "slowed down by heat");
    EXPECT_EQ(cell.latency().high, 100);
  }
}

TEST_F(DeviceStudies, SayWhyACellHasNoSampleAtAll) {
  world.device = [](int) { return json{{"throttled", "slowed down by its power supply"}}; };
  const fusebench::Run run = study().run;
  for (const Cell& cell : run.cells) {
    EXPECT_EQ(cell.stop, Stop::budget);
    EXPECT_THAT(cell.samples, SizeIs(0));
    EXPECT_THAT(cell.error.value_or(""), HasSubstr("samples were dropped: the device was slowed "
                                                   "down by its power supply; let it cool down"));
  }
}

TEST_F(DeviceStudies, SurviveTheFile) {
  int asked = 0;  // a device whose clock can be read now and then only
  world.device = [&](int count) {
    json sample = sampleAt(1000 + count);
    if (++asked % 3 == 0) sample.erase("clock_mhz");
    if (asked == 5) sample["throttled"] = "slowed down by heat";
    return sample;
  };
  const fusebench::Run run = study().run;
  const fusebench::Run again = parseRun(runText(run), "r.jsonl");
  ASSERT_EQ(run.cells.size(), again.cells.size());
  int dropped = 0;
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    ASSERT_EQ(run.cells[i].samples.size(), again.cells[i].samples.size());
    for (std::size_t s = 0; s < run.cells[i].samples.size(); ++s) {
      EXPECT_EQ(run.cells[i].samples[s].device, again.cells[i].samples[s].device);
      EXPECT_EQ(run.cells[i].samples[s].clockMegahertz, again.cells[i].samples[s].clockMegahertz);
    }
    EXPECT_EQ(run.cells[i].dropped, again.cells[i].dropped);
    dropped += again.cells[i].dropped;
  }
  EXPECT_EQ(dropped, 1);
}

TEST_F(DeviceStudies, KeepTheDevicesOwnTimeWhereItWasMeasured) {
  int asked = 0;
  world.device = [&](int count) {
    json sample = sampleAt(1000 + count);
    if (++asked % 2 == 0) sample["device_ns"] = 30 + asked % 4;
    return sample;
  };
  const fusebench::Run run = study().run;
  const fusebench::Run again = parseRun(runText(run), "r.jsonl");
  ASSERT_FALSE(run.cells.empty());
  for (std::size_t i = 0; i < run.cells.size(); ++i)
    for (std::size_t s = 0; s < run.cells[i].samples.size(); ++s)
      EXPECT_EQ(run.cells[i].samples[s].device, again.cells[i].samples[s].device);
  const double device = again.cells[0].deviceTime(&DeviceTimes::device).value;
  EXPECT_GE(device, 30);  // samples without it count for nothing
  EXPECT_EQ(resultJson(again, {})["cells"][0]["device_ns"], device);
  world.device = [](int) { return sampleAt(1000); };
  const fusebench::Run without = study().run;
  EXPECT_EQ(runText(without).find("device_ns"), std::string::npos);
  EXPECT_TRUE(resultJson(without, {})["cells"][0]["device_ns"].is_null());
}

TEST_F(DeviceStudies, LeaveFilesOfOtherDevicesAsTheyWere) {
  const std::string text = runText(study().run);
  for (const char* key : {"enqueue_ns", "clock_mhz", "dropped", "\"cache\""})
    EXPECT_EQ(text.find(key), std::string::npos) << key;
}

TEST_F(DeviceStudies, AreRefusedWhenAListIsTooShortOrHoldsNoNumbers) {
  world.device = [](int) { return sampleAt(1000); };
  std::string header = runText(study().run);
  header.resize(header.find('\n') + 1);
  const auto read = [&](const char* lists) {
    return parseRun(header +
                        "{\"record\":\"samples\",\"variant\":\"eager\",\"at\":[1],\"rounds\":[0,1],"
                        "\"ns\":[5,6]," +
                        lists + "}\n",
                    "r.jsonl");
  };
  EXPECT_EQ(read("\"clock_mhz\":[null,7]").cells[0].samples[1].clockMegahertz, 7);
  EXPECT_THROW(read("\"clock_mhz\":[7]"), InputError);
  EXPECT_THROW(read("\"clock_mhz\":7"), InputError);
  EXPECT_THROW(read("\"enqueue_ns\":[1,\"x\"],\"event_ns\":[1,1],\"single_ns\":[1,1]"), InputError);
  EXPECT_THROW(read("\"enqueue_ns\":[1,-1],\"event_ns\":[1,1],\"single_ns\":[1,1]"), InputError);
}

TEST_F(DeviceStudies, ShowInResultsAndTables) {
  world.device = [](int count) { return sampleAt(1000 + count); };
  experiment.measure.cache = "flushed";
  const fusebench::Run run = study().run;
  const auto result = resultJson(run, {});
  EXPECT_EQ(result["cache"], "flushed");
  const auto& cell = result["cells"][0];
  EXPECT_EQ(cell["latency_ns"], 100);
  EXPECT_EQ(cell["enqueue_ns"], 60);
  EXPECT_EQ(cell["event_ns"], 90);
  EXPECT_EQ(cell["event_ci_ns"], json::array({90, 90}));
  EXPECT_EQ(cell["single_ns"], 150);
  EXPECT_EQ(cell["clock_mhz"]["median"], 1015);
  EXPECT_EQ(cell["dropped"], 0);
  const std::string csv = toCsv(std::vector{ExportedRun{"", &run, {}}});
  EXPECT_THAT(
      csv, HasSubstr(",enqueue_ns,event_ns,single_ns,device_ns,clock_median_mhz,dropped_count,"));
  EXPECT_THAT(csv, HasSubstr(",60.0,90.0,150.0,,1015.0,0,"));
}

TEST_F(DeviceStudies, KeepTheStateOfTheCacheInTheirExperiment) {
  experiment.measure.cache = "flushed";
  EXPECT_EQ(parseExperiment(toJson(experiment), "e").measure.cache, "flushed");
  std::string text = toJson(experiment);
  text.replace(text.find("flushed"), 7, "cold");
  try {
    parseExperiment(text, "e.json");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("hot"));
    EXPECT_THAT(error.what(), HasSubstr("flushed"));
  }
}

}  // namespace
}  // namespace fusebench
