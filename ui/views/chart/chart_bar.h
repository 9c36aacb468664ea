// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/chart/chart_series.h"

class QComboBox;
class QTabBar;
class QToolButton;

namespace fusebench {

/// The chart's controls: which metric, and of latencies which time where there are several; which
/// axes are logarithmic, fitted lines, everything in view. In a narrow chart the buttons that have
/// no room are in a menu; in a still narrower one the metrics are in a list instead of tabs.
class ChartBar : public QWidget {
  Q_OBJECT

 public:
  explicit ChartBar(QWidget* parent = nullptr);
  void setMetric(Metric metric);
  /// `available`: there are other times than the wall's to choose from.
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
  QToolButton* more_;  ///< the buttons that there is no room for
};

}  // namespace fusebench
