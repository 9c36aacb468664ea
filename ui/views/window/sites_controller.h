// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <vector>

#include "ui/views/window/runs_controller.h"

namespace fusebench {

/// Measures one experiment on several machines and devices, one after another, so that they do not
/// disturb each other; then compares the runs. If one cannot be reached or measured, only its
/// results are missing.
class SitesController : public QObject {
  Q_OBJECT

 public:
  SitesController(WindowModels& models, RunsController& runs, QObject* parent = nullptr);

  /// On the selected ones; returns why not.
  void start();
  /// Stops; saves and compares the results so far.
  void stop();
  bool busy() const { return step_ != Step::none; }

 private:
  enum class Step { none, reaching, choosing, measuring, keeping, goingBack };

  void next();
  void targetChanged();
  void deviceChanged();
  void measure();
  void studyEnded();
  void kept();
  void fail(const QString& why);
  void goBack();
  void wentBack();
  void finish();
  void later(void (SitesController::*step)());

  WindowModels& models_;
  RunsController& runs_;
  Step step_ = Step::none;
  std::vector<Site> sites_;
  std::size_t at_ = 0;  ///< index of the next site
  bool stopped_ = false;
  Site before_;            ///< the previous device to measure on
  Experiment experiment_;  ///< what all of them measure
  std::vector<NamedRun> measured_;
  QStringList failures_;
};

}  // namespace fusebench
