// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/crossing_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fusebench {

bool isWideAxis(double first, double last) {
  return first > 0 && last > kWideAxis * first;
}

double placeBetween(double x0, double x1, double share, bool wide) {
  return wide ? x0 * std::pow(x1 / x0, share) : x0 + share * (x1 - x0);
}

double crossingWithin(const CurvePair& curves, Bracket bracket, bool rising) {
  const auto lead = [&](std::size_t i) {
    const double difference = curves.wide ? std::log(curves.baseline[i] / curves.variant[i])
                                          : curves.baseline[i] - curves.variant[i];
    return rising ? difference : -difference;
  };
  std::vector<double> places;
  for (std::size_t i = bracket.first; i < bracket.last; ++i) {
    const double before = lead(i), after = lead(i + 1);
    if (std::isnan(before) || std::isnan(after)) return std::numeric_limits<double>::quiet_NaN();
    // Half-open, so that a zero on a point is found once.
    if ((before < 0) == (after < 0)) continue;
    places.push_back(
        placeBetween(curves.x[i], curves.x[i + 1], before / (before - after), curves.wide));
  }
  if (!places.empty()) return places[places.size() / 2];
  return lead(bracket.first) >= 0 ? curves.x[bracket.first] : curves.x[bracket.last];
}

namespace {

bool isAhead(const Sign& sign) {
  return sign.alone > 0;
}

/// No crossing was found: what else the signs say.
Crossing withoutCrossing(const CurvePair& curves, std::span<const Sign> signs) {
  Crossing crossing;
  if (signs.empty()) return crossing;
  const auto surely = [&](int wanted) {
    return std::any_of(signs.begin(), signs.end(),
                       [&](const Sign& sign) { return sign.amongAll == wanted; });
  };
  const auto first = std::find_if(signs.begin(), signs.end(), isAhead);
  if (std::all_of(signs.begin(), signs.end(), isAhead)) {
    crossing.status = CrossingStatus::always;
  } else if (first == signs.end() && surely(-1)) {
    crossing.status = CrossingStatus::never;
  } else if (first != signs.end() && surely(1) && std::all_of(first, signs.end(), isAhead)) {
    crossing.status = CrossingStatus::found;
    crossing.fromTie = true;
    crossing.at = crossing.high = curves.x[static_cast<std::size_t>(first - signs.begin())];
    crossing.low = curves.x[0];
  }
  return crossing;
}

/// The places that no crossing accounts for, where each is by itself tied (0) or behind (-1).
std::vector<double> openPlaces(const CurvePair& curves, std::span<const Sign> signs,
                               const std::vector<Bracket>& brackets, int alone) {
  std::vector<double> places;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const bool inside = std::any_of(brackets.begin(), brackets.end(), [&](const Bracket& bracket) {
      return bracket.first < i && i < bracket.last;
    });
    if (signs[i].amongAll == 0 && signs[i].alone == alone && !inside) places.push_back(curves.x[i]);
  }
  return places;
}

}  // namespace

CrossingSearch searchCrossings(const CurvePair& curves, std::span<const Sign> signs) {
  CrossingSearch search;
  int current = 0;
  std::size_t lastOfSign = 0;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const int sign = signs[i].amongAll;
    if (sign == 0) continue;
    if (current != 0 && sign != current) {
      Crossing crossing;
      crossing.status = CrossingStatus::found;
      crossing.backwards = sign < 0;
      const Bracket bracket{lastOfSign, i};
      crossing.at = crossing.low = crossing.high = crossingWithin(curves, bracket, sign > 0);
      search.crossings.push_back(crossing);
      search.brackets.push_back(bracket);
    }
    current = sign;
    lastOfSign = i;
  }
  // With more crossings, the variant is faster in more than one stretch.
  if (search.crossings.size() == 2 && search.crossings.back().backwards)
    search.crossings.front().until = search.crossings.back().at;
  const std::vector<double> tied = openPlaces(curves, signs, search.brackets, 0),
                            unsure = openPlaces(curves, signs, search.brackets, -1);
  if (search.crossings.empty()) {
    search.crossings.push_back(withoutCrossing(curves, signs));
    search.brackets.emplace_back();
  }
  for (Crossing& crossing : search.crossings) {
    crossing.tied = tied;
    crossing.unsure = unsure;
    crossing.places = signs.size();
    crossing.ahead = static_cast<std::size_t>(std::count_if(signs.begin(), signs.end(), isAhead));
    if (!signs.empty()) crossing.ratioAtStart = curves.baseline[0] / curves.variant[0];
  }
  return search;
}

}  // namespace fusebench
