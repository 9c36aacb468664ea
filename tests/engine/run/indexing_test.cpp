// SPDX-License-Identifier: GPL-3.0-or-later
// What is read where an index says, and what is added there: values, layouts, errors, gradients.
#include <gmock/gmock.h>

#include "engine/language/program.h"
#include "engine/plan/plan_text.h"
#include "engine/plan/storages.h"
#include "tests/engine/support/expect_written.h"
#include "tests/engine/support/torch_cases.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<TorchCase> indexCases() {
  const std::vector<double> six = {3, 0, 2, 3, 1, 3};
  return {
      {"def f(x, i): return x[i]", {floats({4}), places({6}, six)}},
      {"def f(x, i): return x[i]", {floats({4, 5}), places({6}, six)}},
      {"def f(x, i): return x[i]", {floats({4, 33}), places({2, 3}, six)}},
      {"def f(x, i): return x[i]", {floats({4, 3}), places({3}, {-1, -4, 2})}},
      {"def f(x, i): return x[i]", {floats({4, 3}), places({}, {2})}},
      {"def f(x, i): return x[i]", {floats({4, 3}), places({0}, {})}},
      {"def f(x, i): return x[i]", {floats({1, 1}), places({1}, {0})}},
      {"def f(x, i): return torch.index_select(x, 0, i)",
       {floats({4, 3}), places({3}, {1, 1, 0}, DType::int32)}},
      {"def f(x, i): return x[:, i]", {floats({2, 4, 3}), places({6}, six)}},
      {"def f(x, i): return x[..., i]", {floats({2, 3, 4}), places({2, 3}, six)}},
      {"def f(x, i): return x[1:, None, i, ::2]", {floats({3, 4, 5}), places({6}, six)}},
      {"def f(x, i): return x.T[i]", {floats({5, 4}), places({6}, six)}},
      {"def f(x, i): return x[i.T]", {floats({4, 2}), places({2, 3}, six)}},
      {"def f(x, i): return x[:, 1:][i[::2]]", {floats({4, 9}), places({6}, six)}},
      {"def f(x, i): return torch.index_select(x, 0, i)", {floats({4, 3}), places({6}, six)}},
      {"def f(x, i): return x.index_select(dim=-1, index=i)", {floats({3, 4}), places({6}, six)}},
      {"def f(x, i): return torch.index_select(x, 1, i)", {floats({2, 4, 17}), places({6}, six)}},
      {"def f(x, i): return F.embedding(i, x)", {floats({4, 8}), places({2, 3}, six)}},
      {"def f(x, i): return F.embedding(i, x, padding_idx=3)", {floats({4, 8}), places({6}, six)}},
      {"def f(x, i): return torch.gather(x, 1, i)", {floats({2, 4}), places({2, 3}, six)}},
      {"def f(x, i): return x.gather(0, i)", {floats({4, 5}), places({2, 3}, six)}},
      {"def f(x, i): return torch.gather(x, -1, i)", {floats({2, 2, 4}), places({1, 2, 3}, six)}},
      {"def f(x, i): return torch.take_along_dim(x, i, dim=1)",
       {floats({2, 4}), places({1, 6}, six)}},
      {"def f(x, i): return torch.take_along_dim(x, i)", {floats({2, 2}), places({6}, six)}},
      // Fused with ops on both sides, and with reductions.
      {"def f(x, i): return torch.exp(x[(i + 1) % 4] * 0.25) + 1", {floats({4}), places({6}, six)}},
      {"def f(x, i): return torch.relu(torch.gather(x * 2, 1, i) - x[:, :3])",
       {floats({2, 4}), places({2, 3}, six)}},
      {"def f(x, i): return (x[i] * 2).sum(dim=1), x[i].sum()",
       {floats({4, 40}), places({6}, six)}},
      {"def f(x, i): return x[i] + x[i.flip(0)] + x[0]", {floats({4, 6}), places({6}, six)}},
      {"def f(x, i):\n    y = x + 1\n    return y[i] * y[i + 0] + y.sum(), x[:, :3][i]",
       {floats({4, 6}), places({6}, six)}},
      {"def f(x, i): return (x > 0)[i], x.double()[i], x.long()[i]",
       {floats({4, 6}), places({6}, six)}},
      {"def f(x, i): return x.half()[i].float() + x.to(torch.bfloat16)[i].float()",
       {floats({4, 18}), places({6}, six)}},
      {"def f(x, i):\n    y = x * 1\n    a = y[i]\n    y.mul_(2)\n    return a + y[i]",
       {floats({4, 6}), places({6}, six)}},
      // Added where an index says.
      {"def f(x, i, y): return torch.index_add(x, 0, i, y)",
       {floats({4, 5}), places({6}, six), floats({6, 5})}},
      {"def f(x, i, y): return x.index_add(1, i, y) * 2",
       {floats({2, 4, 3}), places({6}, six), floats({2, 6, 3})}},
      {"def f(x, i, y): return torch.scatter_add(x, 1, i, y)",
       {floats({2, 4}), places({2, 3}, six), floats({2, 3})}},
      {"def f(x, i, y): return torch.scatter_add(x, 0, i, y)",
       {floats({4, 5}), places({2, 3}, six), floats({3, 4})}},
      {"def f(x, i, y): return torch.scatter_add(x.long(), 0, i, y.long())",
       {floats({4, 3}), places({2, 3}, six), floats({2, 3})}},
      {"def f(x, i, y): return torch.index_add(x.T, 0, i, y.T)",
       {floats({5, 4}), places({6}, six), floats({5, 6})}},
      // Writes to places that an index names: if several name one, the last in index order wins.
      {"def f(x, i, y): return torch.index_copy(x, 0, i, y)",
       {floats({4, 5}), places({3}, {3, 0, 2}), floats({3, 5})}},
      {"def f(x, i, y): return torch.scatter(x, 1, i, y), x.scatter(1, i, 2.5)",
       {floats({2, 4}), places({2, 3}, {3, 0, 2, 1, 0, 2}), floats({2, 3})}},
      {"def f(x, i): return x.index_fill(1, i, -2.0) + torch.index_fill(x, -1, i, 1)",
       {floats({2, 4, 4}), places({2}, {-1, 2})}},
      {"def f(x, i, y):\n    z = x * 2\n    z[i] = y\n    return z",
       {floats({4, 5}), places({3}, {3, 0, -2}), floats({3, 5})}},
      {"def f(x, i):\n    z = x.clone()\n    z[i] = x[i] * 2 + 1\n    z[i] = 3\n    return z + x",
       {floats({4}), places({6}, six)}},
      {"def f(x, i, y):\n    z = x.clone()\n    z[:, i] = y\n    z[..., i[:1]] = 0.5\n    return z",
       {floats({3, 4, 5}), places({2}, {3, 0}), floats({2, 5})}},
      {"def f(x, i, y):\n    z = torch.zeros(3, 8)\n    z[1:, i] = y[:2]\n    z.T[i] += 1\n    "
       "return "
       "z",
       {floats({1}), places({2, 2}, {3, 0, 7, 2}), floats({3, 2, 2})}},
      {"def f(x, i):\n    z = x + 1\n    z[i] += 2\n    z[i] *= x[i]\n    return z, z[i]",
       {floats({4, 3}), places({6}, six)}},
      {"def f(x, i):\n    z = x + 1\n    z[i, i.flip(0)] = 7\n    z[i, i] -= 1\n    return z, z[i, "
       "i - "
       "4]",
       {floats({4, 4}), places({6}, six)}},
      {"def f(x, i):\n    z = x + 1\n    z[:, i, i] = x[:, 0, :1]\n    z[..., i[:2], i[:2]] *= 2\n "
       "   "
       "return z",
       {floats({2, 4, 4}), places({3}, {0, 1, 3})}},
      {"def f(x, i):\n    z = x * 1\n    z.T[i, i % 2] = x[0, :1]\n    z[:, 1:][i % 2, i - 1] += "
       "1\n    w = torch.zeros(2, 4, 3, 4)\n    w[:, i, i % 3, i] = z[:, :1]\n    w[..., i % 3, "
       "i] += x[0, 0]\n    return z, w",
       {floats({2, 4}), places({3}, {3, 0, 1})}},
      {"def f(x, i, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    z = x * 2\n    z[:, "
       "i, i - 3] = y\n    z[i % 2, i] *= y[0, 0]\n    (z ** 3).sum().backward()\n    return "
       "x.grad, y.grad",
       {floats({2, 3, 3}), places({2}, {2, 0}), floats({1, 2})}},
      {"def f(x, i, y):\n    z = x.clone()\n    z.index_put_((i,), y, accumulate=True)\n    return "
       "z, "
       "x.index_put((i[:1],), y[0]), torch.index_put(x, (i, i), y[0, 0], accumulate=True)",
       {floats({4, 5}), places({6}, six), floats({6, 1})}},
      {"def f(x, i, y):\n    z = x.clone()\n    z.index_add_(0, i, y)\n    z.index_copy_(0, i[:2], "
       "y[:2])\n    z.index_fill_(1, i[:1], 4)\n    z.scatter_(1, i.view(1, 6)[:, :4], 9.0)\n    "
       "z.scatter_add_(0, i.view(2, 3), y[:2, :3])\n    return z",
       {floats({4, 5}), places({6}, six), floats({6, 5})}},
      {"def f(x, i):\n    z = (x * 4).long()\n    z[i] = 3\n    b = x > 0\n    b[i] = x[i] > 1\n   "
       " h = "
       "x.half()\n    h[i] = 0.25\n    return z, b, h, x.double().index_fill(0, i, 2)",
       {floats({4, 3}), places({2}, {1, 3})}},
      {"def f(x, i):\n    z = x.clone()\n    z[i] = x[0]\n    z[i] = x[:1, :1]\n    return z",
       {floats({4, 3}), places({}, {2})}},
      {"def f(x, i):\n    y = torch.exp(x)\n    a = y.sum()\n    y[i] = 0\n    b = y.sum()\n    "
       "y[1:].mul_(2)\n    return a, b, y",
       {floats({4, 3}), places({2}, {2, 0})}},
      {"def f(x, i, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    z = torch.sin(x)\n    "
       "z[i] = "
       "y\n    (z ** 2).sum().backward()\n    return x.grad, y.grad",
       {floats({4, 3}), places({2}, {-2, 0}), floats({3})}},
      {"def f(x, i, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    z = x * 3\n    z[:, "
       "i] += "
       "y\n    z[i, i] = y[:, 0]\n    (z ** 3).sum().backward()\n    return x.grad, y.grad",
       {floats({3, 3}), places({2}, {2, 0}), floats({1, 2})}},
      {"def f(x, i, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    z = torch.sin(x)\n    "
       "z[i] = y\n    w = z.index_put((i,), y[0], accumulate=True)\n    u = "
       "torch.index_copy(w, "
       "1, i, y[:1].expand(3, 2)) + w.index_fill(0, i, 2)\n    (u ** 2).sum().backward()\n    "
       "return x.grad, y.grad",
       {floats({3, 2}), places({2}, {1, 0}), floats({2, 2})}},
      {"def f(x, i, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    (torch.scatter(x * x, "
       "1, "
       "i, y) ** 2).sum().backward()\n    return x.grad, y.grad",
       {floats({2, 4}), places({2, 3}, {3, 0, 2, 1, 0, 2}), floats({2, 3})}},
      {"def f(x, i):\n    x.requires_grad_()\n    y = F.embedding(i, x, padding_idx=0, "
       "scale_grad_by_freq=True)\n    (y ** 2).sum().backward()\n    return y, x.grad",
       {floats({4, 2}), places({3, 2}, {3, 1, 3, 3, 0, 1})}},
      // Rows that are longer than they may be are shortened where they are read.
      {"def f(x, i): return F.embedding(i, x.clone(), max_norm=1.5), F.embedding(i, x + 1, "
       "max_norm=2.0, norm_type=1.0)",
       {floats({4, 8}), places({2, 3}, six)}},
      {"def f(x, i):\n    w = x * 1\n    y = F.embedding(i, w, 1, 2.0, 3.0)\n    return y, w",
       {floats({4, 8}), places({6}, six)}},
      // Padding.
      {"def f(x): return F.pad(x, (1, 2)), F.pad(x, (0, 1, 2, 0), value=1.5), F.pad(x, (-1, 1, 0, "
       "-1))",
       {floats({2, 3, 4})}},
      {"def f(x): return F.pad(x, (1, 2), mode='reflect'), F.pad(x, (2, 0, 1, 1), 'replicate'), "
       "F.pad(x, (3, 1), mode='circular')",
       {floats({2, 3, 4})}},
      {"def f(x): return nn.ZeroPad2d(1)(x), nn.ReflectionPad2d((1, 2, 0, 1))(x), "
       "nn.ReplicationPad1d(2)(x[0]), nn.ConstantPad2d((1, 0, 0, 1), 3.5)(x), "
       "nn.ConstantPad1d(1, -1)(x[0]), nn.ReflectionPad1d(2)(x[0]), nn.ReplicationPad2d(1)(x)",
       {floats({2, 2, 3, 4})}},
      {"def f(x):\n    x.requires_grad_()\n    a = F.pad(x, (1, 2), mode='reflect') ** 2\n    b = "
       "F.pad(x, (1, 1, 2, 0)) ** 3\n    (a.sum() + b.sum() + F.pad(x, (2, 3), "
       "mode='replicate').sum()).backward()\n    return x.grad",
       {floats({2, 3, 4})}},
      // Lists of ints, and ints in addition to an index; the ints are applied first.
      {"def f(x): return x[[0, 2]], x[..., [-1, 0]], x[:, [1, 1, 0], None], x[[3]], x[[]]",
       {floats({4, 3})}},
      {"def f(x):\n    k = [2, 0]\n    return x[k, [1, 1]], x[(1, 2)], x[range(2)], x[:, [[0, 1], "
       "[2, 0]]], x[(1, 2), :]",
       {floats({4, 3})}},
      {"def f(x):\n    z = x * 2\n    z[..., [0, 2]] *= 3\n    z[[0, -1]] = 1\n    z[[1, 2], [0, "
       "1]] += 5\n    return z",
       {floats({4, 3})}},
      {"def f(x, w):\n    z = x * 2\n    z[:, [1, 0]] += w\n    z[:, [2, 0]] -= x[:, [0, 1]]\n    "
       "return z",
       {floats({4, 3}), floats({2})}},
      {"def f(x):\n    x.requires_grad_()\n    z = x * x\n    z[[0, 2]] *= 3\n    (z[:, [0, 0]] "
       "** 2).sum().backward()\n    return x.grad",
       {floats({4, 3})}},
      {"def f(x, i): return x[0, :, i], x[i, :, 1], x[i, 0, i], x[:, 1, None, i], x[..., i, -1]",
       {floats({2, 3, 4}), places({2}, {1, 0})}},
      {"def f(x, i):\n    z = x * 1\n    z[0, :, i] = 2\n    z[i, 1] += 3\n    z[1, i, i] *= "
       "2\n    return z",
       {floats({2, 3, 4}), places({2}, {1, 0})}},
      // Masks: what is written where they hold.
      {"def f(x, w):\n    z = x * 1\n    z[x > 0] *= 2\n    z[z < -1] = z.mean()\n    z[x[:, 0] "
       "> 0] = w\n    z[:, w > 0] -= 1\n    z[1:][x[1:] > 1] = 0.5\n    return z",
       {floats({4, 3}), floats({3})}},
      {"def f(x, m):\n    z = x * 1\n    z[m.bool()] /= 4\n    z[m.bool()[:, 0], 1] = 9\n    "
       "z[..., m.bool()[0]] += 1\n    y = (x * 4).long()\n    y[m.bool()] = 3\n    return z, y",
       {floats({2, 3}), places({2, 3}, {1, 0, 1, 0, 0, 1})}},
      {"def f(x):\n    x.requires_grad_()\n    z = x * 1\n    z[x > 0] **= 0.5\n    z[x < "
       "-1] = x.mean()\n    z.sum().backward()\n    return x.grad",
       {floats({4, 3})}},
      {"def f(x, y):\n    x.requires_grad_()\n    ((x * y) ** 2).sum().backward()\n    n = "
       "torch.nn.utils.clip_grad_norm_([x], 1.5)\n    return x.grad * 1, n",
       {floats({4, 3}), floats({3})}},
      {"def f(x, y):\n    x.requires_grad_()\n    ((x * y) ** 2).sum().backward()\n    "
       "torch.nn.utils.clip_grad_value_([x], 0.5)\n    return x.grad * 1",
       {floats({4, 3}), floats({3})}},
      // Gradients: duplicates add up.
      {"def f(x, i):\n    x.requires_grad_()\n    (x[i] ** 2).sum().backward()\n    return x.grad",
       {floats({4, 6}), places({6}, six)}},
      {"def f(x, i):\n    x.requires_grad_()\n    (x[:, i] ** 3).sum().backward()\n    return "
       "x.grad",
       {floats({2, 4, 3}), places({2, 3}, six)}},
      {"def f(x, i):\n    x.requires_grad_()\n    (F.embedding(i, x, padding_idx=3) ** "
       "2).sum().backward()\n    return x.grad",
       {floats({4, 6}), places({2, 3}, six)}},
      {"def f(x, i):\n    x.requires_grad_()\n    torch.gather(torch.exp(x), 1, "
       "i).sum().backward()\n    return x.grad",
       {floats({2, 4}), places({2, 3}, six)}},
      {"def f(x, i, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    (torch.scatter_add(x, "
       "1, i, y) ** 2).sum().backward()\n    return x.grad, y.grad",
       {floats({2, 4}), places({2, 3}, six), floats({2, 3})}},
      {"def f(x, i, y):\n    x.requires_grad_()\n    y.requires_grad_()\n    (torch.index_add(x, "
       "0, i, y) ** 2).sum().backward()\n    return x.grad, y.grad",
       {floats({4, 3}), places({6}, six), floats({6, 3})}},
      {"def f(x, i):\n    x.requires_grad_()\n    (x[i][i] ** 2).sum().backward()\n    return "
       "x.grad",
       {floats({6, 3}), places({6}, six)}},
  };
}

class Indexing : public testing::Test {
 protected:
  std::string errorOf(const std::string& text, const std::vector<Tensor>& inputs,
                      const char* executor = "static") {
    try {
      makeExecutor(executor, fixture_.backend(), parseProgram(text))->call(inputs);
    } catch (const ProgramError& error) {
      return error.what();
    }
    return "no error";
  }
  Tensor indexOf(const std::vector<double>& values, DType dtype = DType::int64) {
    return fixture_.typed(dtype, {static_cast<std::int64_t>(values.size())}, values);
  }

  EngineFixture fixture_;
};

TEST_F(Indexing, EveryExecutorGivesTheReferencesValues) {
  // A compiler that makes a process of each kernel takes its time: there some stand for all.
  const std::size_t step = fixture_.backend().traits().isSynchronous ? 1 : 4;
  const std::vector<TorchCase> cases = indexCases();
  for (std::size_t c = 0; c < cases.size(); c += step) {
    const TorchCase& each = cases[c];
    const std::vector<Tensor> inputs = tensorsOf(fixture_, each);
    expectAsReference(fixture_, each.text, inputs, hintsOf(each.text, inputs));
  }
}

TEST_F(Indexing, ValuesAreThoseOfPyTorch) {
  if (!fixture_.backend().traits().isSynchronous) GTEST_SKIP() << "the CPU's values are compared";
  const std::string python = test::pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  EXPECT_EQ(complaintsOfTorch(fixture_, python, indexCases()), "");
}

TEST_F(Indexing, APlaceThatIsOutsideIsAnErrorInEveryExecutor) {
  const std::vector<Tensor> inputs{fixture_.random({4, 3}), indexOf({0, 4, 1})};
  const std::vector<Tensor> before{fixture_.random({4, 3}), indexOf({0, -1, 1})};
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    SCOPED_TRACE(std::string(info.name));
    const std::string name(info.name);
    EXPECT_THAT(errorOf("def f(x, i): return x[i]", inputs, name.c_str()),
                HasSubstr("x[i]: index 4 is out of bounds for dimension 0"));
    EXPECT_THAT(errorOf("def f(x, i): return x[i]", before, name.c_str()), "no error");
    EXPECT_THAT(errorOf("def f(x, i): return torch.index_select(x, 0, i)", before, name.c_str()),
                HasSubstr("index_select: index -1 is out of bounds for dimension 0"));
    EXPECT_THAT(errorOf("def f(x, i): return F.embedding(i, x)", before, name.c_str()),
                HasSubstr("embedding: index -1 is out of bounds for dimension 0 with size 4"));
    EXPECT_THAT(
        errorOf("def f(x, i): return torch.index_add(x, 0, i, x[:3])", inputs, name.c_str()),
        HasSubstr("index_add: index 4 is out of bounds"));
  }
  EXPECT_THAT(errorOf("def f(x, i): return x[i]", {inputs[0], indexOf({1, -5, 4})}),
              HasSubstr("index 4 is out of bounds"));
  EXPECT_THAT(errorOf("def f(x, i): return x[i]", {inputs[0], indexOf({1, -6, 4})}),
              HasSubstr("index -6 is out of bounds"));
  EXPECT_THAT(errorOf("def f(x, i): return x[i]", {inputs[0], indexOf({9.2e18})}),
              HasSubstr("is out of bounds for dimension 0"));
  EXPECT_THAT(errorOf("def f(x, i): return x[i]", {fixture_.tensor({0, 3}, {}), indexOf({0})}),
              HasSubstr("has no elements"));
  // An element outside is never read. The check's result encodes the worst place outside.
  EXPECT_EQ(outsidePlace(2 * 7 + 2), 7);
  EXPECT_EQ(outsidePlace(5), -3);
}

TEST_F(Indexing, AnErrorNamesItsLine) {
  try {
    makeExecutor("dynamic", fixture_.backend(),
                 parseProgram("def f(x, i):\n    y = x * 2\n    return y[i]"))
        ->call(std::vector<Tensor>{fixture_.random({4, 3}), indexOf({5})});
    FAIL();
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.place().line, 3);
  }
}

TEST_F(Indexing, WhatIsNoIndexIsRefusedAsInPyTorch) {
  const Tensor x = fixture_.random({4, 3});
  const Tensor truths = fixture_.typed(DType::boolean, {4}, {1, 0, 0, 1});
  EXPECT_THAT(errorOf("def f(x, i): return x[i]", {x, fixture_.random({3})}),
              HasSubstr("an index is of int64 or int32, and this one is of float32"));
  EXPECT_THAT(errorOf("def f(x, i): return x[i]", {x, truths}), HasSubstr("torch.where"));
  EXPECT_THAT(errorOf("def f(x, i): return x[x > 0]", {x, truths}), HasSubstr("torch.where"));
  EXPECT_THAT(errorOf("def f(x, i): return torch.index_select(x, 0, i)",
                      {x, fixture_.typed(DType::int64, {1, 1}, {0})}),
              HasSubstr("an index of one dimension"));
  EXPECT_THAT(errorOf("def f(x, i): return torch.gather(x, 0, i)", {x, indexOf({0})}),
              HasSubstr("does not fit into shape"));
  EXPECT_THAT(errorOf("def f(x, i): return x[i, None, i]", {x, indexOf({0})}), HasSubstr("slices"));
  EXPECT_THAT(errorOf("def f(x, i): return torch.index_select(x, 2, i)", {x, indexOf({0})}),
              HasSubstr("no dimension 2"));
  EXPECT_THAT(errorOf("def f(x, i): return torch.index_add(x, 0, i, x)", {x, indexOf({0})}),
              HasSubstr("the added value has shape"));
}

TEST_F(Indexing, WhatAListOrAMaskCannotSayIsRefusedWithARemedy) {
  const std::vector<Tensor> inputs{fixture_.random({4, 3}), indexOf({0})};
  const auto of = [&](const std::string& item) {
    return errorOf("def f(x, i): return x[" + item + "]", inputs);
  };
  EXPECT_THAT(of("[True, False, True, False]"), HasSubstr("which are [0, 2]"));
  EXPECT_THAT(of(":, [False, False, True]"), HasSubstr("which are [2]"));
  EXPECT_THAT(of("[0, 0.5]"),
              HasSubstr("a list as an index must contain ints, but found a number"));
  EXPECT_THAT(of("[0, True]"), HasSubstr("a list as an index must contain ints"));
  EXPECT_THAT(of("[i, i]"), HasSubstr("torch.stack((i, j))"));
  EXPECT_THAT(of("[[0, 1], [2, 3]]"), HasSubstr("x[[0, 1], [2, 3]] for pairs"));
  EXPECT_THAT(of(":, [[0, 1], [2]]"), HasSubstr("equal length"));
  EXPECT_THAT(of("True"), HasSubstr("x[None] for x[True]"));
  EXPECT_THAT(of("x > 0"), HasSubstr("how many dimensions this mask has is not known here"));
  EXPECT_THAT(of("[0, 7]"), HasSubstr("index 7 is out of bounds for dimension 0"));
  const auto writing = [&](const std::string& line) {
    return complaintOf(fixture_, "static",
                       "def f(x, i):\n    z = x * 1\n    " + line + "\n    return z", inputs);
  };
  EXPECT_THAT(writing("z[x > 0] = x"), HasSubstr("one value for all elements"));
  EXPECT_THAT(writing("z[x > 0] += x[0]"), HasSubstr("one value for all elements"));
  EXPECT_THAT(writing("z[i, x[0] > 0] = 1"), HasSubstr("next to a mask"));
  const std::string other = "def f(x, i):\n    x[x[:3] > 0] = 1\n    return x";
  EXPECT_THROW(parseProgram(other, hintsOf(other, inputs)), ProgramError);
}

TEST_F(Indexing, AnIndexMayBeOfInt32ButNotOfBytes) {
  const Tensor x = fixture_.random({4, 3});
  const std::string text =
      "def f(x, i):\n    z = x[i] * 2\n    x[i] = 1\n    x[:, i[:1]] += 2\n    x[i, i - 1] *= "
      "3\n    return z, x";
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    std::vector<std::vector<double>> results;
    for (const DType dtype : {DType::int64, DType::int32}) {
      const std::vector<Tensor> inputs{fixture_.random({4, 3}), indexOf({2, 1}, dtype)};
      const auto executor =
          makeExecutor(info.name, fixture_.backend(), parseProgram(text, hintsOf(text, inputs)));
      for (const Tensor& result : executor->call(inputs))
        results.push_back(EngineFixture::values(result));
    }
    EXPECT_EQ(results[0], results[2]) << info.name;
    EXPECT_EQ(results[1], results[3]) << info.name;
  }
  const std::vector<Tensor> bytes{x, indexOf({1, 0}, DType::uint8)};
  EXPECT_THAT(errorOf("def f(x, i): return x[i]", bytes),
              HasSubstr("which PyTorch takes for a mask; for places write .long()"));
  EXPECT_THAT(errorOf("def f(x, i): return torch.index_select(x, 0, i)", bytes),
              HasSubstr("make integers of it with .long()"));
}

TEST_F(Indexing, AMaskThatIsGivenIsOneOnceItsDtypeIsKnown) {
  const std::vector<Tensor> inputs{fixture_.random({4, 3}),
                                   fixture_.typed(DType::boolean, {4}, {1, 0, 0, 1})};
  const std::string text = "def f(x, m):\n    x[m] = 0\n    x[m, 1] += 2\n    return x * 2";
  expectWritten(fixture_, text, inputs);
  expectAsReference(fixture_, text, inputs, hintsOf(text, inputs));
}

TEST_F(Indexing, WritesGoToTheTensorThatIsGiven) {
  const std::vector<Tensor> inputs{fixture_.random({4, 6}), indexOf({2, 0, 2}),
                                   fixture_.random({3, 6}, 5)};
  for (const char* body :
       {"x[i] = y\n    return x * 2", "x[i] += y\n    x[1:, i] = 0.5\n    return x.sum()",
        "x.T[i] = 1\n    x[:, 2:][i] = y[:, :4]\n    return x",
        "a = x[i]\n    x[i] = a * 2\n    x.index_put_((i,), a, accumulate=True)\n    return a",
        "x[i, i] = 3\n    x.index_add_(0, i, y)\n    x[x > 1] = -1\n    return x",
        "x[[0, 2]] *= 3\n    x[:, [1]] = 7\n    x[x > 1] *= 2\n    x[1, [0, 3]] -= 1\n    return "
        "x"})
    expectWritten(fixture_, std::string("def f(x, i, y):\n    ") + body, inputs);
}

TEST_F(Indexing, WritesThatCannotBeAreRefusedAsInPyTorch) {
  const std::vector<Tensor> inputs{fixture_.random({4, 3}), indexOf({0, 4, 1})};
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    SCOPED_TRACE(std::string(info.name));
    const auto of = [&](const std::string& line) {
      return errorOf("def f(x, i):\n    z = x * 1\n    " + line + "\n    return z", inputs,
                     std::string(info.name).c_str());
    };
    EXPECT_THAT(of("z[i] = 2"), HasSubstr("x[i]: index 4 is out of bounds for dimension 0"));
    EXPECT_THAT(of("z[:, i] += 2"), HasSubstr("x[i]: index 4 is out of bounds for dimension 1"));
    EXPECT_THAT(of("z.index_copy_(0, i, z[:3] + 1)"),
                HasSubstr("index_copy: index 4 is out of bounds"));
    EXPECT_THAT(of("z[i * 0] = z[1:]"), HasSubstr("single memory location"));
    EXPECT_THAT(of("z[i * 0] = z[:1, :1]"), HasSubstr("single memory location"));
    EXPECT_THAT(of("z[i * 0] = x[:2]"), HasSubstr("the written value has shape (2, 3)"));
    EXPECT_THAT(of("z[i * 0] = x.double()[:3]"), HasSubstr("writes float64 to float32; cast one"));
    EXPECT_THAT(of("z.expand(2, 4, 3)[i * 0] = 1"), HasSubstr("more than one element"));
  }
  const std::string pairs = "def f(x, i):\n    z = x * 1\n    z[i * 0, i] = 2\n    return z";
  EXPECT_THROW(
      makeExecutor("static", fixture_.backend(), parseProgram(pairs, hintsOf(pairs, inputs)))
          ->call(inputs),
      ProgramError);
  EXPECT_THAT(errorOf("def f(x, i):\n    x[x > 0] = x[i]\n    return x", inputs),
              HasSubstr("torch.where"));
  EXPECT_THAT(errorOf("def f(x, i):\n    x.requires_grad_()\n    x[i] = 1\n    return x", inputs),
              HasSubstr("leaf"));
}

TEST_F(Indexing, TheLastOfSeveralForOnePlaceStays) {
  const std::vector<Tensor> inputs{fixture_.tensor({3, 1}, {1, 2, 3}), indexOf({1, 0, 1}),
                                   fixture_.tensor({3, 1}, {10, 20, 30})};
  for (const ExecutorInfo& info : executorsOn(fixture_.backend()))
    EXPECT_THAT(EngineFixture::values(fixture_.run(
                    std::string(info.name).c_str(),
                    "def f(x, i, y):\n    z = x * 1\n    z[i] = y\n    return z", inputs)[0]),
                ElementsAre(20, 30, 3))
        << info.name;
}

TEST_F(Indexing, WhatIsWrittenByAnIndexIsPrintedSo) {
  const std::string text =
      "def f(x, i):\n    z = x * 2\n    z[:, i] = x[:, :2]\n    z.index_put_((i,), x[0], "
      "accumulate=True)\n    z.index_copy_(0, i, x[:2])\n    return z\n";
  const std::vector<Tensor> inputs{fixture_.random({4, 3}), indexOf({0, 1})};
  const std::string printed = toText(parseProgram(text, hintsOf(text, inputs)));
  EXPECT_THAT(printed, HasSubstr("z[:, i] = x[:, :2]"));
  EXPECT_THAT(printed, HasSubstr("z.index_put_((i,), x.select(0, 0), accumulate=True)"));
  EXPECT_THAT(printed, HasSubstr("z.index_copy_(0, i, x[:2])"));
  EXPECT_EQ(toText(parseProgram(printed, hintsOf(printed, inputs))), printed);
}

TEST_F(Indexing, ReadingFusesWithWhatIsOnEitherSide) {
  const Program program =
      parseProgram("def f(x, i): return torch.exp(x[(i + 1) % 8]) * 2 + torch.sin(x[i])");
  const std::vector<Tensor> inputs{fixture_.random({8}), indexOf({1, 7, 3})};
  // The plan is of the program that its executor holds.
  const auto fused = makeExecutor("static", fixture_.backend(), program);
  const Plan plan = fused->plan(inputs);
  // The checks of both indices, and all else.
  EXPECT_LE(plan.steps.size(), 2u) << toText(plan, symbolsOf(plan, inputs));
  const auto eager = makeExecutor("eager", fixture_.backend(), program);
  const Plan apart = eager->plan(inputs);
  EXPECT_EQ(apart.steps.size(), 10u) << toText(apart, symbolsOf(apart, inputs));
}

TEST_F(Indexing, ATableIsReadAsMuchAsThereAreRowsRead) {
  const Program program = parseProgram("def f(x, i): return torch.embedding(x, i) * 2");
  const std::vector<Tensor> inputs{fixture_.random({1000, 16}), indexOf({1, 7, 3, 3})};
  // The plan is of the program that its executor holds.
  const auto fused = makeExecutor("static", fixture_.backend(), program);
  const Plan plan = fused->plan(inputs);
  const std::vector<StepCost> costs = costsOf(plan, symbolsOf(plan, inputs));
  const StepCost& read = costs.back();
  EXPECT_EQ(read.bytes.read, 4 * 16 * 4 + 4 * 8);
  EXPECT_EQ(read.bytes.written, 4 * 16 * 4);
  EXPECT_EQ(read.flops, 4 * 16);
  EXPECT_EQ(costs.front().flops, 0);
}

TEST_F(Indexing, SizesMayChangeWithoutBeingCompiledAnew) {
  const auto executor = makeExecutor(
      "dynamic", fixture_.backend(),
      parseProgram("def f(x, i, y): return torch.relu(x[i] + y), torch.index_add(x, 0, i, y)"));
  for (const std::int64_t rows : {5, 9, 40}) {
    const std::vector<Tensor> inputs{fixture_.random({rows, 7}, 3),
                                     indexOf({static_cast<double>(rows) - 1, 0, 2}),
                                     fixture_.random({3, 7}, 4)};
    const auto results = executor->call(inputs);
    const std::vector<double> x = EngineFixture::values(inputs[0]);
    const std::vector<double> y = EngineFixture::values(inputs[2]);
    const std::vector<double> got = EngineFixture::values(results[0]);
    EXPECT_FLOAT_EQ(static_cast<float>(got[0]),
                    std::max(0.0F, static_cast<float>(x[static_cast<std::size_t>(rows - 1) * 7]) +
                                       static_cast<float>(y[0])));
  }
  EXPECT_EQ(executor->statistics().compiles.size(), 1u);
}

TEST_F(Indexing, AWeightIsShortenedWhereItsRowsAreRead) {
  const std::vector<Tensor> inputs{fixture_.random({5, 4}, 1, 3.0F), indexOf({2, 0, 2})};
  expectWritten(fixture_, "def f(x, i): return F.embedding(i, x, max_norm=1.0)", inputs);
}

TEST_F(Indexing, ATablesPaddingRowBeginsAsZeros) {
  const Program program = parseProgram(
      "import torch.nn as nn\nclass Net(nn.Module):\n    def __init__(self):\n        "
      "super().__init__()\n        self.words = nn.Embedding(10, 4, padding_idx=-2, "
      "max_norm=1.0)\n    def forward(self, i):\n        return self.words(i)\n");
  EXPECT_EQ(program.held.at(0).initial.zeroRow, 8);
  const auto errorOfOption = [](const std::string& option) {
    try {
      parseProgram("import torch.nn as nn\nm = nn.Embedding(10, 4, " + option +
                   ")\ndef f(i):\n    return m(i)\n");
    } catch (const ProgramError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(errorOfOption("sparse=True"), HasSubstr("gradients are dense"));
  EXPECT_EQ(errorOfOption("scale_grad_by_freq=True"), "no error");
  EXPECT_THAT(errorOfOption("padding_idx=10"), HasSubstr("names a row"));
}

TEST_F(Indexing, AConvolutionIsPaddedAsItsModeSays) {
  const std::string text =
      "import torch.nn as nn\nimport torch.nn.functional as F\nclass Net(nn.Module):\n    def "
      "__init__(self):\n        super().__init__()\n        self.a = nn.Conv2d(2, 3, 3, "
      "padding=(1, "
      "2), padding_mode='circular', bias=False)\n    def forward(self, x):\n        return "
      "self.a(x) - F.conv2d(F.pad(x, (2, 2, 1, 1), mode='circular'), self.a.weight)\n";
  const std::vector<Tensor> inputs{fixture_.random({1, 2, 5, 6}), fixture_.random({3, 2, 3, 3})};
  const std::vector<std::pair<std::string, ValueType>> known{
      {"x", {Shape{1, 2, 5, 6}, DType::float32}}};
  const ProgramHints hints{known.begin(), known.end()};
  const auto executor = makeExecutor("static", fixture_.backend(), parseProgram(text, hints));
  const Tensor result = executor->call(inputs)[0];
  EXPECT_EQ(result.shape, (Shape{1, 3, 5, 8}));
  for (const double value : EngineFixture::values(result)) EXPECT_EQ(value, 0);
  const auto wide = [&](const std::string& mode) {
    try {
      makeExecutor(
          "static", fixture_.backend(),
          parseProgram("def f(x): return F.pad(x, (7, 0, 0, 0), mode='" + mode + "')", hints))
          ->call(std::span(inputs).first(1));
    } catch (const ProgramError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(wide("reflect"), HasSubstr("less than the dimension's extent"));
  EXPECT_THAT(wide("circular"), HasSubstr("at most the dimension's extent"));
  EXPECT_THAT(wide("wrap"), HasSubstr("'constant', 'reflect', 'replicate' or 'circular'"));
  EXPECT_EQ(wide("replicate"), "no error");
}

TEST_F(Indexing, AModuleHoldsItsTable) {
  const Program program = parseProgram(
      "import torch.nn as nn\nclass Net(nn.Module):\n    def __init__(self):\n        "
      "super().__init__()\n        self.words = nn.Embedding(10, 4)\n        self.out = "
      "nn.Linear(4, 3)\n    def forward(self, i):\n        return "
      "self.out(self.words(i).mean(dim=1))\n");
  ASSERT_EQ(program.held.size(), 3u);
  EXPECT_EQ(program.held[0].initial.extents, (Shape{10, 4}));
  EXPECT_EQ(program.held[0].initial.kind, InitialValues::Kind::normal);
}

}  // namespace
}  // namespace fusebench
