// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "ui/models/chart/chart_readout.h"
#include "ui/models/chart/chart_series.h"
#include "ui/models/results/analysis_model.h"
#include "ui/models/results/run_model.h"
#include "ui/models/results/run_words.h"
#include "ui/theme/theme.h"
#include "ui/views/base/empty_card.h"
#include "ui/views/chart/curve_plot.h"

class QLabel;
class QPushButton;
class QRubberBand;
class QScrollArea;

namespace fusebench {

class ChartBar;
class ChartLegend;
class ReadoutCard;

/// The curves of the shown run and of runs overlaid on it and, in a second plot with its own axes,
/// the published ones. Before the first run it explains what the chart will show.
///
/// Mouse: hover reads values, a click pins the cursor, the pin's line can be dragged, a drag
/// elsewhere pans, the wheel zooms (Shift: horizontally only, Ctrl: vertically only), Shift+drag
/// zooms to a rectangle, a double click shows everything. Keys: arrows move the cursor,
/// Shift+arrows pan, + and - zoom, F or Home show everything, Escape removes the pin, L toggles the
/// logarithmic vertical axis, T selects the next time of a call, 1 to 7 choose the metric.
class ChartView : public QWidget {
  Q_OBJECT

 public:
  ChartView(const RunModel& run, const AnalysisModel& analysis, QWidget* parent = nullptr);
  ~ChartView() override;

  void setTheme(const Theme& theme);
  /// What will be measured: axes and the empty state come from it. Both are copied.
  void setExperiment(const Experiment* experiment, const Reference* reference);
  void setMetric(Metric metric);
  Metric metric() const { return metric_; }
  /// Which time is drawn for latencies, if the run has times other than wall time.
  void setTime(ShownTime time);
  /// The chosen time, or the wall's where the run lacks the chosen one.
  ShownTime time() const;
  /// Logarithmic vertical axis of the latency view; each metric remembers its own setting.
  void setLogLatency(bool on);
  void setLogAxis(bool on);
  void setShowModels(bool on);
  void setShowPublished(bool on);
  /// Other runs to overlay; they must outlive their use here.
  void setOverlays(std::vector<Overlay> overlays);
  std::size_t overlayCount() const { return overlays_.size(); }
  /// Place on the second axis, for experiments that have one.
  void setSlice(std::size_t slice);
  /// Marks one value of the axis and shows the values there; nothing: no mark.
  void setCursor(std::optional<double> x);
  std::optional<double> cursorValue() const { return cursorValue_; }
  /// The cursor that stays and can be dragged. The chart updates it when `picked` is emitted; call
  /// this if the pin changes elsewhere.
  void setPin(std::optional<double> x);
  std::optional<double> pin() const { return pin_; }
  /// Shows the part of the chart that a finding refers to.
  void goTo(const Target& target);
  void fit();
  /// For pictures of the window: everything is drawn synchronously.
  void setStill(bool still);
  /// For pictures at another scale than the screen's.
  void setPixelRatio(double ratio);
  void setBusy(bool busy);
  /// Whether the next run takes a tenth of the time.
  void setQuick(bool quick);

  bool modelsShown() const { return showModels_; }
  bool publishedShown() const;
  const CurvePlot& measured() const { return *measured_; }
  /// Null while none is shown.
  const CurvePlot* published() const { return publishedShown() ? published_.get() : nullptr; }
  const QCustomPlot& plot() const { return *plot_; }
  const ReadoutCard& readout() const { return *readout_; }
  /// Shown instead of curves if there are none: what will be here, or why there is nothing.
  const EmptyCard& emptyCard() const { return *card_; }
  ChartBar& bar() const { return *bar_; }
  ChartLegend& legend() const { return *legend_; }

 signals:
  /// The mouse moved over the axis, or an arrow key moved the cursor; NaN: left the axis.
  void hovered(double x);
  /// A value was clicked, or the pin dragged to it; clicking the pin's own value removes the pin.
  void picked(double x);
  void metricChanged(Metric metric);
  void logLatencyChanged(bool on);  ///< by the person, here
  void runRequested();
  /// The button of an empty chart.
  void stepRequested(fusebench::NextStep step);

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum class Drag { none, pending, pan, pin, band };

  void buildPlot();
  void buildCard();
  void connectControls();
  void refresh();
  void refreshSoon();
  void refreshContent();
  void describe();
  void refreshPublished();
  void refreshControls();
  void refreshEmptyState();
  bool drawsNothing() const;
  std::optional<EmptyState> emptyState() const;
  void fitLegend();
  void refreshReadout();
  void updateLegend(const ChartContent& content);
  void arrange();
  void placeReadout();
  QString captionText() const;
  bool timesAvailable() const;
  ShownTime nextTime() const;
  std::vector<QString> overlayNames() const;
  bool logValue() const;
  CurvePlot::Axes axes(bool published) const;
  std::optional<double> valueUnder(const QPointF& position) const;
  void pick(double x);
  /// Fades all curves except this one, which belongs to run `overlay` if that is not -1. Empty:
  /// fades none.
  void pointAt(const QString& name, int overlay);
  void pointAt(const QPointF& position);
  void zoom(double shareX, double shareY, double factor, bool alongX, bool alongY);
  void panBy(double shareX, double shareY);
  void showRanges(const AxisRange& x, const AxisRange& y);
  bool moveCursor(int key);
  void pressed(const QMouseEvent& event);
  void moved(const QMouseEvent& event);
  void released(const QMouseEvent& event);
  void wheeled(const QWheelEvent& event);
  QPointF sharesAt(const QPointF& position) const;

  const RunModel& run_;
  const AnalysisModel& analysis_;
  const Theme* theme_ = &darkTheme();
  std::optional<Experiment> experiment_;
  std::optional<Reference> reference_;
  ChartBar* bar_;
  ChartLegend* legend_;
  QScrollArea* legendRoom_;  ///< in a low chart the legend scrolls
  QCustomPlot* plot_;
  std::unique_ptr<CurvePlot> measured_, published_;
  QCPAxisRect* publishedRect_ = nullptr;
  QCPTextElement* measuredTitle_ = nullptr;
  QCPTextElement* publishedTitle_ = nullptr;
  ReadoutCard* readout_;
  EmptyCard* card_;
  NextStep cardStep_ = NextStep::run;
  QRubberBand* band_;
  std::vector<Overlay> overlays_;
  std::vector<Curve> overlayCurves_;
  bool overlaysStale_ = true;
  Metric metric_ = Metric::latency;
  ShownTime time_ = ShownTime::wall;
  std::map<Metric, bool> logValues_;  ///< as chosen
  bool logAtFirst_ = true;            ///< of what is shown, unless chosen
  std::optional<bool> logAxis_;       ///< unless chosen, depending on the range of the values
  std::optional<double> cursorValue_, pin_, pinBeforeClick_;
  std::optional<double> firstDrift_;
  std::size_t slice_ = 0;
  bool showModels_ = true;
  bool showPublished_ = false;
  bool busy_ = false;
  bool quick_ = false;
  Drag drag_ = Drag::none;
  QTimer refreshLater_;
  QElapsedTimer sinceRefresh_;
  double refreshMilliseconds_ = 0;  ///< that the last one took, drawing not counted
  QPointF pressedAt_, lastAt_;
};

}  // namespace fusebench
