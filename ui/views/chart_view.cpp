// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart_view.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QRubberBand>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/models/chart_ranges.h"
#include "ui/models/format.h"
#include "ui/views/chart_bar.h"
#include "ui/views/chart_legend.h"
#include "ui/views/readout_card.h"

namespace fusebench {
namespace {

constexpr int kChipRows = 2;
constexpr double kPauseShare = 3;  ///< of the time that drawing takes, it pauses
constexpr int kNarrow = 520;       ///< below, the names at the curves' ends give way to the curves

/// What a metric's letter stands for.
QString metricText(const std::string& metric) {
  if (metric == "E") return QStringLiteral("event time");
  if (metric == "W") return QStringLiteral("wall time");
  if (metric == "H") return QStringLiteral("time to enqueue");
  if (metric == "D") return QStringLiteral("kernel time");
  return QString::fromStdString(metric);
}

/// Text broken between words so that no line is wider than the room.
QString wrapped(const QString& text, const QFont& font, int room) {
  const QFontMetrics metrics(font);
  QString result, line;
  for (const QString& word : text.split(u' ')) {
    const QString longer = line.isEmpty() ? word : line + u' ' + word;
    if (!line.isEmpty() && metrics.horizontalAdvance(longer) > room) {
      result += line + u'\n';
      line = word;
    } else {
      line = longer;
    }
  }
  return result + line;
}

}  // namespace

ChartView::ChartView(const RunModel& run, const AnalysisModel& analysis, QWidget* parent)
    : QWidget(parent),
      run_(run),
      analysis_(analysis),
      bar_(new ChartBar(this)),
      legend_(new ChartLegend(this)),
      plot_(new QCustomPlot(this)),
      readout_(new ReadoutCard(plot_)),
      card_(new QFrame(plot_)),
      band_(new QRubberBand(QRubberBand::Rectangle, plot_)) {
  setObjectName(QStringLiteral("chart"));
  setAccessibleName(QStringLiteral("Chart"));
  setFocusPolicy(Qt::StrongFocus);
  setProperty("ring", true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(bar_);
  layout->addWidget(legend_);
  layout->addWidget(plot_, 1);
  buildPlot();
  buildCard();
  band_->hide();
  connectControls();
  refreshLater_.setSingleShot(true);
  connect(&refreshLater_, &QTimer::timeout, this, &ChartView::refresh);
  connect(&run, &RunModel::runReset, this, &ChartView::refresh);
  connect(&run, &RunModel::cellsChanged, this, &ChartView::refreshSoon);
  connect(&run, &RunModel::completed, this, [this] {
    if (refreshLater_.isActive()) refresh();
  });
  connect(&analysis, &AnalysisModel::changed, this, &ChartView::refresh);
  setTheme(darkTheme());
  refresh();
}

ChartView::~ChartView() = default;

void ChartView::buildPlot() {
  plot_->setFocusPolicy(Qt::NoFocus);
  plot_->setMouseTracking(true);
  plot_->installEventFilter(this);
  plot_->setNoAntialiasingOnDrag(false);
  plot_->setPlottingHint(QCP::phCacheLabels, false);  // cached labels are blurred in pictures at 2x
  for (const char* layer : {kPictureLayer, kBandLayer, kCurveLayer, kLabelLayer, kHoverLayer})
    plot_->addLayer(layer, plot_->layer(plot_->layerCount() - 1), QCustomPlot::limAbove);
  for (const char* layer : {kPictureLayer, kHoverLayer})
    plot_->layer(layer)->setMode(QCPLayer::lmBuffered);
  plot_->plotLayout()->clear();
  plot_->plotLayout()->setRowSpacing(0);
  plot_->plotLayout()->setColumnSpacing(0);
  const auto addRect = [&](int column) {
    auto* rect = new QCPAxisRect(plot_, true);
    for (const auto side : {QCPAxis::atRight, QCPAxis::atTop}) rect->axis(side)->setVisible(false);
    rect->setRangeDrag({});
    rect->setRangeZoom({});
    auto* title = new QCPTextElement(plot_);
    title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    title->setMargins(QMargins(18, 4, 4, 0));
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
  measured_ = std::make_unique<CurvePlot>(*plot_, *measuredRect);
  published_ = std::make_unique<CurvePlot>(*plot_, *publishedRect);
  connect(plot_, &QCustomPlot::afterLayout, this, [this] {
    measured_->arrange();
    if (publishedShown()) published_->arrange();
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
  card_->hide();
}

void ChartView::connectControls() {
  connect(bar_, &ChartBar::metricChosen, this, &ChartView::setMetric);
  connect(bar_, &ChartBar::logAxisChosen, this, &ChartView::setLogAxis);
  connect(bar_, &ChartBar::logValueChosen, this, [this](bool on) {
    logValues_[metric_] = on;
    fit();
    refresh();
    if (metric_ == Metric::latency) emit logLatencyChanged(on);
  });
  connect(bar_, &ChartBar::modelsChosen, this, &ChartView::setShowModels);
  connect(bar_, &ChartBar::fitChosen, this, &ChartView::fit);
  connect(legend_, &ChartLegend::visibilityChanged, this, &ChartView::refresh);
  connect(legend_, &ChartLegend::badgeClicked, this, [this] {
    if (firstDrift_ && pin_ != firstDrift_) pick(*firstDrift_);
  });
}

void ChartView::setTheme(const Theme& theme) {
  theme_ = &theme;
  plot_->setBackground(theme.panel);
  QPalette palette = plot_->palette();
  palette.setColor(QPalette::Highlight, theme.accent);
  band_->setPalette(palette);
  measured_->setTheme(theme);
  published_->setTheme(theme);
  legend_->setTheme(theme);
  for (QCPTextElement* title : {measuredTitle_, publishedTitle_}) {
    title->setFont(textFont(0.92));
    title->setTextColor(theme.muted);
  }
  refreshReadout();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::setExperiment(const Experiment* experiment, const Reference* reference) {
  experiment_ = experiment ? std::optional(*experiment) : std::nullopt;
  reference_ = reference ? std::optional(*reference) : std::nullopt;
  slice_ = 0;
  logAxis_.reset();
  overlaysStale_ = true;
  setPin(std::nullopt);
  setCursor(std::nullopt);
  measured_->fit();
  refreshPublished();
}

void ChartView::setMetric(Metric metric) {
  if (metric == metric_) return;
  metric_ = metric;
  overlaysStale_ = true;
  measured_->fit();
  refreshPublished();
  emit metricChanged(metric);
}

void ChartView::setLogLatency(bool on) {
  const auto known = logValues_.find(Metric::latency);
  if (known != logValues_.end() && known->second == on) return;
  logValues_[Metric::latency] = on;
  if (metric_ == Metric::latency) measured_->fit();
  refresh();
}

void ChartView::setLogAxis(bool on) {
  logAxis_ = on;
  measured_->fit();
  refresh();
}

void ChartView::setShowModels(bool on) {
  showModels_ = on;
  refresh();
}

void ChartView::setShowPublished(bool on) {
  if (on == showPublished_) return;
  showPublished_ = on;
  refreshPublished();
}

void ChartView::setOverlays(std::vector<Overlay> overlays) {
  overlays_ = std::move(overlays);
  overlaysStale_ = true;
  refresh();
}

void ChartView::setSlice(std::size_t slice) {
  slice_ = slice;
  overlaysStale_ = true;
  refresh();
}

void ChartView::setBusy(bool busy) {
  busy_ = busy;
  refreshEmptyState();
}

bool ChartView::logValue() const {
  const auto chosen = logValues_.find(metric_);
  return chosen == logValues_.end() ? logarithmicAtFirst(metric_) : chosen->second;
}

bool ChartView::publishedShown() const {
  // Published curves are latencies: they stand beside latencies only.
  return showPublished_ && metric_ == Metric::latency && reference_ && experiment_ &&
         fits(*reference_, *experiment_);
}

std::vector<QString> ChartView::overlayNames() const {
  std::vector<QString> names;
  for (const Overlay& overlay : overlays_) names.push_back(overlay.name);
  return names;
}

CurvePlot::Axes ChartView::axes(bool published) const {
  CurvePlot::Axes axes;
  axes.logValue = logValue();
  axes.quantity = published ? Quantity::time : quantityOf(metric_);
  if (axes.quantity == Quantity::ratio) axes.whenEmpty = {0.5, 8};
  if (axes.quantity == Quantity::count) axes.whenEmpty = {1, 100};
  if (experiment_ && !experiment_->axes.empty()) {
    const Axis& axis = experiment_->axes[0];
    for (const std::int64_t value : axis.values) axes.values.push_back(static_cast<double>(value));
    axes.label = QString::fromStdString(axis.unit.empty() ? axis.name : axis.unit);
  }
  if (published && !published_->curves().empty()) {
    axes.values.clear();
    for (const CurvePoint& point : published_->curves()[0].points) axes.values.push_back(point.x);
  }
  const bool positive = !axes.values.empty() && axes.values.front() > 0;
  axes.logAxis =
      positive && logAxis_.value_or(axes.values.back() / axes.values.front() > kWideAxis);
  return axes;
}

void ChartView::refreshSoon() {
  if (refreshLater_.isActive()) return;
  // A chart of thousands of points takes a while to draw: it is drawn seldom enough to leave most
  // of the time to the person.
  const double pause = kPauseShare * (refreshMilliseconds_ + plot_->replotTime());
  const auto since = static_cast<double>(sinceRefresh_.isValid() ? sinceRefresh_.elapsed() : 1000);
  if (since >= pause)
    refresh();
  else
    refreshLater_.start(static_cast<int>(std::ceil(pause - since)));
}

/// For those who do not see it: how to use it, and where the curves cross.
void ChartView::describe() {
  const QString description =
      QStringList{
          QStringLiteral(
              "Curves of each variant. Left and right arrows move the cursor along the axis, Shift "
              "with arrows pans, plus and minus zoom, F shows everything, L switches the vertical "
              "axis between logarithmic and linear, 1 to 5 choose what is shown."),
          measured_->markerSentences().join(u' ')}
          .join(u' ')
          .trimmed();
  if (description != accessibleDescription()) setAccessibleDescription(description);
}

void ChartView::refresh() {
  refreshLater_.stop();
  sinceRefresh_.start();
  refreshContent();
  describe();
  arrange();
  refreshControls();
  refreshEmptyState();
  refreshReadout();
  refreshMilliseconds_ = static_cast<double>(sinceRefresh_.nsecsElapsed()) * 1e-6;
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::refreshContent() {
  ChartContent content;
  content.metric = metric_;
  if (const Run* run = run_.run()) {
    content = chartContent(*run, run_.summaries(), analysis_.analysis(), metric_, slice_);
    if (overlaysStale_) {
      overlayCurves_.clear();
      for (std::size_t i = 0; i < overlays_.size(); ++i)
        for (Curve& curve :
             overlayCurves(overlays_[i], static_cast<int>(i), run->experiment, metric_, slice_))
          overlayCurves_.push_back(std::move(curve));
      overlaysStale_ = false;
    }
    content.curves.insert(content.curves.end(), overlayCurves_.begin(), overlayCurves_.end());
  }
  updateLegend(content.curves);
  const SeriesVisibility& visibility = legend_->visibility();
  const auto hidden = [&](const QString& variant) { return !visibility.shown(variant); };
  std::erase_if(content.curves, [&](const Curve& curve) {
    return hidden(curve.name) ||
           (curve.overlay >= 0 && hidden(overlays_[static_cast<std::size_t>(curve.overlay)].name));
  });
  std::erase_if(content.models, [&](const ModelLine& line) { return hidden(line.variant); });
  std::erase_if(content.crossings, [&](const Crossing& crossing) {
    return hidden(QString::fromStdString(crossing.variant));
  });
  std::erase_if(content.words, [&](const WordSpan& word) {
    const auto at = static_cast<std::size_t>(word.variant);
    return hidden(QString::fromStdString(run_.run()->experiment.variants[at].name));
  });
  measured_->setShowModels(showModels_);
  measured_->setAxes(axes(false));
  measured_->setContent(std::move(content));
}

void ChartView::updateLegend(const std::vector<Curve>& curves) {
  std::vector<LegendItem> items;
  if (const Run* run = run_.run())
    for (std::size_t v = 0; v < run->experiment.variants.size(); ++v)
      items.push_back({QString::fromStdString(run->experiment.variants[v].name),
                       QString::fromStdString(run->experiment.variants[v].executor),
                       seriesOf(run->experiment, static_cast<int>(v))});
  for (std::size_t i = 0; i < overlays_.size(); ++i) {
    const bool drawn = std::any_of(curves.begin(), curves.end(), [&](const Curve& curve) {
      return curve.overlay == static_cast<int>(i);
    });
    const Run* run = run_.run();
    const QString problem =
        drawn ? QString()
        : run ? overlayProblem(overlays_[i].run->experiment, run->experiment, slice_)
              : QStringLiteral("waits for a run to be laid over");
    // A name with no curve says why.
    items.push_back({problem.isEmpty() ? overlays_[i].name
                                       : QStringLiteral("%1 (%2)").arg(overlays_[i].name, problem),
                     drawn ? QStringLiteral("Another run, drawn thinner")
                           : QStringLiteral("Another run: it has nothing to show here"),
                     -1});
  }
  legend_->setItems(items);
  std::size_t drifted = 0;
  firstDrift_.reset();
  if (const Run* run = run_.run())
    for (std::size_t i = 0; i < run_.summaries().size(); ++i)
      if (run_.summaries().at(i).drifted && drifted++ == 0 && !run->cells[i].key.at.empty())
        firstDrift_ = static_cast<double>(run->cells[i].key.at[0]);
  legend_->setBadge(
      drifted == 0
          ? QString()
          : QStringLiteral("∿ drift in %1 of %2").arg(drifted).arg(run_.summaries().size()),
      QStringLiteral("<p>While these cells were measured the machine drifted: the halves of their "
                     "samples differ by more than their intervals allow. A click goes to the "
                     "first.</p>"));
  legend_->setVisible(!items.empty());
}

void ChartView::refreshPublished() {
  // Hidden means empty: items without data have nothing to draw.
  ChartContent content;
  if (publishedShown()) {
    content.curves = curvesOf(*reference_, *experiment_);
    content.crossings = findCrossings(*reference_);
    published_->setContent(std::move(content));
    published_->setAxes(axes(true));
  } else {
    published_->setContent(std::move(content));
  }
  refresh();
}

void ChartView::refreshControls() {
  bar_->setMetric(metric_);
  bar_->setLogAxis(axes(false).logAxis);
  bar_->setLogValue(logValue());
  bar_->setModels(showModels_, metric_ == Metric::latency);
  bar_->setFitted(measured_->fitted());
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
               formatDuration(experiment_->measure.budgetSeconds * (quick_ ? 0.1 : 1))));
  arrange();
}

void ChartView::setQuick(bool quick) {
  quick_ = quick;
  refreshEmptyState();
}

QString ChartView::captionText() const {
  const QString baseline =
      experiment_ ? QString::fromStdString(experiment_->baseline) : QStringLiteral("the baseline");
  return metricCaption(metric_).replace(QStringLiteral("%1"), baseline);
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
  const int mine = both ? static_cast<int>(plot_->width() / 1.68) : plot_->width();
  const QFont font = textFont(0.92);
  measuredTitle_->setText(wrapped(captionText(), font, mine - 30));
  if (both)
    publishedTitle_->setText(wrapped(
        QStringLiteral("Published: %1; another machine, another metric: %2")
            .arg(QString::fromStdString(reference_->device), metricText(reference_->metric)),
        font, plot_->width() - mine - 30));
  const QFontMetricsF metrics(textFont(0.96, QFont::DemiBold));
  const bool labels = mine >= kNarrow || both;
  measured_->setShowEndLabels(labels);
  const auto rightMargin = [&](const std::vector<Curve>& curves) {
    double width = 0;
    for (const Curve& curve : curves)
      if (curve.overlay < 0) width = std::max(width, metrics.horizontalAdvance(curve.name));
    return labels ? static_cast<int>(width) + 18 : 18;
  };
  const int top = measured_->hasMarkers() || published_->hasMarkers() ? kChipRows * 23 + 4 : 12;
  measured_->rect().setMinimumMargins(
      QMargins(labels ? 64 : 48, top, rightMargin(measured_->curves()), 8));
  published_->rect().setMinimumMargins(
      both ? QMargins(56, top, rightMargin(published_->curves()), 8) : QMargins());
  const int width = std::min(440, std::max(260, plot_->width() - 60));
  const int height = card_->layout()->hasHeightForWidth() ? card_->layout()->heightForWidth(width)
                                                          : card_->sizeHint().height();
  card_->setGeometry((plot_->width() - width) / 2, std::max(8, (plot_->height() - height) / 2),
                     width, height);
}

void ChartView::goTo(const Target& target) {
  setMetric(target.metric);
  fit();
  const Run* run = run_.run();
  if (run && target.variant >= 0 &&
      static_cast<std::size_t>(target.variant) < run->experiment.variants.size())
    legend_->reveal(QString::fromStdString(
        run->experiment.variants[static_cast<std::size_t>(target.variant)].name));
  if (!target.x) return;
  // The cursor stands on measured places: a crossing lies between two.
  const auto nearest = measured_->nearestValue(measured_->pixelOf(*target.x));
  if (nearest && pin_ != nearest) pick(*nearest);
}

void ChartView::fit() {
  measured_->fit();
  refreshControls();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layout()->activate();
  arrange();
}

void ChartView::setStill(bool still) {
  measured_->picture().setStill(still);
  published_->picture().setStill(still);
}

void ChartView::setPixelRatio(double ratio) {
  plot_->setBufferDevicePixelRatio(ratio);
  plot_->replot(QCustomPlot::rpImmediateRefresh);
}

}  // namespace fusebench
