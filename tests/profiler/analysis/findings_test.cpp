// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/findings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "profiler/analysis/wording.h"
#include "profiler/catalogue/catalogue.h"

namespace fusebench {
namespace {

/// A run whose latencies are `latency(variant, x)` ns, with 1% of even scatter.
Run makeRun(const std::vector<std::string>& variants, const Axis& axis,
            const std::function<double(int, double)>& latency, int samples = 31) {
  Run run;
  for (const std::string& name : variants) {
    Variant variant;
    variant.name = variant.executor = name;
    variant.inputs = "same";
    run.experiment.variants.push_back(variant);
  }
  run.experiment.baseline = variants.front();
  run.experiment.axes = {axis};
  for (const CellKey& key : cells(run.experiment)) {
    Cell cell;
    cell.key = key;
    const double level = latency(key.variant, static_cast<double>(key.at[0]));
    for (int i = 0; i < samples; ++i)
      cell.samples.push_back({i, level * (1 + 0.002 * ((i * 7) % 5 - 2))});
    cell.stop = Stop::converged;
    cell.relativeError = 1e-7;
    run.cells.push_back(cell);
  }
  return run;
}

const Axis kStatements{"statements", "statements", {1, 5, 10, 15, 20, 25, 30}};

double study(int variant, double n) {
  return variant == 0 ? 100 + 61 * n : 250 + (variant == 1 ? 0.5 : 1.0) * n;
}

std::vector<Finding> all(const Run& run) {
  const auto crossings = findCrossings(run);
  return findingsOf(run, crossings);
}

const Finding* find(const std::vector<Finding>& findings, Finding::Kind kind, int variant = -2) {
  for (const Finding& finding : findings)
    if (finding.kind == kind && (variant == -2 || finding.variant == variant)) return &finding;
  return nullptr;
}

/// Times around and in the kernels of a variant's cells; variant 0 has one launch per statement.
void giveAnatomy(Run& run, int variant, double around, double kernels, double untraced) {
  for (Cell& cell : run.cells) {
    if (cell.key.variant != variant) continue;
    CallAnatomy& anatomy = cell.anatomy.emplace();
    anatomy.nanoseconds[static_cast<std::size_t>(CallPart::allocate)] = 0.75 * around;
    anatomy.nanoseconds[static_cast<std::size_t>(CallPart::launch)] = 0.25 * around;
    anatomy.nanoseconds[static_cast<std::size_t>(CallPart::kernel)] = kernels;
    anatomy.launches.resize(variant == 0 ? static_cast<std::size_t>(cell.key.at[0]) : 1);
    anatomy.untracedNanoseconds = untraced;
    anatomy.calls = 100;
  }
}

/// Times as if a device ran the kernels; `single`: the time of a synchronized call.
void giveDevice(Run& run, int variant, int executions, double kernels, double single) {
  giveAnatomy(run, variant, single, 0, single);
  for (Cell& cell : run.cells) {
    if (cell.key.variant != variant) continue;
    for (Sample& sample : cell.samples) sample.device = DeviceTimes{10, 20, 30};
    DeviceAnatomy& device = cell.anatomy->device.emplace();
    device.nanoseconds = {4000, 0, kernels, executions > 1 ? 90'000.0 : 0.0, 7000};
    device.executions = executions;
    device.calls = 10;
  }
}

bool says(const Finding* finding, const std::string& part) {
  return finding && (finding->text.find(part) != std::string::npos ||
                     finding->headline.find(part) != std::string::npos);
}

TEST(Wording, AnAxisStandsAloneAsAWordAndWithFiguresAsAUnit) {
  const Axis batch{"batch", "images", {}}, own{"depth", "levels", {}};
  EXPECT_EQ(wording::axisTitle(batch), "batch (images)");
  EXPECT_EQ(wording::axisTitle({"statements", "statements", {}}), "statements");
  setLanguage("zh_CN");
  EXPECT_EQ(wording::axisTitle(batch), "批量（图像数）");
  EXPECT_EQ(wording::axisWord("statements"), "语句数");
  EXPECT_EQ(wording::at({"statements", "statements", {}}, 30), "30 条语句");
  EXPECT_EQ(wording::axisTitle(own), "depth（levels）");
  EXPECT_EQ(wording::ended(Stop::budget), "预算");
  setLanguage("en");
  EXPECT_EQ(wording::ended(Stop::budget), "budget");
}

TEST(Wording, FiguresAreShortAndGrouped) {
  EXPECT_EQ(wording::number(14'234), "14\u202f200");
  EXPECT_EQ(wording::number(61.04), "61");
  EXPECT_EQ(wording::number(0.0123), "0.0123");
  EXPECT_EQ(wording::time(31.2e6), "31.2\u202fms");
  EXPECT_EQ(wording::timeInterval({61, 60.2, 61.8, Estimate::Kind::interval}),
            "60.2 – 61.8\u202fns");
  EXPECT_EQ(wording::timeInterval({61, 60, 62, Estimate::Kind::none}), "");
  const Axis binary{"elements", "elements", {64, 4096, 65'536}};
  const Axis decimal{"elements", "elements", {64, 1000, 65'536}};
  EXPECT_EQ(wording::place(binary, 4096), "4Ki");
  EXPECT_EQ(wording::place(binary, 4706), "4.6Ki");
  EXPECT_EQ(wording::place(decimal, 4096), "4\u202f096");
  EXPECT_EQ(wording::place(decimal, 65'536), "65\u202f536");
  EXPECT_EQ(wording::at({"statements", "statements", {}}, 1.0004), "1 statement");
  EXPECT_EQ(wording::step({"elements", "elements", {}}), "per element");
  EXPECT_EQ(wording::step({"batch", "", {}}), "per batch");
  EXPECT_EQ(wording::at({"statements", "statements", {}}, 1), "1 statement");
  EXPECT_EQ(wording::list({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(wording::list({"a", "b", "c", "d", "e"}, 3), "a, b and 3 more");
}

TEST(Findings, SayHowMuchTheBaselineGrowsAndThatTheFusedOneIsFlat) {
  const auto findings = all(makeRun({"eager", "static"}, kStatements, study));
  const Finding* eager = find(findings, Finding::Kind::growth, 0);
  EXPECT_TRUE(says(eager, "grows by 61.0\u202fns per statement")) << (eager ? eager->text : "none");
  EXPECT_TRUE(says(find(findings, Finding::Kind::growth, 1), "static is flat"));
}

TEST(Findings, AFewSamplesSayWhichWasFasterInAllOfThemAndNoMore) {
  const auto findings = all(makeRun(
      {"eager", "static"}, kStatements, [](int v, double n) { return v == 0 ? 1000 * n : 200.0; },
      3));
  const Finding* found = find(findings, Finding::Kind::breakEven, 1);
  ASSERT_TRUE(found);
  EXPECT_TRUE(says(found,
                   "In every sample static was faster than eager at 7 of 7 points "
                   "(200\u202fns against 30.0\u202f\u00b5s at 30 statements)"))
      << found->text;
  EXPECT_EQ(found->headline, "static: faster in every sample");
  EXPECT_TRUE(says(found, "too few samples for an interval")) << found->text;
  EXPECT_FALSE(says(found, "within noise")) << found->text;
  const auto partly = all(makeRun(
      {"eager", "static"}, kStatements,
      [](int v, double n) { return v == 1 && n > 10 ? 100 : 200; }, 3));
  const Finding* some = find(partly, Finding::Kind::breakEven, 1);
  ASSERT_TRUE(some);
  EXPECT_TRUE(some->headline.starts_with("static: faster in every sample at ")) << some->headline;
  EXPECT_TRUE(some->headline.ends_with(" of 7 points")) << some->headline;
  const auto alike = all(makeRun(
      {"eager", "static"}, kStatements, [](int v, double) { return v == 0 ? 200.1 : 200.0; }, 3));
  EXPECT_TRUE(says(find(alike, Finding::Kind::breakEven, 1),
                   "The samples of static and eager "
                   "overlap"));
}

TEST(Findings, ChineseOnesHaveNoSpacesBetweenCharactersAndTheirOwnColon) {
  EXPECT_EQ(wording::closedUp("始终领先：1 条语句 时速度为 2.1×"),
            "始终领先：1 条语句时速度为 2.1×");
  EXPECT_EQ(wording::closedUp("53% 不是内核: 分派 14%"), "53% 不是内核：分派 14%");
  EXPECT_EQ(wording::closedUp("static: 3 ns, 7 条"), "static: 3 ns, 7 条");
  EXPECT_EQ(wording::closedUp("batch 8 时"), "batch 8 时");
}

TEST(Findings, CountCellsWithoutSamples) {
  fusebench::Run run = makeRun({"eager", "static"}, kStatements, study);
  for (std::size_t i = 0; i < 4; ++i) {
    run.cells[i].samples.clear();
    run.cells[i].stop = Stop::budget;
  }
  const auto findings = all(run);
  const Finding* noise = find(findings, Finding::Kind::noise);
  EXPECT_TRUE(says(noise, "4 of 14 data points not measured")) << (noise ? noise->text : "none");
}

TEST(Findings, AVariantThatGrowsATenthAsFastAsTheBaselineIsNotCalledFlat) {
  const auto findings = all(makeRun({"eager", "static"}, kStatements, [](int v, double n) {
    return v == 0 ? 100 + 60 * n : 300 + 6 * n;
  }));
  EXPECT_TRUE(
      says(find(findings, Finding::Kind::growth, 1), "grows by 6.00\u202fns per statement"));
  for (const Finding& finding : findings) EXPECT_FALSE(says(&finding, "flat")) << finding.text;
}

TEST(Findings, ACurveThatGrowsManyTimesIsNotCalledFlatBesideASteepBaseline) {
  const auto findings = all(makeRun({"torch", "eager"}, kStatements, [](int v, double n) {
    return v == 0 ? 5000 + 7800 * n : 60 + 118 * n;
  }));
  EXPECT_TRUE(says(find(findings, Finding::Kind::growth, 1), "grows by 118\u202fns per statement"));
}

TEST(Findings, ACurveThatBendsIsNotGivenASlope) {
  const auto findings = all(makeRun({"eager", "static"}, kStatements,
                                    [](int v, double n) { return v == 0 ? 100 + n * n * n : 50; }));
  const Finding* eager = find(findings, Finding::Kind::growth, 0);
  EXPECT_TRUE(says(eager, "but not linearly")) << (eager ? eager->text : "none");
  EXPECT_FALSE(says(eager, "grows by"));
}

TEST(Findings, ALineThatMissesItsFirstPlaceByFarIsSaidOfTheOthersOnly) {
  const auto run = makeRun({"eager", "static"}, kStatements, [](int v, double n) {
    return v == 1 ? 90.0 : n == 1 ? 84.0 : 17 + 133 * n;
  });
  const auto findings = all(run);
  const Finding* eager = find(findings, Finding::Kind::growth, 0);
  EXPECT_FALSE(says(eager, "a statement (")) << eager->text;
  EXPECT_TRUE(says(eager, "by 133\u202fns per statement at 5 statements or more")) << eager->text;
}

TEST(Findings, OfThreePlacesNoLineIsMade) {
  const auto run = makeRun({"eager", "static"}, {"statements", "statements", {1, 2, 3}}, study);
  const auto findings = all(run);
  const Finding* eager = find(findings, Finding::Kind::growth, 0);
  EXPECT_TRUE(says(eager, "eager changes from 161\u202fns at 1 statement to ")) << eager->text;
  EXPECT_FALSE(says(eager, "a statement ("));
  EXPECT_FALSE(says(eager, "straight"));
}

TEST(Findings, AheadThroughoutTakesEveryPlace) {
  const auto run = makeRun({"eager", "dynamic"}, kStatements,
                           [](int v, double n) { return v == 0 || n == 1 ? 100 * n : 50 * n; });
  const auto findings = all(run);
  const Finding* even = find(findings, Finding::Kind::breakEven, 1);
  EXPECT_FALSE(says(even, "throughout")) << even->text;
  EXPECT_TRUE(says(even,
                   "dynamic is faster than eager at 5 statements or more; at 1 statement the "
                   "difference is within noise."))
      << even->text;
}

TEST(Findings, ThoseThatCrossComeFirstThenThoseThatMay) {
  const auto level = [](int v, double n) {
    return v == 0 ? 100 + 60 * n : v == 3 ? 250.0 : v == 2 ? 900 * n : 10.0;
  };
  const auto sure = makeRun({"eager", "ahead", "behind", "crossing"}, kStatements, level);
  const auto few = makeRun({"eager", "ahead", "behind", "crossing"}, kStatements, level, 7);
  for (const auto* run : {&sure, &few}) {
    const auto findings = all(*run);
    ASSERT_EQ(findings.front().kind, Finding::Kind::breakEven);
    EXPECT_EQ(findings.front().variant, 3) << findings.front().text;
  }
  const Finding mayCross = all(few).front();
  EXPECT_TRUE(says(&mayCross,
                   "crossing is faster than eager at 6 of 7 points; at 1 statement it was slower, "
                   "with too few samples to be sure."))
      << mayCross.text;
}

TEST(Findings, WideIntervalsSayWhyAndWhatHelps) {
  auto run = makeRun({"eager", "static"}, kStatements, study);
  run.experiment.measure.precision = 1e-6;
  for (Cell& cell : run.cells) cell.stop = Stop::cap;
  EXPECT_TRUE(says(find(all(run), Finding::Kind::noise),
                   "reached the maximum number of samples, 201: increase"));
  for (Cell& cell : run.cells) cell.stop = Stop::budget;
  EXPECT_TRUE(says(find(all(run), Finding::Kind::noise),
                   "The time budget of 60 s was used up: increase Budget"));
}

TEST(Findings, ACompileThatCostsNoMoreIsSaidBesideTheBaselines) {
  auto run = makeRun({"eager", "static"}, kStatements, study);
  for (Cell& cell : run.cells) {
    CompileTimes times;
    times.compiler = cell.key.variant == 1 ? 67'700'000 : 91'000'000;
    cell.firstCompiles.assign(5, times);
  }
  const auto findings = all(run);
  const Finding* payback = find(findings, Finding::Kind::payback, 1);
  EXPECT_TRUE(says(payback,
                   "static compiles in 67.7\u202fms at 30 statements, eager in "
                   "91.0\u202fms"))
      << (payback ? payback->text : "none");
}

TEST(Findings, OfWhatCompilesNothingAndIsNotAheadNoPaybackIsSaid) {
  const auto paybackOf = [](std::string_view executor, int shipped) {
    auto run = makeRun({"eager", "slower"}, kStatements, [](int variant, double statements) {
      return (variant == 1 ? 2000 : 1000) + 100 * statements;
    });
    run.experiment.variants[1].executor = std::string(executor);
    for (Cell& cell : run.cells) {
      CompileTimes times;
      times.kernels = 5;
      times.shipped = cell.key.variant == 1 ? shipped : 5;
      times.codegen = cell.key.variant == 1 ? 200'000 : 150'000;
      cell.firstCompiles.assign(5, times);
    }
    const auto findings = all(run);
    return find(findings, Finding::Kind::payback, 1) != nullptr;
  };
  EXPECT_TRUE(paybackOf("static", 0)) << "it is never repaid";
  EXPECT_FALSE(paybackOf("eager", 5));
  EXPECT_FALSE(paybackOf("torch", 0));
}

TEST(Findings, WhatShipsHasNoCompileToRepay) {
  auto run = makeRun({"eager", "static", "instant"}, kStatements, study);
  for (Cell& cell : run.cells) {
    CompileTimes times;
    times.kernels = 5;
    if (cell.key.variant == 1) {
      times.compiler = 67'700'000;
    } else {
      times.shipped = 5;
      times.codegen = cell.key.variant == 0 ? 150'000 : 200'000;
    }
    cell.firstCompiles.assign(5, times);
  }
  auto findings = all(run);
  EXPECT_TRUE(says(find(findings, Finding::Kind::payback, 1), "pays back after"));
  const Finding* instant = find(findings, Finding::Kind::payback, 2);
  EXPECT_TRUE(says(instant, "instant: no compile to repay")) << (instant ? instant->text : "none");
  EXPECT_TRUE(says(instant, "instant compiles nothing: a first call takes 200\u202fµs more"));
  EXPECT_TRUE(says(instant, "eager in 150 µs, whose kernels are prebuilt."));
  // With one kernel that does not ship, the variant has to compile.
  for (Cell& cell : run.cells)
    if (cell.key.variant == 2)
      for (CompileTimes& times : cell.firstCompiles) times.shipped = 4;
  findings = all(run);
  EXPECT_TRUE(says(find(findings, Finding::Kind::payback, 2), "instant: repaid"));
}

TEST(Findings, IntervalsSayOverHowManySessions) {
  auto run = makeRun({"eager", "static"}, kStatements, study);
  for (Cell& cell : run.cells)
    for (Sample& sample : cell.samples)
      sample.nanoseconds *=
          1 + 0.01 * static_cast<double>(sample.round * (cell.key.at[0] + cell.key.variant) % 5);
  auto findings = all(run);
  for (const auto kind : {Finding::Kind::breakEven, Finding::Kind::speedUp, Finding::Kind::growth})
    EXPECT_TRUE(says(find(findings, kind), " within one process)")) << static_cast<int>(kind);
  setLanguage("zh_CN");
  const auto chinese = all(run);
  setLanguage("en");
  for (const auto kind : {Finding::Kind::breakEven, Finding::Kind::speedUp, Finding::Kind::growth})
    EXPECT_TRUE(says(find(chinese, kind), "，只在一个进程内）")) << static_cast<int>(kind);
  for (Cell& cell : run.cells)
    for (Sample& sample : cell.samples) sample.session = sample.round / 8;
  findings = all(run);
  for (const auto kind : {Finding::Kind::breakEven, Finding::Kind::speedUp, Finding::Kind::growth})
    EXPECT_TRUE(says(find(findings, kind), " over 4 sessions)")) << static_cast<int>(kind);
}

TEST(Findings, TheFirstOneOnADeviceTellsOfCallsThatAreWaitedFor) {
  auto run = makeRun({"eager", "static"}, kStatements, study);
  EXPECT_FALSE(says(&all(run).front(), "queued"));
  for (Cell& cell : run.cells)
    for (Sample& sample : cell.samples)
      sample.device = DeviceTimes{10, 20, cell.key.variant == 0 ? 5000.0 : 1250.0};
  const auto findings = all(run);
  EXPECT_TRUE(says(&findings.front(), "the synchronized latency is 1.25\u202fµs"))
      << findings.front().text;
  EXPECT_TRUE(says(&findings.front(), "against 5.00\u202fµs")) << findings.front().text;
}

TEST(Findings, ThreadsMakeACurveFall) {
  const auto findings = all(makeRun({"eager", "static"}, {"threads", "threads", {1, 2, 4, 8}},
                                    [](int v, double n) { return (v ? 800.0 : 1600.0) / n; }));
  EXPECT_TRUE(says(find(findings, Finding::Kind::growth, 0), "at 1 thread to "));
  EXPECT_TRUE(says(find(findings, Finding::Kind::growth, 0), "÷8"));
}

TEST(Findings, BreakEvenHasItsIntervalAndAPlaceToShow) {
  const auto findings = all(makeRun({"eager", "static"}, kStatements, study));
  const Finding* even = find(findings, Finding::Kind::breakEven, 1);
  ASSERT_TRUE(even);
  EXPECT_EQ(&findings.front(), even);
  EXPECT_TRUE(says(even, "faster than eager at 2.")) << even->text;
  ASSERT_TRUE(even->at);
  EXPECT_NEAR(*even->at, 150.0 / 60.5, 0.1);
}

TEST(Findings, TheSpeedUpAtTheEndHasAnIntervalAndRanksTheVariants) {
  const auto findings = all(makeRun({"eager", "slow", "fast"}, kStatements, [](int v, double n) {
    return v == 0 ? 100 + 60 * n : v == 1 ? 950.0 : 475.0;
  }));
  const Finding* speed = find(findings, Finding::Kind::speedUp);
  EXPECT_TRUE(says(speed, "At 30 statements fast is 4.00×")) << (speed ? speed->text : "none");
  EXPECT_TRUE(says(speed, ", slow 2.00×"));
  EXPECT_EQ(speed->variant, 2);
  EXPECT_EQ(speed->shownBy, Metric::speedUp);
}

TEST(Findings, WhatCannotBeToldApartIsNotRanked) {
  const auto findings =
      all(makeRun({"eager", "twin"}, kStatements, [](int, double n) { return 100 + 60 * n; }));
  const Finding* speed = find(findings, Finding::Kind::speedUp);
  EXPECT_TRUE(says(speed, "twin did not differ from eager at 30 statements by more than noise"))
      << (speed ? speed->text : "none");
}

TEST(Findings, WithTooFewSamplesNoGrowthAndNoSpeedUpIsClaimed) {
  const auto findings = all(makeRun({"eager", "static"}, kStatements, study, 4));
  EXPECT_FALSE(find(findings, Finding::Kind::growth));
  EXPECT_FALSE(find(findings, Finding::Kind::speedUp));
  EXPECT_TRUE(says(find(findings, Finding::Kind::noise), "fewer than 6 samples"));
}

TEST(Findings, WhileMeasuringNothingUndecidedIsSaid) {
  auto run = makeRun({"eager", "static"}, kStatements, study, 4);
  for (Cell& cell : run.cells) cell.stop = Stop::running;
  for (const Finding& finding : all(run)) {
    EXPECT_EQ(finding.text.find("Too f"), std::string::npos) << finding.text;
    EXPECT_EQ(finding.text.find("cannot"), std::string::npos) << finding.text;
  }
}

TEST(Findings, CompileCostAndPaybackAreThoseOfTheEndOfTheAxis) {
  auto run = makeRun({"eager", "static"}, kStatements, study);
  for (Cell& cell : run.cells)
    for (int i = 0; i < 5; ++i) {
      CompileTimes times;
      times.compiler = cell.key.variant == 1 ? 31'000'000 : 0;
      cell.firstCompiles.push_back(times);
    }
  const auto findings = all(run);
  const Finding* payback = find(findings, Finding::Kind::payback, 1);
  EXPECT_TRUE(says(payback, "31.0\u202fms at 30 statements")) << (payback ? payback->text : "none");
  EXPECT_TRUE(says(payback, "pays back after 18\u202f600 calls"));  // 31 ms / (1,930 - 265) ns
  EXPECT_EQ(payback->shownBy, Metric::payback);
}

TEST(Findings, CellsThatFailedForOneReasonAreOneFindingAndComeFirst) {
  auto run = makeRun({"eager", "static"}, kStatements, study);
  for (const std::size_t i : {9u, 11u, 13u}) {
    run.cells[i].samples.clear();
    run.cells[i].stop = Stop::unavailable;
    run.cells[i].error = "needs 9 GiB of 4";
  }
  const auto findings = all(run);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].kind, Finding::Kind::failure);
  EXPECT_EQ(findings[0].headline, "static: 3 data points unavailable");
  EXPECT_EQ(findings[0].text, "needs 9 GiB of 4");
}

TEST(Findings, EagerCallsOfACompiledVariantAreSaidWithTheirReason) {
  auto run = makeRun({"eager", "dynamic"}, kStatements, study);
  run.cells[0].eagerShare = 1;  // eager's own calls are not a fallback
  run.cells[13].eagerShare = 0.25;
  run.cells[13].recompiles = 8;
  run.cells[13].recompileReasons = {"extent 0 became 1"};
  const auto findings = all(run);
  const Finding* fallback = find(findings, Finding::Kind::fallback);
  ASSERT_TRUE(fallback);
  EXPECT_EQ(fallback->variant, 1);
  EXPECT_TRUE(says(fallback, "25%"));
  EXPECT_TRUE(says(fallback, "extent 0 became 1"));
}

TEST(Findings, WrongResultsAreSaidAboveRoundingOnly) {
  auto run = makeRun({"eager", "static"}, kStatements, study);
  EXPECT_FALSE(find(all(run), Finding::Kind::accuracy));
  run.cells[3].relativeError = 2e-3;
  run.cells[5].relativeError = std::nan("");
  EXPECT_TRUE(says(find(all(run), Finding::Kind::accuracy), "not a number"));
}

TEST(Findings, WhatRoundingAloneDoesIsNoWrongResult) {
  auto run = makeRun({"eager", "static"}, kStatements, study);
  run.cells[3].relativeError = 2e-3;
  run.cells[3].roundingError = 1e-3;
  EXPECT_TRUE(says(find(all(run), Finding::Kind::accuracy), "rounds each operation"));
  EXPECT_FALSE(says(find(all(run), Finding::Kind::accuracy), "wrong"));
  // PyTorch's results, in double precision, are off by as much.
  run.cells[3].torchDifference = 2e-3;
  EXPECT_FALSE(says(find(all(run), Finding::Kind::accuracy), "from PyTorch's results"));
  // Another variant at the same place computes the same program.
  run.cells[2].relativeError = 3e-3;
  EXPECT_FALSE(says(find(all(run), Finding::Kind::accuracy), "wrong"));
  run.cells[3].roundingError = 1e-6;
  EXPECT_TRUE(says(find(all(run), Finding::Kind::accuracy), "wrong"));
}

TEST(Findings, DifferentInputsAreSaidEvenWithoutANote) {
  auto run = makeRun({"eager", "static"}, kStatements, study);
  EXPECT_FALSE(find(all(run), Finding::Kind::comparability));
  run.experiment.variants[1].inputs = "other";
  EXPECT_TRUE(says(find(all(run), Finding::Kind::comparability), "static (other)"));
  run.experiment.note = "They differ.";
  EXPECT_EQ(find(all(run), Finding::Kind::comparability)->text, "They differ.");
}

TEST(Findings, SayAShippedStudysNoteInTheChosenLanguage) {
  auto run = makeRun({"eager", "static"}, kStatements, study);
  run.experiment.note =
      "All variants run on the same tensor, which keeps its shape from call to call, so the curves "
      "differ only in how the program runs.";
  setLanguage("zh_CN");
  const auto findings = all(run);
  setLanguage("en");
  EXPECT_TRUE(says(find(findings, Finding::Kind::comparability), "所有变体都用同一个张量"));
}

TEST(Findings, StayFewHoweverManyVariantsThereAre) {
  std::vector<std::string> names{"eager"};
  for (int i = 0; i < 40; ++i) names.push_back("variant " + std::to_string(i));
  auto run = makeRun(names, kStatements,
                     [](int v, double n) { return v == 0 ? 100 + 60 * n : 50 + 20 * v + v * n; });
  const auto findings = all(run);
  EXPECT_LE(findings.size(), 20u);
  for (const Finding& finding : findings) EXPECT_LE(finding.text.size(), 400u) << finding.text;
}

TEST(Findings, OfATwoAxisRunAreAboutTheSlice) {
  auto run = makeRun({"eager", "static"}, kStatements, study);
  const auto flat = run;
  run.experiment.axes.push_back({"elements", "elements", {64, 4096}});
  run.cells.clear();
  for (const CellKey& key : cells(run.experiment)) {
    Cell cell = *flat.find({key.variant, {key.at[0]}});
    cell.key = key;
    for (Sample& sample : cell.samples)
      sample.nanoseconds *= key.at[1] == 4096 && key.variant == 0 ? 3 : 1;
    run.cells.push_back(cell);
  }
  const auto crossings = findCrossings(run);
  const auto first = findingsOf(run, crossings, 0), second = findingsOf(run, crossings, 1);
  EXPECT_TRUE(says(find(first, Finding::Kind::growth, 0), "grows by 61.0\u202fns"));
  EXPECT_TRUE(says(find(second, Finding::Kind::growth, 0), "grows by 183\u202fns"));
  EXPECT_TRUE(says(find(second, Finding::Kind::growth, 0), "at elements = 4Ki"));
}

TEST(Findings, SayWhereTheTimeOfACallGoes) {
  fusebench::Run run = makeRun({"eager", "static"}, kStatements, study);
  giveAnatomy(run, 0, 1600, 400, 2100);
  giveAnatomy(run, 1, 40, 260, 310);
  const auto findings = all(run);
  const Finding* finding = find(findings, Finding::Kind::anatomy, 0);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->headline, "eager: 80% overhead");
  EXPECT_TRUE(says(finding, "A call takes " + wording::time(2000) +
                                " at 30 statements, of which 80% is overhead: allocate 60% and "
                                "launch 20%; its 30 kernels take " +
                                wording::time(400) + "."))
      << finding->text;
  EXPECT_TRUE(says(finding, "static spends " + wording::time(40) +
                                " in addition to one kernel of " + wording::time(260) + "."))
      << finding->text;
  EXPECT_EQ(finding->at, 30);
}

TEST(Findings, SayNothingOfPartsThatDoNotAddUp) {
  fusebench::Run run = makeRun({"eager", "static"}, kStatements, study);
  EXPECT_FALSE(find(all(run), Finding::Kind::anatomy));
  giveAnatomy(run, 0, 1600, 400, 2600);  // a quarter of an untraced call is missing
  EXPECT_FALSE(find(all(run), Finding::Kind::anatomy));
  giveAnatomy(run, 0, 1600, 400, 2100);
  EXPECT_TRUE(find(all(run), Finding::Kind::anatomy));
  run.cells.front().stop = Stop::running;
  EXPECT_FALSE(find(all(run), Finding::Kind::anatomy));
}

TEST(Findings, SayWhatADeviceDidForACallAndWhatItWaitedFor) {
  fusebench::Run run = makeRun({"eager", "static"}, kStatements,
                               [](int v, double n) { return v == 0 ? 6000 * n : 15'000; });
  giveDevice(run, 0, 30, 31'000, 225'000);
  giveDevice(run, 1, 1, 12'000, 22'000);
  const auto findings = all(run);
  const Finding* finding = find(findings, Finding::Kind::anatomy, 0);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->headline, "eager: no kernel runs for 86% of a call");
  for (const std::string& part :
       {"A synchronized call at 30 statements takes " + wording::time(225'000) +
            "; its 30 kernels take " + wording::time(31'000) + ", so for 86% of it no kernel runs.",
        "Pipelined, a call takes " + wording::time(180'000) + "; kernels run for 17% of it.",
        "In the trace, the first kernel started " + wording::time(4000) +
            " after its launch call, and the gaps between kernels were " + wording::time(90'000) +
            " in total.",
        std::string("Host time: allocate 75% and launch 25%."),
        "static spends " + wording::time(10'000) + " in addition to one kernel of " +
            wording::time(12'000) + "."})
    EXPECT_TRUE(says(finding, part)) << part << "\n" << finding->text;
}

TEST(Findings, SayNothingOfADeviceThatWasNotRecordedOrDoesNotFit) {
  fusebench::Run run = makeRun({"eager", "static"}, kStatements, study);
  giveDevice(run, 0, 30, 31'000, 225'000);
  ASSERT_TRUE(find(all(run), Finding::Kind::anatomy));
  // A pipelined call takes less time than its kernels: the finding does not mention it.
  EXPECT_FALSE(says(find(all(run), Finding::Kind::anatomy), "Pipelined"));
  giveDevice(run, 0, 30, 231'000, 225'000);  // kernels longer than the call that holds them
  EXPECT_FALSE(find(all(run), Finding::Kind::anatomy));
  giveDevice(run, 0, 30, 31'000, 225'000);
  for (Cell& cell : run.cells)
    if (cell.anatomy) cell.anatomy->device.reset();
  EXPECT_FALSE(find(all(run), Finding::Kind::anatomy));  // and not that all of it is overhead
}

}  // namespace
}  // namespace fusebench
