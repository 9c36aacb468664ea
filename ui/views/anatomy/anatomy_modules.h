// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <vector>

#include "profiler/analysis/module_times.h"
#include "ui/models/base/latest_task.h"
#include "ui/views/timeline/kernel_table.h"

class QLabel;

namespace fusebench {

/// The modules of a captured model in a recorded call of one variant, the slowest first.
class AnatomyModules : public QWidget {
  Q_OBJECT

 public:
  explicit AnatomyModules(QWidget* parent = nullptr);
  /// Shows a cell of the run. Bytes and FLOPs are computed from the plan, and arrive later for a
  /// large program.
  void setCell(std::shared_ptr<const Run> run, const CellKey& key, const QString& variant);
  /// Shows nothing.
  void clear();
  KernelTable& table() const { return *table_; }
  const QLabel& title() const { return *title_; }
  /// Whether bytes and FLOPs are still being computed from the plan.
  bool busy() const { return task_.busy(); }
  QSize sizeHint() const override { return {420, 210}; }

 signals:
  /// A row was double-clicked, or chosen with Enter.
  void moduleChosen(const QString& path);

 private:
  /// Why a program's bytes are not known; empty: they are in `modules`.
  struct Costs {
    std::vector<ModuleTime> modules;
    std::string problem;
  };
  static Costs costsOf(const Run& run, const CellKey& key);
  void fill(const std::vector<ModuleTime>& modules);
  void take(const Costs& costs);

  QLabel* title_;
  KernelTable* table_;
  QString variant_;
  LatestTask task_{this};
};

}  // namespace fusebench
