// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart_view.h"

#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/models/comparison.h"
#include "ui/models/format.h"

namespace fusebench {
namespace {
constexpr int kChipRows = 2;
constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

/// What a metric's letter stands for.
QString metricText(const std::string& metric) {
  if (metric == "E") return QStringLiteral("event time");
  if (metric == "W") return QStringLiteral("wall time");
  if (metric == "H") return QStringLiteral("time to enqueue");
  if (metric == "D") return QStringLiteral("kernel time");
  return QString::fromStdString(metric);
}
}  // namespace

ChartView::ChartView(const RunModel& run, const AnalysisModel& analysis, QWidget* parent)
    : QWidget(parent),
      run_(run),
      analysis_(analysis),
      plot_(new QCustomPlot(this)),
      readout_(new QLabel(plot_)),
      card_(new QFrame(plot_)) {
  setObjectName(QStringLiteral("chart"));
  setAccessibleName(QStringLiteral("Latency chart"));
  setAccessibleDescription(QStringLiteral(
      "Latency per call of each variant; left and right arrows move along the axis"));
  setFocusPolicy(Qt::StrongFocus);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(plot_);
  buildPlot();
  buildCard();
  readout_->setObjectName(QStringLiteral("readout"));
  readout_->setAttribute(Qt::WA_TransparentForMouseEvents);
  readout_->setTextFormat(Qt::RichText);
  readout_->setContentsMargins(10, 8, 10, 8);
  readout_->hide();
  connect(&run, &RunModel::runReset, this, &ChartView::refresh);
  connect(&run, &RunModel::cellsChanged, this, &ChartView::refresh);
  connect(&analysis, &AnalysisModel::changed, this, &ChartView::refreshCrossings);
  setTheme(darkTheme());
}

ChartView::~ChartView() = default;

void ChartView::buildPlot() {
  plot_->setFocusPolicy(Qt::NoFocus);
  plot_->setMouseTracking(true);
  plot_->installEventFilter(this);
  plot_->setNoAntialiasingOnDrag(false);
  plot_->setPlottingHint(QCP::phCacheLabels, false);  // cached labels are blurred in pictures at 2x
  for (const char* layer : {kBandLayer, kCurveLayer, kLabelLayer, kHoverLayer})
    plot_->addLayer(layer, plot_->layer(plot_->layerCount() - 1), QCustomPlot::limAbove);
  plot_->layer(kHoverLayer)->setMode(QCPLayer::lmBuffered);
  plot_->plotLayout()->clear();
  plot_->plotLayout()->setRowSpacing(0);
  plot_->plotLayout()->setColumnSpacing(0);
  const auto addRect = [&](int column) {
    auto* rect = new QCPAxisRect(plot_, true);
    for (const auto side : {QCPAxis::atRight, QCPAxis::atTop}) rect->axis(side)->setVisible(false);
    rect->setRangeDrag({});
    rect->setRangeZoom({});
    rect->setMinimumMargins(QMargins(10, kChipRows * 23 + 4, 14, 8));
    auto* title = new QCPTextElement(plot_);
    title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    title->setMargins(QMargins(18, 12, 4, 0));
    plot_->plotLayout()->addElement(0, column, title);
    plot_->plotLayout()->addElement(1, column, rect);
    return std::pair{rect, title};
  };
  const auto [measuredRect, measuredTitle] = addRect(0);
  const auto [publishedRect, publishedTitle] = addRect(1);
  plot_->plotLayout()->setRowStretchFactor(0, 0.001);
  measuredTitle_ = measuredTitle;
  publishedTitle_ = publishedTitle;
  publishedRect_ = publishedRect;
  measured_ = std::make_unique<CurvePlot>(*plot_, *measuredRect, false);
  published_ = std::make_unique<CurvePlot>(*plot_, *publishedRect, true);
  connect(plot_, &QCustomPlot::afterLayout, this, [this] {
    measured_->placeLabels();
    if (publishedShown()) published_->placeLabels();
    placeReadout();
  });
}

void ChartView::buildCard() {
  card_->setObjectName(QStringLiteral("emptyCard"));
  auto* layout = new QVBoxLayout(card_);
  layout->setContentsMargins(28, 22, 28, 24);
  layout->setSpacing(10);
  cardTitle_ = new QLabel(card_);
  cardTitle_->setObjectName(QStringLiteral("cardTitle"));
  cardTitle_->setWordWrap(true);
  cardText_ = new QLabel(card_);
  cardText_->setObjectName(QStringLiteral("muted"));
  cardText_->setWordWrap(true);
  cardButton_ = new QPushButton(QStringLiteral("Run the study"), card_);
  cardButton_->setObjectName(QStringLiteral("primary"));
  cardButton_->setCursor(Qt::PointingHandCursor);
  connect(cardButton_, &QPushButton::clicked, this, &ChartView::runRequested);
  layout->addWidget(cardTitle_);
  layout->addWidget(cardText_);
  layout->addSpacing(6);
  layout->addWidget(cardButton_, 0, Qt::AlignLeft);
}

void ChartView::setTheme(const Theme& theme) {
  theme_ = &theme;
  plot_->setBackground(theme.panel);
  measured_->setTheme(theme);
  published_->setTheme(theme);
  for (QCPTextElement* title : {measuredTitle_, publishedTitle_}) {
    title->setFont(textFont(0.92));
    title->setTextColor(theme.muted);
  }
  if (cursorValue_) readout_->setText(readoutText(*cursorValue_));
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::setExperiment(const Experiment* experiment, const Reference* reference) {
  experiment_ = experiment;
  reference_ = reference;
  slice_ = 0;
  setCursor(std::nullopt);
  refreshPublished();
}

void ChartView::setLogLatency(bool on) {
  logLatency_ = on;
  refresh();
}

void ChartView::setShowPublished(bool on) {
  showPublished_ = on;
  refreshPublished();
}

void ChartView::setSlice(std::size_t slice) {
  slice_ = slice;
  refresh();
}

void ChartView::setBusy(bool busy) {
  busy_ = busy;
  refreshEmptyState();
}

bool ChartView::publishedShown() const {
  return showPublished_ && reference_ && experiment_ && fits(*reference_, *experiment_);
}

CurvePlot::Axes ChartView::axes(bool published) const {
  CurvePlot::Axes axes;
  axes.logLatency = logLatency_;
  if (experiment_ && !experiment_->axes.empty()) {
    const Axis& axis = experiment_->axes[0];
    for (const std::int64_t value : axis.values) axes.values.push_back(static_cast<double>(value));
    axes.label = QString::fromStdString(axis.unit.empty() ? axis.name : axis.unit);
  }
  if (published && !published_->curves().empty()) {
    axes.values.clear();
    for (const CurvePoint& point : published_->curves()[0].points) axes.values.push_back(point.x);
  }
  return axes;
}

void ChartView::refresh() {
  measured_->setCurves(run_.run() ? curvesOf(*run_.run(), slice_) : std::vector<Curve>{});
  measured_->setAxes(axes(false));
  published_->setAxes(axes(true));
  measuredTitle_->setText(
      QStringLiteral("Latency per call on this machine\nmedian with 95% interval"));
  if (reference_)
    publishedTitle_->setText(
        QStringLiteral("Published: %1\nanother machine, another metric: %2")
            .arg(QString::fromStdString(reference_->device), metricText(reference_->metric)));
  arrange();
  refreshCrossings();
  refreshEmptyState();
  if (cursorValue_) readout_->setText(readoutText(*cursorValue_));
}

void ChartView::refreshPublished() {
  // Hidden means empty: items without data have nothing to draw.
  const bool shown = publishedShown();
  published_->setCurves(shown ? curvesOf(*reference_, *experiment_) : std::vector<Curve>{});
  published_->setCrossings(shown ? findCrossings(*reference_) : std::vector<Crossing>{});
  refresh();
}

void ChartView::refreshCrossings() {
  std::vector<Crossing> shown;
  for (const Crossing& crossing : analysis_.analysis().crossings)
    // With two axes a break-even belongs to one value of the other axis.
    if (crossing.cell.empty() || !experiment_ || experiment_->axes.size() < 2 ||
        crossing.cell[0] == experiment_->axes[1].values[slice_])
      shown.push_back(crossing);
  measured_->setCrossings(shown);
  arrange();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::refreshEmptyState() {
  const bool empty = !run_.run() && !busy_;
  card_->setVisible(empty && experiment_);
  if (!card_->isVisibleTo(plot_) || !experiment_) return;
  QStringList names;
  for (const Variant& variant : experiment_->variants)
    names << QString::fromStdString(variant.name);
  cardTitle_->setText(QString::fromStdString(
      experiment_->question.empty() ? experiment_->title : experiment_->question));
  const QString axis =
      experiment_->axes.empty() ? QString() : QString::fromStdString(experiment_->axes[0].name);
  cardText_->setText(
      QStringLiteral(
          "One latency curve for each of %1, over the number of %2, with its 95% interval "
          "and the points where the curves cross. It takes about %3.")
          .arg(names.join(QStringLiteral(", ")), axis,
               formatDuration(experiment_->measure.budgetSeconds)));
  arrange();
}

void ChartView::arrange() {
  const bool both = publishedShown();
  QCPLayoutGrid& grid = *plot_->plotLayout();
  if (both && !publishedRect_->layout()) {
    grid.addElement(0, 1, publishedTitle_);
    grid.addElement(1, 1, publishedRect_);
    grid.setColumnStretchFactor(0, 1);
    grid.setColumnStretchFactor(1, 0.68);
  } else if (!both && publishedRect_->layout()) {
    grid.take(publishedTitle_);
    grid.take(publishedRect_);
    grid.simplify();
  }
  publishedRect_->setVisible(both);
  publishedTitle_->setVisible(both);
  const QFontMetricsF metrics(textFont(0.96, QFont::DemiBold));
  const auto rightMargin = [&](const std::vector<Curve>& curves) {
    double width = 0;
    for (const Curve& curve : curves)
      width = std::max(width, metrics.horizontalAdvance(curve.name));
    return static_cast<int>(width) + 18;
  };
  const int top = measured_->hasMarkers() || published_->hasMarkers() ? kChipRows * 23 + 4 : 12;
  measured_->rect().setMinimumMargins(QMargins(64, top, rightMargin(measured_->curves()), 8));
  published_->rect().setMinimumMargins(
      both ? QMargins(56, top, rightMargin(published_->curves()), 8) : QMargins());
  const int width = std::min(440, std::max(260, plot_->width() - 60));
  const int height = card_->layout()->hasHeightForWidth() ? card_->layout()->heightForWidth(width)
                                                          : card_->sizeHint().height();
  card_->setGeometry((plot_->width() - width) / 2, std::max(8, (plot_->height() - height) / 2),
                     width, height);
}

void ChartView::setCursor(std::optional<double> x) {
  cursorValue_ = x;
  measured_->highlight(x);
  published_->highlight(publishedShown() ? x : std::nullopt);
  const bool figures = x && run_.run();
  if (figures) readout_->setText(readoutText(*x));
  readout_->setVisible(figures);
  placeReadout();
  plot_->layer(kHoverLayer)->replot();
}

QString ChartView::readoutText(double x) const {
  const QString unit = axes(false).label;
  QString rows;
  const Run* run = run_.run();
  if (!run) return {};
  for (const Cell& cell : run->cells) {
    if (cell.key.at.empty() || static_cast<double>(cell.key.at[0]) != x) continue;
    if (cell.key.at.size() > 1 && cell.key.at[1] != run->experiment.axes[1].values[slice_])
      continue;
    const Variant& variant = run->experiment.variants[static_cast<std::size_t>(cell.key.variant)];
    QString ratio = QStringLiteral("baseline"), latency = QStringLiteral("not yet"), interval;
    if (cell.key.variant != run->experiment.baselineIndex()) {
      ratio.clear();
      if (const Cell* baseline = baselineOf(*run, cell))
        if (const auto speed = speedUp(*baseline, cell)) ratio = formatRatio(speed->value);
    }
    if (!cell.samples.empty()) {
      const Estimate estimate = cell.latency();
      latency = formatTime(estimate.value);
      interval = formatInterval(estimate);
    }
    rows += QStringLiteral(
                "<tr><td style='color:%1'><b>%2</b>&nbsp;&nbsp;</td>"
                "<td align='right'>%3</td>"
                "<td align='right' style='color:%6'>&nbsp;&nbsp;%4</td>"
                "<td align='right'>&nbsp;&nbsp;%5</td></tr>")
                .arg(theme_->series(cell.key.variant).color.name(),
                     QString::fromStdString(variant.name).toHtmlEscaped(), latency, interval, ratio,
                     theme_->muted.name());
  }
  return QStringLiteral("<b>%1 %2</b><table cellspacing='0' cellpadding='1'>%3</table>")
      .arg(axisValueText(x), unit.toHtmlEscaped(), rows);
}

void ChartView::placeReadout() {
  if (!cursorValue_ || !readout_->isVisible()) return;
  readout_->adjustSize();
  // Beside the cursor, in the corner that hides the fewest points.
  const QRect area =
      measured_->rect().rect().adjusted(4, 4, measured_->rect().margins().right(), -4);
  const int at = static_cast<int>(measured_->pixelOf(*cursorValue_));
  const QSize size = readout_->size();
  const auto clamped = [&](int left) {
    return std::clamp(left, area.left(), std::max(area.left(), area.right() - size.width()));
  };
  QRect best;
  int fewest = std::numeric_limits<int>::max();
  for (const int top : {area.top(), area.bottom() - size.height()})
    for (const int left : {clamped(at + 14), clamped(at - 14 - size.width())}) {
      const QRect place(QPoint(left, top), size);
      const int hidden = measured_->pointsWithin(place.adjusted(-6, -6, 6, 6));
      if (hidden < fewest) {
        fewest = hidden;
        best = place;
      }
    }
  readout_->move(best.topLeft());
}

std::optional<double> ChartView::valueUnder(const QPointF& position) const {
  for (const CurvePlot* part : {measured_.get(), published_.get()}) {
    if (part == published_.get() && !publishedShown()) continue;
    const QRect rect = part->rect().rect();
    if (position.x() >= rect.left() - 12 && position.x() <= rect.right() + 12 &&
        position.y() >= rect.top() && position.y() <= rect.bottom() + 30)
      return part->nearestValue(position.x());
  }
  return std::nullopt;
}

bool ChartView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == plot_) {
    if (event->type() == QEvent::MouseMove) {
      const auto value = valueUnder(static_cast<QMouseEvent*>(event)->position());
      emit hovered(value.value_or(kNowhere));
    } else if (event->type() == QEvent::Leave) {
      emit hovered(kNowhere);
    } else if (event->type() == QEvent::MouseButtonPress) {
      setFocus(Qt::MouseFocusReason);
      if (const auto value = valueUnder(static_cast<QMouseEvent*>(event)->position()))
        emit picked(*value);
    }
  }
  return QWidget::eventFilter(watched, event);
}

void ChartView::keyPressEvent(QKeyEvent* event) {
  const std::vector<double> values = axes(false).values;
  if ((event->key() != Qt::Key_Left && event->key() != Qt::Key_Right) || values.empty()) {
    QWidget::keyPressEvent(event);
    return;
  }
  auto at = cursorValue_ ? std::find(values.begin(), values.end(), *cursorValue_) : values.end();
  if (at == values.end())
    at = event->key() == Qt::Key_Right ? values.begin() : values.end() - 1;
  else if (event->key() == Qt::Key_Right && at + 1 != values.end())
    ++at;
  else if (event->key() == Qt::Key_Left && at != values.begin())
    --at;
  emit picked(*at);
}

void ChartView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void ChartView::setPixelRatio(double ratio) {
  plot_->setBufferDevicePixelRatio(ratio);
  plot_->replot(QCustomPlot::rpImmediateRefresh);
}

}  // namespace fusebench
