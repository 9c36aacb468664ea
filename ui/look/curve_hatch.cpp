// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/curve_hatch.h"

namespace fusebench {

std::vector<QLineF> hatchAlong(const QPolygonF& curve, double gap, double half) {
  std::vector<QLineF> strokes;
  if (gap <= 0) return strokes;
  double next = gap / 2;  // from the piece's begin
  for (qsizetype i = 0; i + 1 < curve.size(); ++i) {
    const QLineF piece(curve[i], curve[i + 1]);
    const double length = piece.length();
    for (; next <= length; next += gap) {
      const QPointF at = piece.pointAt(length > 0 ? next / length : 0);
      strokes.emplace_back(at + QPointF(-0.6 * half, half), at + QPointF(0.6 * half, -half));
    }
    next -= length;
  }
  return strokes;
}

}  // namespace fusebench
