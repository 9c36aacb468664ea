// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/figure_marks.h"

namespace fusebench {

void drawMark(FigurePen& pen, MarkerShape shape, const QPointF& middle, double radius,
              const QColor& color, const QColor& inside, double stroke) {
  const double x = middle.x(), y = middle.y(), r = radius;
  const FigureStroke edge{color, stroke, {}};
  switch (shape) {
    case MarkerShape::circle:
      return pen.ellipse(middle, r, inside, edge);
    case MarkerShape::square:
      return pen.rect({x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r}, inside, edge);
    case MarkerShape::diamond:
      return pen.areas({QPolygonF({{x, y - r}, {x + r, y}, {x, y + r}, {x - r, y}})}, inside, edge);
    case MarkerShape::triangle:
      return pen.areas({QPolygonF({{x, y - r}, {x + r, y + 0.8 * r}, {x - r, y + 0.8 * r}})},
                       inside, edge);
    case MarkerShape::cross:
      return pen.lines({QPolygonF({{x - r, y - r}, {x + r, y + r}}),
                        QPolygonF({{x - r, y + r}, {x + r, y - r}})},
                       {color, 1.3 * stroke, {}});
    case MarkerShape::plus:
      return pen.lines({QPolygonF({{x - r, y}, {x + r, y}}), QPolygonF({{x, y + r}, {x, y - r}})},
                       {color, 1.3 * stroke, {}});
  }
}

}  // namespace fusebench
