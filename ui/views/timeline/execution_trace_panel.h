// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/timeline/execution_trace_model.h"
#include "ui/views/timeline/file_panel.h"

class QAction;

namespace fusebench {

/// The operators of an execution trace in their order, with shapes and the ranges of the program
/// around them. An experiment can be made of the selected ones, or of all.
class ExecutionTracePanel : public FilePanel {
  Q_OBJECT

 public:
  explicit ExecutionTracePanel(ExecutionTraceModel& model, QWidget* parent = nullptr);
  QAction& measure() { return *measure_; }

 private:
  bool hasContent() const override { return model_.content() != nullptr; }
  QStringList fill() override;
  void refresh() override;
  void measureSelected();

  ExecutionTraceModel& model_;
  QAction* measure_;
};

}  // namespace fusebench
