// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products by the library that is there, against the reference and against our own kernels.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>

#include "engine/plan/library_call.h"
#include "engine/plan/quantize.h"
#include "tests/engine/support/contractions.h"
#include "tests/gpu/gpu.h"

namespace fusebench {
namespace {

/// Skips if there is no library, and reports which part is missing.
class GpuLibrary : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = fixture_.backend().libraryTraits().missing; !missing.empty())
      GTEST_SKIP() << missing;
  }
  void expectProducts(const std::string& text, const std::vector<Tensor>& inputs) {
    expectContractsEverywhere(fixture_, text, inputs);
  }

  EngineFixture fixture_;
};

TEST_F(GpuLibrary, MultipliesInEveryLayout) {
  const Tensor a = fixture_.random({65, 96}, 1, 0.1F), b = fixture_.random({96, 40}, 2, 0.1F);
  const Tensor across = EngineFixture::transposed(fixture_.random({96, 65}, 3, 0.1F));
  const Tensor down = EngineFixture::transposed(fixture_.random({40, 96}, 4, 0.1F));
  for (const Tensor& first : {a, across})
    for (const Tensor& second : {b, down}) {
      expectProducts("def f(x, y):\n  return x @ y", {first, second});
      expectProducts("def f(x, y):\n  return x[1:, 1:] @ y[1:, 3:]", {first, second});
    }
  expectProducts("def f(x, y):\n  return torch.bmm(x, y.transpose(1, 2))",
                 {fixture_.random({3, 33, 64}), fixture_.random({3, 17, 64})});
  expectProducts(
      "def f(x, y):\n  q = x.view(2, 16, 3, 8).transpose(1, 2)\n"
      "  k = y.view(2, 16, 3, 8).transpose(1, 2)\n  return q @ k.transpose(2, 3)",
      {fixture_.random({2, 16, 24}), fixture_.random({2, 16, 24})});
}

TEST_F(GpuLibrary, AddsBiasAndMatrixAndTakesTails) {
  const std::vector<Tensor> inputs{fixture_.random({33, 64}, 1), fixture_.random({24, 64}, 2),
                                   fixture_.random({24}, 3)};
  for (const char* body :
       {"F.linear(x, w, b)", "torch.relu(F.linear(x, w, b))", "torch.relu(x @ w.t())",
        "torch.addmm(x[:, :24], x, w.t(), beta=0.5, alpha=-2.0)"})
    expectProducts(fmt::format("def f(x, w, b):\n  return {}", body), inputs);
  // The library's gelu is by tanh, to what accuracy it does not say.
  const std::string gelu =
      "def f(x, w, b):\n  return F.gelu(F.linear(x, w, b), approximate='tanh')";
  const auto whole = EngineFixture::values(fixture_.run("eager", gelu, inputs)[0]);
  const auto joined = EngineFixture::values(fixture_.run("static", gelu, inputs)[0]);
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(joined[i], whole[i], 1e-3);
}

TEST_F(GpuLibrary, RoundsNarrowFloatsOnceAndSumsBytesExactly) {
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    std::vector<double> x, y;
    for (int i = 0; i < 16 * 512; ++i) x.push_back((i * 7 % 23 - 11) / 16.0);
    for (int i = 0; i < 512 * 8; ++i) y.push_back((i * 5 % 19 - 9) / 8.0);
    const std::vector<Tensor> inputs{fixture_.typed(dtype, {16, 512}, x),
                                     fixture_.typed(dtype, {512, 8}, y)};
    const Program program = parseProgram("def f(x, y):\n  return x @ y");
    const auto expected = evaluateReference(
        program,
        std::vector{EngineFixture::reference(inputs[0]), EngineFixture::reference(inputs[1])});
    const auto got = fixture_.run("static", "def f(x, y):\n  return x @ y", inputs);
    EXPECT_LE(relativeError(expected[0], EngineFixture::values(got[0])),
              dtype == DType::float16 ? 0x1p-11 : 0x1p-8);
  }
  const Tensor a = fixture_.typed(DType::int8, {16, 400}, std::vector<double>(16 * 400, 127));
  const Tensor w = fixture_.typed(DType::int8, {8, 400}, std::vector<double>(8 * 400, -128));
  EXPECT_EQ(
      EngineFixture::values(fixture_.run("eager", "def f(x, y):\n  return torch._int_mm(x, y)",
                                         {a, EngineFixture::transposed(w)})[0]),
      std::vector<double>(128, -128.0 * 127 * 400));
}

/// Int8 layers as in the study. The library computes their matmuls if there are enough rows and may
/// not support fewer. In both cases, results differ from the reference by quantization only.
TEST_F(GpuLibrary, ServesLayersOfBytes) {
  const Program program = parseProgram(
      "class Net(nn.Module):\n  def __init__(self):\n    super().__init__()\n"
      "    self.fc1 = nn.Linear(256, 512)\n    self.fc2 = nn.Linear(512, 16)\n"
      "  def forward(self, x):\n    return self.fc2(F.relu(self.fc1(x)))");
  for (const std::int64_t rows : {1, 4, 16, 32, 64, 256}) {
    std::vector<Tensor> inputs{fixture_.random({rows, 256}, 1)};
    for (const HeldInput& held : program.held)
      inputs.push_back(fixture_.random(held.initial.extents, 3, 0.06F));
    std::vector<ReferenceTensor> plain;
    std::vector<ValueType> types;
    for (const Tensor& input : inputs) {
      plain.push_back(EngineFixture::reference(input));
      types.push_back({input.shape, input.dtype});
    }
    const std::vector<double> exact = evaluateReference(program, plain)[0].value.values;
    const std::vector<LayerRange> ranges{{-4.5, 4.5}, {0, 6}};
    for (const Quantizing how : {Quantizing::dynamicInt8, Quantizing::staticInt8}) {
      const auto executor = makePreparedExecutor(
          "static", fixture_.backend(),
          quantized(program, types, how, ranges, fixture_.backend().libraryTraits().byteProducts));
      const auto got = EngineFixture::values(executor->call(inputs)[0]);
      double noise = 0, signal = 0;
      for (std::size_t i = 0; i < got.size(); ++i) {
        noise += (got[i] - exact[i]) * (got[i] - exact[i]);
        signal += exact[i] * exact[i];
      }
      EXPECT_LT(std::sqrt(noise / signal), 0.03) << rows << " rows";
      const Plan plan = executor->plan(inputs);
      for (const Step& step : plan.steps) {
        if (step.kind != Step::Kind::library || how == Quantizing::staticInt8) continue;
        const LoweredCall lowered = lowerCall(plan, step);
        std::vector<std::int64_t> integers;
        for (const SymbolicSize& size : lowered.integers) integers.push_back(size.evaluate({}));
        const std::string text = fixture_.backend().code(lowered.call, integers.data())[0].text;
        const bool served = text.find("computed in int32") != std::string::npos;
        std::printf("int8 product of %lld rows: %s\n", static_cast<long long>(rows),
                    served ? text.substr(text.find("algorithm")).c_str() : "a kernel of ours");
        if (rows >= 64) {
          EXPECT_TRUE(served) << text;
        }
      }
    }
  }
}

TEST_F(GpuLibrary, SearchFindsAWayThatGivesTheSame) {
  const std::string text = "def f(x, y):\n  return x @ y";
  const std::vector<Tensor> inputs{fixture_.random({256, 512}, 1, 0.1F),
                                   fixture_.random({512, 128}, 2, 0.1F)};
  ExecutorOptions searching;
  searching.search = true;
  const auto usual = EngineFixture::values(fixture_.run("static", text, inputs)[0]);
  for (const char* name : {"static", "static+replay"}) {
    const auto executor = fixture_.executor(name, text, searching);
    for (int call = 0; call < 2; ++call) {
      const auto found = EngineFixture::values(executor->call(inputs)[0]);
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], usual[i], 1e-4) << name;
    }
  }
}

}  // namespace
}  // namespace fusebench
