// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPolygonF>
#include <vector>

namespace fusebench {

/// Short strokes across a curve, `gap` apart along it and `half` long to each side, which mark a
/// curve as simulated wherever it is drawn.
std::vector<QLineF> hatchAlong(const QPolygonF& curve, double gap, double half);

}  // namespace fusebench
