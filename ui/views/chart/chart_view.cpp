// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/chart_view.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QRubberBand>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/crossing_search.h"
#include "profiler/analysis/wording.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/chart/chart_ranges.h"
#include "ui/views/chart/chart_bar.h"
#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_menu.h"
#include "ui/views/chart/readout_card.h"

namespace fusebench {
namespace {

constexpr double kPauseShare = 3;  ///< pause after a drawing, in multiples of its time

}  // namespace

ChartView::ChartView(const RunModel& run, const AnalysisModel& analysis, QWidget* parent)
    : QWidget(parent),
      run_(run),
      analysis_(analysis),
      bar_(new ChartBar(this)),
      legend_(new ChartLegend(this)),
      legendRoom_(new QScrollArea(this)),
      plot_(new QCustomPlot(this)),
      readout_(new ReadoutCard(plot_)),
      card_(new EmptyCard(plot_)),
      band_(new QRubberBand(QRubberBand::Rectangle, plot_)) {
  setObjectName(QStringLiteral("chart"));
  setAccessibleName(uiText("Chart"));
  setFocusPolicy(Qt::StrongFocus);
  setProperty("ring", true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(bar_);
  layout->addWidget(legendRoom_);
  layout->addWidget(plot_, 1);
  legendRoom_->setWidget(legend_);
  legendRoom_->setWidgetResizable(true);
  legendRoom_->setFrameShape(QFrame::NoFrame);
  legendRoom_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  legendRoom_->setFocusPolicy(Qt::NoFocus);
  legend_->installEventFilter(this);
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
  addChartMenu(*this);
  setTheme(darkTheme());
  refresh();
}

ChartView::~ChartView() = default;

void ChartView::buildPlot() {
  plot_->setFocusPolicy(Qt::NoFocus);
  plot_->setAccessibleName(uiText("Curves"));
  plot_->setMouseTracking(true);
  plot_->setAttribute(Qt::WA_NoMousePropagation, false);  // its context menu is the view's
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
  card_->button().setText(uiText("Run the study"));
  connect(&card_->button(), &QPushButton::clicked, this, [this] {
    if (cardStep_ == NextStep::run)
      emit runRequested();
    else
      emit stepRequested(cardStep_);
  });
  card_->hide();
}

void ChartView::connectControls() {
  connect(bar_, &ChartBar::metricChosen, this, &ChartView::setMetric);
  connect(bar_, &ChartBar::timeChosen, this, &ChartView::setTime);
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
  connect(legend_, &ChartLegend::pointedAt, this, [this](const QString& name) {
    const std::vector<QString> others = overlayNames();
    const auto other = std::ranges::find(others, name);
    pointAt(name, other == others.end() ? -1 : static_cast<int>(other - others.begin()));
  });
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

void ChartView::setTime(ShownTime time) {
  if (time == time_) return;
  time_ = time;
  overlaysStale_ = true;
  measured_->fit();
  refresh();
}

ShownTime ChartView::time() const {
  const Run* const run = run_.run();
  return run && !isAvailable(*run, time_) ? ShownTime::wall : time_;
}

/// The next one that the run has.
ShownTime ChartView::nextTime() const {
  std::size_t next = static_cast<std::size_t>(time());
  do {
    next = (next + 1) % std::size(kShownTimes);
  } while (!isAvailable(*run_.run(), kShownTimes[next]));
  return kShownTimes[next];
}

bool ChartView::timesAvailable() const {
  return metric_ == Metric::latency && run_.run() && hasDeviceTimes(*run_.run());
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
  return chosen == logValues_.end() ? logAtFirst_ : chosen->second;
}

bool ChartView::publishedShown() const {
  // Published curves are latencies, so they are shown next to latencies only.
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
    axes.label = text(wording::axisWord(wording::unit(axis)));
    axes.unit = text(said(wording::unit(axis)));
  }
  if (published && !published_->curves().empty()) {
    axes.values.clear();
    for (const CurvePoint& point : published_->curves()[0].points) axes.values.push_back(point.x);
  }
  const bool positive = !axes.values.empty() && axes.values.front() > 0;
  axes.logAxis = positive && logAxis_.value_or(isWideAxis(axes.values.front(), axes.values.back()));
  return axes;
}

void ChartView::refreshSoon() {
  if (refreshLater_.isActive()) return;
  // Drawing thousands of points takes a while. Redraws are rare enough to keep the window
  // responsive most of the time.
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
          uiText(
              "Curves of each variant. Left and right arrows move the cursor along the axis, Shift "
              "with arrows pans, plus and minus zoom, F shows everything, L switches the vertical "
              "axis between logarithmic and linear, 1 to 7 choose what is shown."),
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
  fitLegend();
  arrange();
  refreshControls();
  refreshEmptyState();
  refreshReadout();
  refreshMilliseconds_ = static_cast<double>(sinceRefresh_.nsecsElapsed()) * 1e-6;
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::refreshControls() {
  bar_->setMetric(metric_);
  bar_->setTime(time(), timesAvailable());
  for (const ShownTime each : kShownTimes)
    bar_->setSelectable(each, !run_.run() || isAvailable(*run_.run(), each));
  bar_->setLogAxis(axes(false).logAxis);
  bar_->setLogValue(logValue());
  const bool ofWall = time() == ShownTime::wall || !timesAvailable();
  bar_->setModels(showModels_, metric_ == Metric::latency && ofWall);
  bar_->setFitted(measured_->fitted());
}

/// Where the run has nothing of what is asked for the axes alone would be a riddle.
bool ChartView::drawsNothing() const {
  const ChartContent& content = measured_->content();
  return experiment_ && content.words.empty() &&
         std::ranges::all_of(content.curves,
                             [](const Curve& curve) { return curve.points.empty(); }) &&
         std::ranges::all_of(experiment_->variants, [this](const Variant& variant) {
           return legend_->visibility().shown(QString::fromStdString(variant.name));
         });
}

/// Message of a chart without a curve: before the first run, what a run would show; after it, why
/// there is no curve.
std::optional<EmptyState> ChartView::emptyState() const {
  if (busy_ || !experiment_) return std::nullopt;
  if (const Run* run = run_.run()) {
    if (auto none = withoutSamples(*run)) return none;
    if (std::ranges::all_of(run->cells, [](const Cell& cell) { return cell.samples.empty(); }))
      return std::nullopt;  // they are still to come
    return drawsNothing() ? std::optional(withoutMetric(metric_, *experiment_)) : std::nullopt;
  }
  QStringList names;
  for (const Variant& variant : experiment_->variants)
    names << QString::fromStdString(variant.name);
  const QString axis =
      experiment_->axes.empty() ? QString() : text(wording::axisWord(experiment_->axes[0].name));
  return EmptyState{
      text(said(experiment_->question.empty() ? experiment_->title : experiment_->question)),
      uiText("One latency curve for each of %1, over the number of %2, with its 95% interval "
             "and the points where the curves cross. It takes about %3.")
          .arg(names.join(QStringLiteral(", ")), axis,
               formatDuration(experiment_->measure.budgetSeconds * (quick_ ? 0.1 : 1))),
      NextStep::run};
}

void ChartView::refreshEmptyState() {
  const auto state = emptyState();
  card_->setVisible(state.has_value());
  // Axes without a curve have no meaning, and the card would cover their labels.
  for (CurvePlot* plot : {measured_.get(), published_.get()})
    plot->rect().setVisible(!state && (plot == measured_.get() || publishedShown()));
  measuredTitle_->setVisible(!state);
  if (!state) return;
  card_->setWords(state->title, state->text);
  cardStep_ = state->step;
  card_->button().setText(run_.run() ? stepText(state->step) : uiText("Run the study"));
  arrange();
}

void ChartView::setQuick(bool quick) {
  quick_ = quick;
  refreshEmptyState();
}

QString ChartView::captionText() const {
  const QString baseline = experiment_ ? QString::fromStdString(wording::baselines(*experiment_))
                                       : uiText("the baseline");
  const QString caption = timesAvailable()
                              ? timeCaption(time())
                              : metricCaption(metric_).replace(QStringLiteral("%1"), baseline);
  const Run* const run = run_.run();
  if (!run || !run->isSimulated()) return caption;
  return run->modelError() ? uiText("Simulated, nothing was measured · bands are the model's error")
                           : uiText("Simulated, nothing was measured · ") + caption;
}

void ChartView::goTo(const Target& target) {
  setMetric(target.metric);
  setTime(ShownTime::wall);  // findings about latencies are about the wall time
  fit();
  const Run* run = run_.run();
  if (run && target.variant >= 0 &&
      static_cast<std::size_t>(target.variant) < run->experiment.variants.size())
    legend_->reveal(QString::fromStdString(
        run->experiment.variants[static_cast<std::size_t>(target.variant)].name));
  if (!target.x) return;
  // The cursor is always at a measured point, while a crossing is between two of them.
  const auto nearest = measured_->nearestValue(measured_->pixelOf(*target.x));
  if (nearest && pin_ != nearest) pick(*nearest);
}

void ChartView::fit() {
  measured_->fit();
  refreshControls();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace fusebench

#include "moc_chart_view.cpp"
