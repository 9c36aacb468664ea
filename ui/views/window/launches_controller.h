// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <string>
#include <vector>

#include "ui/views/window/devices_controller.h"

namespace fusebench {

/// Fills the timeline, from files and by recording, and keeps it in sync with the canvas:
/// statements on the canvas correspond to launches on the timeline.
class LaunchesController : public QObject {
  Q_OBJECT

 public:
  LaunchesController(WindowModels& models, DevicesController& devices, QObject* parent = nullptr);

  /// Opens a trace, in place of the timeline's contents or below them.
  void open(const QString& path, bool below);
  /// Records calls of the chain on the canvas by every variant, at the end of the axes, on the
  /// chosen device. Stops a recording in progress instead.
  void recordChain();
  /// Records the launches of these cells of the shown run, on the device of that run only. Stops a
  /// recording in progress instead.
  void record(const std::vector<CellKey>& cells);
  /// These ops are selected on the canvas: their launches are marked.
  void follow(std::vector<int> ops);

 signals:
  void viewWanted(const QString& key, bool focus);
  /// The recorded launches are on the timeline.
  void filled();
  /// The current launch on the timeline belongs to these ops.
  void opsPicked(std::vector<int> ops);

 private:
  bool recordedHere() const;
  void refollow();
  void pickOps();

  WindowModels& models_;
  DevicesController& devices_;
  std::string recording_;        ///< program whose launches are being recorded
  std::string recordedProgram_;  ///< program of the timeline's launches; empty: other origin
  std::vector<int> followed_;    ///< ops that are selected on the canvas
};

}  // namespace fusebench
