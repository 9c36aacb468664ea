// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/models/results/run_model.h"
#include "ui/models/runs/study_controller.h"
#include "ui/models/setup/devices_model.h"

class QLabel;
class QProgressBar;

namespace fusebench {

class ElidedLabel;

/// Current activity, progress and remaining time. On the right is the device that the run was
/// measured on, and the device of the next run.
class StatusBar : public QFrame {
  Q_OBJECT

 public:
  StatusBar(const StudyController& controller, const RunModel& run, const DevicesModel& devices,
            QWidget* parent = nullptr);
  /// State of Explore; empty: nothing.
  void setExploring(const QString& text);
  /// A description of the displayed trace and its device; empty: a run is displayed.
  void setTrace(const QString& facts, const QString& device);
  QString text() const;
  /// Text on the right.
  QString machine() const;

 private:
  void refresh();

  const StudyController& controller_;
  const RunModel& run_;
  const DevicesModel& devices_;
  QString exploring_, trace_, traceDevice_;
  QLabel* state_;
  QProgressBar* progress_;
  QLabel* timeLeft_;
  ElidedLabel* machine_;
};

/// "Measuring, round 12", "Finished: 21 cells, 651 samples": the state in words.
QString stateText(const StudyController& controller, const Run* run);

}  // namespace fusebench
