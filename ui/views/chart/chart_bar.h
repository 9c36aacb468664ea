// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/chart/chart_series.h"

class QComboBox;
class QTabBar;
class QToolButton;

namespace fusebench {

/// The chart's controls: the metric, the time for latencies if there are several, logarithmic axes,
/// fitted lines, and showing everything. In a narrow chart, buttons that do not fit are in a menu;
/// in an even narrower one the metrics are in a list instead of tabs.
class ChartBar : public QWidget {
  Q_OBJECT

 public:
  explicit ChartBar(QWidget* parent = nullptr);
  void setMetric(Metric metric);
  /// `available`: there are times other than wall time to choose from.
  void setTime(ShownTime time, bool available);
  /// Whether this time can be chosen; the run lacks it otherwise.
  void setSelectable(ShownTime time, bool selectable);
  void setLogAxis(bool on);
  void setLogValue(bool on);
  void setModels(bool on, bool available);
  void setFitted(bool fitted);
  QToolButton& logAxis() const { return *logAxis_; }
  QToolButton& logValue() const { return *logValue_; }
  QToolButton& models() const { return *models_; }
  QToolButton& fit() const { return *fit_; }
  QComboBox& times() const { return *times_; }
  QToolButton& more() const { return *more_; }

 signals:
  void metricChosen(Metric metric);
  void timeChosen(ShownTime time);
  void logAxisChosen(bool on);
  void logValueChosen(bool on);
  void modelsChosen(bool on);
  void fitChosen();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();

  QTabBar* tabs_;
  QComboBox* list_;
  QComboBox* times_;
  QToolButton* logAxis_;
  QToolButton* logValue_;
  QToolButton* models_;
  QToolButton* fit_;
  QToolButton* more_;  ///< the buttons that do not fit
};

}  // namespace fusebench
