// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "engine/device/rank_group.h"

namespace fusebench {

/// The difference between a rank's clock and rank 0's at one moment.
struct ClockPing {
  double at = 0;      ///< the moment, by this rank's clock; ns
  double offset = 0;  ///< this rank's less rank 0's; ns
  double error = 0;   ///< the offset is within this: half of the shortest round trip
};

/// Compares clocks with rank 0's by exchanging messages; all ranks call it together. Rank 0 sends,
/// and the other rank answers with its time. The quickest of many exchanges counts; its answer is
/// assumed to be in the middle between sending and receiving (Cristian, Probabilistic clock
/// synchronization, 1989). `now`: this rank's clock, ns.
ClockPing pingClocks(RankGroup& ranks, const std::function<double()>& now);

/// A rank's clock relative to rank 0's, between two pings: it runs slightly faster or slower.
struct RankClock {
  double at = 0, offset = 0;
  double drift = 0;  ///< relative rate at which it is faster; 0 if the pings do not show one
  double error = 0;  ///< ns
  /// The time on rank 0's clock when this rank's shows `own`.
  double atFirst(double own) const { return own - offset - drift * (own - at); }
};
/// Two pings that differ by no more than twice their errors do not show a drift. Then the better
/// offset is used, and the error is the remaining uncertainty from the other one.
RankClock rankClockOf(const ClockPing& before, const ClockPing& after);

}  // namespace fusebench
