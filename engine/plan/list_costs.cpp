// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/list_costs.h"

#include <algorithm>
#include <limits>

namespace fusebench {
namespace {

/// Up to this many elements are reduced by one block.
constexpr double kFewElements = 2048;
/// The number of elements for each of the threads that share a result, and the largest number of
/// such threads.
constexpr double kElementsEach = 4, kMostThreads = 256;

double listNanoseconds(const ListWork& work, const ListCosts& costs, int reductions, int stores) {
  const double each = costs.access * (work.loads + stores) + costs.cheap * work.cheap +
                      costs.dear * work.dear + costs.gathered * reductions;
  const double inARow = costs.instruction * (work.cheap + work.dear + reductions);
  double merging = 0;
  if (reductions > 0) {
    const double one = work.elements <= kFewElements ? costs.merging
                       : work.results <= 1           ? costs.mergingAll
                                                     : costs.mergingRows;
    const double length = work.elements / std::max(work.results, 1.0);
    const double threads = std::clamp(length / kElementsEach, 1.0, kMostThreads);
    merging = one + reductions * costs.shared * work.results * threads;
  }
  // With many elements, other threads continue while one waits for its instructions.
  return costs.list + merging + std::max(inARow, work.elements * each);
}

double kernelNanoseconds(double bytes, const ListCosts& costs) {
  const double speed = bytes <= costs.cacheBytes ? costs.cache : costs.memory;
  return std::max(costs.kernelLeast, costs.kernel + bytes / speed);
}

}  // namespace

Route RouteCosts::least() const {
  if (apart < together && apart <= reductionsApart) return Route::apart;
  return reductionsApart < together ? Route::reductionsApart : Route::together;
}

double RouteCosts::of(Route route) const {
  if (route == Route::together) return together;
  return route == Route::apart ? apart : reductionsApart;
}

RouteCosts routeCosts(const ListWork& work, const ListCosts& costs) {
  RouteCosts made;
  made.together = listNanoseconds(work, costs, work.reductions, work.stores);
  double reductions = 0;
  for (const ListWork::Op& op : work.ops) {
    const double taken = kernelNanoseconds(op.bytes, costs);
    made.apart += taken;
    if (op.reduces) reductions += taken;
  }
  // A single remaining op is not a list.
  made.reductionsApart = work.reductions > 0 && work.cheap + work.dear > 1
                             ? listNanoseconds(work, costs, 0, work.stores + work.kept) + reductions
                             : std::numeric_limits<double>::infinity();
  return made;
}

}  // namespace fusebench
