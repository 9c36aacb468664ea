// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "profiler/analysis/crossings.h"
#include "profiler/analysis/wording.h"

namespace fusebench {

/// How much of a break-even its marker shows, depending on the available room.
enum class MarkerDetail : std::uint8_t { place, interval };
/// "static ahead at 1.4 or more (1.3 – 1.5)"; a point that further samples may still move has a
/// tilde.
QString markerText(const Crossing& crossing, wording::PlaceStyle style, MarkerDetail detail);
/// All of it in one sentence, for tooltips and screen readers.
QString markerSentence(const Crossing& crossing, wording::PlaceStyle style, const QString& unit);

}  // namespace fusebench
