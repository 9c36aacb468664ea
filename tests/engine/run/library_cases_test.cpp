// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of the library that no other test is about: their values against the reference and
// PyTorch, in several forms.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>
#include <string>

#include "tests/engine/support/expect_written.h"
#include "tests/engine/support/torch_cases.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr double kWithoutEnd = std::numeric_limits<double>::infinity();

std::pair<DType, std::pair<Shape, std::vector<double>>> numbers(const Shape& shape,
                                                                std::vector<double> values,
                                                                DType dtype = DType::float32) {
  return {dtype, {shape, std::move(values)}};
}

std::vector<TorchCase> numberCases() {
  return {
      {"def f(x): return torch.logcumsumexp(x, 0), x.logcumsumexp(1), torch.logcumsumexp(x, "
       "dim=-1)",
       {floats({5, 7})}},
      // Elements that are relatively small, infinite or NaN only affect the results after them.
      {"def f(x): return torch.logcumsumexp(x, 1)", {numbers({6, 4}, {-200,
                                                                      0,
                                                                      -300,
                                                                      200,
                                                                      100,
                                                                      kWithoutEnd,
                                                                      1,
                                                                      2,
                                                                      -kWithoutEnd,
                                                                      -kWithoutEnd,
                                                                      0,
                                                                      1,
                                                                      1,
                                                                      kUndefined,
                                                                      2,
                                                                      3,
                                                                      kWithoutEnd,
                                                                      -5,
                                                                      kWithoutEnd,
                                                                      0,
                                                                      0,
                                                                      0,
                                                                      0,
                                                                      0})}},
      {"def f(x): return torch.logcumsumexp(x.double(), 0), torch.logcumsumexp(x[0, 0], 0), "
       "torch.logcumsumexp(x[:1], 0), torch.logcumsumexp(x.T, 1)",
       {floats({4, 3})}},
      {"def f(x):\n    x.requires_grad_()\n    (torch.logcumsumexp(x, 1) * x).sum().backward()\n   "
       " "
       "return x.grad",
       {floats({3, 9})}},
      {"def f(x, y): return torch.isclose(x, y), torch.isclose(x, y, atol=0.5), torch.isclose(x, "
       "y, "
       "rtol=0.2, equal_nan=True), torch.isclose(x, y, rtol=0, atol=0, equal_nan=True), "
       "x.isclose(y, 0.5)",
       {numbers({8}, {1, 2, kUndefined, kWithoutEnd, -kWithoutEnd, kWithoutEnd, 3, 0}),
        numbers({8}, {1.1, 2, kUndefined, kWithoutEnd, kWithoutEnd, 1, kWithoutEnd, 1e-6})}},
      {"def f(x, y): return torch.isclose(x, y, atol=1.5), torch.isclose(y, x, atol=1.5), "
       "torch.isclose(x, y, rtol=0.3), torch.isclose(x, y, rtol=0, atol=0)",
       {numbers({5}, {1, 2, 255, 0, 9}, DType::uint8),
        numbers({5}, {2, 1, 0, 0, 7}, DType::uint8)}},
      {"def f(x, y): return torch.isclose(x > 0, y > 0), torch.isclose(x > 0, y > 0, atol=1.0), "
       "torch.isclose(x.long(), y.long(), rtol=0.5), torch.isclose(x.half(), y.half(), rtol=0.25)",
       {floats({12}), numbers({12}, {1, -1, 1, -1, 1, -1, 0, 0, 0, 2, 2, 2})}},
      {"def f(x): return torch.float_power(x, 2), x.float_power(3.0), torch.float_power(2, x), "
       "torch.float_power(1.5, x.long()), torch.float_power(x.long(), 2), "
       "torch.float_power(x.double() ** 2 + 1, x)",
       {floats({3, 4})}},
      {"def f(x, n): return torch.ldexp(x, n), torch.ldexp(x, n.float() * 0.5), torch.ldexp(n, n)",
       {floats({3, 4}), places({4}, {-2, 0, 3, 10})}},
      {"def f(x): return torch.matrix_power(x, 0), torch.matrix_power(x, 1), "
       "x.matrix_power(2), torch.matrix_power(x * 0.5, 7), torch.linalg.matrix_power(x * 0.5, 3)",
       {floats({2, 3, 3})}},
      {"def f(x): return torch.aminmax(x)[0], torch.aminmax(x)[1], torch.aminmax(x, dim=1)[0], "
       "x.aminmax(dim=0, keepdim=True)[1], torch.aminmax(x.long(), dim=-1)[1]",
       {floats({3, 5})}},
      {"def f(x):\n    least, most = torch.aminmax(x)\n    return (x - least) / (most - least)",
       {floats({3, 5})}},
      {"def f(x): return F.rrelu(x), F.rrelu(x, 0.1, 0.5), nn.RReLU(0.2, 0.4).eval()(x), "
       "torch.rrelu(x, 0.25, 0.75)",
       {floats({3, 5})}},
      {"def f(x): return F.adaptive_max_pool1d(x, 1), F.adaptive_max_pool1d(x, 3), "
       "F.adaptive_max_pool1d(x, 6), nn.AdaptiveMaxPool1d(2)(x)",
       {floats({2, 3, 12})}},
  };
}

std::vector<TorchCase> moveCases() {
  return {
      {"def f(x, y): return torch.block_diag(x, y), torch.block_diag(x, y[0], y.T), "
       "torch.block_diag(x[0, 0], x), torch.block_diag(x)",
       {floats({2, 3}), floats({1, 4})}},
      // The dtype of all of them.
      {"def f(x, y): return torch.block_diag(x.long(), y), torch.block_diag(y, x.double()), "
       "torch.block_diag(x > 0, x.to(torch.uint8)), torch.block_diag(x.half(), "
       "y.to(torch.bfloat16))",
       {floats({2, 3}), floats({1, 4})}},
      {"def f(x, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    z = torch.block_diag(x, "
       "y, "
       "x.T)\n    (z * z).sum().backward()\n    return x.grad, y.grad",
       {floats({2, 3}), floats({1, 4})}},
      {"def f(x): return torch.rot90(x), torch.rot90(x, 2), x.rot90(3), torch.rot90(x, -1), "
       "torch.rot90(x, 4), torch.rot90(x, 1, [1, 2]), torch.rot90(x, 3, (2, 0))",
       {floats({2, 3, 4})}},
      {"def f(x, y): return torch.select_scatter(x, y, 1, 2), torch.select_scatter(x, y, dim=1, "
       "index=-1), x.select_scatter(x[0] * 2, 0, 1), x * 1",
       {floats({3, 4}), floats({3})}},
      {"def f(x, y): return torch.diagonal_scatter(x, y), torch.diagonal_scatter(x, y[:3], 1), "
       "x.diagonal_scatter(y[:2], offset=-2)",
       {floats({4, 4}), floats({4})}},
      {"def f(x, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    z = "
       "torch.select_scatter(x, y, 1, 2) * torch.diagonal_scatter(x, y, 0)\n    "
       "z.sum().backward()\n    return x.grad, y.grad",
       {floats({3, 3}), floats({3})}},
      {"def f(x):\n    a, b = torch.hsplit(x, 2)\n    c = torch.hsplit(x[0], [1, 3])\n    return "
       "a, "
       "b, c[0], c[1], c[2], x.hsplit([2])[1], torch.vsplit(x, 2)[1], torch.hsplit(x[0, 0], 4)[3]",
       {floats({2, 4, 4})}},
      {"def f(x): return torch.zeros(2, dtype=torch.promote_types(torch.int64, torch.float16)), "
       "x.to(torch.result_type(x, 2.5)), x.long().to(torch.result_type(x.long(), 2.5))",
       {floats({3})}},
  };
}

/// In PyTorch 1.13 its slices have no step where none is given.
std::vector<TorchCase> sliceCases() {
  return {
      {"def f(x): return x.flatten()[torch.unravel_index(torch.arange(6), (2, 3))[1] * 2], "
       "torch.stack(torch.unravel_index(torch.arange(6), 7))",
       {floats({3, 4})}},
      {"def f(x, y): return torch.slice_scatter(x, y, 0, 1, 3), torch.slice_scatter(x, y * 2, 0, "
       "-2), x.slice_scatter(x[:, :2] * 3, 1, 0, 4, 2), torch.slice_scatter(x, x + 1), "
       "torch.slice_scatter(x, y, start=2, end=100)",
       {floats({4, 4}), floats({2, 4})}},
  };
}

/// Functions of functions, and gradients that PyTorch 1 scales otherwise.
std::vector<TorchCase> functionCases() {
  return {
      {"def f(x): return torch.autograd.functional.jacobian(lambda v: torch.tanh(v) * v[0], x), "
       "torch.autograd.functional.hessian(lambda v: (v ** 3).sum() * v[1], x)",
       {floats({4})}},
      {"def f(x, w):\n    a, b = torch.autograd.functional.jacobian(lambda v, m: m @ v, (x, w))\n"
       "    h = torch.autograd.functional.hessian(lambda v, m: (m @ v).sin().sum(), (x, w))\n"
       "    return a, b, h[0][0], h[0][1], h[1][0], h[1][1]",
       {floats({3}), floats({2, 3})}},
      {"def f(x, y):\n    a, b = torch.autograd.functional.jvp(torch.sin, x, y)\n    c, d = "
       "torch.autograd.functional.vjp(torch.sin, x, y)\n    e, g = "
       "torch.autograd.functional.jvp(lambda v, m: v * m.exp(), (x, y), (y, x))\n    h, k = "
       "torch.autograd.functional.vjp(lambda v, m: (v * m).sum(), (x, y))\n    return a, b, c, d, "
       "e, g, h, k[0], k[1]",
       {floats({3, 4}), floats({3, 4})}},
      {"def f(x, i):\n    x.requires_grad_()\n    y = F.embedding_bag(i, x, mode='mean', "
       "scale_grad_by_freq=True)\n    (y ** 2).sum().backward()\n    return y, x.grad",
       {floats({4, 2}), places({3, 2}, {3, 1, 3, 3, 0, 1})}},
  };
}

class LibraryCases : public testing::Test {
 protected:
  EngineFixture fixture_;
};

TEST_F(LibraryCases, EveryExecutorGivesTheReferencesValues) {
  for (const std::vector<TorchCase>& cases :
       {numberCases(), moveCases(), sliceCases(), functionCases()})
    for (const TorchCase& each : cases) {
      const std::vector<Tensor> inputs = tensorsOf(fixture_, each);
      expectAsReference(fixture_, each.text, inputs, hintsOf(each.text, inputs));
    }
}

TEST_F(LibraryCases, ValuesAreThoseOfPyTorch) {
  const std::string python = test::newestPythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  EXPECT_EQ(complaintsOfTorch(fixture_, python, numberCases()), "");
  EXPECT_EQ(complaintsOfTorch(fixture_, python, moveCases()), "");
  if (test::runPython(python, "import torch\nprint(torch.__version__[:2])\n") != "1.\n") {
    EXPECT_EQ(complaintsOfTorch(fixture_, python, sliceCases()), "");
    EXPECT_EQ(complaintsOfTorch(fixture_, python, functionCases()), "");
  }
}

TEST_F(LibraryCases, AResultThatIsMissingIsComplainedOf) {
  const std::string python = test::pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  const std::string one = "((2,), torch.float32, [1.0, 2.0]), ";
  const auto complaint = [&](const std::string& expected) {
    return test::runPython(python,
                           kTorchCheck + ("check('n', 'def f(x): return x, x', [([1.0, 2.0], (2,), "
                                          "torch.float32)], [" +
                                          expected + "])\n"));
  };
  EXPECT_EQ(complaint(one + one), "");
  EXPECT_THAT(complaint(one), HasSubstr("n 2 results, not 1"));
  EXPECT_THAT(complaint(one + one + one), HasSubstr("n 2 results, not 3"));
}

/// Patterns of einops, and what they are without it.
TEST_F(LibraryCases, NamedAxesAreViewsAndReductions) {
  const std::vector<Tensor> inputs{fixture_.random({2, 4, 6})};
  for (const auto& [named, plain] : std::vector<std::pair<const char*, const char*>>{
           {"rearrange(x, 'b c w -> w b c')", "x.permute(2, 0, 1)"},
           {"rearrange(x, 'b (h c) w -> b h (w c)', h=2)",
            "x.reshape(2, 2, 2, 6).permute(0, 1, 3, 2).reshape(2, 2, 12)"},
           {"rearrange(x, '... (w two) -> two ... w', two=2)",
            "x.reshape(2, 4, 3, 2).permute(3, 0, 1, 2)"},
           {"rearrange(x, 'b c w -> (b c w) 1')", "x.reshape(-1, 1)"},
           {"reduce(x, 'b c w -> c', 'mean')", "x.mean((0, 2))"},
           {"reduce(x, 'b (c 2) (w 3) -> w b c', 'max')",
            "x.reshape(2, 2, 2, 2, 3).amax((2, 4)).permute(2, 0, 1)"},
           {"reduce(x, 'b c w -> b 1 w', 'prod')", "x.prod(1, keepdim=True)"},
           {"repeat(x, 'b c w -> b (c r) s w', r=3, s=2)",
            "x.repeat_interleave(3, 1).unsqueeze(2).expand(2, 12, 2, 6)"},
           {"einsum(x, x, 'b first w, b second w -> b first second')",
            "torch.bmm(x, x.transpose(1, 2))"}}) {
    const std::string text = fmt::format(
        "from einops import einsum, rearrange, reduce, repeat\n"
        "def f(x):\n  named = {}\n  plain = {}\n  assert named.shape == plain.shape\n"
        "  return named - plain",
        named, plain);
    const auto executor =
        makeExecutor("static", fixture_.backend(), parseProgram(text, hintsOf(text, inputs)));
    EXPECT_THAT(EngineFixture::values(executor->call(inputs)[0]), testing::Each(0.0)) << named;
  }
}

TEST_F(LibraryCases, WhatNamedAxesCannotMeanIsSaid) {
  const std::vector<Tensor> inputs{fixture_.random({2, 4, 6})};
  for (const auto& [call, why] : std::vector<std::pair<const char*, const char*>>{
           {"rearrange(x, 'b c w -> b c')", "name the same axes"},
           {"rearrange(x, 'b c -> c b')", "as many parts as the tensor has dimensions"},
           {"rearrange(x, 'b (h c) w -> b h c w')", "give one by its name"},
           {"rearrange(x, 'b (h c) w -> b h c w', h=3)", "do not divide"},
           {"rearrange(x, 'b (h c w -> b h c w')", "is not closed"},
           {"rearrange(x, 'b b w -> b w b')", "names each axis once"},
           {"rearrange(x, 'b c w')", "two sides"},
           {"reduce(x, 'b c w -> b', 'median')", "reduction of einops is"},
           {"repeat(x, 'b c w -> b c w r')", "has its extent given by its name"}})
    EXPECT_THAT(complaintOf(fixture_, "eager",
                            std::string("from einops import rearrange, reduce, repeat\n"
                                        "def f(x): return ") +
                                call,
                            inputs),
                HasSubstr(why))
        << call;
}

TEST_F(LibraryCases, WhatPyTorchRefusesIsRefused) {
  const std::vector<Tensor> inputs{fixture_.random({2, 3, 4})};
  const auto errorOf = [&](const std::string& text) {
    return complaintOf(fixture_, "eager", "def f(x): return " + text, inputs);
  };
  EXPECT_THAT(errorOf("torch.isclose(x, x.double())"), HasSubstr("tensors of one dtype"));
  EXPECT_THAT(errorOf("torch.isclose(x, x, rtol=-1)"), HasSubstr("are 0 or more"));
  EXPECT_THAT(errorOf("torch.block_diag(x, x[0])"), HasSubstr("2 dimensions at most"));
  EXPECT_THAT(errorOf("x.to(torch.promote_types(x, 2))"), HasSubstr("takes dtypes"));
}

}  // namespace
}  // namespace fusebench
