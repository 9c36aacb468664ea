// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that knows where is measured: results of one device are never mixed with
// another's, nor replaced by them unasked.
#include <utility>

#include "profiler/study/torch_worker.h"
#include "ui/models/results/comparison.h"
#include "ui/views/anatomy/anatomy_view.h"
#include "ui/views/base/banner.h"
#include "ui/views/window/status_bar.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

QString deviceOf(const Run& run) {
  return QString::fromStdString(run.device);
}

/// "cuda:0", or where it tells them apart "cuda:0 (NVIDIA H100)".
QString deviceOf(const Run& run, const ListedDevice* here) {
  const QString model = QString::fromStdString(deviceModel(run.environment, run.device));
  return here && !model.isEmpty() ? QStringLiteral("%1 (%2)").arg(deviceOf(run), model)
                                  : deviceOf(run);
}

}  // namespace

void MainWindow::setOptions(const StudyOptions& options) {
  options_ = options;
  DevicesModel::Probes probes;
  if (!options.workerCommand.empty()) {
    probes.list = [cli = options.workerCommand.front()](std::stop_token stop) {
      return askDevices({cli, "devices", "--json"}, std::move(stop));
    };
    probes.recording = [options](const std::string& device, std::stop_token stop) {
      return askRecording(onDevice(options, device).workerCommand, std::move(stop));
    };
  }
  devices_.setProbes(std::move(probes));
  if (options.device != "cpu") devices_.choose(QString::fromStdString(options.device));
  useOptions();
}

void MainWindow::warmUp() {
  explore_.warmUp();
  devices_.examineOnce();
}

/// Hands the options on, for the device and with PyTorch in the Python that are chosen now.
void MainWindow::useOptions() {
  python_ = settings_.python();
  StudyOptions options = onDevice(options_, devices_.device());
  if (options.guests.empty())
    options.guests = {torchWorker(chosenPython(python_.toStdString()), options.device)};
  usedOptions_ = options;
  controller_.setOptions(options);
  launches_.setOptions(options);
  explore_.setOptions(options);
  generated_.setOptions(options);
}

void MainWindow::linkDevices() {
  devices_.choose(settings_.device());
  connect(&devices_, &DevicesModel::chosenChanged, this, &MainWindow::deviceChosen);
  connect(&devices_, &DevicesModel::listed, this, &MainWindow::devicesListed);
  connect(&devices_, &DevicesModel::changed, this, &MainWindow::refreshNotice);
  connect(&controller_, &StudyController::stateChanged, this,
          [this] { devices_.setQuiet(controller_.busy()); });
  explore_.setGuard([this] {
    const Run* run = run_.run();
    if (!run || sampleCount(*run) == 0 || devices_.measures(*run)) return QString();
    // What exploring showed may go; what a file brought may not.
    if (run->explored && run->startedAt != openedRun_) return QString();
    return QStringLiteral("Explore waits: these results are of %1; Run measures on %2.")
        .arg(deviceOf(*run), devices_.chosen());
  });
}

/// Whoever measures hears of it; what is shown stays until something is measured there.
void MainWindow::deviceChosen() {
  settings_.setDevice(devices_.chosen());
  explore_.stop();
  useOptions();
  if (!following_) {
    toFollow_ = false;
    const Run* run = run_.run();
    if (run && !controller_.busy() && (!devices_.measures(*run) || !measuredAsShown()))
      if (!recallRun()) explore_.exploreNow();
    explore_.warmUp();
  }
  refreshNotice();
  refreshState();
}

void MainWindow::devicesListed() {
  if (devices_.onGpu() && !devices_.find(devices_.device())) {
    const QString missing = devices_.chosen();
    QString why = devices_.problem();
    for (const ListedDevice& device : devices_.devices())
      if (!device.usable() && why.isEmpty()) why = QString::fromStdString(device.problem);
    toFollow_ = false;
    devices_.choose(QStringLiteral("cpu"));
    say(int(Banner::Tone::warning),
        QStringLiteral("%1 is not here%2. Run measures on %3.")
            .arg(missing, why.isEmpty() ? QString() : QStringLiteral(": ") + why,
                 devices_.chosen()));
    return;
  }
  // A run that came before the list, or one of another GPU of the same name.
  const Run* run = run_.run();
  const bool otherGpu = run && plainDevice(run->device) == devices_.device();
  if (std::exchange(toFollow_, false) || otherGpu) followDevice();
}

/// The device of the run shown becomes the one that is measured on; if it is not here, that is
/// said.
void MainWindow::followDevice() {
  const Run* run = run_.run();
  if (!run || devices_.measures(*run)) return;
  if (const auto here = devices_.nameHere(*run)) {
    following_ = true;
    devices_.choose(*here);
    following_ = false;
    return;
  }
  if (!devices_.known()) {
    toFollow_ = true;
    return devices_.examineOnce();
  }
  say(int(Banner::Tone::info),
      QStringLiteral("This run was measured on %1, which is not here; Run measures on %2.")
          .arg(deviceOf(*run, devices_.find(run->device)), devices_.chosen()));
}

/// Whether the points shown may get more from where is measured now; says why not.
bool MainWindow::mayAddHere() {
  if (!run_.run() || devices_.measures(*run_.run())) return true;
  say(int(Banner::Tone::warning),
      QStringLiteral("These points were measured on %1, so %2 cannot add to them. Choose %1 in "
                     "Set-up again, or press Run to start anew.")
          .arg(deviceOf(*run_.run()), devices_.chosen()));
  return false;
}

/// Records the launches of the run shown, on its own device alone.
void MainWindow::recordLaunches() {
  if (launches_.busy()) return launches_.cancel();
  const Run* run = run_.run();
  if (!run) return;
  const auto here = devices_.nameHere(*run);
  if (!here && devices_.known()) {
    say(int(Banner::Tone::warning),
        QStringLiteral("The launches of this run cannot be recorded: it was measured on %1, which "
                       "is not here.")
            .arg(deviceOf(*run, devices_.find(run->device))));
    return;
  }
  recording_ = run->experiment.programText;
  launches_.setOptions(onDevice(usedOptions_, here ? here->toStdString() : run->device));
  launches_.start(run->experiment, workbench_->anatomy().model().cells());
}

}  // namespace fusebench
