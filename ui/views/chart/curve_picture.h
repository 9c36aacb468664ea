// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <QImage>
#include <QThreadPool>
#include <optional>
#include <vector>

#include "ui/models/chart/chart_series.h"

namespace fusebench {

/// Curves with so many points that drawing them would block the window. They are drawn into a
/// picture on another thread. Until it is finished, the previous picture is shown, stretched to the
/// current ranges of the axes.
class CurvePicture : public QCPLayerable {
 public:
  struct DenseCurve {
    std::vector<CurvePoint> points;
    QPen pen;
    QBrush band;
  };

  CurvePicture(QCustomPlot& plot, QCPAxisRect& rect);
  ~CurvePicture() override;

  void setCurves(std::vector<DenseCurve> curves);
  bool empty() const { return curves_.empty(); }
  /// Discards the picture, which cannot be reused for another metric or other axes.
  void forget();
  /// Draws synchronously: for pictures of the window.
  void setStill(bool still) { still_ = still; }
  /// Whether a picture is being made.
  bool busy() const { return busy_; }

 protected:
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
  QRect clipRect() const override;
  void draw(QCPPainter* painter) override;

 private:
  /// The state that a picture shows: the picture can be reused if all of this is the same.
  struct Key {
    int generation = 0;
    double left = 0, right = 0, bottom = 0, top = 0;
    QSize size;
    double scale = 1;
    friend bool operator==(const Key&, const Key&) = default;
  };
  /// Strokes and bands in pixels from the rectangle's corner.
  struct Shapes {
    struct Line {
      QPolygonF points;
      QPen pen;
    };
    struct Band {
      QPolygonF outline;
      QBrush brush;
    };
    std::vector<Band> bands;
    std::vector<Line> lines;
  };

  Key key() const;
  Shapes shapes() const;
  static void paint(QPainter& painter, const Shapes& shapes);
  void start(const Key& key);
  void take(const Key& key, QImage image, int forgotten);

  QCPAxisRect& rect_;
  std::vector<DenseCurve> curves_;
  int generation_ = 0, forgotten_ = 0;
  std::optional<Key> shown_;
  QImage image_;
  bool still_ = false, busy_ = false;
  QThreadPool pool_;  ///< one thread
};

}  // namespace fusebench
