// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <QSharedPointer>
#include <optional>
#include <vector>

#include "ui/look/axis_tickers.h"
#include "ui/models/runs/run_comparison.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// Ratios of two runs' latencies over the first axis, one series per variant, with intervals and a
/// line at 1.
class RatioPlot : public QCustomPlot {
  Q_OBJECT

 public:
  explicit RatioPlot(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// `second`: only cells with this value on the second axis; nothing if there is none.
  void show(const RunComparison& comparison, std::optional<std::int64_t> second);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// As many entries in a row of the legend as fit.
  void wrapLegend();
  void addSeries(const QString& name, int color, const std::vector<const ComparedCell*>& cells,
                 double offset);
  void restyle();

  struct Series {
    QCPGraph* graph;
    QCPErrorBars* bars;
    int color;
  };
  const Theme* theme_ = &darkTheme();
  std::vector<Series> series_;
  std::vector<double> values_;
  QCPItemStraightLine* one_;
  QSharedPointer<ValueTicker> ticker_;
};

}  // namespace fusebench
