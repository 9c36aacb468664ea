// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/collectives.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fusebench::sim {
namespace {

constexpr double kAlpha = 700, kBytesPerNanosecond = 20;
constexpr Collective kAll[] = {Collective::allReduce, Collective::broadcast,
                               Collective::reduceScatter, Collective::allGather,
                               Collective::barrier};

Parameters linked() {
  Parameters device;
  device.linkLatency = kAlpha;
  device.linkBandwidth = kBytesPerNanosecond;
  device.queueDepth = 1 << 16;
  return device;
}

/// Message by message, on as many simulated devices as ranks.
double played(Collective what, Path path, double bytes, int ranks) {
  Simulation simulation(linked(), ranks);
  send(simulation, roundsOf(what, path, bytes, ranks));
  simulation.synchronize();
  return simulation.now();
}

/// The formulas of the literature, implemented a second time.
double closedForm(Collective what, Path path, double n, int p) {
  const double beta = 1 / kBytesPerNanosecond;
  double rounds = 0;
  for (int reached = 1; reached < p; reached *= 2) ++rounds;
  if (path == Path::ring) switch (what) {
      case Collective::allReduce:
        return 2 * (p - 1) * kAlpha + 2 * (p - 1) * n / p * beta;
      case Collective::broadcast:
        return 2 * (p - 1) * kAlpha + 2 * (p - 1) * n / p * beta;
      case Collective::reduceScatter:
        return (p - 1) * kAlpha + (p - 1) * n / p * beta;
      case Collective::allGather:
        return (p - 1) * kAlpha + (p - 1) * n * beta;
      default:
        return (p - 1) * kAlpha;
    }
  switch (what) {
    case Collective::allReduce:
      return 2 * rounds * kAlpha + 2 * rounds * n * beta;
    case Collective::broadcast:
      return rounds * kAlpha + rounds * n * beta;
    case Collective::reduceScatter:
      return rounds * kAlpha + (p - 1) * n / p * beta;
    case Collective::allGather:
      return rounds * kAlpha + (p - 1) * n * beta;
    default:
      return rounds * kAlpha;
  }
}

TEST(SimCollectives, MessageByMessageTakeWhatTheClosedFormsSay) {
  for (const Collective what : kAll)
    for (const Path path : {Path::ring, Path::tree})
      for (const int ranks : {2, 3, 4, 5, 7, 8, 16, 31, 64})
        for (const double bytes : {0.0, 4096.0, 1e7}) {
          const double expected = closedForm(what, path, bytes, ranks);
          EXPECT_NEAR(played(what, path, bytes, ranks), expected, 1e-9 * expected + 1e-6)
              << static_cast<int>(what) << " " << nameOf(path) << " " << ranks << " " << bytes;
          EXPECT_NEAR(linkNanoseconds(what, path, bytes, ranks, linked()), expected,
                      1e-9 * expected + 1e-6)
              << static_cast<int>(what) << " " << nameOf(path) << " " << ranks << " " << bytes;
        }
}

TEST(SimCollectives, TreesGoToAThousandDevices) {
  for (const Collective what : kAll) {
    const double expected = closedForm(what, Path::tree, 1e6, 1024);
    EXPECT_NEAR(played(what, Path::tree, 1e6, 1024), expected, 1e-9 * expected);
  }
}

TEST(SimCollectives, EveryRankSendsAndGetsInARoundAtMostOnce) {
  for (const Collective what : kAll)
    for (const Path path : {Path::ring, Path::tree})
      for (const int ranks : {2, 3, 6, 8, 13})
        for (const auto& round : roundsOf(what, path, 1000, ranks)) {
          std::vector<int> sent(static_cast<std::size_t>(ranks)), got = sent;
          for (const Message& message : round) {
            EXPECT_NE(message.from, message.to);
            EXPECT_EQ(++sent[static_cast<std::size_t>(message.from)], 1);
            EXPECT_EQ(++got[static_cast<std::size_t>(message.to)], 1);
          }
        }
}

TEST(SimCollectives, SmallTensorsGoByTheTreeAndLargeOnesByTheRing) {
  const Parameters device = linked();
  EXPECT_EQ(cheaperPath(Collective::allReduce, 8, 64, device), Path::tree);
  EXPECT_EQ(cheaperPath(Collective::allReduce, 1e9, 64, device), Path::ring);
  // 2 (p-1) alpha + 2 (p-1)/p n beta = 2 r alpha + 2 r n beta.
  const double p = 64, r = 6;
  const double turning = (p - 1 - r) * kAlpha / ((r - (p - 1) / p) / kBytesPerNanosecond);
  EXPECT_EQ(cheaperPath(Collective::allReduce, 0.999 * turning, 64, device), Path::tree);
  EXPECT_EQ(cheaperPath(Collective::allReduce, 1.001 * turning, 64, device), Path::ring);
  EXPECT_EQ(linkNanoseconds(Collective::allReduce, 1e9, 64, device),
            linkNanoseconds(Collective::allReduce, Path::ring, 1e9, 64, device));
}

TEST(SimCollectives, OneRankAloneTakesNoTime) {
  for (const Collective what : kAll) {
    EXPECT_EQ(linkNanoseconds(what, 1e6, 1, linked()), 0);
    EXPECT_TRUE(roundsOf(what, Path::ring, 1e6, 1).empty());
  }
}

}  // namespace
}  // namespace fusebench::sim
