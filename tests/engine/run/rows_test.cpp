// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that reduce rows and use the results within the same launch.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tests/engine/support/expect_reference.h"
#include "tests/engine/support/row_checks.h"

namespace fusebench {
namespace {

using test::RowCase;
using test::rowCases;
using test::rowInputs;
using test::rowProgram;

constexpr float kNoEnd = std::numeric_limits<float>::infinity();
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

class RowLaunches : public testing::Test {
 protected:
  std::uint64_t launchesOf(const std::string& executor, const std::string& text,
                           const std::vector<Tensor>& inputs) {
    const auto made = fixture_.executor(executor, text);
    made->call(inputs);
    const std::uint64_t before = fixture_.backend().launches();
    made->call(inputs);
    return fixture_.backend().launches() - before;
  }
  EngineFixture fixture_;
};

TEST_F(RowLaunches, AreOneEach) {
  for (const RowCase& row : rowCases())
    for (const char* executor : {"static", "dynamic", "static+replay"})
      EXPECT_EQ(launchesOf(executor, rowProgram(row, 40), rowInputs(fixture_, {12, 40})), 1u)
          << row.name << " on " << executor;
}

TEST_F(RowLaunches, ComputeWhatTheReferenceSays) {
  test::expectRowCases(fixture_, {12, 40}, {"static", "dynamic", "replay", "static+replay"});
}

TEST_F(RowLaunches, OfRowsOfAnyLength) {
  for (const std::int64_t length :
       {1, 2, 4, 7, 8, 12, 16, 24, 40, 63, 64, 65, 127, 129, 1000, 4099})
    test::expectRowCases(fixture_, {3, length}, {"static", "dynamic"});
  test::expectRowCases(fixture_, {2, 5, 33}, {"static", "dynamic"});
  test::expectRowCases(fixture_, {1, 300}, {"static", "dynamic"});
  test::expectRowCases(fixture_, {300}, {"static", "dynamic"});
}

/// Logarithms of negative numbers leave the usual way, in vectors of a row and in fewer lanes of
/// what a row adds up to.
TEST_F(RowLaunches, MindRareValuesOfElementsAndOfWhatTheyAddUpTo) {
  const std::string text =
      "y = torch.log(x)\nz = torch.log(torch.sum(x, -1, keepdim=True))\n"
      "return torch.where(x < 0, z, y), torch.log(torch.sum(torch.log(x * x), -1)), y * z";
  for (const std::int64_t length : {5, 8, 24, 64, 200}) {
    const Tensor input = fixture_.random({9, length}, 3);
    const auto expected =
        evaluateReference(parseProgram(text), {{EngineFixture::reference(input)}});
    for (const char* executor : {"static", "dynamic"}) {
      const auto got = fixture_.run(executor, text, {input});
      for (std::size_t o = 0; o < got.size(); ++o)
        EXPECT_LT(relativeError(expected[o], EngineFixture::values(got[o])), 1e-5)
            << executor << ' ' << o << " of " << length;
    }
  }
}

TEST_F(RowLaunches, OfALossAddUpWhatThereIsOfAllRows) {
  const std::vector<std::int64_t> sizes{2, 12, 300};
  for (const std::int64_t rows : sizes) {
    std::vector<double> classes;
    for (std::int64_t row = 0; row < rows; ++row)
      classes.push_back(static_cast<double>(row * 7 % 40));
    classes[1] = -100;  // left out
    const std::vector<Tensor> inputs{fixture_.random({rows, 40}),
                                     fixture_.typed(DType::int64, {rows}, classes)};
    for (const char* body :
         {"return F.cross_entropy(x, t)", "return F.cross_entropy(x, t, reduction='sum') * 2 + 1",
          "p = torch.log_softmax(x, -1)\n  m = p.amax(-1)\n  return m.mean(), m * 2"}) {
      const std::string text = std::string("def f(x, t):\n  ") + body + "\n";
      const ProgramHints hints = hintsOf(text, inputs);
      expectAsReference(fixture_, text, inputs, hints);
      for (const char* name : {"static", "dynamic"}) {
        const auto executor = makeExecutor(name, fixture_.backend(), parseProgram(text, hints));
        executor->call(inputs);
        const std::uint64_t before = fixture_.backend().launches();
        executor->call(inputs);
        // Two more check that the classes are some.
        const unsigned checks = text.find("cross_entropy") == std::string::npos ? 0 : 2;
        EXPECT_EQ(fixture_.backend().launches() - before,
                  checks + (fixture_.backend().traits().runsTotals ? 1u : 2u))
            << name << " of " << body;
      }
    }
  }
}

/// Rows whose class is to be ignored cost nothing and do not count.
TEST_F(RowLaunches, OfALossLeaveOutRowsWithoutAClass) {
  const std::int64_t rows = 6, count = 5;
  const std::vector<double> classes{3, -100, 0, -100, -100, -100};
  std::vector<float> values(static_cast<std::size_t>(rows * count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7 % 11) * 0.5f;
  values[static_cast<std::size_t>(count)] = kNoNumber;  // in a row that is left out
  const auto cost = [&](std::size_t row, std::size_t chosen) {
    double sum = 0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(count); ++c)
      sum += std::exp(static_cast<double>(values[row * static_cast<std::size_t>(count) + c]));
    return std::log(sum) -
           static_cast<double>(values[row * static_cast<std::size_t>(count) + chosen]);
  };
  const std::vector<float> weight{0.5f, 1, 2, 3, 4};
  const std::vector<Tensor> inputs{fixture_.tensor({rows, count}, values),
                                   fixture_.typed(DType::int64, {rows}, classes),
                                   fixture_.tensor({count}, weight)};
  const double one = cost(0, 3), other = cost(2, 0);
  const auto expect = [&](const char* body, const std::vector<double>& expected) {
    const std::string text = std::string("def f(x, t, w):\n  return ") + body + "\n";
    const Program program = parseProgram(text, hintsOf(text, inputs));
    for (const auto& executor : executorsOn(fixture_.backend())) {
      const auto got = EngineFixture::values(
          makeExecutor(executor.name, fixture_.backend(), program)->call(inputs)[0]);
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], expected[i], 1e-6) << body << " on " << executor.name << ": " << i;
    }
  };
  expect("F.cross_entropy(x, t, reduction='none')", {one, 0, other, 0, 0, 0});
  expect("F.cross_entropy(x, t, reduction='sum')", {one + other});
  expect("F.cross_entropy(x, t)", {(one + other) / 2});
  expect("F.cross_entropy(x, t, w)", {(3 * one + 0.5 * other) / 3.5});
  expect("F.nll_loss(x[1:2], t[2:3], ignore_index=0, reduction='sum')", {0});  // the NaN row
  expect("F.cross_entropy(x.t().reshape(1, 5, 6)[:, :, 0:1], t[0:1].view(1, 1))", {one});
}

TEST_F(RowLaunches, OfALossAreOfTheTypeOfItsRows) {
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64})
    for (const char* loss : {"cross_entropy(x, t", "cross_entropy(x, t, w", "nll_loss(x, t, w",
                             "nll_loss(x, t", "cross_entropy(x, t, label_smoothing=0.1"})
      for (const char* reduction : {"none", "sum", "mean"}) {
        const std::string text =
            fmt::format("def f(x, t, w):\n  return F.{}, reduction='{}')\n", loss, reduction);
        const std::vector<Tensor> inputs{fixture_.typed(dtype, {2, 3}, {1, 2, 3, 0, 2, 0}),
                                         fixture_.typed(DType::int64, {2}, {2, 0}),
                                         fixture_.typed(dtype, {3}, {1, 2, 3})};
        const Program program = parseProgram(text, hintsOf(text, inputs));
        const auto made = makeExecutor("static", fixture_.backend(), program);
        EXPECT_EQ(made->call(inputs)[0].dtype, dtype) << text;
      }
}

/// An op that reads a sum over all rows cannot be in the loop over rows that computes this sum.
TEST_F(RowLaunches, EndWhereASumOfAllRowsIsRead) {
  const std::vector<Tensor> inputs{fixture_.random({6, 9})};
  for (const char* body :
       {"p = torch.softmax(x, -1)\n  s = p.amax(-1).sum()\n  return p / s",
        "p = torch.softmax(x, -1)\n  m = p.amax(-1)\n  return m / m.sum(), (m * m).sum().sqrt()",
        "m = torch.softmax(x, -1).amax(-1)\n  return m.sum() + m.mean(), m.amax(), m.std()"})
    expectAsReference(fixture_, std::string("def f(x):\n  ") + body + "\n", inputs);
  for (const Shape& shape : {Shape{1, 9}, Shape{0, 9}, Shape{3, 4, 9}})
    expectAsReference(fixture_, "def f(x):\n  return torch.log_softmax(x, -1).amax(-1).sum()\n",
                      std::vector{fixture_.random(shape)});
}

/// A result that exceeds the caches has the same rows as a smaller one, whichever code stores them.
TEST_F(RowLaunches, AreTheSameWhereTheyAreStoredPastCaches) {
  constexpr std::int64_t kRows = 1 << 13, kLength = 1 << 10;
  std::vector<float> values(static_cast<std::size_t>(kRows * kLength));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i * 2654435761u % 1000) * 0.002f - 1;
  const Tensor x = fixture_.tensor({kRows, kLength}, values);
  values.resize(static_cast<std::size_t>(16 * kLength));
  const Tensor few = fixture_.tensor({16, kLength}, values);
  for (const char* text : {"return torch.softmax(x, -1)", "return x * 2 + 1, torch.exp(x)"}) {
    const auto large = fixture_.executor("static", text), small = fixture_.executor("static", text);
    for (int call = 0; call < 2; ++call) {
      const auto all = large->call(std::vector{x}), first = small->call(std::vector{few});
      for (std::size_t o = 0; o < all.size(); ++o) {
        const auto made = EngineFixture::bytes(all[o]), wanted = EngineFixture::bytes(first[o]);
        EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), made.begin())) << text;
      }
    }
  }
}

TEST_F(RowLaunches, OfNoRowsAreNone) {
  for (const char* executor : {"static", "dynamic"})
    test::expectRows(fixture_, executor, "def f(x, w, b):\n  return torch.softmax(x, -1)\n",
                     rowInputs(fixture_, {0, 5}));
}

TEST_F(RowLaunches, OfEmptyRowsStoreWhatSumsOfNothingAre) {
  for (const char* executor : {"static", "dynamic"})
    test::expectRows(fixture_, executor,
                     "def f(x, w, b):\n  s = x.sum(-1, keepdim=True)\n  return x / s, s * 2 + 1\n",
                     rowInputs(fixture_, {3, 0}));
}

TEST_F(RowLaunches, KeepNanAndInfinitiesToTheirRows) {
  std::vector<float> values;
  for (int row = 0; row < 5; ++row)
    for (int i = 0; i < 37; ++i) values.push_back(static_cast<float>(i % 5) - 2);
  for (std::size_t i = 37; i < 74; ++i) values[i] = -kNoEnd;  // a row of nothing but -inf
  values[2 * 37 + 3] = kNoNumber;
  values[3 * 37 + 36] = kNoEnd;
  values[4 * 37] = -kNoEnd;
  const Tensor x = fixture_.tensor({5, 37}, values), w = fixture_.random({37}, 3);
  for (const RowCase& row : rowCases())
    for (const char* executor : {"static", "dynamic"})
      test::expectRows(fixture_, executor, rowProgram(row, 37), {x, w, w});
  const auto soft = fixture_.run("static", "return torch.softmax(x, -1)", {x});
  const std::vector<double> got = EngineFixture::values(soft[0]);
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_EQ(std::isnan(got[i]), i >= 37 && i < 4 * 37) << i;
}

TEST_F(RowLaunches, OfEveryLayout) {
  const Tensor dense = fixture_.random({24, 24}, 4);
  const Tensor weights = fixture_.random({24}, 5);
  for (const RowCase& row : rowCases())
    for (const char* executor : {"static", "dynamic"}) {
      test::expectRows(fixture_, executor, rowProgram(row, 24),
                       {EngineFixture::transposed(dense), weights, weights});
      test::expectRows(
          fixture_, executor, rowProgram(row, 12),
          {EngineFixture::everySecond(dense), EngineFixture::everySecond(fixture_.random({24}, 6)),
           fixture_.random({12}, 7)});
    }
}

TEST_F(RowLaunches, OfBroadcastRowsAndColumns) {
  const std::vector<Tensor> inputs{fixture_.random({6, 50}), fixture_.random({6, 1}, 2),
                                   fixture_.random({50}, 3)};
  for (const char* body : {"return torch.softmax(x * w + b, -1)",
                           "m = (x * w).mean(-1, keepdim=True)\n  return (x - m) * (w + m), m - w",
                           "m = x.mean(-1, keepdim=True) + w\n  return (x - m) / (b * b + 1), m",
                           "m = (w + b).amax(-1, keepdim=True)\n  return w + m"})
    expectAsReference(fixture_, std::string("def f(x, w, b):\n  ") + body + "\n", inputs);
}

TEST_F(RowLaunches, StayApartWhereTheResultIsNotOfTheSameRow) {
  // In a square, the sum over the last dimension is broadcast along columns, not along rows.
  const std::vector<Tensor> square{fixture_.random({8, 8})};
  expectAsReference(fixture_, "def f(x):\n  return x - x.sum(1)\n", square);
  EXPECT_EQ(launchesOf("static", "return x - x.sum(1)", square), 2u);
  expectAsReference(fixture_, "def f(x):\n  return x - x.sum(0)\n", square);
  expectAsReference(fixture_,
                    "def f(x):\n  m = x.mean(1, keepdim=True)\n  return (x - m).t() + x\n", square);
  EXPECT_EQ(launchesOf("static", "return x - x.sum(1, keepdim=True)", square), 1u);
}

TEST_F(RowLaunches, ServeSeveralReductionsOverSeveralDimensions) {
  const std::vector<Tensor> inputs{fixture_.random({4, 6, 5, 7})};
  expectAsReference(fixture_,
                    "def f(x):\n  m = x.mean((2, 3), keepdim=True)\n  v = x.var((2, 3), "
                    "keepdim=True)\n  return (x - m) / torch.sqrt(v + 0.1)\n",
                    inputs);
  expectAsReference(fixture_, "def f(x):\n  return x / x.sum() + 1\n", inputs);
  expectAsReference(fixture_,
                    "def f(x):\n  a = x.sum((1, 2, 3), keepdim=True)\n  b = x.sum(3, "
                    "keepdim=True)\n  return x * a + b\n",
                    inputs);
}

TEST_F(RowLaunches, BesideWhatIsWrittenInPlaceAreInTheTextsOrder) {
  const std::vector<Tensor> inputs{fixture_.random({9, 33})};
  for (const char* body :
       {"y = x * 1\n  s = y.sum(1, keepdim=True)\n  y += 1\n  return y * s, y",
        "y = x * 1\n  s = y.sum(1, keepdim=True)\n  y[2] = 5\n  z = y * s\n  y *= 2\n  return z, y",
        "y = x * 1\n  y -= y.amax(1, keepdim=True)\n  y.exp_()\n  y /= y.sum(1, keepdim=True)\n"
        "  return y",
        "y = torch.softmax(x, -1)\n  z = x * 1\n  z[:, 3] = y[:, 4]\n  return F.softmax(z, -1), y, "
        "z",
        "y = torch.zeros_like(x)\n  y[1:] = torch.softmax(x, -1)[1:]\n  return y - y.mean(1, "
        "keepdim=True)"})
    expectAsReference(fixture_, std::string("def f(x):\n  ") + body + "\n", inputs);
}

TEST_F(RowLaunches, OfGradientsAreTheReferences) {
  const std::vector<Tensor> inputs{fixture_.random({9, 33}), fixture_.random({33}, 2),
                                   fixture_.random({33}, 3)};
  for (const char* call : {"torch.softmax(x * w, -1) * b", "F.layer_norm(x, (33,), w, b)",
                           "F.rms_norm(x, (33,), w) + b"})
    expectAsReference(fixture_,
                      std::string("def f(x, w, b):\n  loss = torch.square(") + call +
                          ").sum()\n  return torch.autograd.grad(loss, [x, w, b])\n",
                      inputs);
}

TEST_F(RowLaunches, OfOtherTypes) {
  std::vector<double> values;
  for (int i = 0; i < 8 * 21; ++i) values.push_back(i % 13 - 5);
  for (const DType dtype :
       {DType::float16, DType::bfloat16, DType::float64, DType::int32, DType::boolean}) {
    const Tensor x = fixture_.typed(dtype, {8, 21}, values);
    const double tolerance = dtype == DType::float16    ? 4e-3
                             : dtype == DType::bfloat16 ? 3e-2
                                                        : 1e-6;
    std::vector<std::string> bodies{"s = x.sum(-1, keepdim=True)\n  return s + x, s",
                                    "return torch.where(x.any(-1, keepdim=True), x, x)"};
    if (dtype != DType::boolean) bodies.emplace_back("return x == x.amax(-1, keepdim=True)");
    for (const std::string& body : bodies)
      for (const char* executor : {"static", "dynamic"})
        test::expectRows(fixture_, executor, "def f(x):\n  " + body + "\n", {x}, tolerance);
  }
}

}  // namespace
}  // namespace fusebench
