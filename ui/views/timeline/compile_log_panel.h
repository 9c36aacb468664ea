// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/timeline/compile_log_model.h"
#include "ui/views/timeline/figures_panel.h"
#include "ui/views/timeline/kernel_table.h"

class QComboBox;
class QLabel;

namespace fusebench {

/// The content of a log of torch.compile: recompilations with their guards, graph breaks with their
/// lines, and where the time of compiling went.
class CompileLogPanel : public FiguresPanel {
  Q_OBJECT

 public:
  explicit CompileLogPanel(CompileLogModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme&) override {}
  void setWanted(bool) override {}
  QWidget* controls() override { return controls_; }

  enum class Part { recompiles, breaks, frames, phases };
  QComboBox& part() { return *part_; }
  QComboBox& log() { return *log_; }
  KernelTable& table() { return *table_; }
  QLabel& note() { return *note_; }  ///< findings, or why there is nothing

 private:
  void refresh();
  void fill(const CompileLog& log);

  CompileLogModel& model_;
  QWidget* controls_;
  QComboBox *part_, *log_;
  QLabel* note_;
  KernelTable* table_;
};

}  // namespace fusebench
