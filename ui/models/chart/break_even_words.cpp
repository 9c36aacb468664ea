// SPDX-License-Identifier: GPL-3.0-or-later
// The readout of one place of a break-even map, in words.
#include <fmt/format.h>

#include <vector>

#include "engine/base/saying.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/chart/break_even_map.h"

namespace fusebench {

QString placeTitle(const BreakEvenMap& map, std::size_t i, std::size_t j) {
  const auto on = [](const MapAxis& axis, std::size_t at) {
    QString label = axis.label;
    if (axis.values[at] == 1 && label.endsWith(u's')) label.chop(1);  // "1 statement"
    // "64 elements", or what comes first in the language.
    const std::string_view form = saidAs("place", "{} {}");
    const QString value = axisValueText(axis.values[at], placeStyle(axis.values));
    return QString::fromStdString(
        fmt::format(fmt::runtime(form), value.toStdString(), label.toStdString()));
  };
  return on(map.x, i) + QString::fromStdString(saying(", ")) + on(map.y, j);
}

std::vector<PlaceRow> placeRows(const BreakEvenMap& map, const MapPlace& place) {
  if (place.state == PlaceState::hole) return {{uiText("not measured"), place.problem, {}}};
  const QString missing =
      place.state == PlaceState::empty ? uiText("not measured") : uiText("not yet");
  const auto latency = [&missing](const QString& name, const Estimate& estimate,
                                  std::size_t samples) {
    if (samples == 0) return PlaceRow{name, missing, {}};
    return PlaceRow{
        name, formatTime(estimate.value),
        samples == 1 && estimate.kind == Estimate::Kind::interval ? formatInterval(estimate)
        : samples == 1                                            ? uiText("1 sample")
                       : uiText("%1 · %2 samples").arg(formatInterval(estimate)).arg(samples)};
  };
  std::vector<PlaceRow> rows = {latency(map.baselineName, place.baseline, place.baselineSamples),
                                latency(map.variantName, place.latency, place.samples)};
  if (place.state != PlaceState::measured) return rows;
  const bool range = place.speedUp.kind != Estimate::Kind::interval;
  const bool one = range && !(place.speedUp.low < place.speedUp.high);
  rows.push_back({QStringLiteral("speedup"), formatRatio(place.speedUp.value),
                  one ? QString()
                      : (range ? uiText("(%1 – %2: range)") : QStringLiteral("%1 – %2"))
                            .arg(formatSignificant(place.speedUp.low),
                                 formatSignificant(place.speedUp.high))});
  return rows;
}

}  // namespace fusebench
