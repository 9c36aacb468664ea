// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

#include "ui/theme/theme.h"

namespace fusebench {

/// The markers of one curve. Their sizes differ, to show certainty: a point that is still being
/// measured is hollow, and grows as its interval narrows. A point during which the machine drifted
/// has a small wave.
class CurveMarks : public QCPLayerable {
 public:
  struct Mark {
    double x = 0, y = 0;
    double size = 8;  ///< pixels
    bool filled = true;
    bool drifted = false;
  };
  CurveMarks(QCustomPlot& plot, QCPAxisRect& rect);

  void setMarks(std::vector<Mark> marks) { marks_ = std::move(marks); }
  void setDots(std::vector<Mark> dots) { dots_ = std::move(dots); }
  /// `inside` fills hollow marks, `warning` draws the wave.
  void setStyle(MarkerShape shape, const QColor& color, const QColor& inside,
                const QColor& warning);
  /// Strokes across the curve through these points of the axes; see hatchAlong().
  void setHatched(std::vector<QPointF> curve) { hatched_ = std::move(curve); }
  bool hatched() const { return !hatched_.empty(); }
  const std::vector<Mark>& marks() const { return marks_; }
  const std::vector<Mark>& dots() const { return dots_; }

 protected:
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
  void draw(QCPPainter* painter) override;
  QRect clipRect() const override;

 private:
  void drawWave(QCPPainter& painter, const QPointF& below) const;

  QCPAxisRect& rect_;
  std::vector<Mark> marks_;
  std::vector<Mark> dots_;  ///< single observations behind the points
  std::vector<QPointF> hatched_;
  MarkerShape shape_ = MarkerShape::circle;
  QColor color_, inside_, warning_;
};

/// QCustomPlot's name of a shape.
QCPScatterStyle::ScatterShape scatterShape(MarkerShape marker);

}  // namespace fusebench
