// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/ranks/late_ranks.h"

#include <algorithm>

namespace fusebench {
namespace {

/// Ranks report every half second that they wait: one that waits for less may be at work by now.
constexpr double kSurelyWaitsSeconds = 1;
/// A rank that waits for a message polls all the time; a thread that sleeps uses no processor time.
constexpr double kSleeps = 0.02, kSpins = 0.1;

template <class Is>
std::vector<std::size_t> those(std::span<const RankSeen> ranks, const Is& is) {
  std::vector<std::size_t> found;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    if (is(ranks[r])) found.push_back(r);
  return found;
}

}  // namespace

std::vector<std::size_t> lateRanks(std::span<const RankSeen> ranks, double most) {
  const bool someKept =
      std::ranges::any_of(ranks, [&](const RankSeen& rank) { return rank.kept > most; });
  if (!someKept) return {};
  const auto atWork = those(ranks, [](const RankSeen& rank) {
    return !rank.answered && rank.kept < kSurelyWaitsSeconds;
  });
  if (!atWork.empty()) return atWork;
  // All of them wait. It may be that one has only just begun to.
  if (std::ranges::any_of(ranks, [&](const RankSeen& rank) { return rank.kept <= most; }))
    return {};
  // Who has answered needs nobody any more.
  const auto open = those(ranks, [](const RankSeen& rank) { return !rank.answered; });
  if (open.size() < ranks.size()) return open;
  // All make the same calls of their group: who has made fewer keeps the others.
  const auto asked = [](const RankSeen& rank) { return rank.asked; };
  const std::int64_t fewest = asked(*std::ranges::min_element(ranks, {}, asked));
  const auto behind = those(ranks, [&](const RankSeen& rank) { return rank.asked == fewest; });
  if (behind.size() < ranks.size()) return behind;
  // In one and the same call, who sleeps while the others ask for its message keeps them.
  const auto asleep =
      those(ranks, [](const RankSeen& rank) { return rank.busy >= 0 && rank.busy < kSleeps; });
  const auto spinning = those(ranks, [](const RankSeen& rank) { return rank.busy > kSpins; });
  if (!asleep.empty() && asleep.size() + spinning.size() == ranks.size()) return asleep;
  return those(ranks, [](const RankSeen&) { return true; });
}

}  // namespace fusebench
