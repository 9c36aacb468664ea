// SPDX-License-Identifier: GPL-3.0-or-later
// The time of copies of inputs and results on a device with round costs.
#include <gtest/gtest.h>

#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "tests/engine/sim/copying_device.h"

namespace fusebench {
namespace {

double perCall(const Delivery& delivery, int calls = 40) {
  const auto sim = makeSimBackend(copyingDevice(), nullptr);
  ExecutorOptions options;
  options.delivery = delivery;
  const auto executor = makeExecutor("static", *sim, parseProgram("return x + 1\n"), options);
  std::vector<std::vector<Tensor>> list;
  for (int i = 0; i < 4; ++i)
    list.push_back({makeTensor(sim->allocator(), DType::float32, {2500})});
  for (int i = 0; i < 8; ++i) executor->call(list[static_cast<std::size_t>(i) % 4]);
  sim->synchronize();
  const double begin = sim->now();
  for (int i = 0; i < calls; ++i) executor->call(list[static_cast<std::size_t>(i) % 4]);
  sim->synchronize();
  return (sim->now() - begin) / calls;
}

TEST(SimDelivery, CopiesInTheOrderOfLaunchesAddUp) {
  using enum Delivery::From;
  EXPECT_NEAR(perCall({.from = device}), 10'000, 200);
  EXPECT_NEAR(perCall({.from = pinned}), 20'000, 400);
  EXPECT_NEAR(perCall({.from = pageable}), 30'000, 1500);
}

TEST(SimDelivery, GatheringRowsIsTheHostsWork) {
  using enum Delivery::From;
  // 20 µs; meanwhile the device works on the batch before.
  EXPECT_NEAR(perCall({.from = pinned, .gathers = true}), 20'000, 1500);
  EXPECT_NEAR(perCall({.from = pageable, .gathers = true}), 40'000, 2000);
  EXPECT_NEAR(perCall({.from = pinned, .gathers = true, .prefetch = 1}), 20'000, 1500);
}

TEST(SimDelivery, WorkersPutBatchesTogetherBesideTheHost) {
  using enum Delivery::From;
  const auto by = [](int workers) {
    return perCall({.from = pinned, .gathers = true, .prefetch = 1, .workers = workers});
  };
  // One takes 20 µs for a batch, two have one every 10 µs: as long as the kernel.
  EXPECT_NEAR(by(1), 20'000, 1500);
  EXPECT_NEAR(by(2), 10'000, 1500);
  EXPECT_NEAR(by(4), 10'000, 1500);
}

TEST(SimDelivery, CopiesBesideHideBehindKernels) {
  using enum Delivery::From;
  EXPECT_NEAR(perCall({.from = pinned, .prefetch = 1}), 10'000, 1000);
  EXPECT_NEAR(perCall({.from = pinned, .prefetch = 3}), 10'000, 1000);
  // With memory that is not pinned, the call waits for the copy, and only the kernel is hidden.
  EXPECT_GT(perCall({.from = pageable, .prefetch = 1}), 19'000);
}

TEST(SimDelivery, LookingAtEachResultCostsAWait) {
  const double left = perCall({});
  const double looked = perCall({.results = true});
  // The copy of 10,000 bytes from memory that is not pinned, its wait, and that of the call.
  EXPECT_NEAR(looked - left, 20'000 + 2 * 500 + 100 + 100, 400);
}

}  // namespace
}  // namespace fusebench
