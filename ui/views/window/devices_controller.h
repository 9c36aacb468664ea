// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <string>

#include "ui/models/window/window_models.h"

namespace fusebench {

/// Knows the device to measure on: results of one device are never mixed with another's, nor
/// replaced by them without asking.
class DevicesController : public QObject {
  Q_OBJECT

 public:
  explicit DevicesController(WindowModels& models, QObject* parent = nullptr);
  ~DevicesController() override;

  /// Command of the worker and device.
  void setOptions(const StudyOptions& options);
  /// As passed in.
  const StudyOptions& options() const { return options_; }
  /// With the chosen device and additional workers.
  const StudyOptions& usedOptions() const { return usedOptions_; }
  /// Finds out which devices there are, and starts the worker ahead of the first edit.
  void warmUp();
  /// The settings have changed.
  void applySettings();

  /// A run is about to be shown; `fromFile`: one that Explore must not replace.
  void expect(const Run& run, bool fromFile);
  /// Chooses the device of the shown run for measuring. If that device is not available, a message
  /// reports it.
  void follow();
  /// Whether the device to measure on is still being determined.
  bool finding() const { return toFollow_; }
  /// Whether the current device can add samples to the displayed points; returns why not.
  bool mayAddHere();

 signals:
  /// The Python that runs the PyTorch variants has changed.
  void pythonChanged();
  /// The device to measure on has changed. `asked`: by the user, not by opening a run.
  void moved(bool asked);

 private:
  void useOptions();
  void useProbes();
  void targetChosen();
  void chosen();
  void listed();
  QString whyExploringWaits() const;

  WindowModels& models_;
  StudyOptions options_, usedOptions_;
  QString python_;          ///< that the options in use name
  std::string openedRun_;   ///< when the run that came from a file last was begun
  bool toFollow_ = false;   ///< as soon as the devices are known, that of the run shown is chosen
  bool following_ = false;  ///< it is being chosen, not by the person
};

/// "cuda:0", or where `here` tells two of that name apart "cuda:0 (NVIDIA H100)".
QString deviceOf(const Run& run, const ListedDevice* here = nullptr);

}  // namespace fusebench
