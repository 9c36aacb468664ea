// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/timeline/execution_trace_model.h"
#include "ui/views/timeline/figures_panel.h"
#include "ui/views/timeline/kernel_table.h"

class QAction;
class QLabel;
class QToolButton;

namespace fusebench {

/// The operators of an execution trace in their order, with shapes and the ranges of the program
/// around them. Those that are selected, or all, become an experiment.
class ExecutionTracePanel : public FiguresPanel {
  Q_OBJECT

 public:
  explicit ExecutionTracePanel(ExecutionTraceModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme&) override {}
  void setWanted(bool) override {}
  QWidget* controls() override { return controls_; }

  KernelTable& table() { return *table_; }
  QLabel& note() { return *note_; }  ///< what is shown, or why there is nothing
  QAction& measure() { return *measure_; }

 private:
  void refresh();
  void measureSelected();

  ExecutionTraceModel& model_;
  QWidget* controls_;
  QAction* measure_;
  QLabel* note_;
  KernelTable* table_;
};

}  // namespace fusebench
