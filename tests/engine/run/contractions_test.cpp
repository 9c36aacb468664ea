// SPDX-License-Identifier: GPL-3.0-or-later
// Products in every executor, layout and dtype, with the library and without it, held against loops
// in double.
#include <cmath>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/cpu/library/onednn.h"
#include "engine/device/memory_use.h"
#include "engine/plan/plan_text.h"
#include "engine/plan/storages.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

CpuOptions contractOptions(bool library, int threads = 1) {
  CpuOptions options = EngineFixture::withoutDisk(0, 0, threads);
  options.library = library;
  return options;
}

/// Half the distance between adjacent numbers at 1.
double epsilonOf(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return 0x1p-11;
    case DType::bfloat16:
      return 0x1p-8;
    case DType::float64:
      return 0x1p-53;
    default:
      return 0x1p-24;
  }
}

/// Every executor's results of `text` are within the row's bound of the reference's. Twice, for
/// what is prepared is used again.
void expectContracts(EngineFixture& fixture, const std::string& text,
                     const std::vector<Tensor>& inputs, double terms = 64) {
  std::vector<ReferenceTensor> plain;
  for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
  const Program program = parseProgram(text);
  const auto expected = evaluateReference(program, plain);
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    SCOPED_TRACE(std::string(info.name) + " of " + text);
    const auto executor = makeExecutor(info.name, fixture.backend(), program);
    for (int call = 0; call < 2; ++call) {
      const auto results = executor->call(inputs);
      for (std::size_t o = 0; o < results.size(); ++o) {
        ASSERT_EQ(results[o].shape, expected[o].value.type.shape);
        ASSERT_EQ(results[o].dtype, expected[o].value.type.dtype);
        const double bound = 8 * epsilonOf(results[o].dtype) * std::log2(terms + 2);
        EXPECT_LE(relativeError(expected[o], EngineFixture::values(results[o])), bound);
      }
    }
  }
}

/// With the library, without it, and in parts on two threads.
class Contractions : public testing::TestWithParam<std::pair<bool, int>> {
 protected:
  EngineFixture fixture_{contractOptions(GetParam().first, GetParam().second)};
};

INSTANTIATE_TEST_SUITE_P(Libraries, Contractions,
                         testing::Values(std::pair(true, 1), std::pair(true, 2),
                                         std::pair(false, 1), std::pair(false, 2)),
                         [](const auto& which) {
                           return std::string(which.param.first ? "Library" : "OwnLoops") +
                                  (which.param.second > 1 ? "Threads" : "");
                         });

TEST_P(Contractions, OfMatricesInEveryLayout) {
  const Tensor a = fixture_.random({17, 33}, 1), b = fixture_.random({33, 9}, 2);
  const Tensor across = EngineFixture::transposed(fixture_.random({33, 17}, 3));
  const Tensor down = EngineFixture::transposed(fixture_.random({9, 33}, 4));
  const Tensor gaps = EngineFixture::everySecond(fixture_.random({17, 65}, 5));
  const Tensor apart = EngineFixture::everySecond(fixture_.random({33, 17}, 6));
  for (const Tensor& first : {a, across, gaps})
    for (const Tensor& second : {b, down, apart}) {
      expectContracts(fixture_, "def f(x, y):\n  return torch.mm(x, y)", {first, second});
      expectContracts(fixture_, "def f(x, y):\n  return x @ y", {first, second});
    }
}

TEST_P(Contractions, OfEveryNumberOfDimensions) {
  const auto random = [this](const Shape& shape) { return fixture_.random(shape, 7); };
  const std::string text = "def f(x, y):\n  return torch.matmul(x, y)";
  expectContracts(fixture_, text, {random({12}), random({12})});
  expectContracts(fixture_, text, {random({5, 12}), random({12})});
  expectContracts(fixture_, text, {random({12}), random({12, 7})});
  expectContracts(fixture_, text, {random({3, 5, 12}), random({12, 7})});
  expectContracts(fixture_, text, {random({3, 5, 12}), random({3, 12, 7})});
  expectContracts(fixture_, text, {random({3, 1, 5, 12}), random({4, 12, 7})});
  expectContracts(fixture_, text, {random({5, 12}), random({2, 3, 12, 7})});
  expectContracts(fixture_, text, {random({2, 5, 12}), random({12})});
  expectContracts(fixture_, text, {random({12}), random({3, 12, 7})});
  expectContracts(fixture_, "def f(x, y):\n  return torch.bmm(x, y.transpose(1, 2))",
                  {random({3, 5, 12}), random({3, 6, 12})});
  expectContracts(fixture_, "def f(x, y):\n  return torch.outer(x, y), x.dot(x)",
                  {random({9}), random({4})});
  expectContracts(fixture_, "def f(x, y):\n  return torch.mv(x, y)", {random({4, 9}), random({9})});
}

TEST_P(Contractions, OfNoAndOfOneElement) {
  const std::string text = "def f(x, y):\n  return x @ y";
  expectContracts(fixture_, text, {fixture_.random({4, 0}), fixture_.random({0, 3})});
  expectContracts(fixture_, text, {fixture_.random({0, 5}), fixture_.random({5, 3})});
  expectContracts(fixture_, text, {fixture_.random({1, 1}), fixture_.random({1, 1})});
  expectContracts(fixture_, text, {fixture_.random({1, 7}), fixture_.random({7, 1})});
  expectContracts(fixture_, text, {fixture_.random({6, 1}), fixture_.random({1, 5})});
}

TEST_P(Contractions, OfOneRowAndOneColumnHoweverTheyLie) {
  for (const char* first : {"x", "x.T.contiguous().T", "(x.T * s).T", "x[:, ::2]", "x.T[::2].T"})
    for (const char* second : {"w", "w.T.contiguous().T", "(w.T * t).T"})
      for (const std::int64_t rows : {1, 3})
        for (const std::int64_t columns : {1, 4}) {
          const bool part = std::string_view(first).find("::") != std::string_view::npos;
          const std::string body = fmt::format("{} @ {}", first, second);
          const std::vector<Tensor> inputs{fixture_.random({rows, part ? 10 : 5}, 1),
                                           fixture_.random({5, columns}, 2),
                                           fixture_.random({rows}, 3), fixture_.random({5}, 4)};
          expectContracts(fixture_, "def f(x, w, s, t):\n  return " + body, inputs);
          expectContracts(
              fixture_, "def f(x, w, s, t):\n  return (" + body + ")[None] @ x[:, :1]",
              {inputs[0], fixture_.random({5, rows}, 2), inputs[2], fixture_.random({5}, 4)});
        }
}

TEST_P(Contractions, WithAddendsOfEveryShape) {
  const Tensor a = fixture_.random({6, 10}, 1), b = fixture_.random({10, 8}, 2);
  for (const Shape& shape : {Shape{8}, Shape{1, 8}, Shape{6, 1}, Shape{6, 8}, Shape{}, Shape{1}})
    for (const char* scaled :
         {"", ", beta=0.5", ", alpha=-2.0", ", beta=2.0, alpha=0.25", ", beta=0.0"})
      expectContracts(fixture_,
                      "def f(c, x, y):\n  return torch.addmm(c, x, y" + std::string(scaled) + ")",
                      {fixture_.random(shape, 3), a, b});
  expectContracts(fixture_, "def f(c, x, y):\n  return torch.addmm(c, x, y)",
                  {EngineFixture::transposed(fixture_.random({8, 6}, 4)), a, b});
  expectContracts(
      fixture_, "def f(c, x, y):\n  return torch.baddbmm(c, x, y, beta=0.5)",
      {fixture_.random({5, 7}, 4), fixture_.random({3, 5, 4}), fixture_.random({3, 4, 7})});
}

TEST_P(Contractions, ALayerIsAProductWithTheTransposedWeight) {
  const Tensor w = fixture_.random({8, 12}, 2), bias = fixture_.random({8}, 3);
  for (const Shape& shape : {Shape{12}, Shape{5, 12}, Shape{2, 3, 12}}) {
    const Tensor x = fixture_.random(shape, 1);
    expectContracts(fixture_, "def f(x, w, b):\n  return F.linear(x, w, b)", {x, w, bias});
    expectContracts(fixture_, "def f(x, w):\n  return F.linear(x, w, None)", {x, w});
    expectContracts(fixture_, "def f(x, w):\n  return F.linear(x, w, bias=None)", {x, w});
  }
  expectContracts(fixture_, "def f(x, w, b):\n  return F.linear(x[:, :, 2], w[:, :4], b)",
                  {fixture_.random({5, 4, 7}), w, bias});
}

TEST_P(Contractions, OfEveryFloat) {
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float64}) {
    std::vector<double> one, other;
    for (int i = 0; i < 60; ++i) one.push_back((i * 7 % 11 - 5) / 8.0);
    for (int i = 0; i < 48; ++i) other.push_back((i * 5 % 13 - 6) / 16.0);
    expectContracts(fixture_, "def f(x, y):\n  return x @ y",
                    {fixture_.typed(dtype, {5, 12}, one), fixture_.typed(dtype, {12, 4}, other)});
    expectContracts(fixture_, "def f(x, y, c):\n  return torch.addmm(c, x, y, beta=0.5)",
                    {fixture_.typed(dtype, {5, 12}, one), fixture_.typed(dtype, {12, 4}, other),
                     fixture_.typed(dtype, {4}, {1, 2, -0.5, 3})});
  }
}

/// Elements of a narrow float in [-1, 1), drawn.
Tensor drawnNarrow(EngineFixture& fixture, DType dtype, const Shape& shape, unsigned seed) {
  std::vector<double> values(static_cast<std::size_t>(elementCount(shape)));
  std::mt19937 engine(seed);
  for (double& value : values)
    value = roundedTo(std::uniform_real_distribution<double>(-1, 1)(engine), dtype);
  return fixture.typed(dtype, shape, values);
}

TEST_P(Contractions, OfNarrowFloatsAreSummedInFloat32AndRoundedOnce) {
  const std::string text = "def f(x, y):\n  return x @ y";
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    const Tensor x = drawnNarrow(fixture_, dtype, {9, 700}, 1),
                 y = drawnNarrow(fixture_, dtype, {700, 8}, 2);
    const Tensor across = EngineFixture::transposed(drawnNarrow(fixture_, dtype, {700, 9}, 3));
    const Tensor apart = EngineFixture::everySecond(drawnNarrow(fixture_, dtype, {700, 16}, 4));
    for (const auto& [first, second] : {std::pair(x, y), std::pair(across, apart)}) {
      const Program program = parseProgram(text);
      const auto expected = evaluateReference(
          program, std::vector{EngineFixture::reference(first), EngineFixture::reference(second)});
      const auto got = EngineFixture::values(
          makeExecutor("static", fixture_.backend(), program)->call(std::vector{first, second})[0]);
      for (std::size_t i = 0; i < got.size(); ++i) {
        // Half a step of the result's, and what float32 leaves of 700 terms of up to 1.
        const double exact = expected[0].value.values[i];
        EXPECT_LE(std::fabs(got[i] - exact), epsilonOf(dtype) * std::fabs(exact) + 700 * 0x1p-24);
      }
    }
  }
}

TEST_P(Contractions, WhatNarrowFloatsTakeMeanwhileIsInThePlan) {
  const std::string text = "def f(x, w, b):\n  return torch.relu(F.linear(x, w, b))";
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    const std::vector<Tensor> inputs{drawnNarrow(fixture_, dtype, {24, 32}, 1),
                                     drawnNarrow(fixture_, dtype, {16, 32}, 2),
                                     drawnNarrow(fixture_, dtype, {16}, 3)};
    Backend& backend = fixture_.backend();
    for (const ExecutorInfo& info : executorsOn(backend)) {
      SCOPED_TRACE(std::string(info.name));
      const std::size_t before = backend.allocator().statistics().currentBytes;
      const auto executor = makeExecutor(info.name, backend, parseProgram(text));
      executor->call(inputs);
      const Plan plan = executor->plan(inputs);
      backend.allocator().resetPeak();
      executor->call(inputs);
      const MemoryUse planned = memoryUseOf(plan, symbolsOf(plan, inputs), &backend);
      EXPECT_EQ(backend.allocator().statistics().peakBytes - before, planned.peakBytes);
    }
  }
}

TEST(ContractionLibrary, SaysThatFloat16IsMadeInFloat32) {
  if (!cpu::OneDnn::find()) GTEST_SKIP() << cpu::OneDnn::missing();
  EngineFixture fixture;
  const std::vector<Tensor> inputs{drawnNarrow(fixture, DType::float16, {64, 32}, 1),
                                   drawnNarrow(fixture, DType::float16, {32, 16}, 2)};
  const auto executor = fixture.executor("static", "def f(x, y):\n  return x @ y");
  const Plan plan = executor->plan(inputs);
  const LoweredCall lowered = lowerCall(plan, plan.steps[0]);
  std::vector<std::int64_t> integers;
  for (const SymbolicSize& size : lowered.integers) integers.push_back(size.evaluate({}));
  EXPECT_THAT(
      fixture.backend().code(lowered.call, integers.data())[0].text,
      testing::AllOf(testing::HasSubstr("made in float32"), testing::HasSubstr("oneDNN matmul")));
  EXPECT_EQ(fixture.backend().scratchBytes(lowered.call, integers.data()),
            (64 * 32 + 32 * 16 + 64 * 16) * sizeof(float));
}

TEST_P(Contractions, AmongOtherOps) {
  const std::vector<Tensor> inputs{fixture_.random({24, 32}, 1, 0.3F),
                                   fixture_.random({32, 16}, 2, 0.3F),
                                   fixture_.random({16, 8}, 3, 0.3F)};
  expectContracts(fixture_,
                  "def f(x, v, w):\n  h = torch.relu(x * 2.0 @ v + 1)\n  y = h @ w\n"
                  "  return torch.sigmoid(y) * y, h.sum(dim=1), y.t()",
                  inputs, 4096);
  expectContracts(fixture_, "def f(x, v, w):\n  return x @ x.t(), x.t() @ x, (x.t() @ x)[1:, ::2]",
                  inputs);
}

TEST_P(Contractions, OfRandomShapesAndStrides) {
  std::mt19937 engine(5);
  const auto pick = [&](int most) {
    return std::uniform_int_distribution<std::int64_t>(1, most)(engine);
  };
  for (int round = 0; round < 40; ++round) {
    const std::int64_t m = pick(40), n = pick(40), k = pick(70), batch = pick(3);
    const auto seed = static_cast<unsigned>(round);
    Tensor a = round % 3 == 1 ? EngineFixture::transposed(fixture_.random({batch, k, m}, seed))
               : round % 3 == 2
                   ? EngineFixture::everySecond(fixture_.random({batch, m, 2 * k}, seed))
                   : fixture_.random({batch, m, k}, seed);
    Tensor b = round % 2 ? EngineFixture::transposed(fixture_.random({batch, n, k}, seed + 100))
                         : fixture_.random({batch, k, n}, seed + 100);
    expectContracts(fixture_, "def f(x, y):\n  return torch.bmm(x, y)", {a, b}, 70);
  }
}

TEST_P(Contractions, OneSpecializationServesOtherSizes) {
  const auto executor =
      fixture_.executor("dynamic", "def f(x, w, b):\n  return torch.relu(F.linear(x, w, b)) @ w");
  for (const std::int64_t rows : {4, 9, 33, 9}) {
    const std::vector<Tensor> inputs{fixture_.random({rows, 12}, 1), fixture_.random({8, 12}, 2),
                                     fixture_.random({8}, 3)};
    std::vector<ReferenceTensor> plain;
    for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
    const auto expected = evaluateReference(*executor->program(), plain);
    EXPECT_LT(relativeError(expected[0], EngineFixture::values(executor->call(inputs)[0])), 1e-5);
  }
  EXPECT_EQ(executor->statistics().compiles.size(), 1u);
}

TEST_P(Contractions, APlanSaysWhatACallTakes) {
  const std::vector<Tensor> inputs{fixture_.random({24, 32}), fixture_.random({32, 16}, 2),
                                   fixture_.random({16}, 3)};
  const std::string text =
      "def f(x, w, b):\n  y = torch.addmm(b, x, w)\n  z = torch.relu(y)\n  return z.t() @ z";
  Backend& backend = fixture_.backend();
  for (const ExecutorInfo& info : executorsOn(backend)) {
    SCOPED_TRACE(std::string(info.name));
    const std::size_t before = backend.allocator().statistics().currentBytes;
    const auto executor = makeExecutor(info.name, backend, parseProgram(text));
    executor->call(inputs);
    const Plan plan = executor->plan(inputs);
    const auto symbols = symbolsOf(plan, inputs);
    const std::uint64_t launches = backend.launches();
    const std::uint64_t allocations = backend.allocator().statistics().allocations;
    backend.allocator().resetPeak();
    Recorder recorder(Recorder::Level::split, backend.threads(), 400, 400);
    recorder.weigh();
    {
      const RecorderScope scope(backend, &recorder);
      executor->call(inputs);
    }
    EXPECT_EQ(backend.launches() - launches, plan.steps.size());
    const MemoryUse planned = memoryUseOf(plan, symbols);
    EXPECT_EQ(backend.allocator().statistics().peakBytes - before, planned.peakBytes);
    EXPECT_EQ(backend.allocator().statistics().allocations - allocations, planned.allocations);
    std::vector<KernelBytes> bytes, moved;
    std::int64_t flops = 0;
    for (const StepCost& cost : costsOf(plan, symbols)) {
      bytes.push_back(cost.bytes);
      flops += cost.flops;
    }
    for (const LaunchNote& note : recorder.notes()) moved.push_back(note.bytes);
    EXPECT_EQ(moved, bytes);
    const std::int64_t relu = plan.steps.size() == 3 ? bytes[1].read : 0;
    EXPECT_EQ(relu, plan.steps.size() == 3 ? 24 * 16 * 4 : 0);
    EXPECT_EQ(bytes.front().read, (24 * 32 + 32 * 16 + 16) * 4);
    EXPECT_GE(flops, 2 * 24 * 32 * 16 + 24 * 16 + 2 * 16 * 24 * 16);
  }
}

TEST_P(Contractions, APlansTextNamesTheCall) {
  const std::vector<Tensor> inputs{fixture_.random({4, 6}), fixture_.random({6, 5}, 2)};
  const auto executor = fixture_.executor("static", "def f(x, y):\n  return (x @ y).exp()");
  const Plan plan = executor->plan(inputs);
  const std::string text = toText(plan, symbolsOf(plan, inputs));
  EXPECT_THAT(text, testing::HasSubstr("library call matmul, of statement return\n"
                                       "  reads x, y; 216 bytes\n"
                                       "  writes v1: float32 (4, 5)\n"
                                       "  80 bytes written, 240 floating-point operations"));
}

TEST(ContractionErrors, SayWhatDoesNotFit) {
  EngineFixture fixture;
  const auto refusal = [&](const std::string& text, const std::vector<Tensor>& inputs) {
    try {
      makeExecutor("static", fixture.backend(), parseProgram(text))->call(inputs);
    } catch (const ProgramError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  const Tensor a = fixture.random({4, 6}), b = fixture.random({5, 3}), v = fixture.random({6});
  EXPECT_EQ(refusal("def f(x, y):\n  return x @ y", {a, b}),
            "matmul: dimension 1 of operand 1 and dimension 0 of operand 2 have to be equal, but "
            "are 6 and 5 (in return x @ y)");
  EXPECT_EQ(refusal("def f(x, y):\n  return torch.mm(x, y)", {a, v}),
            "mm: its second operand does not fit: it has 1 dimension, but should have 2 (in return "
            "torch.mm(x, y))");
  EXPECT_THAT(refusal("def f(x, y):\n  return x @ y",
                      {a, fixture.typed(DType::float64, {6}, {1, 2, 3, 4, 5, 6})}),
              testing::HasSubstr("matmul of float32 and float64: its operands have to be of one "
                                 "dtype; cast one, as in x.float()"));
  EXPECT_THAT(refusal("def f(x):\n  return torch.mm(x, 3)", {a}),
              testing::HasSubstr("torch.mm needs a tensor as 'mat2', but found"));
  EXPECT_THAT(refusal("def f(x):\n  return (x > 0) @ (x > 0)", {a}),
              testing::HasSubstr("make floats of them with .float() first"));
}

/// Checks the library's description of each call of a program.
void expectLibrary(EngineFixture& fixture, const std::string& text,
                   const std::vector<Tensor>& inputs, const std::string& says) {
  const auto executor = fixture.executor("static", text);
  const Plan plan = executor->plan(inputs);
  for (const Step& step : plan.steps) {
    const LoweredCall lowered = lowerCall(plan, step);
    std::vector<std::int64_t> integers;
    for (const SymbolicSize& size : lowered.integers) integers.push_back(size.evaluate({}));
    EXPECT_THAT(fixture.backend().code(lowered.call, integers.data())[0].text,
                testing::HasSubstr(says))
        << text;
  }
}

TEST(ContractionLibrary, SaysWhatItIsAndServesTheUsualForms) {
  if (!cpu::OneDnn::find()) GTEST_SKIP() << cpu::OneDnn::missing();
  EngineFixture fixture;
  EXPECT_THAT(fixture.backend().libraryTraits().name, testing::StartsWith("oneDNN 2."));
  const std::vector<Tensor> inputs{fixture.random({64, 64}), fixture.random({64, 64}, 2)};
  for (const char* text :
       {"def f(x, y):\n  return x @ y", "def f(x, y):\n  return x.t() @ y",
        "def f(x, y):\n  return x @ y.t()", "def f(x, y):\n  return x[:, ::2] @ y[1::2]",
        "def f(x, y):\n  return torch.addmm(x[0], x, y)"})
    expectLibrary(fixture, text, inputs, "oneDNN matmul");
}

TEST(ContractionLibrary, ConvolvesAPartOfTheChannelsThatLieLast) {
  if (!cpu::OneDnn::find()) GTEST_SKIP() << cpu::OneDnn::missing();
  EngineFixture fixture;
  Tensor images = fixture.random({2, 32, 16, 16});
  images.strides = {32 * 16 * 16, 1, 16 * 32, 32};
  images.contiguous = false;
  for (const char* text : {"def f(x, w):\n  return F.conv2d(x[:, :16], w, padding=1)",
                           "def f(x, w):\n  return F.conv2d(x[:, 16:], w)"})
    expectLibrary(fixture, text, {images, fixture.random({32, 16, 3, 3}, 2)},
                  "oneDNN convolution, ");
}

}  // namespace
}  // namespace fusebench
