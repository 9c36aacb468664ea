// SPDX-License-Identifier: GPL-3.0-or-later
// Windows over tensors: convolutions and pools of every stride, padding, dilation and layout, with
// the library and without it, held against loops in double.
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/cpu/library/onednn.h"
#include "tests/engine/support/contractions.h"

namespace fusebench {
namespace {

/// The same elements with channels next to each other, as torch.channels_last.
Tensor channelsLast(EngineFixture& fixture, const Shape& shape, unsigned seed) {
  Tensor made = fixture.random(shape, seed);
  made.strides = {shape[1] * shape[2] * shape[3], 1, shape[3] * shape[1], shape[1]};
  made.contiguous = isContiguous(made.shape, made.strides);
  return made;
}

class Convolutions : public testing::TestWithParam<std::pair<bool, int>> {
 protected:
  static CpuOptions options() {
    CpuOptions made = EngineFixture::withoutDisk(0, 0, GetParam().second);
    made.library = GetParam().first;
    return made;
  }

  void expectAll(const std::string& text, const std::vector<Tensor>& inputs) {
    expectContractsEverywhere(fixture_, text, inputs);
  }

  EngineFixture fixture_{options()};
};

INSTANTIATE_TEST_SUITE_P(Libraries, Convolutions,
                         testing::Values(std::pair(true, 1), std::pair(true, 2),
                                         std::pair(false, 1), std::pair(false, 2)),
                         [](const auto& which) {
                           return std::string(which.param.first ? "Library" : "OwnLoops") +
                                  (which.param.second > 1 ? "Threads" : "");
                         });

TEST_P(Convolutions, OfEveryStridePaddingDilationAndGroup) {
  for (const char* arguments :
       {"", ", stride=2", ", padding=1", ", stride=(2, 1), padding=(0, 2)",
        ", dilation=2, padding=2", ", None, 2, 1", ", padding=(2, 1), dilation=(1, 2)"})
    expectAll(fmt::format("def f(x, w):\n  return F.conv2d(x, w{})", arguments),
              {fixture_.random({2, 4, 9, 8}, 1), fixture_.random({6, 4, 3, 3}, 2)});
  for (const std::int64_t groups : {2, 4})
    expectAll(fmt::format("def f(x, w, b):\n  return torch.conv2d(x, w, b, 1, 1, 1, {})", groups),
              {fixture_.random({2, 4, 7, 7}, 1), fixture_.random({8, 4 / groups, 3, 3}, 2),
               fixture_.random({8}, 3)});
}

TEST_P(Convolutions, OfImagesOfOnePlaceThatLieInAnyOrder) {
  for (const char* order : {"x", "x.permute(0, 2, 3, 1)", "x.permute(0, 2, 3, 1).contiguous()"})
    for (const char* arguments : {"", ", padding=1"})
      for (const std::int64_t images : {1, 3})
        for (const std::int64_t channels : {1, 4, 16}) {
          const bool last = std::string_view(order) != "x";
          expectAll(fmt::format("def f(x, s, w):\n  a = {} * s\n  return F.conv2d({}, w{})", order,
                                last ? "a.permute(0, 3, 1, 2)" : "a", arguments),
                    {fixture_.random({images, channels, 1, 1}, 1),
                     fixture_.random(last ? Shape{channels} : Shape{channels, 1, 1}, 2),
                     fixture_.random({4, channels, *arguments ? 3 : 1, *arguments ? 3 : 1}, 3)});
        }
}

TEST_P(Convolutions, GradientsOfEveryStridePaddingDilationAndGroup) {
  for (const char* arguments :
       {"", ", stride=2", ", stride=(2, 1), padding=(0, 2)", ", dilation=2, padding=2",
        ", stride=(3, 2), padding=(3, 1), dilation=(1, 2)"})
    expectAll(gradientsOf(fmt::format("conv2d(x, w{})", arguments), "x, w"),
              {fixture_.random({2, 4, 9, 8}, 1), fixture_.random({6, 4, 3, 3}, 2)});
  expectAll(gradientsOf("conv2d(x, w, b, 2, 1, 1, 2)", "x, w, b"),
            {channelsLast(fixture_, {2, 4, 7, 7}, 1), fixture_.random({8, 2, 3, 3}, 2),
             fixture_.random({8}, 3)});
  expectAll(gradientsOf("conv1d(x, w, b, padding=1)", "x, w, b"),
            {fixture_.random({4, 9}, 1), fixture_.random({3, 4, 2}, 2), fixture_.random({3}, 3)});
  for (const char* pool :
       {"max_pool2d(x, 3, 2, 1)", "max_pool2d(torch.round(x * 2) + x, 2, 1, 0, 2, ceil_mode=True)",
        "avg_pool2d(x, 3, 2, 1)", "avg_pool2d(x, 3, 2, 1, ceil_mode=True)",
        "avg_pool2d(x, 2, 1, 1, count_include_pad=False)"})
    expectAll(gradientsOf(pool, "x"), {fixture_.random({2, 3, 8, 6}, 4)});
}

TEST_P(Convolutions, OfNarrowFloatsAndTheirGradientsAreRoundedOnce) {
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    const auto drawn = [&](const Shape& shape, unsigned seed) {
      std::vector<double> values = EngineFixture::values(fixture_.random(shape, seed));
      for (double& value : values) value = roundedTo(value, dtype);
      return fixture_.typed(dtype, shape, values);
    };
    const std::vector<Tensor> inputs{drawn({2, 4, 9, 8}, 1), drawn({6, 4, 3, 3}, 2)};
    const Program program = parseProgram(
        "def f(x, w):\n  y = F.conv2d(x, w, None, 2, 1)\n  loss = y.float().sum()\n"
        "  dx, dw = torch.autograd.grad(loss, [x, w])\n  return y, dx, dw");
    const auto expected = evaluateReference(
        program,
        std::vector{EngineFixture::reference(inputs[0]), EngineFixture::reference(inputs[1])});
    for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
      SCOPED_TRACE(std::string(info.name));
      const auto executor = makeExecutor(info.name, fixture_.backend(), program);
      const auto results = executor->call(inputs);
      for (std::size_t o = 0; o < results.size(); ++o) {
        EXPECT_EQ(results[o].dtype, dtype);
        EXPECT_LE(relativeError(expected[o], EngineFixture::values(results[o])),
                  dtype == DType::float16 ? 0x1p-11 * 1.01 : 0x1p-8 * 1.01);
      }
    }
  }
}

TEST_P(Convolutions, InEveryLayout) {
  const Tensor w = fixture_.random({6, 4, 3, 3}, 2), bias = fixture_.random({6}, 3);
  const std::string text = "def f(x, w, b):\n  return F.conv2d(x, w, b, padding=1)";
  expectAll(text, {channelsLast(fixture_, {2, 4, 9, 8}, 1), w, bias});
  expectAll(text,
            {fixture_.random({2, 4, 9, 8}, 1), channelsLast(fixture_, {6, 4, 3, 3}, 4), bias});
  expectAll(text, {EngineFixture::transposed(fixture_.random({2, 4, 9, 8}, 1)), w, bias});
  expectAll(text, {EngineFixture::everySecond(fixture_.random({2, 4, 9, 16}, 1)), w, bias});
  expectAll(text, {fixture_.random({4, 9, 8}, 1), w, bias});  // without a batch
  // A part of the channels, so that there are gaps between places.
  expectAll("def f(x, w, b):\n  return F.conv2d(x[:, :4], w, b, padding=1)",
            {channelsLast(fixture_, {2, 6, 9, 8}, 1), w, bias});
  expectAll(text, {fixture_.random({2, 4, 9, 8}, 1), w,
                   EngineFixture::everySecond(fixture_.random({12}, 5))});
}

TEST_P(Convolutions, OverOneDimension) {
  for (const char* arguments : {"", ", stride=2, padding=1", ", dilation=3"})
    expectAll(
        fmt::format("def f(x, w, b):\n  return F.conv1d(x, w, b{})", arguments),
        {fixture_.random({2, 4, 19}, 1), fixture_.random({6, 4, 3}, 2), fixture_.random({6}, 3)});
}

TEST_P(Convolutions, PoolsOfEveryWindow) {
  for (const char* pool : {"max_pool2d", "avg_pool2d"})
    for (const char* arguments : {"2", "3, 1", "(2, 3), (1, 2)", "3, 2, 1",
                                  "3, stride=2, ceil_mode=True", "3, 2, 1, ceil_mode=True"})
      for (const Tensor& x :
           {fixture_.random({2, 3, 8, 9}, 1), channelsLast(fixture_, {2, 3, 8, 9}, 2),
            fixture_.random({3, 8, 9}, 3)})
        expectAll(fmt::format("def f(x):\n  return F.{}(x, {})", pool, arguments), {x});
  expectAll("def f(x):\n  return F.avg_pool2d(x, 3, 2, 1, count_include_pad=False)",
            {fixture_.random({2, 3, 8, 9}, 1)});
  expectAll("def f(x):\n  return F.max_pool2d(x, 3, dilation=2)",
            {fixture_.random({2, 3, 8, 9}, 1)});
  expectAll("def f(x):\n  return F.max_pool1d(x, 3), F.avg_pool1d(x, 4, 1)",
            {fixture_.random({2, 3, 17}, 1)});
}

TEST_P(Convolutions, OfRandomForms) {
  std::mt19937 engine(11);
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(engine);
  };
  for (int round = 0; round < 30; ++round) {
    const std::int64_t groups = pick(1, 2), channels = groups * pick(1, 9);
    const std::int64_t out = groups * pick(1, 9), kernel = pick(1, 3), dilation = pick(1, 2);
    const Shape shape{pick(1, 2), channels, pick(6, 12), pick(6, 12)};
    const auto seed = static_cast<unsigned>(round);
    expectAll(fmt::format("def f(x, w):\n  return F.conv2d(x, w, None, {}, {}, {}, {})", pick(1, 2),
                          pick(0, 2), dilation, groups),
              {round % 2 ? fixture_.random(shape, seed) : channelsLast(fixture_, shape, seed),
               fixture_.random({out, channels / groups, kernel, kernel}, seed + 50)});
  }
}

TEST_P(Convolutions, OneSpecializationServesOtherSizes) {
  const auto executor = fixture_.executor(
      "dynamic", "def f(x, w):\n  return F.max_pool2d(F.conv2d(x, w, padding=1), 2) * 2");
  for (const std::int64_t size : {8, 11, 20}) {
    const std::vector<Tensor> inputs{fixture_.random({2, 3, size, size + 5}, 1),
                                     fixture_.random({4, 3, 3, 3}, 2)};
    std::vector<ReferenceTensor> plain;
    for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
    const auto expected = evaluateReference(*executor->program(), plain);
    const Tensor result = executor->call(inputs)[0];
    ASSERT_EQ(result.shape, expected[0].value.type.shape);
    EXPECT_LT(relativeError(expected[0], EngineFixture::values(result)), 4e-6);
  }
  EXPECT_EQ(executor->statistics().compiles.size(), 1u);
}

TEST_P(Convolutions, ChannelsThatLieLastStaySo) {
  const Tensor w = fixture_.random({6, 4, 3, 3}, 2);
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    for (const bool images : {true, false}) {
      const Tensor x =
          images ? channelsLast(fixture_, {2, 4, 9, 8}, 1) : fixture_.random({2, 4, 9, 8});
      const Tensor weights = images ? w : channelsLast(fixture_, {6, 4, 3, 3}, 3);
      const Tensor made = fixture_.run(
          std::string(info.name),
          "def f(x, w):\n  return F.avg_pool2d(torch.relu(F.conv2d(x, w)), 2)", {x, weights})[0];
      EXPECT_EQ(made.strides, (Strides{54, 1, 18, 6})) << info.name;
    }
  }
}

TEST_P(Convolutions, ANaNIsTheGreatestOfItsWindow) {
  std::vector<float> values(16, 1.0F);
  values[5] = std::nanf("");
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    const auto made =
        EngineFixture::values(fixture_.run(std::string(info.name), "return F.max_pool2d(x, 2)",
                                           {fixture_.tensor({1, 4, 4}, values)})[0]);
    EXPECT_TRUE(std::isnan(made[0])) << info.name;
    EXPECT_EQ(made[1], 1) << info.name;
  }
}

TEST(ConvolutionErrors, SayWhatDoesNotFit) {
  EngineFixture fixture;
  const auto refusal = [&](const std::string& call, const Shape& x, const Shape& w) {
    try {
      fixture.run("static", "def f(x, w):\n  return " + call,
                  {fixture.random(x), fixture.random(w)});
    } catch (const ProgramError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_THAT(refusal("F.conv2d(x, w)", {2, 3, 8, 8}, {4, 5, 3, 3}),
              testing::HasSubstr("dimension 1 of operand 1 and dimension 1 of operand 2 have to be "
                                 "equal, but are 5 and 3"));
  EXPECT_THAT(refusal("F.conv2d(x, w)", {2, 3, 2, 8}, {4, 3, 3, 3}),
              testing::HasSubstr("a window of 3 does not fit into 2 elements"));
  EXPECT_THAT(refusal("F.conv2d(x, w, groups=2)", {2, 3, 8, 8}, {4, 3, 3, 3}),
              testing::HasSubstr("3 channels cannot be divided into 2 groups"));
  EXPECT_THAT(refusal("F.max_pool2d(x, 2, padding=2) * w", {2, 3, 8, 8}, {1}),
              testing::HasSubstr("padding is at most half of a window, but is 2 of 2"));
  EXPECT_THAT(refusal("F.conv2d(x, w, stride=(1, 2, 3))", {2, 3, 8, 8}, {4, 3, 3, 3}),
              testing::HasSubstr("stride of F.conv2d must be an int or 2, but found 3"));
}

/// The description of the implementation that runs the only call of a program.
std::string servedBy(Backend& backend, const Executor& executor, const std::vector<Tensor>& inputs,
                     bool search) {
  const Plan plan = executor.plan(inputs);
  LoweredCall lowered = lowerCall(plan, plan.steps.front());
  lowered.call.search = search;
  std::vector<std::int64_t> integers;
  for (const SymbolicSize& size : lowered.integers) integers.push_back(size.evaluate({}));
  return backend.code(lowered.call, integers.data()).front().text;
}

TEST(ConvolutionSearch, FindsAWayThatIsRightAndRemembersIt) {
  if (!cpu::OneDnn::find()) GTEST_SKIP() << cpu::OneDnn::missing();
  CpuOptions options = EngineFixture::withoutDisk(0, 0, 1);
  options.diskCache = true;
  options.cacheDirectory =
      (std::filesystem::path(testing::TempDir()) / fmt::format("fusebench-ways-{}", getpid()))
          .string();
  const std::string text = "def f(x, w, b):\n  return F.conv2d(x, w, b, padding=1)";
  std::filesystem::remove_all(options.cacheDirectory);
  for (int process = 0; process < 2; ++process) {
    EngineFixture fixture(options);
    const std::vector<Tensor> inputs{fixture.random({2, 16, 12, 12}, 1),
                                     fixture.random({8, 16, 3, 3}, 2), fixture.random({8}, 3)};
    ExecutorOptions searching;
    searching.search = true;
    for (const char* name : {"eager", "static"}) {
      const auto executor = fixture.executor(name, text, searching);
      std::vector<ReferenceTensor> plain;
      for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
      const auto wanted = evaluateReference(*executor->program(), plain);
      EXPECT_LT(relativeError(wanted[0], EngineFixture::values(executor->call(inputs)[0])), 1e-5);
    }
    const auto executor = fixture.executor("static", text);
    EXPECT_THAT(servedBy(fixture.backend(), *executor, inputs, true),
                testing::HasSubstr("as found before"));
    EXPECT_THAT(servedBy(fixture.backend(), *executor, inputs, false),
                testing::Not(testing::HasSubstr("fastest")));
  }
  std::filesystem::remove_all(options.cacheDirectory);
}

TEST(Einsum, ReadsEquations) {
  EngineFixture fixture;
  const auto expect = [&](const std::string& equation, const Shape& a, const Shape& b,
                          const Shape& shape) {
    const std::string text = "def f(x, y):\n  return torch.einsum('" + equation + "', x, y)";
    const std::vector<Tensor> inputs{fixture.random(a, 1), fixture.random(b, 2)};
    const Program program = parseProgram(text);
    EXPECT_EQ(toText(parseProgram(toText(program))), toText(program));
    std::vector<ReferenceTensor> plain{EngineFixture::reference(inputs[0]),
                                       EngineFixture::reference(inputs[1])};
    const auto expected = evaluateReference(program, plain);
    EXPECT_EQ(expected[0].value.type.shape, shape) << equation;
    for (const char* name : {"eager", "static", "dynamic", "instant"}) {
      const auto executor = makeExecutor(name, fixture.backend(), program);
      EXPECT_LT(relativeError(expected[0], EngineFixture::values(executor->call(inputs)[0])), 1e-5)
          << equation << " by " << name;
    }
  };
  expect("ij,jk->ik", {4, 6}, {6, 5}, {4, 5});
  expect("ij,jk", {4, 6}, {6, 5}, {4, 5});
  expect("ij,jk->ki", {4, 6}, {6, 5}, {5, 4});
  expect("bhid,bhjd->bhij", {2, 3, 4, 6}, {2, 3, 5, 6}, {2, 3, 4, 5});
  expect("i,j->ij", {4}, {5}, {4, 5});
  expect("ij,ij->", {4, 6}, {4, 6}, {});
  expect("ij,ij->i", {4, 6}, {4, 6}, {4});
  expect("...ij,jk->...ik", {2, 3, 4, 6}, {6, 5}, {2, 3, 4, 5});
  expect("ij,k->k", {4, 6}, {5}, {5});
  expect("bij, bkj -> bki", {2, 4, 6}, {2, 5, 6}, {2, 5, 4});
}

}  // namespace
}  // namespace fusebench
