// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/rank_clock.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace fusebench {
namespace {

constexpr int kExchanges = 24;

}  // namespace

ClockPing pingClocks(RankGroup& ranks, const std::function<double()>& now) {
  ClockPing own;
  own.at = now();
  for (int other = 1; other < ranks.size(); ++other) {
    // By rank 0's clock, as are those of the other rank by its own.
    double best[3] = {0, 0, std::numeric_limits<double>::infinity()};
    for (int exchange = 0; exchange < kExchanges; ++exchange) {
      double answer = 0;
      const double sent = now();
      ranks.broadcast(&answer, sizeof answer, 0);
      if (ranks.rank() == other) answer = now();
      ranks.broadcast(&answer, sizeof answer, other);
      const double heard = now();
      if (const double error = (heard - sent) / 2; error < best[2]) {
        best[0] = answer;
        best[1] = answer - (sent + heard) / 2;
        best[2] = error;
      }
    }
    ranks.broadcast(best, sizeof best, 0);
    if (ranks.rank() == other) own = {best[0], best[1], best[2]};
  }
  return own;
}

RankClock rankClockOf(const ClockPing& before, const ClockPing& after) {
  RankClock clock;
  clock.at = before.at;
  clock.offset = before.offset;
  clock.error = std::max(before.error, after.error);
  const double passed = after.at - before.at, differing = after.offset - before.offset;
  // On a busy machine a ping may be wrong by as much as passes between the two: what they differ
  // by says something of the clocks only where it is well beyond both errors. Then it is at most
  // twice what the clocks really do.
  if (passed > 0 && std::abs(differing) > 2 * (before.error + after.error)) {
    clock.drift = differing / passed;
    return clock;
  }
  const auto& [better, other] =
      after.error < before.error ? std::pair(after, before) : std::pair(before, after);
  clock.offset = better.offset;
  clock.error = std::max(better.error, std::abs(differing) + other.error);
  return clock;
}

}  // namespace fusebench
