// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <vector>

#include "ui/export/figures/timeline_figure.h"
#include "ui/models/timeline/row_picture.h"

namespace fusebench {

/// How much of each color a trace's rows show, and where its executions and their calls are.
struct TimelineShown {
  std::map<std::pair<std::size_t, ColorClass>, double> widths;  ///< by trace and color
  struct Execution {
    std::size_t trace = 0;
    EventId from = 0;  ///< where its arrow comes from: its call, or the previous rank's collective
    QPointF top;       ///< of its box, at its left
  };
  std::vector<Execution> executions;  ///< that get an arrow
};

/// Draws one row of events with its top left corner at `corner`, and adds what it shows.
class TimelineRowDrawing {
 public:
  TimelineRowDrawing(FigurePen& pen, const TimelineSubject& subject, const FigureStyle& style,
                     const QRectF& plot)
      : pen_(pen), subject_(subject), style_(style), plot_(plot) {}

  void draw(const TimelineRow& row, double top, double height, TimelineShown& shown);
  double x(double time) const { return plot_.left() + (time - subject_.from) / perUnit(); }

 private:
  double perUnit() const { return (subject_.to - subject_.from) / plot_.width(); }
  void drawIdle(const QRectF& band);
  void sayIdle(const std::vector<RowPicture::Gap>& gaps, const QRectF& band);
  void drawPixels(const TimelineRow& row, const QRectF& band, TimelineShown& shown);
  void drawBoxes(const TimelineRow& row, const QRectF& band, TimelineShown& shown);

  FigurePen& pen_;
  const TimelineSubject& subject_;
  const FigureStyle& style_;
  QRectF plot_;
  RowPicture picture_;  ///< pixels and boxes of the current row
};

}  // namespace fusebench
