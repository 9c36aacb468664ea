// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/models/run_model.h"
#include "ui/models/study_controller.h"

class QLabel;
class QProgressBar;

namespace fusebench {

/// What is going on, how far it is and how long it will take; at the right the machine of the run.
class StatusBar : public QFrame {
  Q_OBJECT

 public:
  StatusBar(const StudyController& controller, const RunModel& run, QWidget* parent = nullptr);
  /// What explore mode is at; empty: nothing.
  void setExploring(const QString& text);
  QString text() const;

 private:
  void refresh();

  const StudyController& controller_;
  const RunModel& run_;
  QString exploring_;
  QLabel* state_;
  QProgressBar* progress_;
  QLabel* timeLeft_;
  QLabel* machine_;
};

/// "Measuring, round 12", "Finished: 21 cells, 651 samples": the state in words.
QString stateText(const StudyController& controller, const Run* run);
/// Device and processor of a run, as far as they are recorded.
QString machineText(const Run& run);

}  // namespace fusebench
