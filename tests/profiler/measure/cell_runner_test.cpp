// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/cell_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/device/memory_use.h"
#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "profiler/machine/clock.h"
#include "tests/doubles/fake_backend.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class CellRunners : public testing::Test {
 protected:
  Cell prepared(int variant, std::int64_t statements, CompileMeasuring measuring = {3, 1e9}) {
    Cell cell;
    cell.key = {variant, {statements}};
    runner = std::make_unique<CellRunner>(backend, inputs, references, experiment, cell.key, stop);
    runner->prepare(measuring, cell);
    return cell;
  }
  FakeBackend backend;
  Experiment experiment = smallExperiment({1, 2, 30});
  InputStore inputs{backend, experiment, kPlenty};
  ReferenceMemo references;
  std::atomic<bool> stop = false;
  std::unique_ptr<CellRunner> runner;
};

TEST(CpuCells, ThatComputeTheSameAreCheckedAgainstOneReference) {
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  const Experiment experiment = smallExperiment({1, 2});
  InputStore inputs{*backend, experiment, kPlenty};
  std::atomic<bool> stop = false;
  const std::string key = ReferenceMemo::keyOf(experiment, {0, {2}}, 0);
  EXPECT_EQ(ReferenceMemo::keyOf(experiment, {1, {2}}, 0), key);
  EXPECT_NE(ReferenceMemo::keyOf(experiment, {0, {1}}, 0), key) << "fewer statements";
  EXPECT_NE(ReferenceMemo::keyOf(experiment, {0, {2}}, 1), key) << "another entry";
  Experiment narrow = experiment;
  narrow.variants[1].dtype = "float16";
  EXPECT_NE(ReferenceMemo::keyOf(narrow, {1, {2}}, 0), key) << "other numbers";
  const auto errorOf = [&](int variant, ReferenceMemo& references) {
    CellRunner runner(*backend, inputs, references, experiment, {variant, {2}}, stop);
    Cell cell;
    runner.prepare({0, 0}, cell);
    return runner.check().relativeError;
  };
  ReferenceMemo references;
  EXPECT_LT(errorOf(0, references), 1e-6);
  ASSERT_NE(references.find(key), nullptr);
  // The next cell is compared with the results that were kept.
  ReferenceMemo::Results wrong = *references.find(key);
  for (double& value : wrong.front().front().value.values) value = 2 * value + 1;
  ReferenceMemo other;
  other.keep(key, wrong);
  EXPECT_GT(errorOf(1, other), 0.1);
}

TEST(ReferenceMemos, LetGoOfWhatCameFirst) {
  ReferenceMemo memo;
  const auto numbers = [](std::size_t count) {
    ReferenceResult result;
    result.value.values.resize(count);
    return ReferenceMemo::Results{{result}};
  };
  const auto all = memo.keep("all", numbers(ReferenceMemo::kMostNumbers));
  EXPECT_EQ(memo.find("all"), all);
  memo.keep("one", numbers(1));
  EXPECT_EQ(memo.find("all"), nullptr);
  ASSERT_NE(memo.find("one"), nullptr);
  const auto more = memo.keep("more", numbers(ReferenceMemo::kMostNumbers + 1));
  EXPECT_EQ(more->front().front().value.values.size(), ReferenceMemo::kMostNumbers + 1);
  EXPECT_EQ(memo.find("more"), nullptr);
  EXPECT_EQ(memo.find("one"), nullptr);
}

TEST_F(CellRunners, CountLaunchesAtTheBackend) {
  const Cell eager = prepared(0, 2);  // x + 1, sin, sum
  EXPECT_EQ(eager.launches->minimum, 3);
  EXPECT_EQ(eager.launches->maximum, 3);
  EXPECT_EQ(eager.launches->mean, 3);
  const Cell fused = prepared(1, 30);
  EXPECT_EQ(fused.launches->maximum, 1);
  EXPECT_EQ(fused.inputsUsed, 3);
}

TEST_F(CellRunners, CountTheBytesThatStepsReadAndWrite) {
  const Cell eager = prepared(0, 2), fused = prepared(1, 2);  // x + 1, sin, sum
  ASSERT_TRUE(eager.bytesMoved);
  ASSERT_TRUE(fused.bytesMoved);
  double given = 0;
  for (const auto& entry : inputs.get(eager.key)->entries)
    given += static_cast<double>(spanBytes(entry[0])) / 3;
  // Two ops read and write as much as the input has, the sum reads it and writes a number.
  EXPECT_DOUBLE_EQ(*eager.bytesMoved, 5 * given + 4);
  EXPECT_DOUBLE_EQ(*fused.bytesMoved, given + 4);
}

TEST_F(CellRunners, CountThePiecesThatAProgramIsCompiledIn) {
  EXPECT_FALSE(prepared(0, 2).graphs) << "op by op";
  EXPECT_EQ(prepared(1, 2).graphs, 1);
}

/// Where a call is long a sample makes few, and each input has its turn.
TEST_F(CellRunners, GoOverPartsOfTheListWhereItsCallsAreLong) {
  experiment.inputSets[0].inputs[0].extents = {"8", "16"};
  prepared(1, 2, {0, 0});
  int calls = 0;
  backend.onLaunch = [&] {
    ++calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  };
  const double first = runner->sample().sample.nanoseconds;
  EXPECT_LE(calls, 17 + 2 + 1 + 2) << "a second to warm up, a part to see, a part to time";
  EXPECT_NEAR(first, 60e6, 30e6) << "of one call";
  calls = 0;
  const TakenSample taken = runner->sample();
  EXPECT_EQ(calls, 1 + 2) << "one that is not timed, and 0.1 s of the list";
  EXPECT_EQ(taken.passes, 1);
  EXPECT_NEAR(taken.sample.nanoseconds, 60e6, 30e6);
}

TEST_F(CellRunners, GoOverTheWholeListWhereItsInputsDiffer) {
  prepared(1, 2, {0, 0});
  int calls = 0;
  backend.onLaunch = [&] {
    ++calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  };
  runner->sample();
  calls = 0;
  runner->sample();
  EXPECT_EQ(calls, 1 + 3);
}

TEST_F(CellRunners, GoOverTheWholeListWhereItsCallsAreShort) {
  experiment.inputSets[0].inputs[0].extents = {"8", "16"};
  prepared(1, 2, {0, 0});
  int calls = 0;
  backend.onLaunch = [&] {
    ++calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  runner->sample();
  calls = 0;
  runner->sample();
  EXPECT_EQ(calls, 1 + 3);
}

/// One call that something else holds up must not pass for a long one.
TEST_F(CellRunners, MeasureADisturbedWarmUpAgain) {
  prepared(1, 2, {0, 0});
  int launches = 0;
  backend.onLaunch = [&] {
    if (++launches == 22) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  EXPECT_GT(runner->sample().passes, 3);  // a pass of three launches takes microseconds
  backend.onLaunch = nullptr;
  EXPECT_GT(launches, 22);
}

TEST_F(CellRunners, KeepFirstDiskAndMemoryCompilesApart) {
  const Cell cell = prepared(1, 2);
  ASSERT_THAT(cell.firstCompiles, SizeIs(3));
  for (const CompileTimes& times : cell.firstCompiles) {
    EXPECT_EQ(times.fromDisk, 0);
    EXPECT_EQ(times.fromMemory, 0);
    EXPECT_EQ(times.compiler, 2'000'000);  // two shapes, so two kernels
  }
  ASSERT_TRUE(cell.diskCompile);
  EXPECT_EQ(cell.diskCompile->fromDisk, 2);
  EXPECT_EQ(cell.diskCompile->compiler, 0);
  ASSERT_TRUE(cell.memoryCompile);
  EXPECT_EQ(cell.memoryCompile->fromMemory, 2);
}

TEST_F(CellRunners, ReportRecompilesWithTheirReasons) {
  const Cell fixed = prepared(1, 2);  // shapes (4, 16), (5, 16), (4, 16)
  EXPECT_EQ(fixed.recompiles, 1);
  ASSERT_THAT(fixed.recompileReasons, SizeIs(1));
  EXPECT_THAT(fixed.recompileReasons[0], HasSubstr("5"));
  EXPECT_EQ(fixed.eagerShare, 0);
  EXPECT_EQ(prepared(0, 2).recompiles, 0);
}

TEST_F(CellRunners, ReportTheShareOfCallsThatFallBackToEager) {
  experiment.variants[1].options.recompileLimit = 1;
  const Cell cell = prepared(1, 2);
  EXPECT_NEAR(*cell.eagerShare, 1.0 / 3, 1e-12);  // the one entry of shape (5, 16)
  EXPECT_EQ(cell.launches->minimum, 1);
  EXPECT_EQ(cell.launches->maximum, 3);
  EXPECT_NEAR(cell.launches->mean, 5.0 / 3, 1e-12);
}

TEST_F(CellRunners, SayWhatTheDeviceLacksForAVariant) {
  for (const char* executor : {"instant", "replay"}) {
    experiment.variants[1].executor = executor;
    try {
      prepared(1, 2);
      FAIL() << executor << " on a device that cannot";
    } catch (const Unavailable& e) {
      EXPECT_THAT(e.what(), HasSubstr("cannot")) << executor;
    }
  }
  EXPECT_EQ(prepared(0, 2).launches->minimum, 3);  // the other variants still work
}

TEST(CpuCells, SayWhereTheTimeOfACallGoes) {
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  // With this many elements a kernel takes longer than the overhead subtracted for its marks.
  Experiment experiment = smallExperiment({2});
  experiment.inputSets.front().inputs.front().extents = {"64", "1024"};
  InputStore inputs{*backend, experiment, kPlenty};
  std::atomic<bool> stop = false;
  Cell cell;
  cell.key = {0, {2}};
  ReferenceMemo references;
  CellRunner runner(*backend, inputs, references, experiment, cell.key, stop);
  runner.prepare({0, 0}, cell);
  const CallAnatomy anatomy = runner.trace();
  ASSERT_THAT(anatomy.launches, SizeIs(3));  // x + 1, sin, sum
  EXPECT_EQ(anatomy.launches[1].kernel, "sin");
  EXPECT_THAT(anatomy.launches[0].statements, testing::ElementsAre(0));
  EXPECT_GT(anatomy.of(CallPart::kernel), 0);
  EXPECT_GT(anatomy.untracedNanoseconds, 0);
  EXPECT_EQ(anatomy.inputs, 3);
  EXPECT_GE(anatomy.calls, 3);
  EXPECT_EQ(anatomy.lost, 0u);
  const auto launched = backend->launches();
  runner.sample();
  EXPECT_GT(backend->launches(), launched);
  stop = true;
  EXPECT_THROW(runner.trace(), Stopped);
}

TEST(CpuCells, ThatWriteToTheirInputsRunOnCopiesThatAreRestored) {
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  Experiment experiment = smallExperiment({1});
  experiment.program = parseProgram("x.mul_(3)\nreturn x.sum()");
  InputStore inputs{*backend, experiment, kPlenty};
  std::atomic<bool> stop = false;
  Cell cell;
  cell.key = {0, {1}};
  const auto shared = inputs.get(cell.key);
  const auto before = valuesOf(*backend, shared->entries.front().front());
  ReferenceMemo references;
  CellRunner runner(*backend, inputs, references, experiment, cell.key, stop);
  runner.prepare({0, 0}, cell);
  runner.sample();
  EXPECT_LT(runner.check().relativeError, 1e-5);  // as if nothing had been called before
  EXPECT_EQ(valuesOf(*backend, shared->entries.front().front()), before);
}

TEST_F(CellRunners, MeasureNoCompileTimeWhenNotAsked) {
  const Cell cell = prepared(1, 2, {0, 0});
  EXPECT_THAT(cell.firstCompiles, SizeIs(0));
  EXPECT_FALSE(cell.diskCompile);
  EXPECT_FALSE(cell.memoryCompile);
  EXPECT_TRUE(cell.launches);
}

TEST_F(CellRunners, StopCompilingWhenTheirTimeIsUpButCompileOnce) {
  EXPECT_THAT(prepared(1, 2, {1000, 0.0}).firstCompiles, SizeIs(1));
}

TEST_F(CellRunners, TimeWholePassesThatLastLongEnough) {
  prepared(1, 2);
  const auto sample = runner->sample();
  EXPECT_GT(sample.sample.nanoseconds, 0);
  // 3 entries a pass: the passes together make up about the shortest sample.
  EXPECT_GT(sample.passes, 1);
  const std::uint64_t before = backend.launches();
  const auto again = runner->sample();
  EXPECT_EQ(again.passes, sample.passes);
  EXPECT_GE(backend.launches() - before, static_cast<std::uint64_t>(3 * sample.passes));
}

TEST_F(CellRunners, WarmUpWithAtLeast20CallsBeforeTheFirstSample) {
  prepared(1, 2);
  std::uint64_t launches = 0;
  // A stop is heard between the calls of the warm-up, but not inside a timed pass: if the 19th call
  // is the last one, none was timed before it.
  backend.onLaunch = [&] {
    if (++launches == 19) stop = true;
  };
  EXPECT_THROW(runner->sample(), Stopped);
  EXPECT_EQ(launches, 19u);
}

TEST_F(CellRunners, GiveUpOnAStop) {
  stop = true;
  EXPECT_THROW(prepared(1, 2), Stopped);
}

TEST_F(CellRunners, AreUnavailableBeyondHalfOfTheMemory) {
  InputStore little(backend, experiment, 600);
  CellRunner cramped(backend, little, references, experiment, {0, {2}}, stop);
  Cell cell;
  try {
    cramped.prepare({}, cell);
    FAIL();
  } catch (const Unavailable& error) {
    EXPECT_THAT(error.what(), HasSubstr("more than half of the 600 B of free memory"));
  }
}

/// This backend has kernels with phases, and none that adds up over all rows: a step more.
TEST_F(CellRunners, EstimateMemoryByThePlanThatTheirExecutorMakes) {
  experiment.program =
      parseProgram("def f(x):\n  return torch.log_softmax(x, -1).amax(-1).mean()\n");
  experiment.axes.clear();
  const CellKey key{1, {}};
  const auto executor = makeExecutor("static", backend, experiment.program);
  // One byte less than a call needs. The less memory there is, the fewer inputs are made.
  const auto tooLittle = [&](std::uint64_t available) {
    const InputStore::Plan plan = InputStore(backend, experiment, available).plan(key);
    const Plan steps = executor->plan(plan.largest);
    EXPECT_EQ(steps.steps.size(), 2u);
    return 2 * (plan.totalBytes + memoryUseOf(steps, {}, &backend).peakBytes) - 1;
  };
  std::uint64_t available = kPlenty;
  for (int i = 0; i < 20; ++i) available = tooLittle(available);
  ASSERT_EQ(available, tooLittle(available));
  InputStore little(backend, experiment, available);
  CellRunner cramped(backend, little, references, experiment, key, stop);
  Cell cell;
  EXPECT_THROW(cramped.prepare({}, cell), Unavailable) << "a byte is missing";
}

/// A kernel is not stopped: the threads that a variant does not use do not make it end sooner.
TEST(CpuCells, AreUnavailableBeyondTheBudgetOfTheirThreads) {
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  Experiment experiment = smallExperiment({1});
  experiment.program =
      parseProgram("def f(x):\n  return x.flatten()[:1].expand(19_000_000_000).sum()\n");
  experiment.axes.clear();
  experiment.measure.budgetSeconds = 0.1;
  InputStore inputs(*backend, experiment, kPlenty);
  ReferenceMemo references;
  std::atomic<bool> stop = false;
  CellRunner runner(*backend, inputs, references, experiment, {1, {}}, stop);
  Cell cell;
  try {
    runner.prepare({}, cell);
    FAIL() << "it is run";
  } catch (const Unavailable& error) {
    EXPECT_THAT(error.what(), HasSubstr("a call takes 0.148 s or more by the plan's estimate"));
  }
}

TEST_F(CellRunners, CountPeakBytesOfOneCallWithoutTheOtherInputs) {
  const Cell fused = prepared(1, 2);
  // The larger input, (5, 16) floats, and the one result; not the whole input list.
  EXPECT_GE(*fused.peakBytes, 5 * 16 * 4 + 4);
  EXPECT_LE(*fused.peakBytes, 5 * 16 * 4 + 512);
  const Cell eager = prepared(0, 2);
  EXPECT_GE(*eager.peakBytes, 3 * 5 * 16 * 4);  // input and two intermediates
}

TEST_F(CellRunners, ShareInputsBetweenCells) {
  prepared(0, 1);
  const auto list = inputs.get({0, {1}});
  EXPECT_EQ(list, inputs.get({1, {30}}));
  EXPECT_THAT(list->entries, SizeIs(3));
  EXPECT_EQ(list->kinds, (std::vector<std::size_t>{0, 1, 0}));
}

TEST_F(CellRunners, ShortenTheInputListToAQuarterOfTheMemory) {
  // One entry of 256 or 320 bytes fits into a quarter of 2400, two do not.
  InputStore little(backend, experiment, 2200);
  EXPECT_EQ(little.plan({1, {1}}).entries, 1);
  InputStore more(backend, experiment, 4 * (256 + 320));
  EXPECT_EQ(more.plan({1, {1}}).entries, 2);
  EXPECT_EQ(inputs.plan({1, {1}}).entries, 3);
}

TEST_F(CellRunners, SeeAResultThatIsWrong) {
  prepared(1, 2);  // the double computes nothing: its result is 0
  EXPECT_GT(runner->check().relativeError, 0.01);
  EXPECT_LT(runner->check().roundingError.value(), 1e-5) << "rounding does not explain it";
}

TEST(CpuCells, SayWhatRoundingDoesWhereADecisionDependsOnIt) {
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  Experiment experiment = smallExperiment({1});
  experiment.program = parseProgram("y = (x * 0 + 0.7) * 10\nreturn y.floor()");
  InputStore inputs{*backend, experiment, kPlenty};
  std::atomic<bool> stop = false;
  ReferenceMemo references;
  CellRunner runner(*backend, inputs, references, experiment, {0, {1}}, stop);
  Cell cell;
  runner.prepare({0, 0}, cell);
  const CellRunner::Check check = runner.check();
  EXPECT_GT(check.relativeError, 0.1);
  EXPECT_EQ(check.roundingError, check.relativeError);
}

class LayoutOf : public testing::TestWithParam<const char*> {};
TEST_P(LayoutOf, DoesNotChangeTheValues) {
  FakeBackend backend;
  Experiment plain = smallExperiment({1}), laidOut = plain;
  laidOut.inputSets[0].inputs[0].layout = GetParam();
  InputStore plainStore(backend, plain, kPlenty), otherStore(backend, laidOut, kPlenty);
  const auto a = plainStore.get({0, {1}}), b = otherStore.get({0, {1}});
  const Tensor &contiguous = a->entries[1][0], &other = b->entries[1][0];
  EXPECT_TRUE(contiguous.contiguous);
  EXPECT_FALSE(other.contiguous);
  EXPECT_EQ(contiguous.shape, other.shape);
  EXPECT_EQ(other.strides, (GetParam() == std::string("strided") ? Strides{32, 2} : Strides{1, 5}));
  EXPECT_EQ(valuesOf(backend, contiguous), valuesOf(backend, other));
}
INSTANTIATE_TEST_SUITE_P(All, LayoutOf, testing::Values("transposed", "strided"));

TEST(CpuCells, AgreeWithTheReference) {
  CpuOptions options;
  const test::TemporaryFolder cache;
  options.cacheDirectory = cache.string();
  const auto backend = makeCpuBackend(options);
  const Experiment experiment = smallExperiment({2});
  InputStore inputs(*backend, experiment, kPlenty);
  const std::atomic<bool> stop = false;
  for (const int variant : {0, 1}) {
    Cell cell;
    ReferenceMemo references;
    CellRunner runner(*backend, inputs, references, experiment, {variant, {2}}, stop);
    runner.prepare({1, 1e9}, cell);
    EXPECT_EQ(cell.launches->maximum, variant == 0 ? 3 : 1);
    EXPECT_LE(runner.check().relativeError, 1e-5);
    EXPECT_GT(runner.sample().sample.nanoseconds, 0);
    EXPECT_TRUE(cell.diskCompile);
  }
}

TEST(CpuCells, CheckTheLeadingRowsOfWhatIsTooLarge) {
  Experiment experiment = smallExperiment({2});
  experiment.inputSets[0].count = 1;
  experiment.inputSets[0].inputs[0].extents = {"200000", "16"};
  CpuOptions options;
  const test::TemporaryFolder cache;
  options.cacheDirectory = cache.string();
  const auto backend = makeCpuBackend(options);
  InputStore inputs(*backend, experiment, kPlenty);
  const std::atomic<bool> stop = false;
  Cell cell;
  ReferenceMemo references;
  CellRunner runner(*backend, inputs, references, experiment, {1, {2}}, stop);
  runner.prepare({0, 0}, cell);
  const auto check = runner.check();
  EXPECT_LE(check.relativeError, 1e-5);
  EXPECT_THAT(check.note, HasSubstr("of 200000 rows"));
}

TEST(CpuCells, CheckResultsWhereExecutorsSaveOtherValuesForGradients) {
  const Experiment experiment = parseExperiment(R"json({
    "fusebench": "experiment", "version": 2, "title": "t", "question": "q",
    "program": ["def program(x, w):", "    return F.softmax(x @ w, -1).pow(2).sum()"],
    "inputs": [{"name": "i", "count": 1, "tensors": [
      {"name": "x", "extents": [8, 16], "fill": "normal"},
      {"name": "w", "extents": [16, 4], "fill": "normal"}]}],
    "variants": [
      {"name": "eager", "executor": "eager", "inputs": "i", "gradients": "tape"},
      {"name": "static", "executor": "static", "inputs": "i", "gradients": "tape"},
      {"name": "instant", "executor": "instant", "inputs": "i", "gradients": "tape"}],
    "baseline": "eager",
    "measure": {"budgetSeconds": 1, "minimumSamples": 5, "maximumSamples": 9, "precision": 0.1,
                "seed": 1}})json",
                                                "tape.json");
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  InputStore inputs(*backend, experiment, kPlenty);
  const std::atomic<bool> stop = false;
  for (const int variant : {0, 1, 2}) {
    Cell cell;
    ReferenceMemo references;
    const std::vector<std::int64_t> place(experiment.axes.size(), 1);
    CellRunner runner(*backend, inputs, references, experiment, {variant, place}, stop);
    runner.prepare({0, 0}, cell);
    EXPECT_LE(runner.check().relativeError, 1e-5) << variant;
  }
}

TEST(CpuCells, CheckTheFirstRowsOfAProductWhoseFactorsCannotBothBeCut) {
  const Experiment experiment = parseExperiment(R"({
    "fusebench": "experiment", "version": 2, "title": "t", "question": "q",
    "program": ["def program(x, y):", "    return x @ y"],
    "inputs": [{"name": "square", "count": 1, "tensors": [
      {"name": "x", "extents": ["n", "n"], "fill": "normal"},
      {"name": "y", "extents": ["n", "n"], "fill": "normal"}]}],
    "variants": [{"name": "eager", "executor": "eager", "inputs": "square"}],
    "baseline": "eager", "axes": [{"name": "n", "unit": "rows", "values": [500]}],
    "measure": {"budgetSeconds": 1, "minimumSamples": 5, "maximumSamples": 9, "precision": 0.1,
                "seed": 1}})",
                                                "product.json");
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  InputStore inputs(*backend, experiment, kPlenty);
  const std::atomic<bool> stop = false;
  Cell cell;
  ReferenceMemo references;
  CellRunner runner(*backend, inputs, references, experiment, {0, {500}}, stop);
  runner.prepare({0, 0}, cell);
  const auto check = runner.check();
  EXPECT_LE(check.relativeError, 1e-5);
  EXPECT_THAT(check.note, HasSubstr("of 500 rows"));
}

TEST(CpuCells, CheckAPartOfTheSequenceWhereThereIsOneExample) {
  const Experiment experiment = parseExperiment(R"json({
    "fusebench": "experiment", "version": 2, "title": "t", "question": "q",
    "program": ["def program(q, k, v):", "    return F.scaled_dot_product_attention(q, k, v)"],
    "inputs": [{"name": "heads", "count": 1, "tensors": [
      {"name": "q", "extents": [1, 2, "n", 16]}, {"name": "k", "extents": [1, 2, "n", 16]},
      {"name": "v", "extents": [1, 2, "n", 16]}]}],
    "variants": [{"name": "static", "executor": "static", "inputs": "heads"}],
    "baseline": "static", "axes": [{"name": "n", "values": [2048]}],
    "measure": {"budgetSeconds": 1, "minimumSamples": 5, "maximumSamples": 9, "precision": 0.1,
                "seed": 1}})json",
                                                "attention.json");
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  InputStore inputs(*backend, experiment, kPlenty);
  const std::atomic<bool> stop = false;
  Cell cell;
  ReferenceMemo references;
  CellRunner runner(*backend, inputs, references, experiment, {0, {2048}}, stop);
  runner.prepare({0, 0}, cell);
  const auto check = runner.check();
  EXPECT_LE(check.relativeError, 1e-5);
  EXPECT_THAT(check.note, HasSubstr("of 2048 rows"));
}

TEST(Clock, CostsSomethingAndSamplesOutlastIt) {
  EXPECT_GT(clockCostNanoseconds(), 0);
  EXPECT_GE(shortestSampleNanoseconds(), 1'000'000);
  EXPECT_GE(static_cast<double>(shortestSampleNanoseconds()), 999 * clockCostNanoseconds());
}

}  // namespace
}  // namespace fusebench
