// SPDX-License-Identifier: GPL-3.0-or-later
// What CUPTI handed over on a real GPU (kept by gpu-keep-records): four calls of each executor.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cuda/cupti/activity_records.h"
#include "tests/support/built_paths.h"

namespace fusebench::cuda {
namespace {

using nlohmann::json;

/// A buffer as it was, but that its kernels' names are where they are now.
struct KeptBuffer {
  explicit KeptBuffer(const json& kept) : records(kept["records"].get<std::vector<std::size_t>>()) {
    const std::string digits = kept["bytes"];
    for (std::size_t i = 0; i < digits.size(); i += 2)
      bytes.push_back(static_cast<std::uint8_t>(std::stoi(digits.substr(i, 2), nullptr, 16)));
    for (const auto& [place, name] : kept["names"].items()) {
      const char* text = names.emplace(place, name.get<std::string>()).first->second.c_str();
      std::memcpy(bytes.data() + std::stoul(place) + record::kernel::name, &text, sizeof text);
    }
  }
  std::vector<std::uint8_t> bytes;
  std::vector<std::size_t> records;
  std::map<std::string, std::string> names;
};

const KeptBuffer* stepped = nullptr;

/// Steps as CUPTI did.
CuptiResult recordedStep(std::uint8_t* buffer, std::size_t, ActivityRecord** record) {
  std::size_t next = 0;
  if (*record) {
    const auto at = static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(*record) - buffer);
    while (stepped->records[next] != at) ++next;
    ++next;
  }
  if (next == stepped->records.size()) return kCuptiLimitReached;
  *record = reinterpret_cast<ActivityRecord*>(buffer + stepped->records[next]);
  return kCuptiSuccess;
}

class RecordedActivity : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::ifstream file(fusebench::test::sourcePath("/tests/engine/recorded/cupti_13_0_") +
                       GetParam() + ".json");
    ASSERT_TRUE(file.is_open());
    const json kept = json::parse(file);
    for (const json& each : kept["buffers"]) {
      KeptBuffer buffer(each);
      stepped = &buffer;
      Activities read;
      readBuffer(buffer.bytes.data(), buffer.bytes.size(), recordedStep, read);
      seen_.add(std::move(read));
    }
  }
  /// Executions of each kernel.
  std::map<std::string, int> kernels() const {
    std::map<std::string, int> counts;
    for (const DeviceWork& work : seen_.work)
      if (work.kind == DeviceWork::Kind::kernel) ++counts[work.name];
    return counts;
  }
  Activities seen_;
};

TEST_P(RecordedActivity, NothingIsLostAndEveryKernelHasItsName) {
  EXPECT_EQ(seen_.losses, ActivityLosses());
  // Eager and replay launch four kernels a call, the others one.
  EXPECT_EQ(kernels(), (std::map<std::string, int>{{"kernel_sin", 9},
                                                   {"kernel_mul", 9},
                                                   {"kernel_add", 9},
                                                   {"kernel_sum", 9},
                                                   {"kernel_sin_mul_add_sum", 13},
                                                   {"instant_reduce_one", 4}}));
}

TEST_P(RecordedActivity, EveryLaunchLeadsToItsKernelsButThoseThatWereCaptured) {
  std::set<std::uint32_t> ran;
  for (const DeviceWork& work : seen_.work) ran.insert(work.correlation);
  const auto launches = launchesOf(seen_.calls);
  for (const ApiCall* launch : launches) EXPECT_TRUE(ran.contains(launch->correlation));
  const auto asked = std::ranges::count_if(seen_.calls, isLaunch);
  EXPECT_EQ(asked - std::ssize(launches), 5);  // four of replay and one of static+replay
}

TEST_P(RecordedActivity, KernelsRunAfterTheyWereAskedForAndHaveAForm) {
  std::map<std::uint32_t, const ApiCall*> calls;
  for (const ApiCall& call : seen_.calls) calls[call.correlation] = &call;
  for (const DeviceWork& work : seen_.work) {
    ASSERT_TRUE(calls.contains(work.correlation)) << work.name;
    EXPECT_GT(work.start, calls[work.correlation]->start) << work.name;
    EXPECT_LT(work.end - work.start, 100'000u) << work.name;
    if (work.kind != DeviceWork::Kind::kernel) {
      // The input, or what instant goes through: six instructions and what its sum is.
      EXPECT_THAT(work.bytes, ::testing::AnyOf(64u * 48 * 4, 6u * 16 + 48));
      continue;
    }
    EXPECT_GE(work.block[0] * work.block[1], 32u);
    EXPECT_GT(work.registers, 0u);
    // A graph's nodes carry what is known of some launch before them.
    if (work.graph == 0) {
      EXPECT_GT(work.queued, calls[work.correlation]->start);
      EXPECT_LT(work.queued, work.submitted);
      EXPECT_LT(work.submitted, work.start);
    } else {
      EXPECT_EQ(work.queued, 0u);
      EXPECT_EQ(work.submitted, 0u);
    }
  }
}

TEST_P(RecordedActivity, KernelsOfAGraphAreToldApart) {
  const std::vector<int> places = placesInLaunch(seen_.work);
  std::map<std::uint32_t, std::map<int, std::string>> byLaunch;
  for (std::size_t i = 0; i < seen_.work.size(); ++i)
    if (seen_.work[i].graph != 0)
      byLaunch[seen_.work[i].correlation][places[i]] = seen_.work[i].name;
  int whole = 0;
  for (const auto& [correlation, kernelsOfIt] : byLaunch)
    whole += kernelsOfIt ==
             std::map<int, std::string>{
                 {0, "kernel_sin"}, {1, "kernel_mul"}, {2, "kernel_add"}, {3, "kernel_sum"}};
  EXPECT_EQ(whole, 4);
  EXPECT_EQ(byLaunch.size(), 8u);
}

INSTANTIATE_TEST_SUITE_P(Of, RecordedActivity, ::testing::Values("h100", "h200"),
                         [](const auto& card) { return std::string(card.param); });

}  // namespace
}  // namespace fusebench::cuda
