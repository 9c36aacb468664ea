// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/occupancy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profiler/files/files.h"
#include "profiler/trace/trace.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_parts.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

constexpr DeviceLimits kA100{0, 8, 0, 2048, 65536, 167936};
constexpr DeviceLimits kT4{0, 7, 5, 1024, 65536, 65536};
constexpr DeviceLimits kL4{0, 8, 9, 1536, 65536, 102400};

/// "0.75 registers"
std::string occupancyText(const DeviceLimits& limits, std::uint64_t threads,
                          std::uint32_t registers, std::uint64_t shared) {
  const auto found = theoreticalOccupancy(limits, threads, registers, shared);
  return found ? fmt::format("{:.4g} {}", found->share, found->limit) : "none";
}

/// The values are those of cudaOccMaxActiveBlocksPerMultiprocessor of CUDA 13.0.
TEST(Occupancy, IsThatOfNvidiasCalculator) {
  EXPECT_EQ(occupancyText(kA100, 256, 32, 0), "1 registers");
  EXPECT_EQ(occupancyText(kA100, 256, 40, 0), "0.75 registers");
  EXPECT_EQ(occupancyText(kA100, 256, 64, 0), "0.5 registers");
  EXPECT_EQ(occupancyText(kA100, 256, 16, 49152), "0.375 shared memory");
  EXPECT_EQ(occupancyText(kA100, 32, 16, 0), "0.5 blocks");
  EXPECT_EQ(occupancyText(kT4, 64, 32, 0), "1 threads");
  EXPECT_EQ(occupancyText(kT4, 32, 32, 0), "0.5 blocks");
  EXPECT_EQ(occupancyText(kT4, 256, 32, 32768), "0.5 shared memory");
  EXPECT_EQ(occupancyText(kL4, 1024, 24, 0), "0.6667 threads");
}

TEST(Occupancy, OfWhatIsNotKnownOrCannotBeIsNone) {
  EXPECT_EQ(occupancyText({}, 256, 32, 0), "none");
  EXPECT_EQ(occupancyText({0, 99, 0, 2048, 65536, 65536}, 256, 32, 0), "none");
  EXPECT_EQ(occupancyText(kA100, 0, 32, 0), "none");
  EXPECT_EQ(occupancyText(kA100, 256, 0, 0), "none");
  EXPECT_EQ(occupancyText(kA100, 2048, 32, 0), "none");
  EXPECT_EQ(occupancyText(kA100, 1024, 255, 0), "none") << "a block does not fit";
  EXPECT_EQ(occupancyText(kA100, 256, 32, std::uint64_t{1} << 60), "none");
}

TEST(Occupancy, IsKnownOfTracesThatSayWhatTheirDevicesHold) {
  const test::TemporaryFolder folder;
  const auto import = [&](const std::string& properties) {
    writeFile(
        folder.path("t.json"),
        R"({"deviceProperties":[)" + properties +
            R"(],"traceEvents":[{"ph":"X","cat":"kernel","name":"sin","pid":1,"tid":7,"ts":1,"dur":1,)"
            R"("args":{"device":1,"stream":7,"block":[32,8,1],"registers per thread":40}}]})");
    return importTrace(folder.path("t.json"));
  };
  const std::string first = R"({"id":0,"name":"A"},)";
  const std::string second =
      R"({"id":1,"name":"B","computeMajor":8,"computeMinor":0,"maxThreadsPerMultiprocessor":2048,)"
      R"("regsPerMultiprocessor":65536,"sharedMemPerMultiprocessor":167936})";
  const auto trace = import(first + second);
  EXPECT_EQ(trace->device(), "A, B");
  ASSERT_TRUE(occupancyOf(*trace, 0));
  EXPECT_EQ(occupancyOf(*trace, 0)->share, 0.75);
  exportTrace(*trace, folder.path("again.json"));
  const auto back = importTrace(folder.path("again.json"));
  EXPECT_EQ(differenceOf(*trace, *back), "");
  EXPECT_TRUE(occupancyOf(*back, 0));
  EXPECT_FALSE(occupancyOf(*import(first + R"({"id":1,"computeMajor":8})"), 0));
  EXPECT_FALSE(occupancyOf(*import(R"({"id":1e99},[],7)"), 0));
  // Two traces that mean different devices by one number.
  std::string other = second;
  other.replace(other.find("2048"), 4, "1024");
  EXPECT_TRUE(occupancyOf(*joinedTrace(std::vector{trace, trace}, "same"), 1));
  EXPECT_FALSE(occupancyOf(*joinedTrace(std::vector{trace, import(other)}, "two"), 1));
}

}  // namespace
}  // namespace fusebench
