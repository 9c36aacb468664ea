// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the simulation are worked out by hand here.
#include "engine/sim/simulation.h"

#include <gtest/gtest.h>

#include "engine/sim/script.h"

namespace fusebench::sim {
namespace {

Parameters roundDevice() {
  Parameters device;
  device.launch = 1000;
  device.wait = 100;
  device.event = 10;
  device.queueDepth = 4;
  device.copyCall = 500;
  device.pinnedBandwidth = 10;
  device.pageableBandwidth = 5;
  device.linkLatency = 50;
  device.linkBandwidth = 2;
  return device;
}

Simulation::Item kernel(double nanoseconds, double share = 1) {
  Simulation::Item item;
  item.duration = nanoseconds;
  item.share = share;
  return item;
}

class Seen : public Observer {
 public:
  void done(const Done& work) override { all.push_back(work); }
  std::vector<Done> all;
};

TEST(SimSimulation, ADeviceFasterThanItsHostWaitsForLaunches) {
  Simulation simulation(roundDevice());
  for (int i = 0; i < 10; ++i) launchIn(simulation, 0, 300, 1, 0);
  EXPECT_EQ(simulation.now(), 10'000);
  simulation.synchronize();
  EXPECT_EQ(simulation.now(), 10'000 + 300 + 100);
}

TEST(SimSimulation, AHostFasterThanItsDeviceWaitsWhenTheQueueIsFull) {
  Simulation simulation(roundDevice());
  // Kernel k starts at 1000 + 5000 k. Four wait in the queue, so launch n ends when kernel n - 4
  // starts, or 1000 after the launch before.
  for (int i = 0; i < 5; ++i) launchIn(simulation, 0, 5000, 1, 0);
  EXPECT_EQ(simulation.now(), 5000);  // one runs, four wait
  launchIn(simulation, 0, 5000, 1, 0);
  EXPECT_EQ(simulation.now(), 6000);  // the second has started at 6000
  launchIn(simulation, 0, 5000, 1, 0);
  EXPECT_EQ(simulation.now(), 11'000);
  simulation.synchronize();
  EXPECT_EQ(simulation.now(), 1000 + 7 * 5000 + 100);
}

TEST(SimSimulation, EventsTellWhenTheDeviceReachesThem) {
  Simulation simulation(roundDevice());
  const EventId before = simulation.record(0);
  simulation.enqueue(0, kernel(700));
  simulation.enqueue(0, kernel(500));
  const EventId after = simulation.record(0);
  const double end = simulation.reached(after);
  EXPECT_EQ(end - simulation.reached(before), 1200);
}

TEST(SimSimulation, KernelsOfTwoStreamsShareTheDeviceAsFarAsTheyFit) {
  for (const double share : {0.5, 0.75}) {
    Simulation simulation(roundDevice());
    const StreamId second = simulation.makeStream(0);
    simulation.enqueue(0, kernel(1000, share));
    simulation.enqueue(second, kernel(1000, share));
    simulation.synchronize();
    EXPECT_EQ(simulation.now(), share == 0.5 ? 1100 : 2100) << share;
  }
}

TEST(SimSimulation, CopiesRunBesideKernelsAndBothWaysUnlessOneEngineServesBoth) {
  for (const double engines : {1.0, 2.0}) {
    Parameters device = roundDevice();
    device.copyEngines = engines;
    Simulation simulation(device);
    const StreamId second = simulation.makeStream(0), third = simulation.makeStream(0);
    Simulation::Item in = kernel(1000), out = kernel(1000);
    in.server = Server::copiesIn;
    out.server = Server::copiesOut;
    simulation.enqueue(0, kernel(1000));
    simulation.enqueue(second, in);
    simulation.enqueue(third, out);
    simulation.synchronize();
    EXPECT_EQ(simulation.now(), engines == 2 ? 1100 : 2100);
  }
}

TEST(SimSimulation, AnEngineServesWhatIsReadyFirstNotWhatWasEnqueuedFirst) {
  Simulation simulation(roundDevice());
  Seen seen;
  simulation.observe(&seen);
  const StreamId second = simulation.makeStream(0);
  Simulation::Item copy = kernel(1000);
  copy.server = Server::copiesIn;
  copy.tag = 1;
  simulation.enqueue(0, kernel(5000));
  simulation.enqueue(0, copy);  // after the kernel
  copy.tag = 2;
  simulation.enqueue(second, copy);
  simulation.synchronize();
  ASSERT_EQ(seen.all.size(), 3u);
  EXPECT_EQ(seen.all[1].tag, 2u);
  EXPECT_EQ(seen.all[1].start, 0);
  EXPECT_EQ(seen.all[2].start, 5000);
  EXPECT_EQ(simulation.now(), 6100);
}

TEST(SimSimulation, AStreamWaitsForAnotherStreamsEvent) {
  Simulation simulation(roundDevice());
  const StreamId second = simulation.makeStream(0);
  simulation.enqueue(0, kernel(3000, 0.1));
  simulation.await(second, simulation.record(0));
  simulation.enqueue(second, kernel(10, 0.1));
  simulation.synchronize(second);
  EXPECT_EQ(simulation.now(), 3000 + 10 + 100);
}

TEST(SimSimulation, WhatIsSentTakesTheLinkAndTheReceiverWaitsForIt) {
  Simulation simulation(roundDevice(), 2);
  simulation.enqueue(0, kernel(1000));
  simulation.send(0, 1, 4000);
  simulation.enqueue(1, kernel(10));
  simulation.synchronize();
  EXPECT_EQ(simulation.now(), 1000 + 50 + 2000 + 10 + 100);
}

TEST(SimSimulation, PageableCopiesAreWaitedForPinnedOnesAreNot) {
  const Parameters device = roundDevice();
  for (const CopyKind kind : {CopyKind::inPinned, CopyKind::inPageable}) {
    Simulation simulation(device);
    const Copy copy{kind, 10'000};
    copyIn(simulation, 0, copy, copyNanoseconds(copy, device), 0);
    EXPECT_EQ(simulation.now(), kind == CopyKind::inPinned ? 500 : 500 + 2000 + 100);
  }
}

TEST(SimSimulation, SmallPageableCopiesGoWithTheirCallAndTheWaitForOthersIsTheirOwn) {
  Parameters device = roundDevice();
  device.stagedBytes = 10'000;
  device.copyWait = 30;
  const auto hostOf = [&](CopyKind kind, double bytes) {
    Simulation simulation(device);
    const Copy copy{kind, bytes};
    copyIn(simulation, 0, copy, copyNanoseconds(copy, device), 0);
    return simulation.now();
  };
  EXPECT_EQ(hostOf(CopyKind::inPageable, 10'000), 500 + 2000) << "the host puts them there";
  EXPECT_EQ(hostOf(CopyKind::inPageable, 20'000), 500 + 4000 + 30);
  EXPECT_EQ(hostOf(CopyKind::outPageable, 10'000), 500 + 2000 + 30) << "there is nothing yet";
  EXPECT_EQ(hostOf(CopyKind::inPinned, 10'000), 500);
  device.hostCacheBytes = 20'000;
  device.pageableCached = 10;
  EXPECT_EQ(hostOf(CopyKind::inPageable, 10'000), 500 + 1000) << "from the host's cache";
  EXPECT_EQ(hostOf(CopyKind::inPageable, 20'000), 500 + 2000 + 30);
  EXPECT_EQ(hostOf(CopyKind::inPageable, 30'000), 500 + 6000 + 30);
}

TEST(SimSimulation, ThousandDevicesSendRound) {
  constexpr int kDevices = 1000;
  Simulation simulation(roundDevice(), kDevices);
  for (int device = 0; device + 1 < kDevices; ++device)
    simulation.send(static_cast<StreamId>(device), static_cast<StreamId>(device + 1), 100);
  simulation.synchronize();
  EXPECT_EQ(simulation.now(), 999 * 100 + 100);
}

TEST(SimSimulation, IsTheSameEachTimeAndWithNoiseForOneSeed) {
  const auto timeOf = [](double noise, std::uint64_t seed) {
    Parameters device = roundDevice();
    device.noise = noise;
    Simulation simulation(device, 1, seed);
    for (int i = 0; i < 1000; ++i) launchIn(simulation, 0, 1100, 1, 0);
    simulation.synchronize();
    return simulation.now();
  };
  EXPECT_EQ(timeOf(0, 1), timeOf(0, 2));
  EXPECT_EQ(timeOf(0.1, 1), timeOf(0.1, 1));
  EXPECT_NE(timeOf(0.1, 1), timeOf(0.1, 2));
  EXPECT_NEAR(timeOf(0.1, 1) / timeOf(0, 1), 1, 0.05);
}

}  // namespace
}  // namespace fusebench::sim
