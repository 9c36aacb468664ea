// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/run/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <stop_token>

#include "engine/base/work_limit.h"
#include "profiler/files/files.h"
#include "profiler/run/cell_json.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/support/built_paths.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

class RunFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  test::TemporaryFolder folder_;
};

Run fullRun() {
  fusebench::Run run = emptyRun(smallExperiment({1, 2}));
  run.startedAt = "2025-01-01T00:00:00Z";
  run.environment = {{"cpu", {{"model", "one"}}}};
  run.quick = true;
  fillSamples(run, 40, 0.01, 3, [](const CellKey& key) { return 100.0 + key.variant; });
  Cell& cell = run.cells[1];
  cell.stop = Stop::converged;
  cell.launches = LaunchCounts{1, 1.5, 2};
  cell.peakBytes = 4096;
  CompileTimes times;
  times.specialize = 1;
  times.fusion = 2;
  times.codegen = 3;
  times.compiler = 4;
  times.load = 5;
  times.firstLaunch = 6;
  times.capture = 10;
  times.kernels = 7;
  times.fromDisk = 8;
  times.fromMemory = 9;
  cell.firstCompiles = {times, times};
  cell.diskCompile = times;
  cell.memoryCompile = times;
  cell.recompiles = 2;
  cell.recompileReasons = {"size of dim 0 is 5"};
  cell.eagerShare = 0.25;
  cell.graphs = 2;
  cell.memoryShare = 0.5;
  cell.relativeError = std::numeric_limits<double>::infinity();
  cell.inputsUsed = 3;
  cell.checkNote = "on some";
  run.cells[0].stop = Stop::budget;
  run.cells[2].stop = Stop::cap;
  run.cells[3].stop = Stop::unavailable;
  run.cells[3].error = "needs more memory";
  return run;
}

void expectEqual(const Run& a, const Run& b) {
  EXPECT_EQ(toJson(a.experiment), toJson(b.experiment));
  EXPECT_EQ(a.startedAt, b.startedAt);
  EXPECT_EQ(a.quick, b.quick);
  EXPECT_EQ(a.environment, b.environment);
  ASSERT_EQ(a.cells.size(), b.cells.size());
  for (std::size_t i = 0; i < a.cells.size(); ++i) {
    EXPECT_EQ(a.cells[i].key, b.cells[i].key);
    EXPECT_EQ(a.cells[i].stop, b.cells[i].stop);
    EXPECT_EQ(measuredJson(a.cells[i]), measuredJson(b.cells[i]));
    ASSERT_EQ(a.cells[i].samples.size(), b.cells[i].samples.size());
    for (std::size_t s = 0; s < a.cells[i].samples.size(); ++s) {
      EXPECT_EQ(a.cells[i].samples[s].round, b.cells[i].samples[s].round);
      EXPECT_EQ(a.cells[i].samples[s].nanoseconds, b.cells[i].samples[s].nanoseconds);
    }
  }
}

TEST_F(RunFiles, SurviveWritingAndReadingBack) {
  const fusebench::Run run = fullRun();
  saveRun(run, path("r.jsonl"));
  const fusebench::Run again = loadRun(path("r.jsonl"));
  expectEqual(run, again);
  EXPECT_FALSE(again.interrupted);
  EXPECT_FALSE(std::filesystem::exists(path("r.jsonl.part")));
}

TEST_F(RunFiles, CompileTimesComeBackPhaseByPhase) {
  saveRun(fullRun(), path("r.jsonl"));
  const CompileTimes times = *loadRun(path("r.jsonl")).cells[1].diskCompile;
  EXPECT_EQ(times.specialize, 1);
  EXPECT_EQ(times.fusion, 2);
  EXPECT_EQ(times.codegen, 3);
  EXPECT_EQ(times.compiler, 4);
  EXPECT_EQ(times.load, 5);
  EXPECT_EQ(times.firstLaunch, 6);
  EXPECT_EQ(times.capture, 10);
  EXPECT_EQ(times.kernels, 7);
  EXPECT_EQ(times.fromDisk, 8);
  EXPECT_EQ(times.fromMemory, 9);
}

TEST_F(RunFiles, GrowByWhatIsNewAndKeepItWhenTheWriterDies) {
  fusebench::Run run = emptyRun(smallExperiment({1, 2}));
  {
    RunWriter writer(path("r.jsonl"), run);
    for (int round = 0; round < 5; ++round) {
      run.cells[0].samples.push_back({round, 100.0 + round});
      writer.cell(run.cells[0]);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(path("r.jsonl")));
  const fusebench::Run kept = loadRun(path("r.jsonl.part"));
  EXPECT_TRUE(kept.interrupted);
  ASSERT_EQ(kept.cells[0].samples.size(), 5u);
  EXPECT_EQ(kept.cells[0].samples[4].nanoseconds, 104);
  EXPECT_EQ(kept.cells[0].stop, Stop::interrupted);
}

TEST_F(RunFiles, CutOffAnywhereAfterTheHeaderKeepWhatWasThere) {
  saveRun(fullRun(), path("r.jsonl"));
  const std::string text = readFile(path("r.jsonl"));
  const std::size_t header = text.find('\n') + 1;
  std::size_t samplesBefore = 0;
  for (std::size_t length = header; length < text.size(); length += 97) {
    const fusebench::Run run = parseRun(std::string_view(text).substr(0, length), "cut");
    std::size_t samples = 0;
    for (const Cell& cell : run.cells) samples += cell.samples.size();
    EXPECT_GE(samples, samplesBefore);
    samplesBefore = samples;
    EXPECT_TRUE(run.interrupted);
  }
  EXPECT_GT(samplesBefore, 0u);
}

TEST_F(RunFiles, RefuseAPlaceThatCannotBeWritten) {
  EXPECT_THROW(RunWriter("/nowhere/r.jsonl", fullRun()), InputError);
  EXPECT_THROW(RunWriter(folder_.string(), fullRun()), InputError);
}

struct Hostile {
  const char* name;
  const char* line;
  const char* message;
};
void PrintTo(const Hostile& hostile, std::ostream* out) {
  *out << hostile.name;
}
class HostileLine : public testing::TestWithParam<Hostile> {};

TEST_P(HostileLine, IsRefusedWithItsNumber) {
  const test::TemporaryFolder folder;
  const auto path = folder / "run.jsonl";
  saveRun(fullRun(), path.string());
  std::string text = readFile(path.string());
  text.insert(text.find('\n') + 1, std::string(GetParam().line) + "\n");
  try {
    parseRun(text, "r.jsonl");
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("r.jsonl:2:1: "));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, HostileLine,
    testing::Values(
        Hostile{"Garbage", "\x01\x02 not json", "not JSON"},
        Hostile{"Truncated", "{\"record\": \"cell\", ", "not JSON"},
        Hostile{"Array", "[1, 2]", "object"}, Hostile{"Number", "17", "object"},
        Hostile{"NoRecord", "{}", "\"record\" is missing"},
        Hostile{"RecordNoText", "{\"record\": 5}", "\"record\" must be a string"},
        Hostile{"NoSuchVariant",
                "{\"record\": \"samples\", \"variant\": \"x\", \"at\": [1], \"rounds\": [], "
                "\"ns\": []}",
                "no data point"},
        Hostile{"NoSuchPlace",
                "{\"record\": \"samples\", \"variant\": \"eager\", \"at\": [9], \"rounds\": [], "
                "\"ns\": []}",
                "no data point"},
        Hostile{"PlaceText",
                "{\"record\": \"samples\", \"variant\": \"eager\", \"at\": [\"1\"], \"rounds\": "
                "[], \"ns\": []}",
                "whole number"},
        Hostile{"Lengths",
                "{\"record\": \"samples\", \"variant\": \"eager\", \"at\": [1], \"rounds\": [1], "
                "\"ns\": []}",
                "differ in length"},
        Hostile{"NegativeTime",
                "{\"record\": \"samples\", \"variant\": \"eager\", \"at\": [1], \"rounds\": [1], "
                "\"ns\": [-4]}",
                "out of range"},
        Hostile{"TimeText",
                "{\"record\": \"samples\", \"variant\": \"eager\", \"at\": [1], \"rounds\": [1], "
                "\"ns\": [\"4\"]}",
                "must contain numbers"},
        Hostile{"UnknownStop",
                "{\"record\": \"cell\", \"variant\": \"eager\", \"at\": [1], \"stop\": \"tired\"}",
                "not a known reason to stop"},
        Hostile{"LaunchesNumber",
                "{\"record\": \"cell\", \"variant\": \"eager\", \"at\": [1], \"stop\": \"cap\", "
                "\"launches\": 3}",
                "object"},
        Hostile{"PeakHuge",
                "{\"record\": \"cell\", \"variant\": \"eager\", \"at\": [1], \"stop\": \"cap\", "
                "\"peak_bytes\": 99999999999999999999}",
                "must be a whole number"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(HostileLines, OfKindsYetToComeArePassedOver) {
  const test::TemporaryFolder folder;
  const auto path = folder / "run.jsonl";
  saveRun(fullRun(), path.string());
  std::string text = readFile(path.string());
  text.insert(text.find('\n') + 1, "{\"record\": \"launch\", \"name\": \"sin\"}\n\n");
  expectEqual(parseRun(text, "r.jsonl"), fullRun());
}

TEST(HostileFiles, AreRefusedInOneLine) {
  for (const char* text : {"", "\n\n", "{}", "null", "{\"fusebench\": \"experiment\"}",
                           "{\"fusebench\": \"run\", \"version\": 1}",
                           "{\"fusebench\": \"run\", \"version\": 1, \"device\": \"cpu\", "
                           "\"started_at\": \"\", \"experiment\": 4}",
                           "\xff\xfe"}) {
    try {
      parseRun(text, "r.jsonl");
      FAIL() << text << " was accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
}

TEST(References, ThatAreWrongAreRefused) {
  const std::string good =
      readFile(fusebench::test::sourcePath("/resources/references/torch_compile_2025.json"));
  EXPECT_EQ(parseReference(good, "r").curves.size(), 3u);
  std::string shortened = good;
  shortened.replace(shortened.find("13320, "), 7, "");
  EXPECT_THROW(parseReference(shortened, "r"), InputError);
  EXPECT_THROW(parseReference("{}", "r"), InputError);
  std::string unnamed = good;
  unnamed.replace(unnamed.find("\"source\""), 8, "\"sauce\"");
  EXPECT_THROW(parseReference(unnamed, "r"), InputError);
}

TEST(RunText, ReadingItEndsWhereItIsStopped) {
  std::stop_source source;
  source.request_stop();
  const WorkLimit limit(WorkLimit::kUsualSeconds, source.get_token());
  try {
    parseRun("\n\n", "r.jsonl");
    FAIL() << "read to its end";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "r.jsonl:1:1: reading this file was stopped");
  }
}

}  // namespace
}  // namespace fusebench
