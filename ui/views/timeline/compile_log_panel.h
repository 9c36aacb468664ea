// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/timeline/compile_log_model.h"
#include "ui/views/timeline/file_panel.h"

class QComboBox;

namespace fusebench {

/// The content of a log of torch.compile: recompilations with their guards, graph breaks with their
/// lines, and where the time of compiling went.
class CompileLogPanel : public FilePanel {
  Q_OBJECT

 public:
  explicit CompileLogPanel(CompileLogModel& model, QWidget* parent = nullptr);

  enum class Part { recompiles, breaks, frames, phases, shapes, code };
  QComboBox& part() { return *part_; }
  QComboBox& log() { return *log_; }

 private:
  bool hasContent() const override { return !model_.logs().empty(); }
  QStringList fill() override;
  void refresh() override;
  void fillPart(const CompileLog& log);

  CompileLogModel& model_;
  QComboBox *part_, *log_;
};

}  // namespace fusebench
