// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements on real GPUs that ship, or that are kept for these tests.
#include "profiler/run/recordings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "profiler/analysis/crossings.h"
#include "profiler/measure/calibration.h"
#include "profiler/run/run.h"
#include "profiler/trace/trace_import.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

bool holds(const Estimate& interval, const Estimate& other) {
  return interval.low <= other.value && other.value <= interval.high;
}
bool areApart(const Estimate& a, const Estimate& b) {
  return a.high < b.low || b.high < a.low;
}

/// Counts kernel executions by the name of the call that launched them.
std::map<std::string, int> callsOfKernels(const Trace& trace) {
  std::map<std::string, int> calls;
  for (EventId e = 0; e < trace.size(); ++e)
    if (trace.kind(e) == SpanKind::kernel)
      ++calls[trace.link(e) == kNoEvent ? "none" : std::string(trace.name(trace.link(e)))];
  return calls;
}

TEST(Recordings, TheOneBesideAReferenceStatesWhereItsCurvesCross) {
  const std::optional<Recording> recording = recordingOf("torch_compile_2025");
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->name, "h100_every_way");
  EXPECT_FALSE(recordingOf(""));
  EXPECT_FALSE(recordingOf("quantisation_2025"));
  const fusebench::Run run = loadRun(recording->path);
  int found = 0;
  for (const Crossing& crossing : findCrossings(run))
    if (crossing.kind == Crossing::Kind::breakEven && crossing.baseline == "torch" &&
        crossing.status == CrossingStatus::found) {
      ++found;
      EXPECT_THAT(recording->crossings, ::testing::HasSubstr(fmt::format("{:.2f}", crossing.at)))
          << crossing.variant;
    }
  EXPECT_EQ(found, 3);
}

TEST(Recordings, OpenAndAreWhole) {
  const auto recordings = shippedRecordings();
  ASSERT_EQ(recordings.size(), 23u);
  std::set<std::string> names;
  for (const Recording& recording : recordings) {
    EXPECT_TRUE(names.insert(recording.name).second);
    EXPECT_FALSE(recording.title.empty() || recording.about.empty()) << recording.name;
    if (!recording.isRun()) continue;
    const auto run = loadRun(recording.path);
    EXPECT_THAT(run.device, ::testing::StartsWith("cuda"));
    EXPECT_THAT(run.environment["backend"].get<std::string>(),
                ::testing::HasSubstr(recording.name.starts_with("h100_") ? "H100" : "H200"));
    EXPECT_TRUE(calibrationOf(run.environment)) << recording.name;
    EXPECT_FALSE(run.interrupted);
    // Such as no card has, so that no other is taken for the one that it was.
    EXPECT_EQ(run.environment["gpu_uuid"], "GPU-recorded-elsewhere");
    EXPECT_EQ(run.cells.size(), cells(run.experiment).size());
    for (const Cell& cell : run.cells) {
      EXPECT_FALSE(cell.error) << recording.name << ": " << *cell.error;
      EXPECT_GE(cell.samples.size(), 31u) << recording.name;
    }
  }
}

TEST(Recordings, HaveTheBreakEvensOfTheReadme) {
  const auto run = loadRun(shippedRecordings().at(0).path);
  std::map<std::string, double> breakEvens;
  std::set<std::string> throughout;
  for (const Crossing& crossing : findCrossings(run)) {
    if (crossing.status == CrossingStatus::always && crossing.kind == Crossing::Kind::breakEven)
      throughout.insert(crossing.variant);
    if (crossing.status == CrossingStatus::found && crossing.kind == Crossing::Kind::breakEven)
      breakEvens[crossing.variant] = crossing.at;
  }
  EXPECT_THAT(throughout, ::testing::IsSupersetOf({"static", "dynamic", "instant", "replay"}));
  // Over PyTorch's own eager.
  EXPECT_NEAR(breakEvens["torch-static"], 3.6, 0.1);
  EXPECT_NEAR(breakEvens["torch-replay"], 7.2, 0.1);
}

/// The cells of the first table row of a page that begins so.
std::vector<std::string> tableRow(const std::string& page, const std::string& begin) {
  std::ifstream in(fusebench::test::sourcePath("/") + page);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| " + begin)) continue;
    std::vector<std::string> row;
    std::istringstream words(line.substr(1));
    for (std::string cell; std::getline(words, cell, '|');)
      row.push_back(cell.substr(1, cell.size() - 2));
    return row;
  }
  ADD_FAILURE() << page << " has no row " << begin;
  return {};
}

/// Whether a number is what is written, to as many digits as are written.
void expectWritten(const std::string& written, double value, const std::string& what) {
  if (written == "–") {
    EXPECT_TRUE(std::isnan(value)) << what << " was measured: " << value;
    return;
  }
  const std::size_t point = written.find('.');
  const int digits = point == std::string::npos ? 0 : static_cast<int>(written.size() - point - 1);
  EXPECT_NEAR(std::stod(written), value, 0.5 * std::pow(10, -digits) + 1e-9) << what;
}

// Two runs on one card, one after the other, of the same program on the same shapes (or, of what
// depends on shapes least, on like ones). The third shares no cell with them.
TEST(Recordings, OfOneCardHoldEachOthersMedians) {
  const auto shipped = [](const char* name) {
    return loadRun(fusebench::test::sourcePath("/resources/recordings/") + name + ".jsonl");
  };
  const auto first = shipped("h100_every_way"), second = shipped("h100_fusion_study");
  ASSERT_EQ(first.experiment.programText, second.experiment.programText);
  int looked = 0, held = 0;
  const auto compare = [&](const Estimate& a, const Estimate& b, const std::string& what) {
    looked += 2;
    held += static_cast<int>(holds(a, b)) + static_cast<int>(holds(b, a));
    EXPECT_FALSE(areApart(a, b)) << what;
  };
  for (const Cell& cell : second.cells) {
    const std::string& name =
        second.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name;
    const auto same = std::ranges::find(first.experiment.variants, name, &Variant::name);
    ASSERT_NE(same, first.experiment.variants.end()) << name;
    const Cell* const other =
        first.find({static_cast<int>(same - first.experiment.variants.begin()), cell.key.at});
    ASSERT_TRUE(other) << name;
    compare(cell.latency(), other->latency(), name);
    for (const auto member : {&DeviceTimes::enqueue, &DeviceTimes::event, &DeviceTimes::single})
      compare(cell.deviceTime(member), other->deviceTime(member), name);
  }
  EXPECT_EQ(looked, 168);
  EXPECT_GE(held, 0.93 * looked);
}

TEST(Recordings, HaveTheTimesOfTheDocs) {
  const auto run = loadRun(shippedRecordings().at(0).path);
  const auto cellOf = [&](const std::string& name) {
    const auto variant = std::ranges::find(run.experiment.variants, name, &Variant::name);
    const Cell* cell =
        variant == run.experiment.variants.end()
            ? nullptr
            : run.find({static_cast<int>(variant - run.experiment.variants.begin()), {30}});
    EXPECT_TRUE(cell) << name;
    return cell;
  };
  const std::vector<std::string> columns = {
      "eager",   "replay", "instant",      "static+replay", "static",
      "dynamic", "torch",  "torch-static", "torch-dynamic", "torch-replay"};
  const auto pipelined = tableRow("docs/gpu.md", "pipelined"),
             synchronized = tableRow("docs/gpu.md", "synchronized");
  ASSERT_EQ(pipelined.size(), columns.size() + 1);
  ASSERT_EQ(synchronized.size(), columns.size() + 1);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Cell* cell = cellOf(columns[c]);
    ASSERT_TRUE(cell);
    expectWritten(pipelined[c + 1], cell->latency().value * 1e-3, columns[c] + ", pipelined");
    expectWritten(
        synchronized[c + 1],
        cell->hasDeviceTimes() ? cell->deviceTime(&DeviceTimes::single).value * 1e-3 : std::nan(""),
        columns[c] + ", synchronized");
  }
  const std::pair<std::string, std::string> rows[] = {{"PyTorch eager", "torch"},
                                                      {"torch.compile", "torch-static"},
                                                      {"Fusebench `eager`", "eager"},
                                                      {"Fusebench `replay`", "replay"},
                                                      {"Fusebench `static`", "static"}};
  for (const auto& [begin, variant] : rows) {
    const auto row = tableRow("README.md", begin);
    const Cell* cell = cellOf(variant);
    ASSERT_TRUE(cell);
    ASSERT_EQ(row.size(), 3u) << begin;
    expectWritten(row[1], cell->latency().value * 1e-3, begin);
  }
}

TEST(Recordings, LaunchesLeadFromEachCallToItsKernels) {
  int traces = 0;
  for (const Recording& recording : shippedRecordings()) {
    if (recording.isRun()) continue;
    ++traces;
    const auto trace = importTrace(recording.path);
    EXPECT_EQ(trace->losses().malformed, 0u);
    // Ten calls: each has 34 kernels in eager and in replay, and one in static and static+replay.
    const auto calls = callsOfKernels(*trace);
    int kernels = 0;
    for (const auto& [name, count] : calls) kernels += count;
    EXPECT_EQ(kernels, 10 * (34 + 34 + 1 + 1));
    EXPECT_FALSE(calls.contains("none"));
  }
  EXPECT_EQ(traces, 2);
}

struct TorchTrace {
  const char* file;
  std::map<std::string, int> calls;
};

/// PyTorch 2.11's profiler on an H100: four calls of five statements and a sum, a copy to the host,
/// one back, and zeros.
class TorchTraces : public ::testing::TestWithParam<TorchTrace> {};
INSTANTIATE_TEST_SUITE_P(
    H100, TorchTraces,
    ::testing::Values(TorchTrace{"eager", {{"cudaLaunchKernel", 25}}},
                      // Inputs are copied by a kernel; a graph launches the fused one.
                      TorchTrace{"replay", {{"cudaLaunchKernel", 5}, {"cudaGraphLaunch", 4}}}),
    [](const auto& trace) { return std::string(trace.param.file); });

TEST_P(TorchTraces, JoinKernelsWithTheirLaunchesAndGraphs) {
  const auto trace =
      importTrace(fusebench::test::sourcePath("/tests/profiler/traces/torch_2_11_h100_") +
                  std::string(GetParam().file) + ".json.gz");
  EXPECT_EQ(trace->losses().malformed, 0u);
  EXPECT_EQ(callsOfKernels(*trace), GetParam().calls);
  int copies = 0;
  for (EventId e = 0; e < trace->size(); ++e) copies += trace->kind(e) == SpanKind::copy;
  EXPECT_EQ(copies, 2);
}

}  // namespace
}  // namespace fusebench
