// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/devices_controller.h"

#include <functional>
#include <stop_token>
#include <string>
#include <utility>

#include "profiler/study/torch_worker.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/results/comparison.h"

namespace fusebench {

QString deviceOf(const Run& run, const ListedDevice* here) {
  const QString device = QString::fromStdString(run.device);
  const QString model =
      here ? QString::fromStdString(deviceModel(run.environment, run.device)) : QString();
  const QString named = model.isEmpty() ? device : QStringLiteral("%1 (%2)").arg(device, model);
  const auto target = targetOf(run);
  return target ? uiText("%1 of %2").arg(named, *target) : named;
}

DevicesController::DevicesController(WindowModels& models, QObject* parent)
    : QObject(parent), models_(models) {
  DevicesModel& devices = models_.devices;
  devices.choose(models_.settings.device());
  connect(&devices, &DevicesModel::chosenChanged, this, &DevicesController::chosen);
  connect(&devices, &DevicesModel::listed, this, &DevicesController::listed);
  connect(&models_.study, &StudyController::stateChanged, this,
          [this] { models_.devices.setQuiet(models_.study.busy()); });
  TargetsModel& targets = devices.targets();
  targets.setNames(models_.settings.targets());
  connect(&targets, &TargetsModel::listChanged, this,
          [this] { models_.settings.setTargets(models_.devices.targets().names()); });
  connect(&targets, &TargetsModel::chosenChanged, this, &DevicesController::targetChosen);
  models_.explore.setGuard([this] { return whyExploringWaits(); });
}

DevicesController::~DevicesController() {
  models_.explore.setGuard({});
}

QString DevicesController::whyExploringWaits() const {
  const Run* run = models_.run.run();
  if (!run || sampleCount(*run) == 0 || models_.devices.measures(*run)) return {};
  // Explored results may be replaced; results from a file may not.
  if (run->explored && run->startedAt != openedRun_) return {};
  return uiText("Explore waits: these results are from %1; Run measures on %2.")
      .arg(deviceOf(*run), models_.devices.chosen());
}

void DevicesController::setOptions(const StudyOptions& options) {
  options_ = options;
  if (!options.workerCommand.empty())
    models_.devices.targets().setReach(
        [cli = options.workerCommand.front()](
            const std::string& name, bool install, const std::function<void(double)>& waiting,
            std::stop_token stop) { return reachTarget(name, cli, install, waiting, stop); });
  useProbes();
  if (options.device != "cpu") models_.devices.choose(QString::fromStdString(options.device));
  useOptions();
}

/// The devices are those of the machine that is chosen.
void DevicesController::useProbes() {
  DevicesModel::Probes probes;
  if (const ReachedTarget* const there = models_.devices.targets().reached()) {
    probes.list = [devices = there->devices](std::stop_token) { return devices; };
  } else if (!options_.workerCommand.empty()) {
    probes.list = [cli = options_.workerCommand.front()](std::stop_token stop) {
      return askDevices({cli, "devices", "--json"}, std::move(stop));
    };
    probes.recording = [options = options_](const std::string& device, std::stop_token stop) {
      return askRecording(onDevice(options, device).workerCommand, std::move(stop));
    };
  }
  models_.devices.setProbes(std::move(probes));
}

/// Does the same as for another device: passes the options on and keeps what is shown.
void DevicesController::targetChosen() {
  models_.explore.stop();
  toFollow_ = false;
  useProbes();
  models_.devices.choose(QStringLiteral("cpu"));
  models_.devices.examine();
  useOptions();
  emit moved(true);
}

void DevicesController::warmUp() {
  models_.explore.warmUp();
  models_.devices.examineOnce();
}

void DevicesController::applySettings() {
  if (models_.settings.python() != python_) {
    useOptions();
    emit pythonChanged();
  }
  models_.devices.choose(models_.settings.device());
}

/// Hands the options on, for the device and with PyTorch in the Python that are chosen now.
void DevicesController::useOptions() {
  python_ = models_.settings.python();
  StudyOptions options = onDevice(options_, models_.devices.device());
  const std::string python = chosenPython(python_.toStdString());
  if (const ReachedTarget* const there = models_.devices.targets().reached();
      there && !options_.workerCommand.empty())
    options = onTarget(options, *there, options_.workerCommand.front(), python);
  if (options.guests.empty()) options.guests = {torchWorker(python, options.device)};
  usedOptions_ = options;
  models_.study.setOptions(options);
  models_.launches.setOptions(options);
  models_.explore.setOptions(options);
  models_.generated.setOptions(options);
}

/// Passes the options on; results stay shown until something is measured on the new device.
void DevicesController::chosen() {
  models_.settings.setDevice(models_.devices.chosen());
  models_.explore.stop();
  useOptions();
  if (!following_) toFollow_ = false;
  emit moved(!following_);
}

void DevicesController::listed() {
  DevicesModel& devices = models_.devices;
  if (devices.onGpu() && !devices.find(devices.device())) {
    const QString missing = devices.chosen();
    QString why = devices.problem();
    for (const ListedDevice& device : devices.devices())
      if (!device.usable() && why.isEmpty()) why = QString::fromStdString(device.problem);
    toFollow_ = false;
    devices.choose(QStringLiteral("cpu"));
    models_.messages.say(Tone::warning,
                         uiText("%1 is not available%2. Run measures on %3.")
                             .arg(missing, why.isEmpty() ? QString() : QStringLiteral(": ") + why,
                                  devices.chosen()));
    return;
  }
  // A run that came before the list, or one of another GPU of the same name.
  const Run* run = models_.run.run();
  const bool otherGpu =
      run && targetOf(*run).value_or(QStringLiteral("here")) == devices.targets().chosen() &&
      plainDevice(run->device) == devices.device();
  if (std::exchange(toFollow_, false) || otherGpu) follow();
}

void DevicesController::expect(const Run& run, bool fromFile) {
  toFollow_ = false;
  if (fromFile) openedRun_ = run.startedAt;
}

void DevicesController::follow() {
  DevicesModel& devices = models_.devices;
  const Run* run = models_.run.run();
  if (!run || devices.measures(*run)) return;
  if (const auto here = devices.nameHere(*run)) {
    following_ = true;
    devices.choose(*here);
    following_ = false;
    return;
  }
  if (!devices.known()) {
    toFollow_ = true;
    return devices.examineOnce();
  }
  models_.messages.say(
      Tone::info, uiText("This run was measured on %1, which is not available; Run measures on %2.")
                      .arg(deviceOf(*run, devices.find(run->device)), devices.chosen()));
}

bool DevicesController::mayAddHere() {
  const Run* run = models_.run.run();
  if (!run || models_.devices.measures(*run)) return true;
  models_.messages.say(Tone::warning,
                       uiText("These points were measured on %1, so %2 cannot add to them. Choose "
                              "%1 in Setup again, or press Run to start a new run.")
                           .arg(deviceOf(*run), models_.devices.chosen()));
  return false;
}

}  // namespace fusebench

#include "moc_devices_controller.cpp"
