// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/models/analysis_model.h"
#include "ui/models/run_model.h"
#include "ui/theme.h"
#include "ui/views/curve_plot.h"

class QFrame;
class QLabel;
class QPushButton;

namespace fusebench {

/// The curves: those of the shown run, and beside them, with axes of their own, the published ones.
/// Before the first run it says what will be here.
class ChartView : public QWidget {
  Q_OBJECT

 public:
  ChartView(const RunModel& run, const AnalysisModel& analysis, QWidget* parent = nullptr);
  ~ChartView() override;

  void setTheme(const Theme& theme);
  /// What will be measured: axes and the empty state come from it.
  void setExperiment(const Experiment* experiment, const Reference* reference);
  void setLogLatency(bool on);
  void setShowPublished(bool on);
  /// Place on the second axis, for experiments that have one.
  void setSlice(std::size_t slice);
  /// Marks one value of the axis and shows the figures there; nothing: no mark.
  void setCursor(std::optional<double> x);
  std::optional<double> cursorValue() const { return cursorValue_; }
  /// For pictures at another scale than the screen's.
  void setPixelRatio(double ratio);
  void setBusy(bool busy);

  bool publishedShown() const;
  const CurvePlot& measured() const { return *measured_; }
  const QLabel& readout() const { return *readout_; }
  const QFrame& emptyCard() const { return *card_; }

 signals:
  /// The mouse or the arrow keys moved over the axis; NaN: nowhere.
  void hovered(double x);
  void picked(double x);
  void runRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void buildPlot();
  void buildCard();
  void refresh();
  void refreshPublished();
  void refreshCrossings();
  void refreshEmptyState();
  void arrange();
  void placeReadout();
  QString readoutText(double x) const;
  CurvePlot::Axes axes(bool published) const;
  std::optional<double> valueUnder(const QPointF& position) const;

  const RunModel& run_;
  const AnalysisModel& analysis_;
  const Theme* theme_ = &darkTheme();
  const Experiment* experiment_ = nullptr;
  const Reference* reference_ = nullptr;
  QCustomPlot* plot_;
  std::unique_ptr<CurvePlot> measured_, published_;
  QCPAxisRect* publishedRect_ = nullptr;
  QCPTextElement* measuredTitle_ = nullptr;
  QCPTextElement* publishedTitle_ = nullptr;
  QLabel* readout_;
  QFrame* card_;
  QLabel* cardTitle_;
  QLabel* cardText_;
  QPushButton* cardButton_;
  std::optional<double> cursorValue_;
  std::size_t slice_ = 0;
  bool logLatency_ = true;
  bool showPublished_ = false;
  bool busy_ = false;
};

}  // namespace fusebench
