// SPDX-License-Identifier: GPL-3.0-or-later
// The interpreter of op lists, run on the double: the very source that a GPU gets.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/cuda/instant/interpreter_abi.h"
#include "engine/device/op_list_refused.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/engine/support/random_graphs.h"
#include "tests/temporary_folder.h"

namespace fusebench::test {
namespace {

using CudaInstant = CudaBackendTest;

/// The sizes at which a thread takes one element and those at which it takes four, with and without
/// a group that is not full. The double has 4 multiprocessors.
constexpr std::int64_t kSparse = 4 * 1024;

/// instant gives eager's bits.
void expectEagersBits(EngineFixture& fixture, const std::string& text,
                      const std::vector<Tensor>& inputs) {
  const auto eager = fixture.run("eager", text, inputs);
  const auto instant = fixture.run("instant", text, inputs);
  ASSERT_EQ(instant.size(), eager.size());
  for (std::size_t o = 0; o < eager.size(); ++o) expectSameBits(instant[o], eager[o], text);
}

std::uint64_t launchesOf(EngineFixture& fixture, const std::string& text,
                         const std::vector<Tensor>& inputs) {
  const auto executor = fixture.executor("instant", text);
  executor->call(inputs);
  const std::uint64_t before = fixture.backend().launches();
  executor->call(inputs);
  return fixture.backend().launches() - before;
}

TEST_F(CudaInstant, OneLaunchRunsTheStudyWhatItsLength) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({8, 16})};
  for (const int n : {1, 8, 20, 30}) {
    const Program program = firstStatements(parseProgram(studyProgram()), n);
    const auto executor = makeExecutor("instant", fixture.backend(), program);
    executor->call(inputs);
    const std::uint64_t before = fixture.backend().launches();
    fixture.backend().synchronize();
    const std::uint64_t ranBefore = cudaDouble().counts.kernelsRun;
    executor->call(inputs);
    EXPECT_EQ(fixture.backend().launches() - before, 1u);
    fixture.backend().synchronize();
    EXPECT_EQ(cudaDouble().counts.kernelsRun - ranBefore, 1u);
  }
}

TEST_F(CudaInstant, EverySizeGivesEagersBits) {
  EngineFixture fixture;
  for (const std::int64_t size :
       {std::int64_t{1}, std::int64_t{3}, std::int64_t{33}, std::int64_t{257}, kSparse - 1, kSparse,
        kSparse + 1, kSparse + 2, kSparse + 3, kSparse + 4, 5 * kSparse + 2})
    expectEagersBits(fixture, "y = x * 2.5 + 1\nz = torch.sin(y)\nreturn z - x, y",
                     {fixture.random({size}, static_cast<unsigned>(size))});
}

TEST_F(CudaInstant, EveryLayoutGivesEagersBitsWithOneElementAThreadAndWithFour) {
  EngineFixture fixture;
  const std::string text =
      "y = x * w + b\nz = torch.where(y > x, torch.tanh(y), x)\nreturn z, y > 0";
  for (const auto& [rows, columns] :
       {std::pair<std::int64_t, std::int64_t>{6, 10}, {7, 11}, {64, 128}, {63, 130}, {65, 131}}) {
    const Tensor dense = fixture.random({rows, columns}, 1),
                 turned = EngineFixture::transposed(fixture.random({columns, rows}, 2)),
                 gaps = EngineFixture::everySecond(fixture.random({rows, 2 * columns}, 3)),
                 line = fixture.random({columns}, 4), column = fixture.random({rows, 1}, 5),
                 one = fixture.random({1}, 6);
    for (const std::vector<Tensor>& inputs : std::vector<std::vector<Tensor>>{{dense, line, column},
                                                                              {turned, dense, one},
                                                                              {gaps, turned, line},
                                                                              {dense, gaps, dense}})
      expectEagersBits(fixture, text, inputs);
  }
  // Three dimensions, none of which merge.
  const Tensor cube = fixture.random({18, 19, 20}, 7);
  expectEagersBits(fixture, text,
                   {EngineFixture::transposed(cube), fixture.random({20, 1}, 8),
                    fixture.random({18, 1, 19}, 9)});
}

TEST_F(CudaInstant, TensorsThatBeginAnywhereAreReadAndTruthValuesAreBytes) {
  EngineFixture fixture;
  for (const std::int64_t size : {std::int64_t{37}, kSparse + 5}) {
    Tensor x = fixture.random({size + 1}, 3);
    x.offset = 1;
    x.shape = {size};
    const Tensor mask = fixture.run("eager", "return x > 0.25", {x})[0];
    expectEagersBits(fixture, "return torch.where(m, x * 3, -x), x > 1, m == (x > 1)", {mask, x});
  }
}

TEST_F(CudaInstant, RandomGraphsOverRandomLayoutsGiveEagersBits) {
  EngineFixture fixture;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    RandomProgram random(seed);
    const std::string text = random.text();
    const std::vector<Tensor> inputs = random.inputs(fixture);
    expectEagersBits(fixture, text, inputs);
  }
}

/// v0..v(n-1) of x, all of which are still wanted at the end.
std::string manyValues(int n) {
  std::string text, sum;
  for (int i = 0; i < n; ++i) {
    text += fmt::format("v{0} = x * {1}.5 + y\n", i, i + 1);
    sum = sum.empty() ? "v0" : fmt::format("{} - v{}", sum, i);
  }
  return text + "w = torch.maximum(x, y)\nreturn w * (" + sum + ")";
}

TEST_F(CudaInstant, MoreValuesThanRegistersHoldWaitInMemoryThatIsGivenBack) {
  EngineFixture fixture;
  for (const std::int64_t size : {std::int64_t{100}, kSparse * 3 + 1}) {
    const std::vector<Tensor> inputs{fixture.random({size}, 1), fixture.random({size}, 2)};
    for (const int n :
         {cuda::kRegisterSlots - 1, cuda::kRegisterSlots, cuda::kRegisterSlots + 1, 40})
      expectEagersBits(fixture, manyValues(n), inputs);
    EXPECT_EQ(launchesOf(fixture, manyValues(40), inputs), 1u);
    const auto executor = fixture.executor("instant", manyValues(40));
    executor->call(inputs);
    const std::size_t before = fixture.backend().allocator().statistics().currentBytes;
    executor->call(inputs);
    EXPECT_EQ(fixture.backend().allocator().statistics().currentBytes, before);
  }
}

TEST_F(CudaInstant, LongOpListsRunBeyondWhatALaunchHolds) {
  EngineFixture fixture;
  std::string text;
  for (int i = 0; i < 2 * cuda::kLaunchInstructions; ++i)
    text += i % 3 == 0 ? "x = torch.sin(x)\n" : i % 3 == 1 ? "x = x * 1.25\n" : "x = x + 0.5\n";
  for (const std::int64_t size : {std::int64_t{50}, kSparse + 7})
    for (const char* end : {"return x", "x = x - 1\nx = torch.abs(x)\nreturn x * 2"})
      expectEagersBits(fixture, text + end, {fixture.random({size})});
}

TEST_F(CudaInstant, ReducesOverEveryDimOfEveryLayoutSmallAndLargeAsEagerDoes) {
  EngineFixture fixture;
  const std::string text =
      "y = torch.exp(x * 0.3) + b * b\n"
      "return y.sum({0}), y.amax({0}), y.var({0}), y.argmax({0}), y.mean({0}), y * 2";
  for (const Shape& shape : {Shape{3, 5, 7}, Shape{4, 33, 60}, Shape{2, 300, 70}})
    for (const Tensor& x :
         {fixture.random(shape, 1), EngineFixture::transposed(fixture.random(shape, 2)),
          EngineFixture::everySecond(fixture.random(shape, 3))}) {
      const std::vector<Tensor> inputs{x, fixture.random({x.shape[1], 1}, 4)};
      for (const char* dim : {"", "0", "1", "2"}) {
        const std::string written = fmt::format(fmt::runtime(text), dim);
        const auto expected = fixture.run("eager", written, inputs);
        const auto got = fixture.run("instant", written, inputs);
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t o = 0; o < expected.size(); ++o) {
          const auto a = EngineFixture::values(expected[o]), b = EngineFixture::values(got[o]);
          ASSERT_EQ(a.size(), b.size());
          for (std::size_t i = 0; i < a.size(); ++i)
            ASSERT_LE(std::abs(a[i] - b[i]), 1e-6 * std::abs(a[i]))
                << toString(x.shape) << " over " << dim << ", output " << o;
        }
      }
    }
}

TEST_F(CudaInstant, AReductionOfManyBlocksIsOneLaunchAndAsGoodTheNextTime) {
  EngineFixture fixture;
  std::string text;
  for (int i = 0; i < 40; ++i) text += "x = torch.cos(x)\n";
  for (const std::string& program :
       {std::string("return torch.sin(x).sum(), x.amax()"), text + "return x.sum(), x.amin()"}) {
    const std::vector<Tensor> inputs{fixture.random({1 << 16})};
    const auto expected = fixture.run("static", program, inputs);
    const auto executor = fixture.executor("instant", program);
    std::vector<double> first;
    for (int call = 0; call < 3; ++call) {
      const std::uint64_t before = fixture.backend().launches();
      const auto got = executor->call(inputs);
      EXPECT_EQ(fixture.backend().launches() - before, 1u);
      std::vector<double> values;
      for (std::size_t o = 0; o < got.size(); ++o) {
        values.push_back(EngineFixture::values(got[o])[0]);
        const double wanted = EngineFixture::values(expected[o])[0];
        EXPECT_NEAR(values.back(), wanted, 1e-6 * std::abs(wanted));
      }
      if (call == 0) first = values;
      // The same bits: the blocks' states are merged in one order, whichever block finishes last.
      EXPECT_EQ(values, first);
    }
  }
}

TEST_F(CudaInstant, ReductionsOfNothingGiveTheirIdentitiesAndNaNStaysNaN) {
  EngineFixture fixture;
  const auto got = fixture.run("instant", "y = x + 1\nreturn y.sum(1), y.prod(1), y.mean(1)",
                               {fixture.tensor({3, 0}, {})});
  EXPECT_EQ(EngineFixture::values(got[0]), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(EngineFixture::values(got[1]), (std::vector<double>{1, 1, 1}));
  EXPECT_TRUE(std::isnan(EngineFixture::values(got[2])[0]));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto odd =
      fixture.run("instant", "y = x * 1\nreturn y.amax(), y.amin(), y.argmax(), y.sum()",
                  {fixture.tensor({5}, {1, 7, nan, 9, nan})});
  EXPECT_TRUE(std::isnan(EngineFixture::values(odd[0])[0]));
  EXPECT_TRUE(std::isnan(EngineFixture::values(odd[1])[0]));
  EXPECT_EQ(EngineFixture::values(odd[2])[0], 2);
  EXPECT_TRUE(std::isnan(EngineFixture::values(odd[3])[0]));
}

TEST_F(CudaInstant, TheInterpreterIsMadeOnceThenComesFromMemoryAndInTheNextProcessFromDisk) {
  const TemporaryFolder folder;
  CudaOptions options = onDouble();
  options.cacheDirectory = folder.string();
  options.diskCache = true;
  const auto timesOf = [](EngineFixture& fixture, const std::string& text) {
    const auto executor = fixture.executor("instant", text);
    executor->call(std::vector{fixture.random({8, 16})});
    return executor->statistics().compiles.at(0).times;
  };
  {
    EngineFixture fixture(makeCudaBackend(options));
    const CompileTimes first = timesOf(fixture, "return torch.sin(x) * 2");
    EXPECT_EQ(first.kernels, 1);
    EXPECT_EQ(first.fromDisk + first.fromMemory, 0);
    EXPECT_GT(first.compiler, 0);
    const std::uint64_t compiled = cudaDouble().counts.compilations;
    // Another program needs nothing of the compiler's.
    const CompileTimes other = timesOf(fixture, "y = torch.exp(x) + 1\nreturn y * y, x");
    EXPECT_EQ(other.compiler, 0);
    EXPECT_EQ(other.fromMemory, other.kernels);
    EXPECT_EQ(cudaDouble().counts.compilations, compiled);
    // One that reduces has an interpreter of its own.
    EXPECT_EQ(timesOf(fixture, "return x.sum()").fromMemory, 0);
    EXPECT_EQ(timesOf(fixture, "y = x + 1\nreturn y.amax()").fromMemory, 1);
    fixture.backend().forgetKernels();
    const CompileTimes again = timesOf(fixture, "return torch.sin(x) * 2");
    EXPECT_EQ(again.fromDisk, 1);
    EXPECT_EQ(again.compiler, 0);
  }
  EngineFixture fixture(makeCudaBackend(options));
  EXPECT_EQ(timesOf(fixture, "return torch.cos(x) * 3").fromDisk, 1);
}

TEST_F(CudaInstant, AnOpListOutlivesTheKernelsThatWereForgotten) {
  EngineFixture fixture;
  const auto executor = fixture.executor("instant", "return x * 2");
  const Tensor x = fixture.tensor({3}, {1, 2, 3});
  executor->call(std::vector{x});
  fixture.backend().forgetKernels();
  fixture.backend().synchronize();
  EXPECT_EQ(EngineFixture::values(executor->call(std::vector{x})[0]),
            (std::vector<double>{2, 4, 6}));
}

TEST_F(CudaInstant, LaunchesOfAnOpListCanBeCapturedButNoneCanBePutTogetherMeanwhile) {
  EngineFixture fixture;
  Backend& backend = fixture.backend();
  const auto executor = fixture.executor("instant", "return x.sum() + 1");
  const Tensor x = fixture.tensor({3}, {1, 2, 3}), y = fixture.tensor({3}, {10, 20, 30});
  const auto lists = fixture.executor("instant", "return x * 3")->opLists(std::vector{x});
  CompileTimes times;
  const auto list = backend.assemble(OpList(lists.at(0)), times);
  const Tensor out = makeTensor(backend.allocator(), DType::float32, {3});
  const std::int64_t integers[] = {3};
  void* pointers[] = {x.data(), out.data()};
  backend.beginCapture();
  EXPECT_THROW(backend.assemble(OpList(lists.at(0)), times), std::logic_error);
  backend.launch(*list, {pointers, integers, nullptr});
  const auto capture = backend.endCapture();
  backend.replay(*capture);
  EXPECT_EQ(EngineFixture::values(out), (std::vector<double>{3, 6, 9}));
  pointers[0] = y.data();
  capture->setArguments(0, {pointers, integers, nullptr});
  backend.replay(*capture);
  EXPECT_EQ(EngineFixture::values(out), (std::vector<double>{30, 60, 90}));
}

TEST_F(CudaInstant, MoreTensorsThanALaunchHoldsAreRefusedWithAWayOut) {
  EngineFixture fixture;
  std::string text, results;
  for (int i = 0; i < cuda::kOpListTensors; ++i) {
    text += fmt::format("v{} = x * {}.5\n", i, i);
    results += fmt::format("{}v{}", i ? ", " : "", i);
  }
  const std::string message = messageOf<OpListRefused>(
      [&] { fixture.run("instant", text + "return " + results, {fixture.random({5})}); });
  EXPECT_TRUE(holds(message, "at most 24 tensors")) << message;
  EXPECT_TRUE(holds(message, "use static or dynamic")) << message;
}

TEST_F(CudaInstant, ShowsItsInstructionsAndTheInterpretersSource) {
  EngineFixture fixture;
  const auto lists = fixture.executor("instant", "y = 1 - torch.sqrt(x + 0.25)\nreturn y.sum(), y")
                         ->opLists(std::vector{fixture.random({8, 16})});
  ASSERT_EQ(lists.size(), 1u);
  const auto texts = fixture.backend().code(lists[0]);
  ASSERT_EQ(texts.size(), 1u);
  const GeneratedCode& code = texts[0];
  EXPECT_EQ(code.language, "cuda");
  for (const char* line :
       {"//   1: load input 0\n", "//   2: add of registers, 0.25\n", "//   3: sqrt of registers\n",
        "//   4: sub of 1, registers\n", "gather into reduction 0\n", "store to output 0\n",
        "instant_reduce_four(const Launch launch) {\n"})
    EXPECT_TRUE(holds(code.text, line)) << line;
  // Lines of a row's code stand for its op, and only for ops that there are.
  std::size_t line = 0, roots = 0;
  for (const char c : code.text)
    if (c == '\n') {
      const int op = code.lineOps.at(line++);
      roots += op == 1;
      EXPECT_LT(op, 4);
    }
  EXPECT_EQ(line, code.lineOps.size());
  EXPECT_GT(roots, 5u);
}

}  // namespace
}  // namespace fusebench::test
