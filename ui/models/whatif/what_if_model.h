// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <string>
#include <vector>

#include "profiler/machine/sim_devices.h"
#include "profiler/measure/prediction.h"
#include "ui/models/base/latest_task.h"
#include "ui/models/results/run_model.h"

namespace fusebench {

/// Predicts the experiment on a simulated device with adjustable parameters. The device operations
/// of its calls are recorded once, on a thread; after that each change takes milliseconds.
class WhatIfModel : public QObject {
  Q_OBJECT

 public:
  explicit WhatIfModel(QObject* parent = nullptr);

  const std::vector<SimDevice>& devices() const { return devices_; }
  int chosen() const { return chosen_; }
  void choose(int device);
  /// The device as described by its file.
  const SimDevice& device() const { return devices_[static_cast<std::size_t>(chosen_)]; }
  double value(const sim::ParameterRow& row) const { return now_.*row.member; }
  void setValue(const sim::ParameterRow& row, double value);
  bool moved() const;
  /// Resets the parameters to those of the device's file.
  void reset();

  /// The experiment to predict. Nothing is computed until want() is called.
  void setExperiment(const Experiment& experiment);
  /// Nothing is predicted until the next experiment, and earlier predictions are hidden: another
  /// experiment was opened, or it cannot run yet, for which `why` is shown.
  void clear(const QString& why = {});
  void want();
  /// As predicted: with more ranks, if requested.
  const Experiment& experiment() const { return shown_; }
  /// Extends the axis `ranks` to this number by doubling; 0: leaves the experiment as it is.
  int ranks() const { return ranks_; }
  void setRanks(int most);
  bool hasRanks() const;

  /// A measured run: predictions are compared with it, and a device can be fitted to it. Null:
  /// none. Until the user chooses a device, that of the run is chosen.
  void setMeasured(std::shared_ptr<const Run> run);
  bool canFit() const;
  /// A device that is fitted to the measured run becomes one of devices() and is chosen.
  void fit();
  /// The error of the model at the measured points; empty: nothing was measured for this
  /// experiment.
  QString agreement() const;
  bool busy() const { return task_.busy(); }
  /// Why there is no prediction; empty: there is one, or none was requested.
  const QString& problem() const { return problem_; }
  const RunModel& run() const { return run_; }
  /// "sim:h100,launch_ns=1650": for a run with these parameters.
  std::string deviceName() const;

 signals:
  void changed();    ///< devices, values, whether it works
  void predicted();  ///< run() reflects the current values

 private:
  void prepare();
  void predict();
  void startFrom(const Run& run);
  void takeFitted(SimDevice device);
  void chooseShown();

  std::vector<SimDevice> devices_;
  int chosen_ = 0;
  bool picked_ = false;      ///< the user chose the device or a value
  std::string startedFrom_;  ///< device of the run that `chosen_` follows
  sim::Parameters now_;
  Experiment experiment_, shown_;
  int ranks_ = 0;
  std::shared_ptr<const Run> measured_;
  bool given_ = false, wanted_ = false, stale_ = true;
  std::shared_ptr<const Prediction> prediction_;
  RunModel run_;
  QString problem_;
  bool again_ = false;  ///< values changed while a prediction was computed
  LatestTask task_{this};
};

}  // namespace fusebench
