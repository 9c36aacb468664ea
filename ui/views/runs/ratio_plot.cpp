// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/runs/ratio_plot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "ui/models/base/ui_text.h"
#include "ui/models/chart/break_even_map.h"
#include "ui/models/chart/ratio_scale.h"
#include "ui/views/chart/curve_marks.h"

namespace fusebench {
namespace {

constexpr int kRatioLeft = 62;          ///< left margin of the plot and of the legend above it
constexpr int kLeastRatioHeight = 150;  ///< height of the plot without its legend
constexpr int kRatioLegendGap = 18;     ///< pixels between two entries of the legend
constexpr double kRatioTickApart = 20;  ///< pixels between two labels of ratios

/// Round ratios, labeled with a times sign.
class RatioTicker : public QCPAxisTicker {
 public:
  explicit RatioTicker(const QCPAxis& axis) : axis_(axis) {}

 protected:
  QVector<double> createTickVector(double, const QCPRange& range) override {
    const double most = std::clamp(axis_.axisRect()->height() / kRatioTickApart, 1.0, 12.0);
    const double least = std::log(range.upper / range.lower) / most;
    QVector<double> kept;
    for (const double tick : RatioScale{range.lower, range.upper}.ticks()) {
      // 1 is what all is read against: what is too near gives way to it.
      const bool free = kept.isEmpty() || std::log(tick / kept.last()) > least;
      if (tick == 1 || (free && std::abs(std::log(tick)) > least)) kept << tick;
    }
    return kept;
  }
  QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return ratioTickText(tick);
  }

 private:
  const QCPAxis& axis_;
};

}  // namespace

RatioPlot::RatioPlot(QWidget* parent)
    : QCustomPlot(parent), one_(new QCPItemStraightLine(this)), ticker_(new ValueTicker) {
  setAttribute(Qt::WA_NoMousePropagation, false);  // its context menu is the view's
  setAccessibleName(uiText("Ratio of the two runs over the axis"));
  setFocusPolicy(Qt::NoFocus);
  setPlottingHint(QCP::phCacheLabels, false);
  setMinimumHeight(kLeastRatioHeight);
  xAxis->setTicker(ticker_);
  yAxis->setScaleType(QCPAxis::stLogarithmic);
  yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new RatioTicker(*yAxis)));
  yAxis->setLabel(QStringLiteral("B / A"));
  axisRect()->setMinimumMargins(QMargins(kRatioLeft, 6, 18, 10));
  // The legend has a row of its own above the plot: inside it would cover intervals.
  legend->setVisible(true);
  legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
  legend->setMargins(QMargins(kRatioLeft, 8, 8, 0));
  legend->setColumnSpacing(kRatioLegendGap);
  legend->setBorderPen(Qt::NoPen);
  axisRect()->insetLayout()->take(legend);
  auto* row = new QCPLayoutGrid;
  plotLayout()->insertRow(0);
  plotLayout()->addElement(0, 0, row);  // before it has elements: they learn from it whose they are
  row->addElement(0, 0, legend);
  row->addElement(0, 1, new QCPLayoutElement(this));
  row->setColumnStretchFactor(0, 0.001);
  plotLayout()->setRowStretchFactor(0, 0.001);
  plotLayout()->setRowSpacing(0);
  // How many labels have room is known once the legend has taken its own.
  connect(this, &QCustomPlot::afterLayout, this,
          [this] { axisRect()->update(QCPLayoutElement::upPreparation); });
  restyle();
}

void RatioPlot::setTheme(const Theme& theme) {
  theme_ = &theme;
  restyle();
}

void RatioPlot::show(const RunComparison& comparison, std::optional<std::int64_t> second) {
  clearPlottables();
  series_.clear();
  values_.clear();
  std::map<int, std::vector<const ComparedCell*>> byVariant;
  double low = 1 / 1.1, high = 1.1;
  for (const ComparedCell& cell : comparison.cells) {
    if (cell.ratio.kind == Estimate::Kind::none || cell.at.empty()) continue;
    if (second && cell.at.size() > 1 && cell.at[1] != *second) continue;
    byVariant[cell.variantIndex].push_back(&cell);
    values_.push_back(static_cast<double>(cell.at[0]));
    low = std::min(low, cell.ratio.low);
    high = std::max(high, cell.ratio.high);
  }
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  Axis axis;
  for (const double value : values_) axis.values.push_back(static_cast<std::int64_t>(value));
  const bool logarithmic = values_.size() > 1 && mapAxis(axis).logarithmic;
  xAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  ticker_->setValues(values_);
  if (!values_.empty()) {
    const double first = values_.front(), last = values_.back();
    const double room =
        logarithmic ? std::pow(last / first, 0.05) : 0.05 * std::max(1.0, last - first);
    xAxis->setRange(logarithmic ? first / room : first - room,
                    logarithmic ? last * room : last + room);
  }
  yAxis->setRange(low / 1.03, high * 1.03);
  if (!comparison.axes.empty()) xAxis->setLabel(comparison.axes.front());
  // Side by side, so that intervals at one place do not cover each other.
  double offset = -0.5 * static_cast<double>(byVariant.empty() ? 0 : byVariant.size() - 1);
  for (const auto& [color, cells] : byVariant)
    addSeries(cells.front()->variant, color, cells, offset++);
  restyle();
  wrapLegend();
}

void RatioPlot::wrapLegend() {
  int widest = 1, high = 0, entries = 0;
  for (int i = 0; i < legend->itemCount(); ++i) {
    // A row that is not full has places without an entry.
    const QCPAbstractLegendItem* const item = legend->item(i);
    if (!item) continue;
    ++entries;
    widest = std::max(widest, item->minimumOuterSizeHint().width() + kRatioLegendGap);
    high = std::max(high, item->minimumOuterSizeHint().height());
  }
  const int columns = std::max(1, (width() - kRatioLeft) / widest);
  // The intervals keep their height, independent of how many legend entries are above them.
  const int rows = (entries + columns - 1) / columns;
  setMinimumHeight(kLeastRatioHeight + rows * (high + legend->rowSpacing()));
  if (legend->wrap() == columns) return;
  legend->setWrap(columns);
  // Setting the fill order again makes existing entries move to their new cells.
  legend->setFillOrder(QCPLayoutGrid::foColumnsFirst, true);
}

void RatioPlot::resizeEvent(QResizeEvent* event) {
  wrapLegend();
  QCustomPlot::resizeEvent(event);
}

void RatioPlot::addSeries(const QString& name, int color,
                          const std::vector<const ComparedCell*>& cells, double offset) {
  constexpr double kStep = 0.012;  // share of the axis' length
  QVector<double> x, y, below, above;
  const bool logarithmic = xAxis->scaleType() == QCPAxis::stLogarithmic;
  for (const ComparedCell* cell : cells) {
    const double at = static_cast<double>(cell->at[0]);
    const QCPRange range = xAxis->range();
    x << (logarithmic ? at * std::pow(range.upper / range.lower, kStep * offset)
                      : at + kStep * offset * range.size());
    y << cell->ratio.value;
    below << cell->ratio.value - cell->ratio.low;
    above << cell->ratio.high - cell->ratio.value;
  }
  QCPGraph* graph = addGraph();
  graph->setName(name);
  graph->setData(x, y);
  auto* bars = new QCPErrorBars(xAxis, yAxis);
  bars->removeFromLegend();
  bars->setDataPlottable(graph);
  bars->setData(below, above);
  bars->setWhiskerWidth(5);
  series_.push_back({graph, bars, color});
}

void RatioPlot::restyle() {
  setBackground(theme_->panel);
  for (QCPAxis* axis : {xAxis, yAxis}) {
    axis->setLabelFont(textFont(0.92));
    axis->setTickLabelFont(textFont(0.92));
    axis->setLabelColor(theme_->muted);
    axis->setTickLabelColor(theme_->muted);
    axis->setBasePen(axis == xAxis ? QPen(theme_->border) : QPen(Qt::NoPen));
    axis->setTickPen(Qt::NoPen);
    axis->setSubTickPen(Qt::NoPen);
    axis->grid()->setPen(QPen(theme_->grid, 1));
    axis->grid()->setZeroLinePen(Qt::NoPen);
    axis->grid()->setVisible(axis == yAxis);
  }
  one_->point1->setCoords(0.5, 1);
  one_->point2->setCoords(2, 1);
  one_->setPen(QPen(theme_->text, 1.5));
  legend->setFont(textFont(0.92));
  legend->setTextColor(theme_->text);
  legend->setBrush(Qt::NoBrush);
  for (const Series& series : series_) {
    const SeriesStyle style = theme_->series(series.color);
    QPen line(style.color, 1.4);
    if (!style.dashes.isEmpty()) line.setDashPattern(style.dashes);
    series.graph->setPen(line);
    series.graph->setScatterStyle(
        QCPScatterStyle(scatterShape(style.marker), QPen(style.color, 1.4), style.color, 6.5));
    series.bars->setPen(QPen(style.color, 1.2));
  }
  replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace fusebench

#include "moc_ratio_plot.cpp"
