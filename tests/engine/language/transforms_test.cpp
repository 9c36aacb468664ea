// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of functions: torch.vmap and torch.func, against the same written out.
#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "engine/language/parser.h"
#include "engine/run/reference.h"

namespace fusebench {
namespace {

using ::testing::HasSubstr;
using ::testing::Pointwise;

MATCHER(IsNear, "") {
  return std::abs(std::get<0>(arg) - std::get<1>(arg)) <= 1e-9 * (1 + std::abs(std::get<1>(arg)));
}

const ValueType kRowsType{{3, 4}, DType::float32}, kMatrix{{4, 2}, DType::float32},
    kPlaces{{3, 2}, DType::int64}, kImages{{3, 2, 4, 4}, DType::float32};

Program transformed(const std::string& lines) {
  return parseProgram("import torch\nimport torch.nn.functional as F\nimport functools\n" + lines,
                      {{"x", kRowsType}, {"w", kMatrix}, {"i", kPlaces}, {"p", kImages}});
}

/// All results of a function of x (3, 4), w (4, 2), i (3, 2) of places below 4, and p (3, 2, 4, 4),
/// one after the other.
std::vector<double> valuesOf(const std::string& lines) {
  const Program program = transformed(lines);
  std::vector<ReferenceTensor> inputs;
  for (const std::string& name : program.inputs) {
    const ValueType type = name == "x"   ? kRowsType
                           : name == "w" ? kMatrix
                           : name == "i" ? kPlaces
                                         : kImages;
    std::vector<double> values;
    for (std::int64_t k = 0; k < elementCount(type.shape); ++k) {
      const double value = static_cast<double>((k * 7 + 3) % 11);
      values.push_back(name == "i" ? std::fmod(value, 4) : value / 4 - 1);
    }
    inputs.push_back({type, values});
  }
  std::vector<double> all;
  for (const ReferenceResult& result : evaluateReference(program, inputs)) {
    all.push_back(static_cast<double>(result.value.type.shape.rank()));
    for (const std::int64_t extent : result.value.type.shape)
      all.push_back(static_cast<double>(extent));
    all.insert(all.end(), result.value.values.begin(), result.value.values.end());
  }
  return all;
}

std::string refusalOf(const std::string& lines) {
  try {
    transformed(lines);
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "read";
}

/// A function of one row of x and of all of w is the same mapped over rows and called for each.
void expectLikeALoop(const std::string& body) {
  SCOPED_TRACE(body);
  const std::string function = "def g(v, w):\n    " + body + "\n";
  const std::vector<double> mapped =
      valuesOf(function + "def f(x, w):\n    return torch.vmap(g, in_dims=(0, None))(x, w)\n");
  const std::vector<double> looped =
      valuesOf(function + "def f(x, w):\n    return torch.stack([g(x[k], w) for k in range(3)])\n");
  EXPECT_THAT(mapped, Pointwise(IsNear(), looped)) << body;
}

TEST(Vmap, ComputesForEachExampleWhatTheFunctionComputesForOne) {
  for (const char* body : {"return torch.dot(v, v)",
                           "return v @ w",
                           "return w.t() @ v",
                           "return v * w[:, 0] + 1",
                           "return v.sum()",
                           "return v.sum(dim=0, keepdim=True)",
                           "return torch.outer(v, w[:, 1])",
                           "return (v.unsqueeze(1) * w).sum(0)",
                           "return (v[:, None] + w).max(dim=1).values",
                           "return torch.softmax(v, -1)",
                           "return v.cumsum(0)",
                           "return v.flip(0)[1:]",
                           "return v.view(2, 2).t().reshape(4)",
                           "return v.expand(3, 4).sum(0)",
                           "return v[2]",
                           "return torch.linalg.norm(v - w.mean(1))",
                           "return torch.cat([v, w[:, 0]])",
                           "return v.sort(descending=True).values",
                           "return torch.where(v > 0, v, w[:, 1])",
                           "return F.linear(v, w.t())",
                           "return F.linear(v, w.t(), w[0])",
                           "return torch.einsum('a,ab->b', v, w)",
                           "return torch.addmm(v[:2], v.view(2, 2), w[:2])",
                           "return v.argmax()",
                           "return torch.zeros_like(v) + v.mean()",
                           "return torch.ones(4) + v",
                           "y = v.clone()\n    y[1:3] = 2.0\n    y.mul_(v)\n    return y",
                           "return w",
                           "return torch.tril(torch.outer(v, v))",
                           "return v.view(2, 2).permute(1, 0).flatten()",
                           "return v.view(1, 4).squeeze()",
                           "return F.layer_norm(v, (4,))",
                           "return v.sum().view(1)",
                           "return torch.diagonal(torch.outer(v, v))",
                           "return v.std() * v.var(unbiased=False)",
                           "return torch.bmm(v.view(1, 2, 2), w.view(2, 2, 2)[:1])",
                           "return v.sum() + w.sum()",
                           "return v.index_select(0, torch.tensor([2, 0]))",
                           "return v.max() - v.min()",
                           "return torch.roll(v, 1)",
                           "return torch.stack([v, v * 2], dim=1).sum(1)"})
    expectLikeALoop(body);
}

TEST(Vmap, OfIndicesAndImagesIsLikeALoop) {
  for (const char* body :
       {"return w[j]", "return w.t()[:, j]", "return w.index_select(0, j)",
        "return F.embedding(j, w)", "return torch.gather(v, 0, j)", "return v[j]",
        "return F.one_hot(j, 4)", "return torch.zeros(4).scatter_add(0, j, v[:2])",
        "return F.cross_entropy(v.view(1, 4), j[:1])"}) {
    SCOPED_TRACE(body);
    const std::string function = "def g(v, j, w):\n    " + std::string(body) + "\n";
    EXPECT_THAT(
        valuesOf(function + "def f(x, i, w):\n    return torch.vmap(g, (0, 0, None))(x, i, w)\n"),
        Pointwise(IsNear(),
                  valuesOf(function + "def f(x, i, w):\n    return torch.stack([g(x[k], i[k], w) "
                                      "for k in range(3)])\n")))
        << body;
  }
  for (const char* body :
       {"return F.conv2d(q, k)", "return F.conv2d(q.unsqueeze(0), k)", "return F.max_pool2d(q, 2)",
        "return F.avg_pool2d(q.unsqueeze(0), 2)", "return F.conv2d(q, q[:, :2, :2].unsqueeze(0))",
        "return q.mean(dim=(1, 2))", "return q.transpose(0, 2) @ k[0, 0]"}) {
    SCOPED_TRACE(body);
    const std::string function = "def g(q, k):\n    " + std::string(body) + "\n";
    const std::string kernel = "    k = w.view(1, 2, 2, 2)\n";
    EXPECT_THAT(valuesOf(function + "def f(p, w):\n" + kernel +
                         "    return torch.vmap(g, (0, None))(p, k)\n"),
                Pointwise(IsNear(), valuesOf(function + "def f(p, w):\n" + kernel +
                                             "    return torch.stack([g(p[n], k) for n in "
                                             "range(3)])\n")))
        << body;
  }
}

TEST(Vmap, TakesDimensionsFromWhereTheyAreAndPutsThemWhereTheyShallBe) {
  EXPECT_EQ(valuesOf("def f(x):\n    return torch.vmap(lambda v: v * 2, in_dims=1, out_dims=1)(x)"),
            valuesOf("def f(x):\n    return x * 2"));
  EXPECT_EQ(valuesOf("def f(x):\n    return torch.vmap(lambda v: v.sum(), in_dims=-1)(x)"),
            valuesOf("def f(x):\n    return x.sum(0)"));
  EXPECT_EQ(
      valuesOf("def f(x):\n    a, b = torch.vmap(lambda v: (v, v.sum()), out_dims=(1, 0))(x)\n"
               "    return a, b"),
      valuesOf("def f(x):\n    return x.t(), x.sum(1)"));
  EXPECT_EQ(valuesOf("def f(x):\n    g = lambda d: {'s': d['a'] + d['b'][0]}\n"
                     "    return torch.vmap(g)({'a': x, 'b': [x * 3]})['s']"),
            valuesOf("def f(x):\n    return x + x * 3"));
}

TEST(Vmap, NestsAndDecorates) {
  EXPECT_THAT(
      valuesOf("def f(x, w):\n    d = torch.vmap(torch.vmap(torch.dot, (None, 0)), (0, None))\n"
               "    return d(x, w.t())"),
      Pointwise(IsNear(), valuesOf("def f(x, w):\n    return x @ w")));
  EXPECT_EQ(valuesOf("@torch.vmap\ndef g(v):\n    return v.sum()\ndef f(x):\n    return g(x)"),
            valuesOf("def f(x):\n    return x.sum(1)"));
}

TEST(Vmap, MakesOneOpForTheWholeBatch) {
  EXPECT_EQ(transformed("def f(x):\n    return torch.vmap(torch.dot)(x, x)").ops.size(), 1u);
  EXPECT_EQ(
      transformed("def f(x, w):\n    return torch.vmap(lambda v: torch.relu(v @ w))(x)").ops.size(),
      2u);
  EXPECT_EQ(transformed("def f(p, w):\n    return torch.vmap(lambda q: F.conv2d(q, w.view(1, 2, 2, "
                        "2)))(p)")
                .ops.size(),
            2u);
}

TEST(Vmap, RefusesWhatPyTorchRefuses) {
  const auto refusal = [](const std::string& g) {
    return refusalOf("def f(x, w):\n    g = " + g + "\n    return torch.vmap(g)(x)\n");
  };
  EXPECT_THAT(refusal("lambda v: v + torch.randn(4)"), HasSubstr("randomness='different'"));
  EXPECT_THAT(refusal("lambda v: w[0].add_(v[:2])"), HasSubstr("that all examples share"));
  EXPECT_THAT(refusalOf("def f(x, w):\n    return torch.vmap(torch.dot)(x, w)\n"),
              HasSubstr("the same size along the dimension"));
  EXPECT_THAT(refusalOf("def f(x):\n    return torch.vmap(lambda v: v)(x.sum())\n"),
              HasSubstr("this tensor has none"));
  EXPECT_THAT(refusalOf("def f(x):\n    return torch.vmap(lambda v, n: v * n)(x, 2)\n"),
              HasSubstr("not a tensor; use None"));
  EXPECT_EQ(valuesOf("def f(x):\n    r = torch.vmap(lambda v: torch.rand(2) * 0, "
                     "randomness='different')(x)\n    return r"),
            valuesOf("def f(x):\n    return torch.zeros(3, 2)"));
}

TEST(FunctionTransforms, GradientsAreThoseOfTheFunction) {
  EXPECT_THAT(valuesOf("def f(x):\n    return torch.func.grad(lambda v: (v ** 3).sum())(x)"),
              Pointwise(IsNear(), valuesOf("def f(x):\n    return 3 * x ** 2")));
  EXPECT_THAT(valuesOf("def f(x, w):\n    g = lambda a, b: ((a @ b) ** 2).sum()\n"
                       "    return torch.func.grad(g, argnums=(0, 1))(x, w)"),
              Pointwise(IsNear(), valuesOf("def f(x, w):\n    r = 2 * (x @ w)\n"
                                           "    return r @ w.t(), x.t() @ r")));
  EXPECT_THAT(
      valuesOf("def f(x):\n    g = lambda v: ((v ** 2).sum(), v + 1)\n"
               "    d, (s, a) = torch.func.grad_and_value(g, has_aux=True)(x)\n    return d, s, a"),
      Pointwise(IsNear(), valuesOf("def f(x):\n    return 2 * x, (x ** 2).sum(), x + 1")));
  EXPECT_THAT(valuesOf("def f(x):\n    d = torch.func.grad(torch.func.grad(lambda v: v ** 4))\n"
                       "    return d(x[0, 0])"),
              Pointwise(IsNear(), valuesOf("def f(x):\n    return 12 * x[0, 0] ** 2")));
}

TEST(FunctionTransforms, GradientsForEachExampleAreThoseOfALoop) {
  const std::string loss =
      "def loss(w, v, t):\n    return F.cross_entropy((v @ w).unsqueeze(0), t.unsqueeze(0))\n";
  EXPECT_THAT(
      valuesOf(loss + "def f(x, w, i):\n    t = i[:, 0] % 2\n"
                      "    return torch.vmap(torch.func.grad(loss), (None, 0, 0))(w, x, t)"),
      Pointwise(IsNear(),
                valuesOf(loss + "def f(x, w, i):\n    t = i[:, 0] % 2\n    d = "
                                "torch.func.grad(loss)\n    return torch.stack([d(w, x[k], t[k]) "
                                "for k in range(3)])")));
  EXPECT_THAT(valuesOf("def f(x):\n    return torch.vmap(torch.func.grad(lambda v: (v ** "
                       "3).sum()))(x)"),
              Pointwise(IsNear(), valuesOf("def f(x):\n    return 3 * x ** 2")));
}

TEST(FunctionTransforms, JacobiansHaveARowForEachResult) {
  EXPECT_THAT(valuesOf("def f(x, w):\n    return torch.func.jacrev(lambda v: v @ w)(x[0])"),
              Pointwise(IsNear(), valuesOf("def f(x, w):\n    return w.t()")));
  EXPECT_THAT(valuesOf("def f(x):\n    return torch.func.hessian(lambda v: (v ** 3).sum())(x[0])"),
              Pointwise(IsNear(), valuesOf("def f(x):\n    return torch.diag(6 * x[0])")));
  EXPECT_THAT(valuesOf("def f(x, w):\n    y, back = torch.func.vjp(lambda v: v @ w, x)\n"
                       "    return y, back(torch.ones_like(y))[0]"),
              Pointwise(IsNear(), valuesOf("def f(x, w):\n    y = x @ w\n"
                                           "    return y, torch.ones_like(y) @ w.t()")));
}

TEST(FunctionTransforms, WhatTheFunctionIsNotGivenIsAConstant) {
  const auto constant = valuesOf("def f(x):\n    return x * 1");
  for (const char* call :
       {"torch.func.grad(lambda v: (v * x).sum())(x)",
        "torch.func.grad(lambda v, u: (v * u).sum())(x, x)",
        "torch.func.grad_and_value(lambda v: (v * x).sum())(x)[0]",
        "torch.func.grad(lambda d: (d['a'] * d['b']).sum())({'a': x, 'b': x})['a']",
        "torch.func.vjp(lambda v: v * x, x)[1](torch.ones_like(x))[0]",
        "torch.func.jacrev(lambda v: (v * x).sum())(x)",
        "torch.func.jacfwd(lambda v: (v * x).sum())(x)",
        "torch.func.jacrev(lambda v, u: (v * u).sum(), argnums=(1, 0))(x, x)[0]"})
    EXPECT_THAT(valuesOf(std::string("def f(x):\n    return ") + call),
                Pointwise(IsNear(), constant))
        << call;
  EXPECT_THAT(
      valuesOf("def f(x):\n    y, back = torch.func.vjp(lambda v: v * v, x)\n"
               "    return back(y)[0], back(y - x)[0]"),
      Pointwise(IsNear(), valuesOf("def f(x):\n    return 2 * x ** 3, 2 * x * (x * x - x)")))
      << "the cotangent is a constant";
  const auto none = valuesOf("def f(x):\n    return x * 0");
  for (const char* call : {"torch.func.vjp(lambda v, u: v * 2, x, x)[1](torch.ones_like(x))[1]",
                           "torch.func.grad(lambda v: (x * x).sum())(x)",
                           "torch.autograd.grad((x * 2).sum(), (x, x.exp()), "
                           "materialize_grads=True)[1]"})
    EXPECT_THAT(valuesOf(std::string("def f(x):\n    return ") + call), Pointwise(IsNear(), none))
        << call;
  EXPECT_THAT(valuesOf("def f(x):\n    a, b = torch.autograd.grad((x * 2).sum(), (x, x.exp()), "
                       "allow_unused=True)\n    return a if b is None else a * 5"),
              Pointwise(IsNear(), valuesOf("def f(x):\n    return x * 0 + 2")));
  EXPECT_THAT(valuesOf("def f(x):\n    return torch.func.hessian(lambda v: (v * 2).relu().sum())"
                       "(x[0])"),
              Pointwise(IsNear(), valuesOf("def f(x):\n    return torch.zeros(4, 4)")));
  for (const char* loss : {"huber_loss", "smooth_l1_loss"})
    EXPECT_THAT(valuesOf(std::string("def f(x):\n    return torch.func.hessian(lambda v: F.") +
                         loss + "(v, torch.zeros(4)))(x[0] * 0)"),
                Pointwise(IsNear(), valuesOf("def f(x):\n    return torch.eye(4) / 4")));
  EXPECT_THAT(refusalOf("def f(x):\n    return torch.autograd.grad(x.sum(), x.exp())[0]"),
              HasSubstr("allow_unused=True"));
}

TEST(FunctionTransforms, JacobiansAreMultipliedFromTheRight) {
  EXPECT_THAT(
      valuesOf("def f(x, w):\n    y, made = torch.func.jvp(lambda v: torch.sin(v @ w), (x,), "
               "(x * 2 + 1,))\n    return y, made"),
      Pointwise(IsNear(), valuesOf("def f(x, w):\n    y = torch.sin(x @ w)\n"
                                   "    return y, torch.cos(x @ w) * ((x * 2 + 1) @ w)")));
  EXPECT_THAT(
      valuesOf("def f(x, w):\n    y, push = torch.func.linearize(lambda v, m: v @ m, x, w)\n"
               "    return y, push(x.cos(), w.sin()), push(x, w)"),
      Pointwise(IsNear(), valuesOf("def f(x, w):\n    y = x @ w\n"
                                   "    return y, x.cos() @ w + x @ w.sin(), y * 2")));
  // By each example's own direction, and by the columns of the identity.
  EXPECT_THAT(
      valuesOf("def f(x, w):\n    def g(v, t):\n        return torch.func.jvp(lambda u: (u * u) @ "
               "w, (v,), (t,))[1]\n    return torch.vmap(g)(x, x.flip(0))"),
      Pointwise(IsNear(), valuesOf("def f(x, w):\n    return (2 * x * x.flip(0)) @ w")));
  EXPECT_THAT(refusalOf("def f(x, w):\n    return torch.func.jvp(torch.sin, (x,), (x, w))\n"),
              HasSubstr("a tensor for each of the primals"));
}

TEST(FunctionTransforms, StatesThatAreStackedAreOfModulesOfOneClass) {
  const std::string module =
      "import torch.nn as nn\nclass Net(nn.Module):\n    def __init__(self):\n"
      "        super().__init__()\n        self.fc = nn.Linear(4, 2)\n"
      "        self.register_buffer('shift', torch.ones(2))\n"
      "    def forward(self, x):\n        return self.fc(x) * self.shift\n"
      "nets = [Net() for _ in range(3)]\nother = nn.Linear(4, 2)\n";
  EXPECT_THAT(refusalOf(module + "def f(x):\n    return torch.func.stack_module_state([])\n"),
              HasSubstr("at least one model"));
  EXPECT_THAT(refusalOf(module + "def f(x):\n    return "
                                 "torch.func.stack_module_state([nets[0], other])\n"),
              HasSubstr("of the same class"));
}

TEST(FunctionTransforms, AModuleIsCalledWithOtherParameters) {
  const std::string module =
      "import torch.nn as nn\nclass Net(nn.Module):\n    def __init__(self):\n"
      "        super().__init__()\n        self.layers = nn.Sequential(nn.Linear(4, 2), "
      "nn.ReLU())\n"
      "        self.scale = nn.Parameter(torch.ones(2))\n"
      "    def forward(self, x, w):\n        return self.layers(x) * self.scale\n"
      "net = Net()\n";
  EXPECT_THAT(
      valuesOf(module + "def f(x, w):\n    given = {'layers.0.weight': w.t(), 'scale': w[0], "
                        "'layers.0.bias': w[1]}\n"
                        "    return torch.func.functional_call(net, given, (x, w))\n"),
      Pointwise(IsNear(), valuesOf("def f(x, w):\n    return torch.relu(x @ w + w[1]) * w[0]\n")));
  EXPECT_THAT(refusalOf(module + "def f(x, w):\n    return torch.func.functional_call(net, "
                                 "{'layers.1.weight': w}, (x, w))\n"),
              HasSubstr("'layers.1.weight'"));
}

}  // namespace
}  // namespace fusebench
