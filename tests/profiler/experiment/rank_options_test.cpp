// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/rank_options.h"

#include <gmock/gmock.h>

#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"
#include "tests/doubles/fake_backend.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

std::string rankText(const std::string& variant, const std::string& rows = "8",
                     const std::string& values = "1, 2") {
  return R"json({"fusebench": "experiment", "version": 2, "title": "Ranks",
    "program": ["def f(x, w):", "    return (x @ w).sum()"],
    "inputs": [{"name": "all", "tensors": [
      {"name": "x", "extents": [)json" +
         rows + R"json(, 3]}, {"name": "w", "extents": [3, 2], "held": true}]}],
    "variants": [{"name": "a", "executor": "static", "gradients": true)json" +
         variant + R"json(}], "baseline": "a",
    "axes": [{"name": "ranks", "values": [)json" +
         values + "]}]}";
}

std::string rankProblemOf(const std::string& json) {
  try {
    parseExperiment(json, "file");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(RankOptions, RanksShareTheRowsOfWhatIsNotHeld) {
  const Experiment experiment = parseExperiment(rankText(""), "file");
  const CellKey one{0, {1}}, two{0, {2}};
  EXPECT_EQ(ranksOf(experiment, one), 1);
  EXPECT_EQ(ranksOf(experiment, two), 2);
  FakeBackend backend;
  InputStore store(backend, experiment, 1 << 30), second(backend, experiment, 1 << 30, 1);
  const auto whole = store.get(one)->entries.front(), first = store.get(two)->entries.front(),
             rest = second.get(two)->entries.front();
  EXPECT_EQ(first[0].shape, Shape({4, 3}));
  EXPECT_EQ(first[1].shape, Shape({3, 2}));
  std::vector<double> together = valuesOf(backend, first[0]);
  for (const double x : valuesOf(backend, rest[0])) together.push_back(x);
  EXPECT_EQ(together, valuesOf(backend, whole[0])) << "the ranks' parts are the one rank's batch";
  EXPECT_EQ(valuesOf(backend, first[1]), valuesOf(backend, rest[1])) << "weights are alike";
  const auto seen = store.entryOf(two, 0, 1);
  EXPECT_EQ(valuesOf(backend, seen[0]), valuesOf(backend, rest[0]));
}

TEST(RankOptions, InWeakScalingEachRankHasAsMuchAsOneAlone) {
  const Experiment experiment = parseExperiment(rankText(R"(, "scaling": "weak")"), "file");
  FakeBackend backend;
  InputStore store(backend, experiment, 1 << 30), second(backend, experiment, 1 << 30, 1);
  const auto first = store.get({0, {2}})->entries.front(),
             rest = second.get({0, {2}})->entries.front();
  EXPECT_EQ(first[0].shape, Shape({8, 3}));
  EXPECT_NE(valuesOf(backend, first[0]), valuesOf(backend, rest[0]));
}

TEST(RankOptions, GradientsByWhatIsHeldAreAveraged) {
  const Experiment experiment =
      parseExperiment(rankText(R"(, "buckets": "64 KiB", "overlap": true)"), "file");
  const Program program = programAt(experiment, {0, {2}});
  EXPECT_EQ(program.parallel.ranks, 2);
  EXPECT_EQ(program.parallel.shared, std::vector<int>{1});
  EXPECT_EQ(program.parallel.bucketBytes, 64 * 1024);
  EXPECT_TRUE(program.parallel.overlaps);
  EXPECT_EQ(programAt(experiment, {0, {1}}).parallel.ranks, 1);
  EXPECT_TRUE(programAt(experiment, {0, {1}}).parallel.shared.empty());
}

TEST(RankOptions, BucketsAreWordsOrKiB) {
  EXPECT_EQ(bucketBytesOf("end"), -1);
  EXPECT_EQ(bucketBytesOf("each"), 0);
  EXPECT_EQ(bucketBytesOf("2 KiB"), 2048);
  for (const char* wrong : {"", "0 KiB", "2", "2 MB", "-1 KiB", "two KiB"})
    EXPECT_FALSE(bucketBytesOf(wrong)) << wrong;
}

TEST(RankOptions, WhatCannotBeIsSaidInOneLine) {
  EXPECT_THAT(rankProblemOf(rankText("", "9")),
              HasSubstr("the 9 rows of x cannot be divided evenly among 2 ranks"));
  EXPECT_THAT(rankProblemOf(rankText("", "8", "0, 1")), HasSubstr("ranks must be from 1 to 1024"));
  EXPECT_THAT(rankProblemOf(rankText(R"(, "buckets": "some")")),
              HasSubstr("\"some\" is not one of \"end\", \"each\" and \"K KiB\""));
  EXPECT_THAT(rankProblemOf(rankText(R"(, "scaling": "both")")),
              HasSubstr("must be \"strong\" or \"weak\""));
  EXPECT_THAT(rankProblemOf(rankText(R"(, "ranks": 0)")), HasSubstr("0"));
}

TEST(RankOptions, AFileIsWrittenAsItWasRead) {
  const Experiment experiment = parseExperiment(
      rankText(R"(, "ranks": 2, "scaling": "weak", "buckets": "each", "overlap": true)"), "file");
  const Experiment again = parseExperiment(toJson(experiment), "file");
  EXPECT_EQ(toJson(again), toJson(experiment));
  EXPECT_EQ(again.variants[0].ranks, 2);
  EXPECT_TRUE(again.variants[0].weak);
  EXPECT_TRUE(again.variants[0].options.overlap);
  EXPECT_EQ(again.variants[0].buckets, "each");
  EXPECT_TRUE(again.inputSets[0].inputs[1].held);
}

TEST(RankOptions, AProgramMayAskHowManyRanksThereAre) {
  std::string json = rankText("");
  const std::string before = "return (x @ w).sum()";
  json.replace(json.find(before), before.size(), "return (x @ w).sum() / dist.get_world_size()");
  json.replace(json.find("\"gradients\": true"), 17, "\"threads\": 1");
  const Experiment experiment = parseExperiment(json, "file");
  const auto divisor = [&](std::int64_t ranks) {
    return programAt(experiment, {0, {ranks}}).ops.back().operands[1].number;
  };
  EXPECT_EQ(divisor(1), 1);
  EXPECT_EQ(divisor(2), 2);
}

}  // namespace
}  // namespace fusebench
