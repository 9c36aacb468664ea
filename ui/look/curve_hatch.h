// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPolygonF>
#include <vector>

namespace fusebench {

/// Short strokes across a curve from below to above, `gap` apart along it and `half` to each side:
/// what marks a curve as simulated wherever it is drawn.
std::vector<QLineF> hatchAlong(const QPolygonF& curve, double gap, double half);

}  // namespace fusebench
