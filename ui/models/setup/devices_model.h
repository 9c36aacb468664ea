// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

#include "profiler/doctor/device_list.h"
#include "profiler/run/run.h"
#include "ui/models/setup/sites_model.h"
#include "ui/models/setup/targets_model.h"

namespace fusebench {

/// The devices that can be measured, which of them is chosen, and whether launches can be recorded
/// there. Everything that calls a driver runs in other processes, which a thread waits for; results
/// are kept.
class DevicesModel : public QObject {
  Q_OBJECT

 public:
  /// How it is found out; called on a thread. The first may throw.
  struct Probes {
    std::function<DeviceList(std::stop_token)> list;
    std::function<RecordingState(const std::string& device, std::stop_token)> recording;
  };

  explicit DevicesModel(QObject* parent = nullptr);
  ~DevicesModel() override;  ///< cancels what is under way

  /// Forgets earlier results. Does not start an examination; without a list the CPU is the only
  /// device.
  void setProbes(Probes probes);
  /// Examines again which devices there are.
  void examine();
  /// Examines them unless that was done before.
  void examineOnce();
  /// While a measurement runs, recording of launches is not tried.
  void setQuiet(bool quiet);
  bool quiet() const { return quiet_; }

  /// The machines whose devices these are, one at a time.
  TargetsModel& targets() { return targets_; }
  const TargetsModel& targets() const { return targets_; }
  /// Several machines and devices, to be measured on in turn.
  SitesModel& sites() { return sites_; }

  /// Whether the devices of this machine are known; until then the list contains the CPU.
  bool known() const { return known_; }
  bool looking() const { return looking_; }
  const DeviceList& devices() const { return devices_; }
  /// Why they could not be listed; one line.
  const QString& problem() const { return problem_; }
  /// The usable device of a name, which may be "cuda" or a GPU's UUID; null: it is not here, or
  /// that is not known yet.
  const ListedDevice* find(const std::string& name) const { return findDevice(devices_, name); }

  /// Under its plain name; "cpu" at first.
  const QString& chosen() const { return chosen_; }
  std::string device() const { return chosen_.toStdString(); }
  bool onGpu() const;
  void choose(const QString& name);
  /// "cuda:0 · NVIDIA H100 80GB HBM3", as far as it is known.
  QString chosenText() const;

  /// Whether a run was measured on the device that is chosen: the same name and, if both are known,
  /// the same GPU.
  bool measures(const Run& run) const { return chosen_ == nameHere(run).value_or(QString()); }
  /// The name here of the device that a run was measured on; nothing: it is not here, or that is
  /// not known yet. The CPU always is.
  std::optional<QString> nameHere(const Run& run) const;

  /// For the chosen device, if it is a GPU and the state is known; else null.
  const RecordingState* recording() const;

 signals:
  void listed();   ///< it is known what is here
  void changed();  ///< anything: what is known, what is chosen
  void chosenChanged();

 private:
  void askWhetherItRecords();
  void forget();

  TargetsModel targets_;
  SitesModel sites_{targets_};
  Probes probes_;
  DeviceList devices_;
  bool known_ = false;
  bool looking_ = false;
  bool quiet_ = false;
  QString problem_;
  QString chosen_ = QStringLiteral("cpu");
  std::map<std::string, RecordingState> recording_;
  std::string trying_;  ///< the device whose recording is tried now
  int number_ = 0;      ///< number of the last examination
  int tryNumber_ = 0;   ///< number of the last try
  std::stop_source stop_, stopTry_;
  QThreadPool thread_;
};

/// The machine that a run was measured on, if it was not the one from which it was started.
std::optional<QString> targetOf(const Run& run);

}  // namespace fusebench
