// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/sessions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "profiler/statistics/student.h"

namespace fusebench {
namespace {

// Two-sided, of any table of Student's distribution.
TEST(StudentQuantile, IsThatOfTheTables) {
  EXPECT_NEAR(studentQuantile(1), 12.7062, 1e-3);
  EXPECT_NEAR(studentQuantile(2), 4.3027, 1e-4);
  EXPECT_NEAR(studentQuantile(7), 2.3646, 1e-4);
  EXPECT_NEAR(studentQuantile(30), 2.0423, 1e-4);
  EXPECT_NEAR(studentQuantile(120), 1.9799, 1e-4);
  EXPECT_NEAR(studentQuantile(5, 0.01), 4.0321, 1e-4);
  EXPECT_NEAR(studentQuantile(6, 0.001), 5.9588, 1e-4);
  EXPECT_NEAR(studentQuantile(1000, 0.05), 1.95996, 1e-4);
  EXPECT_TRUE(std::isinf(studentQuantile(0)));
}

std::vector<double> oneUpTo(int count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

/// `each` samples of each session.
std::vector<int> sessionsOf(int count, int each) {
  std::vector<int> sessions;
  for (int session = 0; session < count; ++session)
    sessions.insert(sessions.end(), static_cast<std::size_t>(each), session);
  return sessions;
}

// 1 3 2 4 1 3 2 4 ...: each session of 4, and each block of 8 of one session, has as many above as
// below, so the groups say nothing and the error is 1 / (2 sqrt 32) = 0.0884. With 7 degrees the
// quantile of 97% is 2.7146, so the ranks are floor(32 (0.5 - 0.23994)) = 8 and ceil(32 x 0.73994)
// + 1 = 25: sorted, the values change after the 8th, 16th and 24th.
TEST(MedianOverSessions, FallsBackToIndependentSamplesWhereGroupsSayNoMore) {
  std::vector<double> samples;
  for (int i = 0; i < 8; ++i) samples.insert(samples.end(), {1, 3, 2, 4});
  for (const auto& sessions : {sessionsOf(8, 4), std::vector<int>()}) {
    const Estimate estimate = medianOverSessions(samples, sessions);
    EXPECT_EQ(estimate.kind, Estimate::Kind::interval);
    EXPECT_EQ(estimate.value, 2.5);
    EXPECT_EQ(estimate.low, 1);
    EXPECT_EQ(estimate.high, 4);
  }
}

// Four sessions of 20 equal samples: no rank is inside, as all samples of a session are on one
// side. Their medians 10, 11, 12, 13 have mean 11.5 and standard error sqrt(5 / 3 / 4) = 0.645497;
// t with 3 degrees for 97% is 3.8961 (two-sided 3%).
TEST(MedianOverSessions, TakesTheSessionsMediansWhereTheyAreFarApart) {
  std::vector<double> samples;
  for (const double level : {10.0, 11.0, 12.0, 13.0}) samples.insert(samples.end(), 20, level);
  const Estimate estimate = medianOverSessions(samples, sessionsOf(4, 20));
  EXPECT_EQ(estimate.value, 11.5);
  EXPECT_NEAR(estimate.low, 11.5 - 3.8961 * 0.645497, 1e-3);
  EXPECT_NEAR(estimate.high, 11.5 + 3.8961 * 0.645497, 1e-3);
}

TEST(MedianOfTimes, BeginsAtNothingWhereFewSessionsAreFarApart) {
  std::vector<double> samples;
  for (const double level : {1.0, 2.0, 40.0, 41.0}) samples.insert(samples.end(), 20, level);
  const Estimate any = medianOverSessions(samples, sessionsOf(4, 20)),
                 times = medianOfTimes(samples, sessionsOf(4, 20));
  EXPECT_LT(any.low, 0);
  EXPECT_EQ(times.low, 0);
  EXPECT_EQ(times.high, any.high);
  EXPECT_EQ(times.value, any.value);
}

TEST(MedianOverSessions, IsWiderWhereSamplesFollowOneAnother) {
  // The same values, once well mixed and once in long waves.
  std::vector<double> mixed, waves;
  for (int i = 0; i < 96; ++i) mixed.push_back((i * 37) % 96);
  for (int i = 0; i < 96; ++i)
    waves.push_back(i < 24 || (i >= 48 && i < 72) ? i % 48 : 48 + i % 48);
  const Estimate a = medianOverSessions(mixed, {}), b = medianOverSessions(waves, {});
  EXPECT_GT(b.high - b.low, 2 * (a.high - a.low));
}

TEST(SerialCorrelation, IsFoundFromSidesOfTheMedian) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const double rho : {0.0, 0.5, 0.9}) {
    std::vector<double> samples;
    double drift = normal(random);
    for (int i = 0; i < 20'000; ++i) {
      drift = rho * drift + std::sqrt(1 - rho * rho) * normal(random);
      samples.push_back(i % 100 == 7 ? 1e9 : drift);  // late ones do not decide
    }
    EXPECT_NEAR(serialCorrelation(samples, {}, median(samples)), rho, 0.04);
  }
  // From one session to the next nothing follows.
  const double samples[] = {1, 1, 3, 3};
  const int sessions[] = {0, 0, 1, 1};
  EXPECT_NEAR(serialCorrelation(samples, sessions, 2), 1, 1e-12);
  EXPECT_EQ(serialCorrelation({}, {}, 0), 0);
}

TEST(StoppingRule, DoesNotTakeASlowMovementForPrecision) {
  // Each sample is similar to the one before it, and all of them are close together by chance.
  std::vector<double> slow, quick;
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  double drift = 0;
  for (int i = 0; i < 60; ++i) {
    drift = 0.9 * drift + 0.0004 * normal(random);
    slow.push_back(100 * (1 + drift));
    quick.push_back(100 * (1 + 0.0009 * normal(random)));
  }
  const StoppingRule rule;
  EXPECT_FALSE(isPrecise(rule, slow, {}));
  EXPECT_TRUE(isPrecise(rule, quick, {}));
  EXPECT_TRUE(isPrecise(rule, std::vector<double>(31, 5.0), {})) << "nothing moves";
}

TEST(MedianOverSessions, OfTwoReachesFromOneToTheOther) {
  std::vector<double> samples(40, 10);
  samples.insert(samples.end(), 41, 12);
  const Estimate estimate = medianOverSessions(samples, [] {
    std::vector<int> sessions(40, 0);
    sessions.insert(sessions.end(), 41, 1);
    return sessions;
  }());
  EXPECT_EQ(estimate.value, 12);
  EXPECT_LE(estimate.low, 10);
  EXPECT_GE(estimate.high, 12);
}

TEST(MedianOverSessions, IsExactForEqualSamplesAndARangeForFew) {
  const Estimate equal = medianOverSessions(std::vector<double>(40, 7), sessionsOf(8, 5));
  EXPECT_EQ(equal.low, 7);
  EXPECT_EQ(equal.high, 7);
  EXPECT_EQ(medianOverSessions({}, {}).kind, Estimate::Kind::none);
  EXPECT_EQ(medianOverSessions(oneUpTo(5), {}).kind, Estimate::Kind::range);
  EXPECT_EQ(medianOverSessions(oneUpTo(6), {}).kind, Estimate::Kind::interval);
  // 2^-5 = 3%: six samples do not suffice for 1%.
  EXPECT_EQ(medianOverSessions(oneUpTo(6), {}, 0.01).kind, Estimate::Kind::range);
  EXPECT_EQ(medianOverSessions(oneUpTo(9), {}, 0.01).kind, Estimate::Kind::interval);
}

TEST(CountSessions, CountsWhereTheNumberChanges) {
  EXPECT_EQ(countSessions({}), 1u);
  EXPECT_EQ(countSessions(sessionsOf(3, 5)), 3u);
}

// ln 2 each way for a, ln 3 up for b: exp(hypot(ln 3, ln 2)) = 3.665.
TEST(RatioOf, AddsLogarithmsAsSquares) {
  const Estimate a{10, 5, 20, Estimate::Kind::interval}, b{40, 40, 120, Estimate::Kind::interval};
  const Estimate ratio = ratioOf(a, b), back = ratioOf(b, a);
  EXPECT_EQ(ratio.kind, Estimate::Kind::interval);
  EXPECT_DOUBLE_EQ(ratio.value, 4);
  EXPECT_NEAR(ratio.low, 2, 1e-12);
  EXPECT_NEAR(ratio.high, 4 * std::exp(std::hypot(std::log(3), std::log(2))), 1e-12);
  EXPECT_NEAR(back.low, 1 / ratio.high, 1e-12);
  EXPECT_NEAR(back.high, 1 / ratio.low, 1e-12);
  EXPECT_EQ(ratioOf(a, {40, 30, 50, Estimate::Kind::range}).kind, Estimate::Kind::range);
  EXPECT_EQ(ratioOf(a, {}).kind, Estimate::Kind::none);
}

TEST(StoppingRule, LooksSeldomInOneSession) {
  StoppingRule rule;
  rule.minimum = 40;
  std::vector<double> samples(60, 100.0);
  int looks = 0;
  for (std::size_t n = 1; n <= samples.size(); ++n)
    looks += verdict(rule, std::span(samples).first(n)) == Verdict::converged;
  EXPECT_EQ(looks, 2);  // after 40 and 50
}

TEST(StoppingRule, SpreadsItsSamplesOverSessionsAndLooksAtTheEnd) {
  StoppingRule rule;
  rule.sessions = 4;
  const std::vector<double> quiet(204, 100.0);
  const auto at = [&](const std::vector<double>& all, std::size_t n, int session,
                      std::size_t inSession) {
    std::vector<int> sessions;
    for (std::size_t i = 0; i < n; ++i)
      sessions.push_back(i + inSession < n ? static_cast<int>(i % 3) : session);
    std::sort(sessions.begin(), sessions.end());
    return verdict(rule, std::span(all).first(n), sessions, {session, inSession});
  };
  EXPECT_EQ(at(quiet, 7, 0, 7), Verdict::goOn);
  EXPECT_EQ(at(quiet, 8, 0, 8), Verdict::rest);
  EXPECT_EQ(at(quiet, 32, 3, 8), Verdict::converged);
  std::vector<double> noisy;
  for (int i = 0; i < 204; ++i) noisy.push_back(i % 2 ? 50 : 150);
  EXPECT_EQ(at(noisy, 50, 0, 50), Verdict::goOn);
  EXPECT_EQ(at(noisy, 51, 0, 51), Verdict::rest);  // a quarter of 201
  EXPECT_EQ(at(noisy, 201, 3, 48), Verdict::cap);
}

}  // namespace
}  // namespace fusebench
