// SPDX-License-Identifier: GPL-3.0-or-later
// Ops that depend on the order of elements, and writes of several elements to one place that an
// index names: values, layouts, errors, gradients.
#include <gmock/gmock.h>

#include <limits>
#include <vector>

#include "engine/plan/plan_text.h"
#include "tests/engine/support/expect_written.h"
#include "tests/engine/support/torch_cases.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kEndless = std::numeric_limits<double>::infinity();

/// No two are equal.
std::pair<DType, std::pair<Shape, std::vector<double>>> mixed(const Shape& shape) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < elementCount(shape); ++i)
    values.push_back(static_cast<double>(i * 37 % 101) * 0.25 - 12 + static_cast<double>(i) / 64);
  return {DType::float32, {shape, values}};
}

std::pair<DType, std::pair<Shape, std::vector<double>>> countingUp(std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i));
  return {DType::float32, {{count}, values}};
}

std::vector<TorchCase> orderCases() {
  const std::vector<double> odd = {3,  1, kNone, 1, 0,  -0.0, 2, kEndless, -kEndless,
                                   -1, 2, 2,     5, -5, 0.5,  1, kNone,    kNone};
  const auto some = [&](const Shape& shape) {
    return std::pair<DType, std::pair<Shape, std::vector<double>>>{
        DType::float32, {shape, {odd.begin(), odd.begin() + elementCount(shape)}}};
  };
  return {
      {"def f(x): return torch.argsort(x, stable=True), torch.argsort(x, dim=0, descending=True, "
       "stable=True)",
       {some({3, 6})}},
      {"def f(x):\n    a, b = torch.sort(x, dim=1, stable=True)\n    c = torch.sort(x, dim=0, "
       "descending=True, stable=True)\n    return a, b, c.values, c.indices, x.msort()",
       {some({2, 9})}},
      {"def f(x): return x.T.argsort(0), x[:, ::2].sort(-1, True)[0], x[None].argsort(1) + 1",
       {mixed({4, 7})}},
      {"def f(x): return torch.argsort((x * 4).long(), dim=1, stable=True), torch.sort((x > "
       "1).int(), "
       "dim=0, stable=True)[1], torch.sort(x > 0, dim=1, stable=True)[1], "
       "torch.sort(x.to(torch.int8), "
       "1)[0]",
       {mixed({4, 7})}},
      {"def f(x): return x.half().sort(1)[0].float(), x.to(torch.bfloat16).sort(0)[0].float(), "
       "x.double().argsort(1), x[0, 0].argsort(), x[0, 0].sort()[0]",
       {mixed({3, 5})}},
      {"def f(x):\n    v, i = torch.topk(x, 3)\n    w = x.topk(2, dim=0, largest=False)\n    "
       "return v, i, w.values, w.indices, torch.topk(x, 1, 1)[0] * 2, x.topk(k=0)[0]",
       {mixed({5, 40})}},
      {"def f(x): return (torch.exp(x * 0.1) + 1).topk(4)[0].sum(), torch.topk(x.T, 2, 0)[1]",
       {mixed({6, 9})}},
      {"def f(x): return torch.median(x), x.median(1).values, torch.median(x, 0, keepdim=True)[0], "
       "torch.median(x, dim=1)[0] * 2",
       {mixed({5, 4})}},
      {"def f(x): return torch.median(x), x.median(0)[0], torch.nanmedian(x), x.nanmedian(1)[0], "
       "x.nanmedian(0, True)[0], torch.median((x > 0).long(), 1)[0]",
       {some({3, 6})}},
      {"def f(x):\n    y = (x * 0.2).round()\n    return y.mode()[0], y.mode()[1], "
       "torch.mode(y, 0, keepdim=True)[1], torch.mode((x * 0.1).long(), dim=1)[0], torch.mode(x > "
       "0).values.long(), x[:, :1].mode(1)[1], x.sum().mode()[1], y.mode(0)[0]",
       {mixed({5, 9})}},
      {"def f(x):\n    x.requires_grad_()\n    (torch.mode((x * 0.3).round() + x * 0.25, 0)[0] + "
       "x.mode(0).values * 3).sum().backward()\n    return x.grad",
       {mixed({5, 4})}},
      {"def f(x, q): return torch.quantile(x, 0.3), x.quantile(0.75, dim=1, keepdim=True), "
       "torch.quantile(x, q, 0), x.quantile(q, dim=1, keepdim=True), torch.quantile(x, 0.4, 1, "
       "interpolation='nearest'), torch.quantile(x, 0.4, -1, interpolation='midpoint') + "
       "x.quantile(0.9, 1, interpolation='lower') - x.quantile(0.9, 1, interpolation='higher')",
       {mixed({5, 6}), {DType::float32, {{3}, {0, 0.5, 0.9}}}}},
      // A place that float32 rounds to and float64 does not.
      {"def f(x): return torch.quantile(x, 0.29, interpolation='lower'), torch.quantile(x, 0.57, "
       "interpolation='lower'), torch.quantile(x, 0.29, interpolation='higher'), "
       "torch.quantile(x, 0.07, interpolation='higher'), torch.quantile(x, 0.29, "
       "interpolation='midpoint'), torch.quantile(x, 0.145, interpolation='nearest')",
       {countingUp(101)}},
      {"def f(x):\n    y = x.double()\n    return torch.quantile(y, 0.29, interpolation='lower'), "
       "torch.quantile(y, 0.57, interpolation='lower'), torch.quantile(y, 0.29, "
       "interpolation='higher'), torch.quantile(y, 0.07, interpolation='higher'), "
       "torch.quantile(y, 0.29, interpolation='midpoint'), torch.quantile(y, 0.145, "
       "interpolation='nearest'), torch.quantile(y, 1, interpolation='lower')",
       {countingUp(101)}},
      {"def f(x, b): return torch.searchsorted(b, x), torch.bucketize(x, b, right=True), "
       "torch.searchsorted(b, x[0], side='right', out_int32=True)",
       {some({3, 6}), {DType::float32, {{4}, {-1, 0, 1, 2}}}}},
      {"def f(x):\n    x.requires_grad_()\n    v, i = x.topk(2, 1)\n    ((v * v).sum() + "
       "torch.sort(x * x, 0)[0][0].sum() + torch.median(x)).backward()\n    return x.grad",
       {mixed({4, 5})}},
      // The most likely few, as samplers keep them.
      {"def f(x):\n    v = torch.topk(x, 3)[0]\n    return torch.where(x < v[:, -1:], "
       "torch.tensor(float('-inf')), x).softmax(-1)",
       {mixed({3, 8})}},
  };
}

std::vector<TorchCase> sentCases() {
  const std::vector<double> six = {3, 0, 2, 3, 1, 3};
  const auto of = [](const std::string& reduce, bool self) {
    return "torch.scatter_reduce(x, 1, i, y, '" + reduce +
           (self ? std::string("')") : "', include_self=False)");
  };
  static const std::string all =
      "def f(x, i, y): return " + of("sum", true) + ", " + of("prod", true) + ", " +
      of("amax", true) + ", " + of("amin", true) + ", " + of("mean", true) + ", " +
      of("sum", false) + ", " + of("prod", false) + ", " + of("amax", false) + ", " +
      of("amin", false) + ", " + of("mean", false);
  static const std::string inPlace =
      "def f(x, i, y):\n    a = x * 1\n    a.scatter_reduce_(0, i, y, 'amax')\n    b = x * 1\n    "
      "b.scatter_reduce_(0, i, y, reduce='mean', include_self=False)\n    c = x * 1\n    "
      "c.scatter_reduce_(0, i, y, 'prod', include_self=False)\n    return a, b, c, a.T";
  return {
      {all.c_str(), {floats({2, 4}), places({2, 3}, six), floats({2, 3})}},
      {all.c_str(), {floats({3, 4}), places({2, 3}, six), floats({3, 5})}},
      {inPlace.c_str(), {floats({4, 5}), places({2, 3}, six), floats({3, 4})}},
      {"def f(x, i, y):\n    a = x.long()\n    b = (y * 3).long()\n    return "
       "a.scatter_reduce(1, i, b, 'amax'), a.scatter_reduce(1, i, b, 'amin', "
       "include_self=False), a.scatter_reduce(1, i, b, 'prod'), a.scatter_reduce(1, i, b, 'mean')",
       {floats({2, 4}), places({2, 3}, six), floats({2, 3})}},
      {"def f(x, i, y): return x.double().scatter_reduce(0, i, y.double(), 'amin'), "
       "x.half().scatter_reduce(0, i, y.half(), 'amax').float()",
       {floats({4, 5}), places({2, 3}, six), floats({3, 4})}},
      {"def f(x, i, y): return x.index_reduce(0, i, y, 'amax'), torch.index_reduce(x, 0, i, y, "
       "'mean'), torch.index_reduce(x, 0, i, y, 'prod', include_self=False)",
       {floats({4, 3}), places({6}, six), floats({6, 3})}},
      {"def f(x, i, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    a = "
       "torch.scatter_reduce(x, 1, i, y, 'amax')\n    b = torch.scatter_reduce(x, 1, i, y * y, "
       "'amin', include_self=False)\n    ((a * a).sum() + (b * b).sum()).backward()\n    return "
       "x.grad, y.grad",
       {floats({2, 4}), places({2, 3}, six), floats({2, 3})}},
      {"def f(x, i, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    "
       "torch.scatter_reduce(x, 1, i, y, 'mean').exp().sum().backward()\n    return x.grad, y.grad",
       {floats({2, 4}), places({2, 3}, six), floats({2, 3})}},
      // Equal ones share a gradient.
      {"def f(x, i, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    "
       "(torch.scatter_reduce(x * 0 + 1, 0, i, y * 0 + 1, 'amax') * 6).sum().backward()\n    "
       "return x.grad, y.grad",
       {floats({4}), places({6}, six), floats({6})}},
      {"def f(x, y, z):\n    a = torch.addmv(x[0, :3], y, z[:, 0]) + torch.addbmm(x, y.expand(2, "
       "3, "
       "3), z.expand(2, 3, 4), beta=0.5, alpha=2)[:, :3].sum(0)\n    b = x * 1\n    b.addmm_(y, z, "
       "alpha=0.5)\n    return a, b, torch.addr(x, z[0, :3], z[1], beta=0)",
       {floats({3, 4}), floats({3, 3}), floats({3, 4})}},
  };
}

class Orders : public testing::Test {
 protected:
  std::string errorOf(const std::string& text, const std::vector<Tensor>& inputs) {
    return complaintOf(fixture_, "static", text, inputs);
  }
  EngineFixture fixture_;
};

TEST_F(Orders, EveryExecutorGivesTheReferencesValues) {
  const std::size_t step = fixture_.backend().traits().isSynchronous ? 1 : 3;
  for (const std::vector<TorchCase>& cases : {orderCases(), sentCases()})
    for (std::size_t c = 0; c < cases.size(); c += step) {
      const std::vector<Tensor> inputs = tensorsOf(fixture_, cases[c]);
      expectAsReference(fixture_, cases[c].text, inputs, hintsOf(cases[c].text, inputs));
    }
}

TEST_F(Orders, ValuesAreThoseOfPyTorch) {
  if (!fixture_.backend().traits().isSynchronous) GTEST_SKIP() << "the CPU's values are compared";
  const std::string python = test::pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  EXPECT_EQ(complaintsOfTorch(fixture_, python, orderCases()), "");
  EXPECT_EQ(complaintsOfTorch(fixture_, python, sentCases()), "");
}

TEST_F(Orders, OfEqualsTheFirstComesFirstWhicheverWayAndNoneIsGreatest) {
  const Tensor x = fixture_.typed(DType::float32, {7}, {2, kNone, 0, 2, -0.0, kNone, 2});
  const auto places = [&](const std::string& text) {
    const std::vector<Tensor> inputs{x};
    const auto executor =
        makeExecutor("eager", fixture_.backend(), parseProgram(text, hintsOf(text, inputs)));
    return EngineFixture::values(executor->call(inputs)[0]);
  };
  EXPECT_THAT(places("def f(x): return x.argsort()"), testing::ElementsAre(2, 4, 0, 3, 6, 1, 5));
  EXPECT_THAT(places("def f(x): return x.argsort(descending=True)"),
              testing::ElementsAre(1, 5, 0, 3, 6, 2, 4));
  EXPECT_THAT(places("def f(x): return x.topk(4)[1]"), testing::ElementsAre(1, 5, 0, 3));
  EXPECT_THAT(places("def f(x): return x.topk(3, largest=False)[1]"),
              testing::ElementsAre(2, 4, 0));
}

TEST_F(Orders, LongRowsAreInOrderAndFewOfThemTheSameFirstOnes) {
  const Tensor x = fixture_.random({3, 3000});
  const std::string text =
      "def f(x):\n    v, i = torch.sort(x, descending=True)\n    w, j = torch.topk(x, 20)\n    "
      "return (v[:, 1:] > v[:, :-1]).any(), (v[:, :20] != w).any(), (i[:, :20] != j).any(), "
      "torch.sort(i)[0].sum(1)";
  const std::vector<Tensor> inputs{x};
  expectAsReference(fixture_, text, inputs, hintsOf(text, inputs));
  const auto executor =
      makeExecutor("static", fixture_.backend(), parseProgram(text, hintsOf(text, inputs)));
  const auto results = executor->call(inputs);
  for (int r = 0; r < 3; ++r)
    EXPECT_THAT(EngineFixture::values(results[static_cast<std::size_t>(r)]),
                testing::ElementsAre(0));
  EXPECT_THAT(EngineFixture::values(results[3]), testing::Each(3000.0 * 2999 / 2));
}

TEST_F(Orders, APlanForAnySizesTakesAnyLength) {
  const std::string text = "def f(x): return x.topk(2)[0], x.sort(0)[0]";
  const auto executor = makeExecutor("dynamic", fixture_.backend(), parseProgram(text));
  for (const Shape& shape : {Shape{3, 4}, Shape{5, 9}, Shape{2, 2}}) {
    const std::vector<Tensor> inputs{fixture_.random(shape)};
    const std::vector<ReferenceTensor> given{EngineFixture::reference(inputs[0])};
    const auto expected = evaluateReference(parseProgram(text), given);
    const auto got = executor->call(inputs);
    for (std::size_t o = 0; o < got.size(); ++o) expectNear(got[o], expected[o].value, text);
  }
}

TEST_F(Orders, WhatIsNotThereIsSaidWithARemedy) {
  const std::vector<Tensor> inputs{fixture_.random({4, 3})};
  EXPECT_THAT(errorOf("def f(x): return x.topk(5)[0]", inputs),
              HasSubstr("topk: dimension 1 of shape (4, 3) has no 5 elements; k is at most 3"));
  EXPECT_THAT(errorOf("def f(x): return x.sort(2)[0]", inputs), HasSubstr("no dimension 2"));
  EXPECT_THAT(errorOf("def f(x): return x.kthvalue(4)[0]", inputs),
              HasSubstr("k of kthvalue goes from 1 to the extent"));
  EXPECT_THAT(
      errorOf("def f(x): return torch.searchsorted(x[:, 0], x, right=True, side='left')", inputs),
      HasSubstr("say opposite things"));
  EXPECT_THAT(errorOf("def f(x): return torch.unique(x)", inputs), HasSubstr("depends on data"));
  EXPECT_THAT(errorOf("def f(x): return torch.nonzero(x)", inputs), HasSubstr("depends on data"));
  EXPECT_THAT(
      errorOf("def f(x): return torch.scatter_reduce(x, 0, x.argsort(0), x, 'max')", inputs),
      HasSubstr("'sum', 'prod', 'mean', 'amax' or 'amin'"));
  EXPECT_THAT(errorOf("def f(x):\n    x.requires_grad_()\n    torch.scatter_reduce(x, 0, "
                      "x.argsort(0), x, 'prod').sum().backward()\n    return x.grad",
                      inputs),
              HasSubstr("no gradient goes through scatter_prod"));
}

TEST_F(Orders, APlanSaysWhatIsOrderedAndHowManyPlacesAreAskedFor) {
  const Program program = parseProgram("def f(x): return x.topk(2)[1]");
  const std::vector<Form> forms{contiguousForm(DType::float32, {4, 8})};
  const Plan plan = makePlan(program, forms, {});
  const std::string text = toText(plan, symbolsOf(plan, forms));
  EXPECT_THAT(text, HasSubstr("reads x; 128 bytes"));
  EXPECT_THAT(text, HasSubstr(": int64 (4, 2)"));
  // Eight times log2(8), four times over.
  EXPECT_THAT(text, HasSubstr("64 bytes written, 96 floating-point operations"));
}

}  // namespace
}  // namespace fusebench
