// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/crossings.h"
#include "profiler/analysis/crossing_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <stdexcept>

#include "tests/profiler/run/sample_data.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Crossing> cross(std::vector<double> baseline, std::vector<double> variant) {
  std::vector<double> x;
  for (std::size_t i = 0; i < baseline.size(); ++i) x.push_back(static_cast<double>(i + 1));
  return crossCurves(x, baseline, variant);
}

TEST(CrossCurves, FindsTheCrossingByInterpolation) {
  const auto crossings = cross({10, 20, 30}, {25, 25, 25});
  ASSERT_EQ(crossings.size(), 1u);
  EXPECT_EQ(crossings[0].status, CrossingStatus::found);
  EXPECT_DOUBLE_EQ(crossings[0].at, 2.5);
  EXPECT_FALSE(crossings[0].backwards);
  EXPECT_DOUBLE_EQ(crossings[0].ratioAtStart, 0.4);
}

TEST(CrossCurves, SaysAlwaysNeverAndUndefined) {
  EXPECT_EQ(cross({10, 20}, {5, 5})[0].status, CrossingStatus::always);
  EXPECT_DOUBLE_EQ(cross({10, 20}, {5, 5})[0].ratioAtStart, 2);
  EXPECT_EQ(cross({10, 20}, {30, 30})[0].status, CrossingStatus::never);
  EXPECT_EQ(cross({10, 20}, {10, 20})[0].status, CrossingStatus::undefined);
  EXPECT_EQ(cross({}, {})[0].status, CrossingStatus::undefined);
  EXPECT_EQ(cross({NAN, NAN}, {1, 2})[0].status, CrossingStatus::undefined);
}

TEST(CrossCurves, FindsSeveralCrossingsAndTheirDirections) {
  const auto crossings = cross({10, 30, 10, 30}, {20, 20, 20, 20});
  ASSERT_EQ(crossings.size(), 3u);
  EXPECT_THAT((std::vector<double>{crossings[0].at, crossings[1].at, crossings[2].at}),
              ElementsAre(1.5, 2.5, 3.5));
  EXPECT_FALSE(crossings[0].backwards);
  EXPECT_TRUE(crossings[1].backwards);
  EXPECT_FALSE(crossings[2].backwards);
  EXPECT_FALSE(crossings[0].until) << "it is faster elsewhere, too";
}

TEST(CrossCurves, SayUntilWhereAVariantIsFasterIfItIsNowhereElse) {
  auto crossings = cross({10, 30, 10}, {20, 20, 20});
  ASSERT_EQ(crossings.size(), 2u);
  EXPECT_EQ(crossings[0].until, 2.5);
  EXPECT_FALSE(crossings[1].until);
  crossings[0].variant = "static";
  crossings[0].baseline = "eager";
  EXPECT_EQ(sentence(crossings[0], "statements"),
            "static is faster than eager only between 1.5 and 2.5 statements");
  EXPECT_FALSE(cross({30, 10, 30}, {20, 20, 20})[0].until) << "it is ahead at first";
}

TEST(CrossCurves, TakesATouchForNoCrossing) {
  EXPECT_EQ(cross({10, 20, 10}, {20, 20, 20})[0].status, CrossingStatus::never);
  const auto through = cross({10, 20, 30}, {20, 20, 20});
  ASSERT_EQ(through.size(), 1u);
  EXPECT_DOUBLE_EQ(through[0].at, 2);
}

TEST(CrossCurves, PassesOverPointsThatAreMissing) {
  const auto crossings = cross({10, NAN, 30}, {20, 5, 20});
  ASSERT_EQ(crossings.size(), 1u);
  EXPECT_DOUBLE_EQ(crossings[0].at, 2);  // halfway between 1 and 3
}

/// Times that grow as a power of the elements, and those of a launch that costs as much as the
/// power does at 4,000 elements.
TEST(CrossCurves, AreStraightInLogarithmsOnAWideAxis) {
  const std::vector<double> x = {1, 64, 1024, 16384, 262144};
  std::vector<double> baseline;
  for (const double place : x) baseline.push_back(3 * std::pow(place, 1.5));
  const std::vector<double> variant(x.size(), 3 * std::pow(4000, 1.5));
  const auto crossings = crossCurves(x, baseline, variant);
  ASSERT_EQ(crossings.size(), 1u);
  EXPECT_NEAR(crossings[0].at, 4000, 1e-6);
}

TEST(CrossCurves, AreStraightInValuesOnANarrowAxis) {
  const auto crossings = crossCurves(std::vector<double>{1, 100}, std::vector<double>{10, 208},
                                     std::vector<double>{109, 109});
  ASSERT_EQ(crossings.size(), 1u);
  EXPECT_NEAR(crossings[0].at, 50.5, 1e-9);
}

TEST(PublishedTable, HasBreakEvensAt4Point98And7Point48) {
  const Reference reference =
      loadReference(fusebench::test::sourcePath("/resources/references/torch_compile_2025.json"));
  const auto crossings = findCrossings(reference);
  ASSERT_EQ(crossings.size(), 2u);
  EXPECT_EQ(crossings[0].variant, "static");
  EXPECT_NEAR(crossings[0].at, 4.98, 0.005);
  EXPECT_EQ(crossings[1].variant, "dynamic");
  EXPECT_NEAR(crossings[1].at, 7.48, 0.005);
  EXPECT_EQ(crossings[1].low, crossings[1].at);
  EXPECT_EQ(reference.statedBreakEven, 10);
  EXPECT_EQ(reference.metric, "E");
}

// By hand: sum (x - 106/7)(y - mean y) / sum (x - 106/7)^2 over the seven rows.
TEST(PublishedTable, HasEagersSlopeAsItsLaunchCost) {
  const auto models = launchModels(
      loadReference(fusebench::test::sourcePath("/resources/references/torch_compile_2025.json")));
  ASSERT_EQ(models.size(), 3u);
  const double x[] = {1, 5, 10, 15, 20, 25, 30},
               y[] = {13.32, 40.45, 86.44, 109.90, 137.26, 167.79, 225.63};
  double xy = 0, xx = 0;
  for (int i = 0; i < 7; ++i) {
    xy += (x[i] - 106.0 / 7) * y[i];
    xx += (x[i] - 106.0 / 7) * (x[i] - 106.0 / 7);
  }
  EXPECT_NEAR(models[0].fit.slope.value, 1000 * xy / xx, 1e-6);
}

/// eager costs 100 n, fused 250 whatever n, both with 1% noise: they cross at 2.5.
Run linearRun(std::uint64_t seed, double noise = 0.01) {
  fusebench::Run run = emptyRun(smallExperiment({1, 2, 3, 4}));
  fillSamples(run, 101, noise, seed, [](const CellKey& key) {
    return key.variant == 0 ? 100.0 * static_cast<double>(key.at[0]) : 250.0;
  });
  return run;
}

TEST(FindCrossings, GivesTheBreakEvenAnIntervalThatHoldsTheTruth) {
  const auto crossings = findCrossings(linearRun(1));
  ASSERT_FALSE(crossings.empty());
  EXPECT_EQ(crossings[0].kind, Crossing::Kind::breakEven);
  EXPECT_EQ(crossings[0].status, CrossingStatus::found);
  EXPECT_EQ(crossings[0].along, "statements");
  EXPECT_NEAR(crossings[0].at, 2.5, 0.03);
  EXPECT_LT(crossings[0].low, 2.5);
  EXPECT_GT(crossings[0].high, 2.5);
  EXPECT_LT(crossings[0].high - crossings[0].low, 0.1);
}

/// eager takes 2 ns per element, fused 600 ns at any size, both with noise: they cross at 300.
Run powerRun(std::uint64_t seed, double noise) {
  fusebench::Run run = emptyRun(smallExperiment({4, 64, 1024, 8192}));
  fillSamples(run, 101, noise, seed, [](const CellKey& key) {
    return key.variant == 0 ? 2.0 * static_cast<double>(key.at[0]) : 600.0;
  });
  return run;
}

TEST(FindCrossings, FindABreakEvenBetweenFarApartPlacesOfAWideAxis) {
  const Crossing crossing = findCrossings(powerRun(1, 0.01))[0];
  EXPECT_EQ(crossing.status, CrossingStatus::found);
  EXPECT_NEAR(crossing.at, 300, 4);
  EXPECT_LT(crossing.low, 300);
  EXPECT_GT(crossing.high, 300);
  EXPECT_LT(crossing.high / crossing.low, 1.05);
}

TEST(FindCrossings, CoverTheTrueBreakEvenOfAWideAxisInMostStudies) {
  int covered = 0;
  constexpr int kStudies = 200;
  for (int study = 0; study < kStudies; ++study) {
    const Crossing crossing =
        findCrossings(powerRun(static_cast<std::uint64_t>(study) + 100, 0.05))[0];
    covered += crossing.low <= 300 && 300 <= crossing.high;
  }
  EXPECT_GE(covered, kStudies * 92 / 100);
}

TEST(FindCrossings, CoversTheTrueBreakEvenInMostStudies) {
  int covered = 0;
  constexpr int kStudies = 200;
  for (int study = 0; study < kStudies; ++study) {
    const Crossing crossing =
        findCrossings(linearRun(static_cast<std::uint64_t>(study) + 100, 0.05))[0];
    covered += crossing.low <= 2.5 && 2.5 <= crossing.high;
  }
  EXPECT_GE(covered, kStudies * 92 / 100);
}

TEST(FindCrossings, TakesNoiseAroundEqualityForNoCrossing) {
  fusebench::Run run = emptyRun(smallExperiment({1, 2, 3, 4, 5, 6}));
  fillSamples(run, 60, 0.02, 7, [](const CellKey&) { return 100.0; });
  const auto crossings = findCrossings(run);
  EXPECT_EQ(crossings[0].status, CrossingStatus::undefined);
}

/// A few rounds are what exploring shows first: an interval narrower than they carry would be
/// believed and gone a moment later.
class FewRounds : public testing::TestWithParam<int> {};

TEST_P(FewRounds, TheBreakEvensIntervalCoversTheTruth) {
  int found = 0, covered = 0;
  for (std::uint64_t study = 0; study < 150; ++study)
    for (const double level : {250.0, 205.0}) {
      fusebench::Run run = emptyRun(smallExperiment({1, 2, 3, 4}));
      fillSamples(run, GetParam(), 0.05, study + 1000, [&](const CellKey& key) {
        return key.variant == 0 ? 100.0 * static_cast<double>(key.at[0]) : level;
      });
      const auto crossings = findCrossings(run);
      if (crossings[0].status != CrossingStatus::found) continue;
      ++found;
      const double truth = level / 100;
      covered += crossings[0].low <= truth && truth <= crossings[0].high;
    }
  EXPECT_GE(found, 100);
  EXPECT_GE(covered, found * 93 / 100) << covered << " of " << found;
}
INSTANTIATE_TEST_SUITE_P(Rounds, FewRounds, testing::Values(8, 10, 12, 16, 20, 30, 31, 45));

TEST(FindCrossings, FiveRoundsAreTooFewForAnything) {
  fusebench::Run run = linearRun(1);
  for (Cell& cell : run.cells) cell.samples.resize(5);
  EXPECT_EQ(findCrossings(run)[0].status, CrossingStatus::undefined);
}

/// Two equal curves do not cross at any point, however many points are compared.
TEST(FindCrossings, EqualCurvesOfManyPlacesHardlyEverCross) {
  std::vector<std::int64_t> places(36);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::int64_t>(i) + 1;
  int claimed = 0;
  for (std::uint64_t study = 0; study < 60; ++study)
    for (const int rounds : {6, 12, 40}) {
      fusebench::Run run = emptyRun(smallExperiment(places));
      fillSamples(run, rounds, 0.05, study + 1, [](const CellKey&) { return 100.0; });
      claimed += findCrossings(run)[0].status != CrossingStatus::undefined;
    }
  EXPECT_LE(claimed, 180 * 7 / 100);
}

TEST(FindCrossings, ATieAtTheStartIsNotAheadThroughout) {
  fusebench::Run run = emptyRun(smallExperiment({1, 2, 3}));
  fillSamples(run, 60, 0.02, 7, [](const CellKey& key) {
    return key.variant == 0 ? 100.0 * static_cast<double>(key.at[0]) : 100.0;
  });
  const Crossing crossing = findCrossings(run)[0];
  EXPECT_EQ(crossing.status, CrossingStatus::found);
  EXPECT_TRUE(crossing.fromTie);
  EXPECT_EQ(crossing.at, 2);
  EXPECT_EQ(crossing.low, 1);
  EXPECT_EQ(crossing.high, 2);
  EXPECT_THAT(crossing.tied, ElementsAre(1));
  EXPECT_TRUE(crossing.preliminary);  // the cells are still being measured
  for (Cell& cell : run.cells) cell.stop = Stop::converged;
  EXPECT_FALSE(findCrossings(run)[0].preliminary);
  EXPECT_EQ(
      sentence(crossing, "statements"),
      "fused is faster than eager at 2 or more statements; before that the difference is within "
      "noise");
  Crossing later = crossing;  // the sentence depends on the side on which samples are missing
  later.unsure = {3, 4};
  EXPECT_EQ(sentence(later, "statements"),
            "fused is faster than eager at 2 or more statements; before that the difference is "
            "within noise; at 2 more points there are too few samples to be sure");
  later.unsure = {1};
  EXPECT_EQ(sentence(later, "statements"),
            "fused is faster than eager at 2 or more statements; before that there are too few "
            "samples to be sure");
}

TEST(FindCrossings, ATieAmongPlacesAheadLeavesItUndecidedButCounted) {
  fusebench::Run run = emptyRun(smallExperiment({1, 2, 3}));
  fillSamples(run, 60, 0.02, 7, [](const CellKey& key) {
    return key.variant == 0 && key.at[0] != 2 ? 200.0 : 100.0;
  });
  const Crossing crossing = findCrossings(run)[0];
  EXPECT_EQ(crossing.status, CrossingStatus::undefined);
  EXPECT_EQ(crossing.ahead, 2u);
  EXPECT_EQ(crossing.places, 3u);
  EXPECT_THAT(crossing.tied, ElementsAre(2));
}

TEST(FindCrossings, OfAModelWithoutNoiseAreSureOfFewSamples) {
  fusebench::Run run = emptyRun(smallExperiment({1, 2, 3, 4, 5, 6, 7}));
  fillSamples(run, 6, 0, 7, [](const CellKey& key) {
    return key.variant == 0 ? 100.0 * static_cast<double>(key.at[0]) : 250.0;
  });
  EXPECT_EQ(findCrossings(run)[0].status, CrossingStatus::undefined) << "six of seven places";
  run.device = "sim:h100";
  const Crossing crossing = findCrossings(run)[0];
  EXPECT_EQ(crossing.status, CrossingStatus::found);
  EXPECT_NEAR(crossing.at, 2.5, 0.01);
  fusebench::Run behind = emptyRun(smallExperiment({1, 2, 3, 4, 5, 6, 7}));
  fillSamples(behind, 7, 0.01, 7,
              [](const CellKey& key) { return key.variant == 0 ? 100.0 : 250.0; });
  EXPECT_EQ(sentence(findCrossings(behind)[0], "statements"),
            "fused is slower than eager at each of 7 points, but with too few samples to be sure");
}

TEST(FindCrossings, TakeAPlaceThatIsAheadByItself) {
  const std::vector<double> x = {1, 2, 3}, level(3, 0.0), gains(3, 1.0);
  const std::vector<Sign> nowhere = {{0, 0}, {0, 1}, {0, 0}}, last = {{0, 0}, {0, 0}, {1, 1}};
  EXPECT_NE(searchCrossings({x, gains, level}, nowhere).crossings.front().status,
            CrossingStatus::found);
  const Crossing found = searchCrossings({x, gains, level}, last).crossings.front();
  EXPECT_EQ(found.status, CrossingStatus::found);
  EXPECT_EQ(found.at, 3);
}

/// Seven rounds that all agree are not sure among seven places.
TEST(FindCrossings, SaysOfFewRoundsThatTheyAreTooFewNotThatCurvesAreAlike) {
  fusebench::Run run = emptyRun(smallExperiment({1, 2, 3, 4, 5, 6, 7}));
  fillSamples(run, 7, 0.05, 7, [](const CellKey& key) {
    return key.variant == 0 ? 100.0 * static_cast<double>(key.at[0]) : 250.0;
  });
  const Crossing crossing = findCrossings(run)[0];
  EXPECT_EQ(crossing.status, CrossingStatus::undefined);
  EXPECT_THAT(crossing.tied, testing::IsEmpty());
  EXPECT_THAT(crossing.unsure, ElementsAre(1, 2));
  EXPECT_EQ(sentence(crossing, "statements"),
            "fused is faster than eager at 5 and slower at 2 of 7 points: too few samples to be "
            "sure where they cross");
  for (Cell& cell : run.cells) cell.samples.resize(3);
  const std::string few = sentence(findCrossings(run)[0], "statements");
  EXPECT_THAT(few, testing::StartsWith("fused was faster than eager in every sample at "));
  EXPECT_THAT(few, testing::EndsWith("too few samples for an interval"));
}

TEST(FindCrossings, NamesTheOnePointThatWasMeasuredAndNoneWhereThereAreNoAxes) {
  fusebench::Run run = emptyRun(smallExperiment({1}));
  fillSamples(run, 3, 0.02, 7, [](const CellKey& key) { return key.variant == 0 ? 100.0 : 50.0; });
  EXPECT_EQ(sentence(findCrossings(run)[0], "statements"),
            "fused was faster than eager in every sample at 1; too few samples for an interval");
  run.experiment.axes[0].name = "threads";  // as of an experiment without axes
  EXPECT_EQ(sentence(findCrossings(run)[0], "threads"),
            "fused was faster than eager in every sample; too few samples for an interval");
}

TEST(FindCrossings, NothingIsSaidOfTheWholeAxisBeforeAllOfItIsMeasured) {
  fusebench::Run run = emptyRun(smallExperiment({1, 2, 3}));
  fillSamples(run, 60, 0.02, 7,
              [](const CellKey& key) { return key.variant == 0 ? 200.0 : 100.0; });
  EXPECT_EQ(findCrossings(run)[0].status, CrossingStatus::always);
  run.cells[1].samples.clear();
  run.cells[1].stop = Stop::running;
  EXPECT_EQ(findCrossings(run)[0].status, CrossingStatus::undefined);
}

TEST(FindCrossings, NoneIsFoundAcrossAPlaceThatIsStillToCome) {
  fusebench::Run run = linearRun(1);  // they cross between 2 and 3
  run.cells[3].samples.resize(3);     // fused at 2
  run.cells[3].stop = Stop::running;
  EXPECT_EQ(findCrossings(run)[0].status, CrossingStatus::undefined);
}

TEST(FindCrossings, SkipsCellsThatWereNotMeasured) {
  fusebench::Run run = linearRun(1);
  run.cells[2].samples.clear();  // eager at 2
  run.cells[2].stop = Stop::failed;
  const auto crossings = findCrossings(run);
  EXPECT_EQ(crossings[0].status, CrossingStatus::found);
  EXPECT_NEAR(crossings[0].at, 2.5, 0.1);
}

std::vector<CompileTimes> compiles(std::initializer_list<std::int64_t> totals) {
  std::vector<CompileTimes> all;
  for (const std::int64_t total : totals) {
    all.emplace_back();
    all.back().compiler = total;
  }
  return all;
}

const Crossing& paybackAt(const std::vector<Crossing>& crossings, std::int64_t statements) {
  for (const Crossing& crossing : crossings)
    if (crossing.kind == Crossing::Kind::payback && crossing.cell == std::vector{statements})
      return crossing;
  throw std::runtime_error("there is no such payback");
}

TEST(Payback, IsTheCompileCostOverTheTimeSavedPerCall) {
  fusebench::Run run = linearRun(3);
  for (Cell& cell : run.cells)
    cell.firstCompiles = cell.key.variant == 0 ? compiles({1000, 1100, 900, 1000, 1000})
                                               : compiles({16000, 15900, 16000, 16100, 16000});
  const auto crossings = findCrossings(run);
  const Crossing& at4 = paybackAt(crossings, 4);  // saves 150 ns per call, costs 15,000 ns
  EXPECT_EQ(at4.status, CrossingStatus::found);
  EXPECT_NEAR(at4.at, 100, 3);
  EXPECT_EQ(at4.at, std::ceil(at4.at));
  EXPECT_LE(at4.low, 100);
  EXPECT_GE(at4.high, 100);
  EXPECT_EQ(paybackAt(crossings, 1).status, CrossingStatus::never);  // slower
}

TEST(Payback, MayNeverComeWhereTheSavingsMayBeNothing) {
  fusebench::Run run = emptyRun(smallExperiment({1, 2}));
  for (const double saved : {1.0, -1.0}) {
    for (Cell& cell : run.cells) {
      cell.samples.clear();
      for (int round = 0; round < 40; ++round)  // 12 off, to both sides alike
        cell.samples.push_back(
            {round, 100 + (round % 2 ? 12.0 : -12.0) * (cell.key.variant == 0 ? 1 : -1) -
                        (cell.key.variant == 0 ? 0 : saved)});
      const std::int64_t cost = cell.key.variant == 0 ? 10 : 1000;
      cell.firstCompiles = compiles({cost, cost, cost, cost, cost});
    }
    const Crossing crossing = paybackAt(findCrossings(run), 1);
    if (saved < 0) {  // by the estimate itself it is slower
      EXPECT_EQ(crossing.status, CrossingStatus::never);
      continue;
    }
    EXPECT_EQ(crossing.status, CrossingStatus::found);
    EXPECT_EQ(crossing.at, 990);
    EXPECT_TRUE(std::isinf(crossing.high));
    EXPECT_LE(crossing.low, 40);  // it may even save 25 per call
    EXPECT_THAT(sentence(crossing, "calls"), HasSubstr(" to never)"));
  }
}

TEST(Payback, IsNotDecidedByFewCompilesWhereTheSavingsMayBeNothing) {
  fusebench::Run run = emptyRun(smallExperiment({1, 2}));
  for (const double off : {12.0, 0.1}) {
    for (Cell& cell : run.cells) {
      const double sign = cell.key.variant == 0 ? 1 : -1;
      cell.samples.clear();
      for (int round = 0; round < 40; ++round)
        cell.samples.push_back({round, 100 + (round % 2 ? off : -off) * sign + (sign > 0 ? 1 : 0)});
      const std::int64_t cost = sign > 0 ? 10 : 1000;
      cell.firstCompiles = compiles({cost});
    }
    const Crossing crossing = paybackAt(findCrossings(run), 1);
    EXPECT_EQ(crossing.status, off > 1 ? CrossingStatus::undefined : CrossingStatus::found);
    EXPECT_FALSE(crossing.hasInterval);
    EXPECT_THAT(sentence(crossing, "calls"), HasSubstr(off > 1 ? "too few samples" : "990 calls"));
  }
}

TEST(BreakEven, NamesTheOtherAxisAndItsValue) {
  Crossing crossing;
  crossing.variant = "static";
  crossing.baseline = "eager";
  crossing.status = CrossingStatus::always;
  crossing.cell = {16};
  crossing.heldAxes = {"batch"};
  crossing.ratioAtStart = 2;
  EXPECT_THAT(sentence(crossing, "layers"), HasSubstr("at every point measured at batch = 16"));
}

TEST(Payback, HasAnIntervalFromFiveCompilesOn) {
  fusebench::Run run = linearRun(3);
  for (const std::size_t repeats : {4u, 5u}) {
    for (Cell& cell : run.cells) {
      cell.firstCompiles = cell.key.variant == 0 ? compiles({1000, 1100, 900, 1000, 1000})
                                                 : compiles({16000, 15000, 16000, 17000, 16000});
      cell.firstCompiles.resize(repeats);
    }
    const Crossing crossing = paybackAt(findCrossings(run), 4);
    EXPECT_EQ(crossing.compiles, repeats);
    EXPECT_EQ(crossing.hasInterval, repeats == 5);
    if (repeats == 4) {
      EXPECT_THAT(sentence(crossing, "calls"),
                  HasSubstr("(from 4 compiles of each: too few for an interval)"));
    } else {  // 14 000 to 16 000 over 150 ns, the rest from the savings
      EXPECT_LE(crossing.low, 94);
      EXPECT_GE(crossing.high, 106);
      EXPECT_LT(crossing.high, 120);
    }
  }
}

/// As many samples as 8 processes took, each with its own placement.
TEST(FindCrossings, IsAsUnsureAsProcessesDiffer) {
  fusebench::Run one = emptyRun(smallExperiment({1, 2, 3, 4}));
  fillSamples(one, 96, 0.002, 5, [](const CellKey& key) {
    return key.variant == 0 ? 100.0 * static_cast<double>(key.at[0]) : 250.0;
  });
  fusebench::Run many = one;
  for (fusebench::Cell& cell : many.cells)
    for (Sample& sample : cell.samples) {
      sample.session = sample.round / 12;
      sample.nanoseconds *= sample.session % 2 == cell.key.variant ? 1.02 : 0.98;
    }
  const Crossing sure = findCrossings(one)[0], unsure = findCrossings(many)[0];
  EXPECT_EQ(unsure.status, CrossingStatus::found);
  EXPECT_GT(unsure.high - unsure.low, 5 * (sure.high - sure.low));
}

/// torch's variants are measured against torch, ours against eager.
TEST(FindCrossings, ComparesPyTorchsVariantsWithPyTorchsEager) {
  std::string text = smallExperimentText();
  const auto at = text.find("    {\"name\": \"fused\"");
  text.insert(at,
              "{\"name\": \"torch\", \"executor\": \"torch\", \"inputs\": \"all\"},"
              "{\"name\": \"compiled\", \"executor\": \"torch-static\", \"inputs\": \"all\"},"
              "{\"name\": \"mixed\", \"executor\": \"torch-static\", \"inputs\": \"all\", "
              "\"against\": \"eager\"},\n");
  const Experiment experiment = parseExperiment(text, "small.json");
  EXPECT_EQ(parseExperiment(toJson(experiment), "again.json").variants[3].against, "eager");
  fusebench::Run run = emptyRun(experiment);
  fillSamples(run, 60, 0.01, 3,
              [](const CellKey& key) { return 100.0 - 10 * static_cast<double>(key.variant); });
  for (Cell& cell : run.cells)
    if (cell.key.variant != 1) cell.firstCompiles = compiles({9000, 9000, 9000, 9000, 9000});
  std::map<std::string, std::string> against;
  for (const Crossing& crossing : findCrossings(run)) against[crossing.variant] = crossing.baseline;
  EXPECT_EQ(
      against,
      (std::map<std::string, std::string>{
          {"torch", "eager"}, {"compiled", "torch"}, {"mixed", "eager"}, {"fused", "eager"}}));
  for (const Crossing& crossing : findCrossings(run))
    if (crossing.kind == Crossing::Kind::payback && crossing.variant == "compiled") {
      EXPECT_EQ(crossing.status, CrossingStatus::found);  // eager's kernels ship: 9000 over 10 ns
      EXPECT_NEAR(crossing.at, 900, 60);
      EXPECT_TRUE(crossing.hasInterval);
    }
}

TEST(Payback, IsAlwaysWhereTheFasterVariantCompilesNoSlower) {
  fusebench::Run run = linearRun(5);
  for (Cell& cell : run.cells) cell.firstCompiles = compiles({cell.key.variant == 0 ? 1000 : 10});
  const std::vector<Crossing> crossings = findCrossings(run);
  const Crossing& payback = paybackAt(crossings, 4);
  EXPECT_EQ(payback.status, CrossingStatus::always);
  EXPECT_THAT(sentence(payback, "calls"),
              HasSubstr("no compile to pay back: " + payback.baseline + " takes 1.00"))
      << sentence(payback, "calls");
  EXPECT_GT(payback.baselineCompileTime, payback.compileTime);
}

TEST(Payback, IsUndefinedWithoutCompileTimesOrWithFewSamples) {
  fusebench::Run run = linearRun(5);
  EXPECT_EQ(paybackAt(findCrossings(run), 4).status, CrossingStatus::undefined);
  for (Cell& cell : run.cells) {
    cell.firstCompiles = compiles({1000});
    cell.samples.resize(4);
  }
  EXPECT_EQ(paybackAt(findCrossings(run), 4).status, CrossingStatus::undefined);
}

TEST(LaunchModels, FitTheCostOfALaunchWhereLaunchesVary) {
  fusebench::Run run = linearRun(2);
  for (Cell& cell : run.cells) {
    const std::int64_t launches = cell.key.variant == 0 ? cell.key.at[0] : 1;
    cell.launches = LaunchCounts{launches, static_cast<double>(launches), launches};
  }
  const auto models = launchModels(run);
  ASSERT_EQ(models.size(), 1u);  // the fused variant always launches once: no line through it
  EXPECT_EQ(models[0].variant, "eager");
  EXPECT_NEAR(models[0].fit.slope.value, 100, 3);
}

TEST(Sentences, SayWhatACrossingMeans) {
  Crossing crossing;
  crossing.variant = "static";
  crossing.baseline = "eager";
  crossing.along = "statements";
  crossing.status = CrossingStatus::found;
  crossing.at = 1.4;
  crossing.low = 1.3;
  crossing.high = 1.5;
  EXPECT_EQ(sentence(crossing, "statements"),
            "static is faster than eager at 1.4 or more statements (1.3 to 1.5)");
  crossing.at = 4'194'304;
  EXPECT_THAT(sentence(crossing, "elements"), HasSubstr("at 4194304 or more elements"));
  crossing.backwards = true;
  EXPECT_THAT(sentence(crossing, "statements"), HasSubstr("slower again"));
  crossing.status = CrossingStatus::always;
  crossing.ratioAtStart = 2.5;
  EXPECT_THAT(sentence(crossing, "statements"), HasSubstr("speedup 2.50x"));
  crossing.status = CrossingStatus::never;
  EXPECT_THAT(sentence(crossing, "statements"),
              HasSubstr("not faster than eager at any point measured"));
  crossing.status = CrossingStatus::undefined;
  crossing.places = 5;
  crossing.ahead = 4;
  EXPECT_THAT(sentence(crossing, "statements"),
              HasSubstr("at 4 of 5 points, within noise elsewhere"));
  crossing.ahead = 5;  // all that can be compared: no claim about the rest
  crossing.open = 2;
  EXPECT_EQ(sentence(crossing, "statements"),
            "static is faster than eager at 5 of 7 points; at the rest there are too few samples "
            "to tell");
  crossing.status = CrossingStatus::never;
  crossing.kind = Crossing::Kind::payback;
  crossing.cell = {30};
  EXPECT_THAT(sentence(crossing, "calls"), HasSubstr("never pays"));
  crossing.status = CrossingStatus::found;
  crossing.at = 12345;
  crossing.low = crossing.high = 12345;
  EXPECT_EQ(sentence(crossing, "calls"),
            "static at 30: compiling pays for itself after 12300 calls compared with eager");
  crossing.cell = {1 << 20, 8000};
  EXPECT_EQ(
      sentence(crossing, "calls"),
      "static at 1Mi, 8\u202f000: compiling pays for itself after 12300 calls compared with eager")
      << "as the chart and the findings write places";
}

}  // namespace
}  // namespace fusebench
