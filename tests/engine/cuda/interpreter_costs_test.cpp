// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the estimated times of op lists with those measured on a card.
#include "engine/cuda/instant/interpreter_costs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace fusebench::test {
namespace {

cuda::DeviceInfo h200() {
  cuda::DeviceInfo device;
  device.multiprocessors = 132;
  device.clockKilohertz = 1'980'000;
  device.memoryClockKilohertz = 3'201'000;
  device.memoryBusBits = 6144;
  device.l2Bytes = std::size_t{50} << 20;
  return device;
}

/// Ops one after another on one tensor of so many elements, the last of them perhaps a sum.
ListWork chainOf(double elements, int cheap, int dear, int sums = 0, double results = 1) {
  ListWork work;
  work.elements = elements;
  work.results = sums > 0 ? results : elements;
  work.loads = 1;
  work.stores = sums > 0 ? 0 : 1;
  work.kept = sums;
  work.cheap = cheap;
  work.dear = dear;
  work.reductions = sums;
  for (int op = 0; op < cheap + dear; ++op) work.ops.push_back({8 * elements, false});
  for (int op = 0; op < sums; ++op) work.ops.push_back({4 * (elements + results), true});
  return work;
}

constexpr double kGiB = double{1 << 28};  ///< elements

TEST(InterpreterCosts, AreNearToWhatAnH200Took) {
  const ListCosts costs = cuda::listCostsOf(h200());
  const struct {
    std::string what;
    ListWork work;
    double list, apart;  ///< microseconds; 0: not measured, or as long as the host takes
  } cases[] = {
      {"add 1", chainOf(kGiB, 1, 0), 1197, 562},
      {"3 cheap ops", chainOf(kGiB, 3, 0), 1541, 1610},
      {"3 cheap ops, 16 MiB", chainOf(1 << 22, 3, 0), 23.9, 26.6},
      {"sum", chainOf(kGiB, 0, 0, 1), 1451, 290},
      {"sum over rows", chainOf(kGiB, 0, 0, 1, 1 << 14), 1370, 245},
      {"sum of short rows", chainOf(kGiB, 0, 0, 1, 1 << 22), 2600, 278},
      {"S1 of 5, 128", chainOf(128, 3, 2, 1), 5.67, 0},
      {"S1 of 5, 4,096", chainOf(1 << 12, 3, 2, 1), 8.7, 0},
      {"S1 of 5, 65,536", chainOf(1 << 16, 3, 2, 1), 10, 0},
      {"S1 of 5, 1 Mi", chainOf(1 << 20, 3, 2, 1), 19.75, 0},
      {"S1 of 5, 16 Mi", chainOf(1 << 24, 3, 2, 1), 204.8, 201.9},
      {"S1 of 30, 128", chainOf(128, 21, 12, 1), 12.07, 0},
      {"S1 of 30, 4,096", chainOf(1 << 12, 21, 12, 1), 14.95, 0},
      {"S1 of 30, 65,536", chainOf(1 << 16, 21, 12, 1), 16.5, 0},
      {"S1 of 30, 1 Mi", chainOf(1 << 20, 21, 12, 1), 59.5, 0},
      {"S1 of 30, 16 Mi", chainOf(1 << 24, 21, 12, 1), 843, 1204},
      {"S1 of 30, 1 GiB", chainOf(kGiB, 21, 12, 1), 13'260, 18'000},
  };
  for (const auto& each : cases) {
    const RouteCosts made = routeCosts(each.work, costs);
    EXPECT_NEAR(made.together / 1000, each.list, 0.25 * each.list) << each.what;
    if (each.apart > 0) {
      EXPECT_NEAR(made.apart / 1000, each.apart, 0.15 * each.apart) << each.what;
    }
    // If the list is chosen, it was not slower than eager there.
    if (each.apart > 0 && made.least() == Route::together) {
      EXPECT_LT(each.list, each.apart) << each.what;
    }
  }
}

TEST(InterpreterCosts, LeaveLargeReductionsAndFewOpsAndKeepSmallAndLongLists) {
  const ListCosts costs = cuda::listCostsOf(h200());
  const auto routeOf = [&](const ListWork& work) { return routeCosts(work, costs).least(); };
  for (const double elements : {1.0, 1e3, 1e6, kGiB}) {
    EXPECT_EQ(routeOf(chainOf(elements, 1, 0)), Route::apart) << elements;
    EXPECT_EQ(routeOf(chainOf(elements, 0, 0, 1)), Route::apart) << elements;
  }
  EXPECT_EQ(routeOf(chainOf(128, 3, 2, 1)), Route::together);
  EXPECT_EQ(routeOf(chainOf(128, 2, 0)), Route::together);
  EXPECT_EQ(routeOf(chainOf(1 << 24, 3, 2, 1)), Route::apart);
  EXPECT_EQ(routeOf(chainOf(1 << 22, 2, 0, 1, 8192)), Route::apart);
  EXPECT_EQ(routeOf(chainOf(1 << 24, 21, 12)), Route::together);
  EXPECT_EQ(routeOf(chainOf(1 << 24, 21, 12, 1)), Route::reductionsApart);
}

TEST(InterpreterCosts, FollowTheDeviceAndAreAsMeasuredWhereTheDriverSaysNothing) {
  const ListCosts known = cuda::listCostsOf(h200()), unknown = cuda::listCostsOf({});
  EXPECT_NEAR(unknown.memory / known.memory, 1, 1e-3);
  EXPECT_EQ(unknown.access, known.access);
  EXPECT_EQ(unknown.cacheBytes, known.cacheBytes);
  cuda::DeviceInfo half = h200();
  half.multiprocessors /= 2;
  half.memoryBusBits /= 2;
  EXPECT_NEAR(cuda::listCostsOf(half).access / known.access, 2, 1e-6);
  EXPECT_NEAR(known.memory / cuda::listCostsOf(half).memory, 2, 1e-6);
  EXPECT_EQ(cuda::listCostsOf(half).instruction, known.instruction);
}

}  // namespace
}  // namespace fusebench::test
