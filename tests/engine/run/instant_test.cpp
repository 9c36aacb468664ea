// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/base/ticks.h"
#include "engine/cpu/instant/op_list_walk.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const char* const kShort = "x = torch.sin(x * 2.0)\nx = torch.relu(x + 1.0)\nreturn x.sum()";
const char* const kLong =
    "y = torch.relu(x * 3.0)\nz = torch.sin(y + 0.5)\nz = torch.relu(z * 7.0)\nreturn z.sum()";

CompileTimes firstCall(EngineFixture& fixture, const std::string& text, const Shape& shape) {
  const auto executor = fixture.executor("instant", text);
  executor->call(std::vector{fixture.random(shape)});
  return executor->statistics().compiles.at(0).times;
}

TEST(Instant, RunsAnOpListInOneLaunch) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const auto executor = fixture.executor("instant", kLong);
  const std::vector<Tensor> inputs{fixture.random({8, 16})};
  executor->call(inputs);
  const std::uint64_t before = fixture.backend().launches();
  executor->call(inputs);
  EXPECT_EQ(fixture.backend().launches() - before, 1u);
}

/// A backend whose pieces are all made when they are asked for.
CpuOptions nothingShipped() {
  CpuOptions options = EngineFixture::withoutDisk(0, 0, 1);
  options.shipped = false;
  return options;
}

TEST(Instant, AProgramOfKnownOpsCompilesNothing) {
  EngineFixture fixture(nothingShipped());
  const CompileTimes first = firstCall(fixture, kShort, {8, 16});
  EXPECT_GT(first.compiler, 0);
  EXPECT_LT(first.fromMemory, first.kernels);
  const CompileTimes again = firstCall(fixture, kShort, {5, 31});
  EXPECT_EQ(again.compiler, 0);
  EXPECT_EQ(again.fromMemory, again.kernels);
  EXPECT_GT(again.codegen, 0);  // putting the list together is time, too
  fixture.backend().forgetKernels();
  EXPECT_GT(firstCall(fixture, kShort, {8, 16}).compiler, 0);
}

TEST(InstantPhases, AreTogetherNoLongerThanTheCall) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const auto executor = fixture.executor("instant", "return torch.sin(x) * 2\n");
  const std::vector<Tensor> inputs{fixture.random({8, 16})};
  const std::int64_t begin = steadyNanoseconds();
  executor->call(inputs);  // makes the pieces: some milliseconds
  const auto taken = static_cast<double>(steadyNanoseconds() - begin);
  const auto told = static_cast<double>(executor->statistics().compiles.at(0).times.total());
  EXPECT_LE(told, 1.05 * taken);
  EXPECT_GT(told, 0);
}

TEST(Instant, PiecesComeFromDiskInTheNextProcess) {
  const test::TemporaryFolder folder;
  CpuOptions options;
  options.cacheDirectory = folder.string();
  options.shipped = false;
  {
    EngineFixture fixture(options);
    EXPECT_EQ(firstCall(fixture, kLong, {8, 16}).fromDisk, 0);
  }
  EngineFixture fixture(options);
  const CompileTimes times = firstCall(fixture, kLong, {8, 16});
  EXPECT_EQ(times.compiler, 0);
  EXPECT_EQ(times.fromDisk + times.fromMemory, times.kernels);
}

TEST(Instant, NoNumberOfRanksMakesItFallBackToEager) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const auto executor =
      makeExecutor("instant", fixture.backend(), parseProgram(kShort), {.recompileLimit = 1});
  for (const Shape& shape : {Shape{7}, Shape{2, 3}, Shape{2, 3, 4}, Shape{1, 5, 2, 2}})
    executor->call(std::vector{fixture.random(shape)});
  EXPECT_EQ(executor->statistics().eagerCalls, 0u);
}

/// Classes that are counted, as cross entropy does it, and masks of what comes later.
TEST(Instant, ComparesIndicesOfRowsAndColumnsByEagersKernels) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  if (!fixture.backend().traits().shipsOps) GTEST_SKIP() << "no kernels ship for this processor";
  for (const char* body : {"return torch.arange(40) == x[:, None]",
                           "return x[:, None] >= torch.arange(40)", "return x[:, None] < x"}) {
    const auto instant = fixture.executor("instant", body);
    const std::vector<Tensor> inputs{
        fixture.typed(DType::int64, {12}, {3, 39, 0, 7, 7, -1, 40, 11, 2, 38, 1, 5})};
    instant->call(inputs);
    const Plan plan = instant->plan(std::vector<Form>{inputs[0]});
    EXPECT_EQ(plan.steps.back().kind, Step::Kind::kernel) << body;
    EXPECT_EQ(instant->statistics().compiles.at(0).times.compiler, 0) << body;
    EXPECT_EQ(EngineFixture::bytes(instant->call(inputs)[0]),
              EngineFixture::bytes(fixture.run("eager", body, inputs)[0]));
  }
}

TEST(Instant, AlongRowsIsEagersKernelsAndCompilesNothing) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  if (!fixture.backend().traits().shipsOps) GTEST_SKIP() << "no kernels ship for this processor";
  const char* softmax = "return torch.softmax(x, -1)";
  const auto instant = fixture.executor("instant", softmax);
  const std::vector<Tensor> inputs{fixture.random({12, 40})};
  instant->call(inputs);
  int kernels = 0;  // exp goes over all elements alike, and is one op alone
  for (const Step& step : instant->plan(std::vector<Form>{inputs[0]}).steps)
    kernels += step.kind == Step::Kind::kernel;
  EXPECT_EQ(kernels, 5);
  EXPECT_EQ(instant->statistics().compiles.at(0).times.compiler, 0);
  const std::uint64_t before = fixture.backend().launches();
  const auto got = EngineFixture::bytes(instant->call(inputs)[0]);
  EXPECT_EQ(fixture.backend().launches() - before, 5u);
  EXPECT_EQ(got, EngineFixture::bytes(fixture.run("eager", softmax, inputs)[0]));
}

TEST(Instant, AlongRowsHasAPlanForFewAndOneForMany) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  if (!fixture.backend().traits().shipsOps) GTEST_SKIP() << "no kernels ship for this processor";
  const char* text = "m = x.amax(1, keepdim=True)\nreturn (x - m) * 2";
  const auto instant = fixture.executor("instant", text), eager = fixture.executor("eager", text);
  for (const Shape& shape : {Shape{8, 16}, Shape{8192, 512}, Shape{9, 30}, Shape{8200, 520}}) {
    const std::vector<Tensor> inputs{fixture.random(shape)};
    EXPECT_EQ(EngineFixture::bytes(instant->call(inputs)[0]),
              EngineFixture::bytes(eager->call(inputs)[0]))
        << shape[0];
  }
  EXPECT_EQ(instant->statistics().compiles.size(), 2u);
}

TEST(Instant, TwoThreadsGiveWhatOneDoes) {
  EngineFixture one(EngineFixture::withoutDisk(0, 0, 1)), two(EngineFixture::withoutDisk(0, 0, 2));
  const std::string text = "y = torch.exp(torch.sin(x))\nreturn y, y.sum(), y.amax(1), y.argmax()";
  const Shape shape{1000, 1003};
  const auto a = one.run("instant", text, {one.random(shape)});
  const auto b = two.run("instant", text, {two.random(shape)});
  EXPECT_TRUE(EngineFixture::bytes(a[0]) == EngineFixture::bytes(b[0]));
  EXPECT_NEAR(EngineFixture::values(b[1])[0], EngineFixture::values(a[1])[0],
              1e-6 * EngineFixture::values(a[1])[0]);
  EXPECT_EQ(EngineFixture::values(a[2]), EngineFixture::values(b[2]));
  EXPECT_EQ(EngineFixture::values(a[3]), EngineFixture::values(b[3]));
}

TEST(Instant, FollowsShapesThatComeBackAndNewOnes) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const auto instant = fixture.executor("instant", kShort),
             eager = fixture.executor("eager", kShort);
  // More shapes than plans are kept for, in an order in which some come back soon, some late.
  for (int call = 0; call < 200; ++call) {
    const std::int64_t rows = 2 + (call * call) % 40, columns = 3 + call % 2;
    const std::vector<Tensor> inputs{fixture.random({rows, columns}, static_cast<unsigned>(call))};
    const double got = EngineFixture::values(instant->call(inputs)[0])[0];
    const double wanted = EngineFixture::values(eager->call(inputs)[0])[0];
    ASSERT_NEAR(got, wanted, 1e-5 * static_cast<double>(rows * columns)) << call;
  }
  EXPECT_EQ(instant->statistics().compiles.size(), 1u);
}

/// A row's last block may be full, cut short, or the only one, and what accumulates differs. One
/// executor meets them in this order and in the other, with what it made for those before.
TEST(Instant, EndsRowsAsTheyEndWhateverCameBefore) {
  const std::string text =
      "y = torch.exp(x)\nreturn y, y.sum(), y.prod(), y.amax(), y.var(), y.argmax()";
  for (const int width : {4, 8, 16}) {
    EngineFixture fixture(EngineFixture::withoutDisk(width, 0, 1));
    const std::int64_t block = 8 * width;
    std::vector<std::int64_t> lengths{block, 2 * block,     block + 3, 5,
                                      block, 3 * block + 1, 2 * block};
    for (int order = 0; order < 2; ++order) {
      const auto kept = fixture.executor("instant", text);
      for (const std::int64_t length : lengths) {
        const std::vector<Tensor> inputs{fixture.random({length}, static_cast<unsigned>(length))};
        const std::vector<Tensor> wanted = fixture.run("instant", text, inputs);
        const auto got = kept->call(inputs);
        ASSERT_EQ(got.size(), wanted.size());
        for (std::size_t o = 0; o < got.size(); ++o)
          EXPECT_EQ(EngineFixture::bytes(got[o]), EngineFixture::bytes(wanted[o]))
              << "result " << o << " of " << length << " elements, vectors of " << width;
      }
      EXPECT_EQ(kept->statistics().compiles.size(), 1u);
      std::reverse(lengths.begin(), lengths.end());
    }
  }
}

TEST(Instant, OpListsOutliveTheExecutorTheyAreOf) {
  EngineFixture fixture;
  const std::string text = "x = torch.clamp(x, -0.25, 0.75)\nreturn torch.clamp(x, -0.5, 0.5)";
  const Tensor x = fixture.random({8, 16});
  const std::vector<OpList> lists = fixture.executor("instant", text)->opLists(std::vector{x});
  ASSERT_EQ(lists.size(), 1u);
  EXPECT_THAT(lists[0].ops[1].parameters, ElementsAre(-0.5, 0.5));
  const std::string assembly = fixture.backend().code(lists[0]).at(1).text;
  EXPECT_THAT(assembly, HasSubstr("clamp of"));
  CompileTimes times;
  const auto executable = fixture.backend().assemble(OpList(lists[0]), times);
  Tensor made = makeTensor(fixture.backend().allocator(), DType::float32, {8, 16});
  std::array<void*, 2> pointers{x.data(), made.data()};
  const std::int64_t length = 128;
  fixture.backend().launch(*executable, {pointers.data(), &length, nullptr});
  EXPECT_EQ(EngineFixture::bytes(made),
            EngineFixture::bytes(fixture.run("eager", text, {x}).at(0)));
}

TEST(Instant, ShowsThePiecesItRunsThroughAndTheirOps) {
  EngineFixture fixture(EngineFixture::withoutDisk(8, 0, 1));
  const auto executor = fixture.executor("instant", "x = x + 0.25\nreturn torch.sqrt(x)");
  const auto lists = executor->opLists(std::vector{fixture.random({8, 16})});
  ASSERT_EQ(lists.size(), 1u);
  const auto texts = fixture.backend().code(lists[0]);
  ASSERT_EQ(texts.size(), 2u);
  const GeneratedCode& assembly = texts[1];
  EXPECT_EQ(assembly.language, "assembly");
  EXPECT_THAT(assembly.text, HasSubstr("add of input 0, 0.25"));
  EXPECT_THAT(assembly.text, HasSubstr("sqrt of registers"));
#if defined(__x86_64__)
  // Each piece ends in a jump to the next one and calls nothing.
  EXPECT_THAT(assembly.text, HasSubstr("jmpq\t*"));
  EXPECT_THAT(assembly.text, Not(HasSubstr("call")));
#endif
  std::size_t line = 0, sqrtLines = 0;
  for (const char c : assembly.text)
    if (c == '\n') sqrtLines += assembly.lineOps.at(line++) == 1;
  EXPECT_EQ(line, assembly.lineOps.size());
  EXPECT_GT(sqrtLines, 8u);  // a root of each vector
}

/// All that is reduced along a row that is one block comes from the registers at once.
TEST(Instant, ReducesARowOfOneBlockAsAnyOther) {
  for (const int width : {4, 8, 16}) {
    EngineFixture fixture(EngineFixture::withoutDisk(width, 0, 1));
    const std::string text =
        "y = torch.sin(x) + 0.5\n"
        "return y.sum(), y.prod(), y.amax(), y.amin(), y.mean(), y.var(), y.argmax(), y";
    for (const std::int64_t blocks : {1, 2}) {
      const std::vector<Tensor> inputs{fixture.random({8, blocks * width})};
      const auto got = fixture.run("instant", text, inputs);
      const auto wanted = fixture.run("eager", text, inputs);
      for (std::size_t o = 0; o < got.size(); ++o) {
        const auto a = EngineFixture::values(got[o]), b = EngineFixture::values(wanted[o]);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i)
          EXPECT_NEAR(a[i], b[i], 1e-5 * std::abs(b[i]))
              << "width " << width << ", " << blocks << " blocks, result " << o;
      }
    }
  }
}

TEST(Instant, ABackendThatRunsNoOpListsSaysSo) {
  EngineFixture fixture;
  class Other : public Backend {
   public:
    explicit Other(Backend& backend) : backend_(backend) {
      BackendTraits traits;
      traits.name = "other";
      setTraits(std::move(traits));
    }
    std::string description() const override { return {}; }
    Allocator& allocator() override { return backend_.allocator(); }
    std::shared_ptr<const Executable> compile(const Kernel& kernel, CompileTimes& times) override {
      return backend_.compile(kernel, times);
    }
    void launch(const Executable& executable, const LaunchArguments& arguments) override {
      backend_.launch(executable, arguments);
    }
    void synchronize() override {}
    void forgetKernels() override {}
    void useDiskCache(bool) override {}
    void setThreads(int) override {}
    int threads() const override { return 1; }
    void copyIn(const Tensor&, const void*, std::size_t) override {}
    void copyOut(void*, const Tensor&, std::size_t) override {}
    void copyWithin(void*, const void*, std::size_t) override {}

   private:
    Backend& backend_;
  } other(fixture.backend());
  EXPECT_THROW(makeExecutor("instant", other, parseProgram(kShort)), std::invalid_argument);
  for (const ExecutorInfo& executor : executorsOn(other)) EXPECT_FALSE(executor.runsOpLists());
}

TEST(OpListWalks, CountAndCarry) {
  const Dims extents{2, 3, 4};
  const Strides strides{100, 10, 1};
  cpu::Odometer odometer(extents, strides);
  odometer.goTo(7);  // (0, 1, 3)
  EXPECT_EQ(odometer.offset(), 13);
  EXPECT_EQ(odometer.run(), 1);
  odometer.advance(1);
  EXPECT_EQ(odometer.offset(), 20);
  odometer.advance(4);
  EXPECT_EQ(odometer.offset(), 100);
  odometer.advance(2);
  EXPECT_EQ(odometer.offset(), 102);
  EXPECT_EQ(odometer.run(), 2);
}

}  // namespace
}  // namespace fusebench
