// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/ratio_scale.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr double kLeastRoom = 1.1;  ///< to both sides of 1
constexpr std::size_t kEnoughTicks = 4;

std::vector<double> multiplesOfTens(std::initializer_list<double> digits, double low, double high) {
  std::vector<double> found;
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::floor(std::log10(high)));
  for (int power = first; power <= last; ++power)
    for (const double digit : digits) {
      const double tick = digit * std::pow(10.0, power);
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) found.push_back(tick);
    }
  return found;
}

}  // namespace

double RatioScale::strength(double ratio) const {
  if (!std::isfinite(ratio) || ratio <= 0) return std::numeric_limits<double>::quiet_NaN();
  const double room = std::max(std::log(highest), -std::log(lowest));
  return room > 0 ? std::clamp(std::log(ratio) / room, -1.0, 1.0) : 0;
}

std::vector<double> RatioScale::ticks() const {
  std::vector<double> ticks = multiplesOfTens({1, 2, 5}, lowest, highest);
  if (ticks.size() < kEnoughTicks)
    ticks = multiplesOfTens({1, 1.2, 1.5, 2, 3, 4, 5, 6, 7, 8, 9}, lowest, highest);
  if (ticks.size() < kEnoughTicks)
    ticks = multiplesOfTens({1, 1.05, 1.1, 1.2, 1.3, 1.4, 1.5, 8, 9, 9.5}, lowest, highest);
  return ticks;
}

RatioScale ratioScale(const BreakEvenMap& map) {
  RatioScale scale{1 / kLeastRoom, kLeastRoom};
  for (const MapPlace& place : map.places) {
    if (place.state != PlaceState::measured) continue;
    scale.lowest = std::min(scale.lowest, place.speedUp.value);
    scale.highest = std::max(scale.highest, place.speedUp.value);
  }
  return scale;
}

QString ratioTickText(double ratio) {
  return QString::number(ratio, 'g', 4) + QStringLiteral("×");
}

QString summaryOf(const BreakEvenMap& map, const Experiment& experiment) {
  std::size_t measured = 0, faster = 0, slower = 0, unsure = 0, best = map.places.size();
  for (std::size_t k = 0; k < map.places.size(); ++k) {
    const MapPlace& place = map.places[k];
    if (place.state != PlaceState::measured) continue;
    ++measured;
    faster += place.certainty() == Certainty::faster;
    slower += place.certainty() == Certainty::slower;
    unsure += place.certainty() == Certainty::unsure;
    if (best == map.places.size() || place.speedUp.value > map.places[best].speedUp.value) best = k;
  }
  if (measured == 0 || map.variant < 0) return {};
  const QString name =
      QString::fromStdString(experiment.variants[static_cast<std::size_t>(map.variant)].name);
  QString text;
  if (faster == measured || slower == measured)
    text = uiText("%1 is %2 at all %3 points")
               .arg(name, faster ? uiText("faster") : uiText("slower"))
               .arg(measured);
  else
    text = uiText("%1 is faster at %2 of %3 points, slower at %4")
               .arg(name)
               .arg(faster)
               .arg(measured)
               .arg(slower);
  if (unsure > 0) text += uiText("; %1 within noise").arg(unsure);
  if (const std::size_t rest = measured - faster - slower - unsure; rest > 0)
    text += uiText("; %1 have too few samples").arg(rest);
  if (measured < map.places.size())
    text += (map.places.size() - measured == 1 ? uiText("; %1 is not measured")
                                               : uiText("; %1 are not measured"))
                .arg(map.places.size() - measured);
  const std::size_t rows = map.y.values.size();
  return text + uiText(". Largest: %1 at %2.")
                    .arg(formatRatio(map.places[best].speedUp.value),
                         placeTitle(map, best / rows, best % rows));
}

}  // namespace fusebench
