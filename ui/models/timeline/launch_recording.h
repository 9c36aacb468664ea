// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include "profiler/study/launch_pass.h"

namespace fusebench {

/// The recorder of calls: recordCalls, or a test's replacement. Called on a separate thread.
using CallRecorder = std::function<std::vector<CellCalls>(
    const Experiment&, std::span<const CellKey>, const StudyOptions&, std::stop_token)>;

/// Records some calls of cells on a separate thread and delivers them as traces, one per cell.
class LaunchRecording : public QObject {
  Q_OBJECT

 public:
  explicit LaunchRecording(CallRecorder recorder = recordCalls, QObject* parent = nullptr);
  ~LaunchRecording() override;  ///< cancels what is under way

  /// Also where: StudyOptions::device.
  void setOptions(const StudyOptions& options) { options_ = options; }
  const StudyOptions& options() const { return options_; }
  bool busy() const { return busy_; }
  /// Starts a recording; a recording in progress is canceled first.
  void start(const Experiment& experiment, std::vector<CellKey> cells);
  void cancel();

 signals:
  void busyChanged(bool busy);
  /// In the order of the cells that were asked for.
  void recorded(const std::vector<std::shared_ptr<const fusebench::Trace>>& traces);
  void failed(const QString& what);  ///< one line

 private:
  void setBusy(bool busy);

  CallRecorder recorder_;
  StudyOptions options_;
  bool busy_ = false;
  int number_ = 0;  ///< number of the recording that is waited for
  std::jthread thread_;
};

}  // namespace fusebench
