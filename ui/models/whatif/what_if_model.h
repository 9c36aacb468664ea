// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <memory>
#include <vector>

#include "profiler/machine/sim_devices.h"
#include "profiler/measure/prediction.h"
#include "ui/models/results/run_model.h"

namespace fusebench {

/// What the experiment would take on a simulated device whose parameters are moved. What its calls
/// ask of a device is written down once, on a thread; then each change takes milliseconds.
class WhatIfModel : public QObject {
  Q_OBJECT

 public:
  explicit WhatIfModel(QObject* parent = nullptr);
  ~WhatIfModel() override;

  const std::vector<SimDevice>& devices() const { return devices_; }
  int chosen() const { return chosen_; }
  void choose(int device);
  /// As its file says.
  const SimDevice& device() const { return devices_[static_cast<std::size_t>(chosen_)]; }
  double value(const sim::ParameterRow& row) const { return now_.*row.member; }
  void setValue(const sim::ParameterRow& row, double value);
  bool moved() const;
  /// The device as its file says.
  void reset();

  /// What is predicted. Nothing is done before the first time that it is wanted.
  void setExperiment(const Experiment& experiment);
  void want();
  bool busy() const { return working_; }
  /// Why there is no prediction; empty: there is, or it is not wanted.
  const QString& problem() const { return problem_; }
  const RunModel& run() const { return run_; }
  /// "sim:h100,launch_ns=1650": for a run with these parameters.
  std::string deviceName() const;

 signals:
  void changed();    ///< devices, values, whether it works
  void predicted();  ///< run() shows the values as they are

 private:
  void prepare();
  void predict();

  std::vector<SimDevice> devices_;
  int chosen_ = 0;
  sim::Parameters now_;
  Experiment experiment_;
  bool given_ = false, wanted_ = false, stale_ = true;
  std::shared_ptr<const Prediction> prediction_;
  RunModel run_;
  QString problem_;
  bool working_ = false, again_ = false;
  std::atomic<int> generation_ = 0;  ///< of the experiment; read by the thread, too
  QThreadPool pool_;
};

}  // namespace fusebench
