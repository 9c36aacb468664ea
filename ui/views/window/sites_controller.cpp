// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/sites_controller.h"

#include <QTimer>
#include <memory>

#include "ui/models/base/ui_text.h"
#include "ui/models/results/comparison.h"
#include "ui/models/results/same_measurement.h"

namespace fusebench {

SitesController::SitesController(WindowModels& models, RunsController& runs, QObject* parent)
    : QObject(parent), models_(models), runs_(runs) {
  connect(&models_.devices.targets(), &TargetsModel::changed, this,
          &SitesController::targetChanged);
  connect(&models_.devices, &DevicesModel::changed, this, &SitesController::deviceChanged);
  connect(&runs_, &RunsController::ended, this, &SitesController::studyEnded);
  connect(&models_.library, &RunLibrary::busyChanged, this, &SitesController::kept);
}

/// Runs a step after the current signal was delivered, because the step may stop its sender.
void SitesController::later(void (SitesController::*step)()) {
  QTimer::singleShot(0, this, step);
}

void SitesController::start() {
  sites_ = models_.devices.sites().chosen();
  if (busy() || models_.study.busy() || sites_.size() < 2 || !runs_.readyToRun()) return;
  at_ = 0;
  stopped_ = false;
  measured_.clear();
  failures_.clear();
  before_ = {models_.devices.targets().chosen(), models_.devices.chosen(), {}};
  experiment_ = models_.document.experiment();
  runs_.setInTurn(true);
  next();
}

void SitesController::stop() {
  if (!busy()) return;
  stopped_ = true;
  if (step_ == Step::measuring) return models_.study.stop();  // it ends when the worker has
  if (step_ == Step::keeping) return;                         // what was measured is written first
  if (step_ == Step::goingBack) return finish();
  if (step_ == Step::reaching) models_.devices.targets().stopLooking();
  goBack();
}

void SitesController::next() {
  if (stopped_ || at_ >= sites_.size()) return goBack();
  const Site& site = sites_[at_++];
  models_.devices.sites().setProgress(
      uiText("%1 of %2: %3").arg(at_).arg(sites_.size()).arg(nameOf(site)));
  step_ = Step::reaching;
  models_.devices.targets().choose(site.target);
  targetChanged();
}

/// It is chosen once it was reached.
void SitesController::targetChanged() {
  using State = TargetsModel::Target::State;
  if (step_ == Step::goingBack) return wentBack();
  if (step_ != Step::reaching) return;
  const TargetsModel& targets = models_.devices.targets();
  const Site& site = sites_[at_ - 1];
  if (targets.chosen() == site.target) {
    step_ = Step::choosing;
    return later(&SitesController::deviceChanged);
  }
  const TargetsModel::Target* const target = targets.find(site.target);
  if (target && target->state == State::looking) return;
  fail(target ? target->words : uiText("it is no longer in the list"));
}

/// The devices of a machine are known a moment after it was chosen.
void SitesController::deviceChanged() {
  if (step_ == Step::goingBack) return wentBack();
  if (step_ != Step::choosing) return;
  DevicesModel& devices = models_.devices;
  if (devices.looking()) return;
  if (!devices.known()) return devices.examineOnce();
  const Site& site = sites_[at_ - 1];
  if (!devices.find(site.device.toStdString()))
    return fail(uiText("%1 was not found").arg(site.device));
  step_ = Step::measuring;
  devices.choose(site.device);
  later(&SitesController::measure);
}

void SitesController::measure() {
  if (step_ != Step::measuring) return;
  if (!sameMeasurement(models_.document.experiment(), experiment_)) {
    failures_ << uiText("The experiment was changed: the rest was not measured.");
    return goBack();
  }
  if (runs_.runInTurn()) return;
  failures_ << uiText("%1 and all later targets: nothing can be measured there now")
                   .arg(nameOf(sites_[at_ - 1]));
  goBack();
}

void SitesController::studyEnded() {
  if (step_ != Step::measuring) return;
  const std::shared_ptr<const Run> run = models_.run.measured();
  const bool failed = models_.study.state() == StudyController::State::failed;
  if (run && run->interrupted) stopped_ = true;
  if (run && sampleCount(*run) > 0) measured_.push_back({nameOf(sites_[at_ - 1]), run});
  if (failed)
    failures_ << QStringLiteral("%1: %2").arg(nameOf(sites_[at_ - 1]), models_.study.message());
  step_ = Step::keeping;
  later(&SitesController::kept);
}

/// Writing what was measured would disturb the next one.
void SitesController::kept() {
  if (step_ == Step::keeping && !models_.library.busy()) next();
}

void SitesController::fail(const QString& why) {
  failures_ << QStringLiteral("%1: %2").arg(nameOf(sites_[at_ - 1]), why);
  step_ = Step::keeping;
  later(&SitesController::kept);
}

/// To where was measured before; reaching that takes a while if it is another machine.
void SitesController::goBack() {
  step_ = Step::goingBack;
  models_.devices.sites().setProgress(uiText("Back to %1").arg(nameOf(before_)));
  models_.devices.targets().choose(before_.target);
  later(&SitesController::wentBack);
}

/// There, or known to be out of reach.
void SitesController::wentBack() {
  using State = TargetsModel::Target::State;
  if (step_ != Step::goingBack) return;
  DevicesModel& devices = models_.devices;
  if (devices.targets().chosen() != before_.target) {
    const TargetsModel::Target* const target = devices.targets().find(before_.target);
    if (target && target->state == State::looking) return;
    return finish();
  }
  if (devices.looking()) return;
  if (!devices.known()) return devices.examineOnce();
  step_ = Step::none;  // what follows is heard here, too
  devices.choose(before_.device);
  finish();
}

void SitesController::finish() {
  step_ = Step::none;
  models_.devices.sites().setProgress({});
  runs_.setInTurn(false);
  if (!measured_.empty()) runs_.showTogether(std::exchange(measured_, {}));
  if (failures_.isEmpty()) return;
  models_.messages.say(
      Tone::warning,
      uiText("Not measured everywhere. %1").arg(failures_.join(QStringLiteral("; "))));
}

}  // namespace fusebench

#include "moc_sites_controller.cpp"
