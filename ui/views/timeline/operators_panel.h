// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/timeline/operator_figures.h"
#include "ui/views/timeline/figures_panel.h"
#include "ui/views/timeline/flame_graph.h"
#include "ui/views/timeline/kernel_table.h"

class QAction;
class QComboBox;
class QStackedWidget;

namespace fusebench {

/// The operators of a trace: a table by the chosen grouping, or a flame graph of calls or of
/// callers. Choosing one shows its longest call on the timeline, and the current event there is
/// marked here.
class OperatorsPanel : public FiguresPanel {
  Q_OBJECT

 public:
  explicit OperatorsPanel(TimelineModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme) override;
  void setWanted(bool wanted) override;
  QWidget* controls() override { return controls_; }

  OperatorFigures& figures() { return figures_; }
  KernelTable& table() { return *table_; }
  FlameGraph& flame() { return *flame_; }
  QComboBox& form() { return *form_; }  ///< table, calls or callers
  QComboBox& by() { return *by_; }
  /// Makes an experiment of the selected operator's longest call.
  QAction& measure() { return *measure_; }

 private:
  enum class Form { table, calls, callers };
  Form formNow() const;
  void layOut();
  void refresh();
  void refreshTraces();
  void refreshTable();
  void markCurrent();
  void goTo(EventId event);
  void measureSelected();

  TimelineModel& model_;
  OperatorFigures figures_;
  QWidget* controls_;
  QComboBox *form_, *by_, *trace_;
  QAction* measure_;
  QStackedWidget* stack_;
  KernelTable* table_;
  FlameGraph* flame_;
};

}  // namespace fusebench
