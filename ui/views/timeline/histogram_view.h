// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QWidget>
#include <vector>

#include "profiler/trace/trace_statistics.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// Small histograms of times, one series of bars per trace, on bins of 1, 2, 5, 10, ...
/// nanoseconds. Left and Right move from bin to bin and show its contents.
class HistogramView : public QWidget {
  Q_OBJECT

 public:
  HistogramView(QString title, QString empty, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// `names`: one per distribution, if there are several. `notes`: a description of each.
  void setDistributions(std::vector<Distribution> distributions, QStringList names = {},
                        const QStringList& notes = {});
  const std::vector<Distribution>& distributions() const { return shown_; }
  /// Lower ends of the bins that any of them has, ascending.
  std::vector<Nanoseconds> edges() const;
  /// The focused bin, among edges(); -1: none yet.
  int current() const { return current_; }
  void setCurrent(int bin);
  /// Where a bin is drawn, over the full height; empty: it is not drawn.
  QRectF placeOf(int bin) const;
  /// "10 µs to 20 µs: 34".
  QString wordsOf(int bin) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  int legendLines() const;
  int legendHeight() const;
  int noteHeight() const;
  void paintLegend(QPainter& painter, const QRect& place);
  QString medianOf(const Distribution& distribution) const;
  QRectF plot() const;

  QString title_, empty_;
  QStringList names_;
  QString note_;  ///< where there is one
  std::vector<Distribution> shown_;
  int current_ = -1;
  const Theme* theme_ = &darkTheme();
};

}  // namespace fusebench
