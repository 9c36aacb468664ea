// SPDX-License-Identifier: GPL-3.0-or-later
// The time of a program's copies on a device with round costs.
#include <gtest/gtest.h>

#include <vector>

#include "engine/device/host_memory.h"
#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "tests/engine/sim/copying_device.h"

namespace fusebench {
namespace {

/// Per call of a program on 10,000 bytes: the time until it returns, and until all work is done.
struct Took {
  double host = 0, all = 0;
};
Took perCall(const char* text, Memory memory, bool overlap = false) {
  const auto sim = makeSimBackend(copyingDevice(), nullptr);
  HostMemory host(*sim);
  Tensor x = makeTensor(memory == Memory::device ? sim->allocator() : host.pool(memory),
                        DType::float32, {2500});
  x.memory = memory;
  const std::vector inputs{x};
  const auto executor = makeExecutor("static", *sim, parseProgram(text), {.overlap = overlap});
  executor->call(inputs);
  sim->synchronize();
  constexpr int kCalls = 20;
  const double begin = sim->now();
  for (int call = 0; call < kCalls; ++call) executor->call(inputs);
  const double returned = sim->now();
  sim->synchronize();
  return {(returned - begin) / kCalls, (sim->now() - begin) / kCalls};
}

TEST(SimCopies, FromPageableMemoryTakeLongerThanFromPinned) {
  EXPECT_NEAR(perCall("return x + 1\n", Memory::device).all, 10'000, 300);
  EXPECT_NEAR(perCall("return x.cuda() + 1\n", Memory::pinned).all, 20'000, 1000);
  EXPECT_NEAR(perCall("return x.cuda() + 1\n", Memory::host).all, 30'000, 2000);
}

TEST(SimCopies, TheHostGoesOnWhereNobodyWaits) {
  EXPECT_LT(perCall("return x.cuda(non_blocking=True) + 1\n", Memory::pinned).host, 1000);
  EXPECT_GT(perCall("return x.cuda() + 1\n", Memory::pinned).host, 19'000);
  // The driver has read memory that is not pinned when the call returns.
  EXPECT_GT(perCall("return x.cuda(non_blocking=True) + 1\n", Memory::host).host, 19'000);
}

TEST(SimCopies, ANumberIsWaitedFor) {
  EXPECT_LT(perCall("return x * x.sum()\n", Memory::device).host, 1000);
  EXPECT_GT(perCall("return x * x.sum().item()\n", Memory::device).host, 19'000);
}

TEST(SimCopies, ThoseBesideHideBehindTheKernelsOfTheCallBefore) {
  const char* const program = "return x.cuda() + 1\n";
  EXPECT_NEAR(perCall(program, Memory::pinned, true).all, 10'000, 1000);
  EXPECT_LT(perCall(program, Memory::pinned, true).host, 1000);
  // With memory that is not pinned, the call waits just as it does without overlap.
  EXPECT_NEAR(perCall(program, Memory::host, true).all, 30'000, 2000);
}

TEST(SimCopies, PinningIsTheHostsWork) {
  const Took took = perCall("return x.pin_memory().cuda(non_blocking=True) + 1\n", Memory::host);
  EXPECT_NEAR(took.host, 20'000, 1000) << "two bytes a nanosecond";
}

}  // namespace
}  // namespace fusebench
