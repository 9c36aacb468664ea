// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/crossing_search.h"

#include <cmath>
#include <limits>

namespace fusebench {

double crossingWithin(const CurvePair& curves, Bracket bracket, bool rising) {
  const auto lead = [&](std::size_t i) {
    const double difference = curves.baseline[i] - curves.variant[i];
    return rising ? difference : -difference;
  };
  std::vector<double> places;
  for (std::size_t i = bracket.first; i < bracket.last; ++i) {
    const double before = lead(i), after = lead(i + 1);
    if (std::isnan(before) || std::isnan(after)) return std::numeric_limits<double>::quiet_NaN();
    // Half-open, so that a zero on a point is found once.
    if ((before < 0) == (after < 0)) continue;
    places.push_back(curves.x[i] + (curves.x[i + 1] - curves.x[i]) * before / (before - after));
  }
  if (!places.empty()) return places[places.size() / 2];
  return lead(bracket.first) >= 0 ? curves.x[bracket.first] : curves.x[bracket.last];
}

CrossingSearch searchCrossings(const CurvePair& curves, std::span<const int> signs) {
  CrossingSearch search;
  int current = 0;
  std::size_t lastOfSign = 0;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    if (signs[i] == 0) continue;
    if (current != 0 && signs[i] != current) {
      Crossing crossing;
      crossing.status = CrossingStatus::found;
      crossing.backwards = signs[i] < 0;
      const Bracket bracket{lastOfSign, i};
      crossing.at = crossing.low = crossing.high = crossingWithin(curves, bracket, signs[i] > 0);
      search.crossings.push_back(crossing);
      search.brackets.push_back(bracket);
    }
    current = signs[i];
    lastOfSign = i;
  }
  if (search.crossings.empty()) {
    Crossing crossing;
    crossing.status = current > 0   ? CrossingStatus::always
                      : current < 0 ? CrossingStatus::never
                                    : CrossingStatus::undefined;
    search.crossings.push_back(crossing);
    search.brackets.push_back({});
  }
  if (!signs.empty())
    for (Crossing& crossing : search.crossings)
      crossing.ratioAtStart = curves.baseline[0] / curves.variant[0];
  return search;
}

}  // namespace fusebench
