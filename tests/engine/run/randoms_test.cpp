// SPDX-License-Identifier: GPL-3.0-or-later
// Draws in place and from distributions: their first two moments, their ranges, and what is
// refused.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/expect_written.h"

namespace fusebench {
namespace {

constexpr std::int64_t kDraws = 40000;

class Randoms : public testing::Test {
 protected:
  std::vector<double> drawnBy(const std::string& body, const std::string& executor = "static") {
    const std::vector<Tensor> inputs{fixture_.random({8})};
    const std::string text = "def f(x):\n  " + body;
    return EngineFixture::values(
        makeExecutor(executor, fixture_.backend(), parseProgram(text, hintsOf(text, inputs)))
            ->call(inputs)[0]);
  }

  EngineFixture fixture_;
};

struct Distribution {
  const char* body;
  double mean, deviation;
  double low, high;  ///< bounds that the draws keep to
  bool whole = false;
};

TEST_F(Randoms, HaveTheMomentsOfTheirDistributions) {
  const double endless = INFINITY;
  const std::string made = "y = torch.empty(40000)\n  y.";
  for (const Distribution& each : std::vector<Distribution>{
           {"uniform_(-1, 3)", 1, 4 / std::sqrt(12), -1, 3},
           {"normal_(2, 0.5)", 2, 0.5, -endless, endless},
           {"log_normal_(0, 0.5)", std::exp(0.125),
            std::sqrt((std::exp(0.25) - 1) * std::exp(0.25)), 0, endless},
           {"bernoulli_(0.3)", 0.3, std::sqrt(0.21), 0, 1, true},
           {"bernoulli_(torch.full((40000,), 0.8))", 0.8, 0.4, 0, 1, true},
           {"exponential_(2)", 0.5, 0.5, 0, endless},
           {"geometric_(0.25)", 4, std::sqrt(12), 1, endless, true},
           {"random_(2, 10)", 5.5, std::sqrt(63.0 / 12), 2, 9, true},
           {"random_(5)", 2, std::sqrt(2), 0, 4, true},
           {"copy_(torch.normal(torch.full((40000,), -1.0), 2.0))", -1, 2, -endless, endless},
           {"copy_(torch.normal(0.5, torch.full((40000,), 0.1)))", 0.5, 0.1, -endless, endless},
           {"copy_(torch.normal(3.0, 0.2, (40000,)))", 3, 0.2, -endless, endless},
       })
    for (const char* executor : {"eager", "static", "instant"}) {
      SCOPED_TRACE(std::string(executor) + " of " + each.body);
      const std::vector<double> values = drawnBy(made + each.body + "\n  return y", executor);
      ASSERT_EQ(values.size(), static_cast<std::size_t>(kDraws));
      double mean = 0, square = 0;
      for (const double v : values) mean += v / kDraws;
      for (const double v : values) square += (v - mean) * (v - mean) / kDraws;
      // Five standard errors; a deviation is estimated to 5 % for the longest tail here.
      EXPECT_NEAR(mean, each.mean, 5 * each.deviation / std::sqrt(kDraws));
      EXPECT_NEAR(std::sqrt(square), each.deviation, 0.05 * each.deviation);
      EXPECT_GE(*std::ranges::min_element(values), each.low);
      EXPECT_LE(*std::ranges::max_element(values), each.high);
      const auto isWhole = [](double v) { return v == std::floor(v); };
      EXPECT_EQ(std::ranges::all_of(values, isWhole), each.whole);
    }
}

TEST_F(Randoms, CauchysQuartersAreWhereTheyBelong) {
  std::vector<double> values = drawnBy("return torch.empty(40000).cauchy_(1, 2)");
  std::ranges::sort(values);
  EXPECT_NEAR(values[kDraws / 2], 1, 0.1);
  EXPECT_NEAR(values[kDraws / 4], -1, 0.15);
  EXPECT_NEAR(values[kDraws * 3 / 4], 3, 0.15);
}

TEST_F(Randoms, MultinomialDrawsByWeight) {
  for (const char* replacement : {"True", "False"}) {
    SCOPED_TRACE(replacement);
    const std::vector<double> values =
        drawnBy(std::string("w = torch.tensor([1.0, 0.0, 3.0, 4.0]).expand(40000, 4)\n"
                            "  return torch.multinomial(w, 2, ") +
                replacement + ")[:, 0]");
    std::vector<double> shares(4);
    for (const double v : values) shares[static_cast<std::size_t>(v)] += 1.0 / kDraws;
    EXPECT_NEAR(shares[0], 0.125, 5 * 0.0017);
    EXPECT_EQ(shares[1], 0);
    EXPECT_NEAR(shares[2], 0.375, 5 * 0.0025);
    EXPECT_NEAR(shares[3], 0.5, 5 * 0.0025);
  }
  EXPECT_THAT(drawnBy("return (lambda p: p[:, 0] == p[:, 1])(torch.multinomial(torch.ones(500, 3), "
                      "2)).sum()"),
              testing::ElementsAre(0));
}

TEST_F(Randoms, OrdersAndCountsAreComplete) {
  std::vector<double> order = drawnBy("return torch.randperm(100)");
  EXPECT_FALSE(std::ranges::is_sorted(order));
  std::ranges::sort(order);
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<double>(i));
  EXPECT_THAT(drawnBy("return torch.bincount(torch.tensor([1, 3, 3, 0]), minlength=6)"),
              testing::ElementsAre(1, 1, 0, 2, 0, 0));
  EXPECT_THAT(
      drawnBy("return torch.bincount(torch.tensor([1, 0, 1]), torch.tensor([0.5, 2, 1]), 3)"),
      testing::ElementsAre(2, 1.5, 0));
}

TEST_F(Randoms, WhatTheyNeedIsSaid) {
  const std::vector<Tensor> inputs{fixture_.random({8})};
  for (const auto& [call, why] : std::vector<std::pair<const char*, const char*>>{
           {"torch.bincount(x.long())", "needs minlength"},
           {"x.random_()", "random_ needs a bound"},
           {"x.exponential_(0)", "above 0"},
           {"torch.multinomial(x.abs(), 9)", "no more samples than there are weights"},
           {"torch.normal(1.0, 2.0)", "needs a tensor, or a size"}})
    EXPECT_THAT(complaintOf(fixture_, "eager", std::string("def f(x): return ") + call, inputs),
                testing::HasSubstr(why))
        << call;
}

}  // namespace
}  // namespace fusebench
