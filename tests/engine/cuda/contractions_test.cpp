// SPDX-License-Identifier: GPL-3.0-or-later
// Products, convolutions and pools by kernels of our own, on the double of a GPU.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/engine/support/contractions.h"

namespace fusebench {
namespace {

class CudaContractions : public testing::Test {
 protected:
  void expectAll(const std::string& text, const std::vector<Tensor>& inputs) {
    expectContractsEverywhere(fixture_, text, inputs);
  }

  EngineFixture fixture_;
};

TEST_F(CudaContractions, AreTheReferences) {
  const Tensor a = fixture_.random({7, 200}, 1), b = fixture_.random({200, 5}, 2);
  expectAll("def f(x, y):\n  return torch.relu(x @ y) + 1", {a, b});
  expectAll("def f(x, y):\n  return x @ y",
            {EngineFixture::everySecond(fixture_.random({7, 400}, 3)),
             EngineFixture::transposed(fixture_.random({5, 200}, 4))});
  expectAll("def f(x, y):\n  return x @ y",
            {fixture_.random({3, 1, 4, 6}, 1), fixture_.random({2, 6, 5}, 2)});
  expectAll("def f(c, x, y):\n  return torch.addmm(c, x, y, beta=0.5, alpha=-2.0)",
            {fixture_.random({5}, 5), a, b});
  expectAll("def f(x, y):\n  return torch.einsum('ij,ij->', x, y)", {a, a});
  expectAll("def f(x, y):\n  return x @ y", {fixture_.random({4, 0}), fixture_.random({0, 3})});
  expectAll("def f(x, y):\n  return x @ y",
            {fixture_.typed(DType::float64, {2, 3}, {1, 2, 3, 4, 5, 6}),
             fixture_.typed(DType::float64, {3, 1}, {0.5, -1, 2})});
}

TEST_F(CudaContractions, OfWindows) {
  expectAll("def f(x, w, b):\n  return F.conv2d(x, w, b, (2, 1), (1, 2), (1, 2), 2)",
            {fixture_.random({2, 4, 7, 9}, 1), fixture_.random({6, 2, 3, 3}, 2),
             fixture_.random({6}, 3)});
  for (const char* pool : {"max_pool2d(x, 3, 2, 1)", "avg_pool2d(x, 3, 2, 1)",
                           "avg_pool2d(x, 3, 2, 1, ceil_mode=True)",
                           "avg_pool2d(x, 2, 1, 1, count_include_pad=False)"})
    expectAll(fmt::format("def f(x):\n  return F.{}", pool), {fixture_.random({2, 3, 8, 6}, 4)});
}

TEST_F(CudaContractions, OfWindowsKeepNanThroughRelu) {
  const Tensor w = fixture_.random({6, 4, 3, 3}, 2), b = fixture_.random({6}, 3);
  std::vector<float> values(2 * 4 * 6 * 5, -1.0F);
  values[0] = std::numeric_limits<float>::quiet_NaN();
  const Tensor spoilt = fixture_.tensor({2, 4, 6, 5}, values);
  for (const char* body : {"torch.relu(F.conv2d(x, w, b))", "torch.relu(F.conv2d(x, w))"})
    for (const char* name : {"eager", "static", "static+replay"}) {
      const auto got = EngineFixture::values(
          fixture_.run(name, fmt::format("def f(x, w, b):\n  return {}", body), {spoilt, w, b})[0]);
      EXPECT_TRUE(std::isnan(got[0])) << name << ": " << body;
      EXPECT_FALSE(std::isnan(got[1])) << name << ": " << body;
    }
}

TEST_F(CudaContractions, GradientsOfWindows) {
  expectAll(gradientsOf("conv2d(x, w, b, (2, 1), (1, 2), (1, 2), 2)", "x, w, b"),
            {fixture_.random({2, 4, 7, 9}, 1), fixture_.random({6, 2, 3, 3}, 2),
             fixture_.random({6}, 3)});
  expectAll(gradientsOf("conv1d(x, w, stride=2)", "x, w"),
            {fixture_.random({2, 3, 9}, 1), fixture_.random({4, 3, 2}, 2)});
  for (const char* pool : {"max_pool2d(torch.relu(x), 3, 2, 1)", "max_pool2d(x, 2, 1, 0, 2)",
                           "avg_pool2d(x, 3, 2, 1)", "avg_pool2d(x, 3, 2, 1, ceil_mode=True)",
                           "avg_pool2d(x, 2, 1, 1, count_include_pad=False)"})
    expectAll(gradientsOf(pool, "x"), {fixture_.random({2, 3, 8, 6}, 4)});
}

TEST_F(CudaContractions, GradientsOfSlices) {
  for (const char* taken : {"x[1:5:2, :, 2:]", "x[0, -1]", "x.flip(2)[..., 1:3]"})
    expectAll(fmt::format("def f(x):\n  loss = torch.exp({}).sum()\n"
                          "  return torch.autograd.grad(loss, x)",
                          taken),
              {fixture_.random({6, 3, 4}, 4)});
}

TEST_F(CudaContractions, OfNarrowFloatsAreRoundedOnceAndOfBytesExact) {
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    std::vector<double> x, y;
    for (int i = 0; i < 4 * 90; ++i) x.push_back((i * 7 % 23 - 11) / 16.0);
    for (int i = 0; i < 90 * 3; ++i) y.push_back((i * 5 % 19 - 9) / 8.0);
    const std::vector<Tensor> inputs{fixture_.typed(dtype, {4, 90}, x),
                                     fixture_.typed(dtype, {90, 3}, y)};
    const Program program = parseProgram("def f(x, y):\n  return x @ y");
    const auto expected = evaluateReference(
        program,
        std::vector{EngineFixture::reference(inputs[0]), EngineFixture::reference(inputs[1])});
    const auto got = fixture_.run("eager", "def f(x, y):\n  return x @ y", inputs);
    EXPECT_EQ(got[0].dtype, dtype);
    EXPECT_LE(relativeError(expected[0], EngineFixture::values(got[0])),
              dtype == DType::float16 ? 0x1p-11 : 0x1p-8);
  }
  const Tensor levels = fixture_.typed(DType::uint8, {3, 400}, std::vector<double>(3 * 400, 255));
  const Tensor weight = fixture_.typed(DType::int8, {400, 2}, std::vector<double>(400 * 2, -128));
  const auto sums =
      fixture_.run("eager", "def f(x, y):\n  return torch._int_mm(x, y)", {levels, weight});
  EXPECT_EQ(sums[0].dtype, DType::int32);
  EXPECT_EQ(EngineFixture::values(sums[0]), std::vector<double>(6, -255.0 * 128 * 400));
}

}  // namespace
}  // namespace fusebench
