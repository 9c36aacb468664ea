// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/status_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <cmath>
#include <string>

#include "profiler/doctor/device_list.h"
#include "profiler/machine/environment.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/results/comparison.h"
#include "ui/models/results/run_words.h"
#include "ui/views/base/elided_label.h"

namespace fusebench {

QString stateText(const StudyController& controller, const Run* run) {
  using State = StudyController::State;
  const QString measured = run ? uiText("%1 data points, %2 samples")
                                     .arg(run->cells.size())
                                     .arg(formatCount(static_cast<std::int64_t>(sampleCount(*run))))
                               : QString();
  switch (controller.state()) {
    case State::idle:
      return uiText("Ready");
    case State::preparing:
      return uiText("Preparing: compiling and checking the data points");
    case State::running:
      if (controller.progress().phase == "tracing") return uiText("Recording single calls");
      return uiText("Measuring, round %1").arg(controller.progress().round);
    case State::stopping:
      return uiText("Stopping");
    case State::finished:
      if (!run) return uiText("Ready");  // another experiment is in sight
      if (run && run->interrupted) return uiText("Stopped partway: %1 kept").arg(measured);
      return uiText("Finished: %1%2")
          .arg(measured, run && run->quick ? uiText(" (quick)") : QString());
    case State::failed:
      return run ? uiText("Failed; %1 kept").arg(measured) : uiText("Failed");
  }
  return {};
}

StatusBar::StatusBar(const StudyController& controller, const RunModel& run,
                     const DevicesModel& devices, QWidget* parent)
    : QFrame(parent),
      controller_(controller),
      run_(run),
      devices_(devices),
      state_(new ElidedLabel(this)),
      progress_(new QProgressBar(this)),
      timeLeft_(new QLabel(this)),
      machine_(new ElidedLabel(this)) {
  setObjectName(QStringLiteral("statusBar"));
  setFixedHeight(30);
  state_->setAccessibleName(uiText("Status"));
  progress_->setAccessibleName(uiText("Progress"));
  progress_->setTextVisible(false);
  progress_->setRange(0, 1000);
  progress_->setFixedSize(180, 4);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(14, 0, 14, 0);
  layout->setSpacing(14);
  layout->addWidget(state_);
  layout->addWidget(progress_);
  layout->addWidget(timeLeft_);
  layout->addStretch(1);
  layout->addWidget(machine_);
  connect(&controller, &StudyController::stateChanged, this, &StatusBar::refresh);
  connect(&controller, &StudyController::progressed, this, &StatusBar::refresh);
  connect(&run, &RunModel::runReset, this, &StatusBar::refresh);
  connect(&devices, &DevicesModel::changed, this, &StatusBar::refresh);
  refresh();
}

QString StatusBar::text() const {
  return state_->text();
}
QString StatusBar::machine() const {
  return machine_->text();
}

void StatusBar::setExploring(const QString& text) {
  exploring_ = text;
  refresh();
}

void StatusBar::setTrace(const QString& facts, const QString& device) {
  trace_ = facts;
  traceDevice_ = device;
  refresh();
}

void StatusBar::refresh() {
  const StudyProgress& progress = controller_.progress();
  state_->setText(controller_.busy()      ? stateText(controller_, run_.run())
                  : !trace_.isEmpty()     ? trace_
                  : !exploring_.isEmpty() ? exploring_
                                          : stateText(controller_, run_.run()));
  progress_->setVisible(controller_.busy());
  progress_->setValue(static_cast<int>(std::lround(1000 * progress.fraction)));
  timeLeft_->setVisible(controller_.busy());
  timeLeft_->setText(controller_.state() == StudyController::State::running
                         ? uiText("%1% · %2 left")
                               .arg(std::lround(100 * progress.fraction))
                               .arg(formatDuration(progress.secondsLeft))
                         : QString());
  const Run* run = run_.run();
  machine_->setText(!run                      ? devices_.chosenText()
                    : devices_.measures(*run) ? machineText(*run)
                                              : uiText("Measured on %1; Run measures on %2")
                                                    .arg(machineText(*run), devices_.chosenText()));
  if (!trace_.isEmpty() && !controller_.busy()) {
    machine_->setText(traceDevice_);
    machine_->setToolTip(traceDevice_);
    return;
  }
  // The text itself may be cut.
  QString tip = machine_->text();
  if (const std::string line = run ? environmentLine(run->environment) : std::string();
      !line.empty())
    tip += u'\n' + QString::fromStdString(line);
  machine_->setToolTip(tip);
}

}  // namespace fusebench

#include "moc_status_bar.cpp"
