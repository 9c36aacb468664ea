// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/devices_model.h"

#include <string>
#include <utility>

#include "profiler/machine/backend_table.h"
#include "profiler/protocol/worker_client.h"

namespace fusebench {
namespace {

DeviceList cpuAlone() {
  ListedDevice cpu;
  cpu.name = "cpu";
  return {cpu};
}

}  // namespace

std::optional<QString> targetOf(const Run& run) {
  if (!run.environment.is_object()) return std::nullopt;
  const auto target = run.environment.find("target");
  if (target == run.environment.end() || !target->is_object()) return std::nullopt;
  const auto name = target->find("name");
  if (name == target->end() || !name->is_string()) return std::nullopt;
  return QString::fromStdString(name->get<std::string>());
}

DevicesModel::DevicesModel(QObject* parent) : QObject(parent), devices_(cpuAlone()) {
  thread_.setMaxThreadCount(2);  // a try may wait for the driver, the list must not
}

DevicesModel::~DevicesModel() {
  forget();
  thread_.waitForDone();
}

void DevicesModel::forget() {
  stop_.request_stop();
  stopTry_.request_stop();
  thread_.clear();
  ++number_;
  ++tryNumber_;
  looking_ = false;
  trying_.clear();
  recording_.clear();
}

void DevicesModel::setProbes(Probes probes) {
  forget();
  probes_ = std::move(probes);
  devices_ = cpuAlone();
  known_ = !probes_.list;
  problem_.clear();
  emit changed();
}

void DevicesModel::examineOnce() {
  if (!known_ && !looking_) examine();
}

void DevicesModel::examine() {
  if (!probes_.list) return;
  forget();
  looking_ = true;
  stop_ = std::stop_source();
  // The destructor waits for the threads; Qt drops calls that come after it.
  thread_.start([this, number = number_, list = probes_.list, stop = stop_.get_token()] {
    DeviceList found = cpuAlone();
    QString problem;
    try {
      found = list(stop);
    } catch (const std::exception& error) {
      problem = QString::fromUtf8(error.what());
    }
    QMetaObject::invokeMethod(
        this,
        [this, number, found, problem] {
          if (number != number_) return;
          devices_ = found;
          problem_ = problem;
          known_ = true;
          looking_ = false;
          if (targets_.chosen() == targets_.targets().front().name) sites_.setHere(devices_);
          if (const ListedDevice* here = find(device())) choose(QString::fromStdString(here->name));
          emit listed();
          emit changed();
          askWhetherItRecords();
        },
        Qt::QueuedConnection);
  });
  emit changed();
}

void DevicesModel::setQuiet(bool quiet) {
  targets_.setQuiet(quiet);
  if (std::exchange(quiet_, quiet) == quiet) return;
  if (quiet) {
    stopTry_.request_stop();
    ++tryNumber_;
    trying_.clear();
  }
  emit changed();
  askWhetherItRecords();
}

/// Tries it in a process of its own, if the device chosen is a GPU that was not tried yet.
void DevicesModel::askWhetherItRecords() {
  const std::string device = this->device();
  if (quiet_ || !known_ || !onGpu() || !probes_.recording || !find(device)) return;
  if (trying_ == device || recording_.contains(device)) return;
  stopTry_.request_stop();
  stopTry_ = std::stop_source();
  trying_ = device;
  thread_.start(
      [this, device, number = ++tryNumber_, ask = probes_.recording, stop = stopTry_.get_token()] {
        RecordingState state;
        try {
          state = ask(device, stop);
        } catch (const StopRequested&) {
          return;
        } catch (const std::exception& error) {
          state.found = error.what();
        }
        QMetaObject::invokeMethod(
            this,
            [this, device, number, state] {
              if (number != tryNumber_) return;
              trying_.clear();
              recording_[device] = state;
              emit changed();
            },
            Qt::QueuedConnection);
      });
}

bool DevicesModel::onGpu() const {
  return namesGpu(device());
}

void DevicesModel::choose(const QString& name) {
  const ListedDevice* here = find(name.toStdString());
  const QString plain = QString::fromStdString(here ? here->name : plainDevice(name.toStdString()));
  if (plain.isEmpty() || plain == chosen_) return;
  chosen_ = plain;
  emit chosenChanged();
  emit changed();
  askWhetherItRecords();
}

QString DevicesModel::chosenText() const {
  const ListedDevice* here = find(device());
  if (!here || here->model.empty()) return chosen_;
  return chosen_ + QStringLiteral(" · ") + QString::fromStdString(here->model);
}

std::optional<QString> DevicesModel::nameHere(const Run& run) const {
  // A device of another machine is another one, whatever its name.
  if (targetOf(run).value_or(QStringLiteral("here")) != targets_.chosen()) return std::nullopt;
  if (!namesGpu(run.device)) return QString::fromStdString(run.device);
  const ListedDevice* here = findDeviceOf(devices_, run.device, run.environment);
  if (here) {
    const std::string model = deviceModel(run.environment, run.device);
    if (!model.empty() && !here->model.empty() && model != here->model) return std::nullopt;
    return QString::fromStdString(here->name);
  }
  // Until the devices are listed, a run on the chosen device can only be of this session.
  if (!known_ && plainDevice(run.device) == device()) return chosen_;
  return std::nullopt;
}

const RecordingState* DevicesModel::recording() const {
  const auto found = recording_.find(device());
  return found == recording_.end() ? nullptr : &found->second;
}

}  // namespace fusebench

#include "moc_devices_model.cpp"
