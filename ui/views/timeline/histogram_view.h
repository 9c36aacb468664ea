// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "profiler/trace/trace_statistics.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// Small histograms of times, one curve of bars a trace, on bins of 1, 2, 5, 10, ... nanoseconds.
class HistogramView : public QWidget {
  Q_OBJECT

 public:
  HistogramView(QString title, QString empty, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// `names`: of each, where there are several. `notes`: what each is of.
  void setDistributions(std::vector<Distribution> distributions, QStringList names = {},
                        const QStringList& notes = {});
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int legendLines() const;
  int legendHeight() const;
  int noteHeight() const;
  void paintLegend(QPainter& painter, const QRect& place);
  QString medianOf(const Distribution& distribution) const;

  QString title_, empty_;
  QStringList names_;
  QString note_;  ///< where there is one
  std::vector<Distribution> shown_;
  const Theme* theme_ = &darkTheme();
};

}  // namespace fusebench
