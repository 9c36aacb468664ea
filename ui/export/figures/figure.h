// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPicture>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <memory>
#include <vector>

#include "ui/models/chart/axis_range.h"
#include "ui/models/chart/chart_readout.h"

namespace fusebench {

/// The unit of layout of figures and of a report's pages.
inline constexpr double kUnitsPerInch = 96;

/// A stroke; its dashes are lengths in the figure's unit. Width 0: none.
struct FigureStroke {
  QColor color;
  double width = 0;
  QVector<double> dashes;
};

/// One drawn element.
struct FigureItem {
  enum class Kind { lines, areas, rect, ellipse, text };
  Kind kind = Kind::lines;
  QString group;         ///< items of one group are drawn together and can be hidden together
  bool clipped = false;  ///< to the plot's rectangle
  FigureStroke stroke;
  QColor fill;                    ///< invalid: none; for a text, its ink
  std::vector<QPolygonF> shapes;  ///< lines, areas
  QRectF rect;                    ///< rect, ellipse
  double radius = 0;              ///< of a rect's corners
  QString text;
  QPointF at;       ///< where the baseline of a text starts, has its center, or ends
  double size = 0;  ///< of a text: the em
  bool bold = false;
  Qt::AlignmentFlag anchor = Qt::AlignLeft;  ///< left, horizontal center, right
  double rotation = 0;                       ///< degrees about `at`
};

/// The readout at one value of the axis.
struct FigureReading {
  double pixel = 0;
  Readout readout;
  std::vector<double> heights;  ///< one per row of the readout; NaN: its curve has no point there
};

/// The readout of a part of the figure under the pointer: a point of a map, a bar.
struct FigureSpot {
  struct Row {
    QString name, value, beside;
    QColor color;  ///< invalid: none
  };
  QRectF area;
  QString title;
  std::vector<Row> rows;
};

/// A part of the figure that a reader may hide.
struct FigureSeries {
  QString name;
  QString group;
  QColor color;
  int variant = -1;
};

/// A drawing in units of 1/96 inch, y downwards. It is written as SVG, or drawn with a QPainter
/// onto a picture, a PDF file, the clipboard: all from the same items.
struct Figure {
  QString id;  ///< a word; ids within begin with it
  QSizeF size{960, 540};
  QColor ground, ink;
  QString title;        ///< also for screen readers
  QString description;  ///< what it shows, in sentences
  QRectF plot;          ///< the axes' rectangle
  AxisRange x, y;
  std::vector<FigureItem> items;
  std::vector<FigureSeries> series;
  std::vector<FigureReading> readings;
  std::vector<FigureSpot> spots;  ///< in place of readings
  /// A drawing instead of a chart, such as the canvas. It fills the plot's rectangle, below the
  /// items.
  std::shared_ptr<const QPicture> picture;
  QSizeF pictureSize;  ///< in its own units

  double pixelX(double value) const { return plot.left() + shareOf(x, value) * plot.width(); }
  double pixelY(double value) const { return plot.bottom() - shareOf(y, value) * plot.height(); }
};

/// Width of a text of that em in the figure's font.
double figureTextWidth(const QString& text, double size, bool bold = false);
/// The text, with an ellipsis in the middle if it is wider than `width`.
QString figureElided(const QString& text, double size, double width, bool bold = false);
/// The text in lines that are not wider than `width`.
QStringList figureLines(const QString& text, double size, double width);

/// Helpers to create items concisely.
class FigurePen {
 public:
  explicit FigurePen(Figure& figure) : figure_(figure) {}
  /// The following items belong to this group, and are clipped or not.
  void group(const QString& name, bool clipped = false);
  void line(const QPointF& from, const QPointF& to, const FigureStroke& stroke);
  void lines(std::vector<QPolygonF> shapes, const FigureStroke& stroke);
  void areas(std::vector<QPolygonF> shapes, const QColor& fill, const FigureStroke& stroke = {});
  void rect(const QRectF& rect, const QColor& fill, const FigureStroke& stroke = {},
            double radius = 0);
  void ellipse(const QPointF& middle, double radius, const QColor& fill,
               const FigureStroke& stroke = {});
  /// `middle` is the vertical center of the text, at its left end, center or right end.
  void text(const QPointF& middle, const QString& text, double size, const QColor& ink,
            Qt::AlignmentFlag anchor = Qt::AlignLeft, bool bold = false, double rotation = 0);

 private:
  FigureItem& add(FigureItem::Kind kind);
  Figure& figure_;
  QString group_;
  bool clipped_ = false;
};

}  // namespace fusebench
