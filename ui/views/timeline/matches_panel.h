// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/timeline/match_figures.h"
#include "ui/views/timeline/figures_panel.h"
#include "ui/views/timeline/kernel_table.h"

class QComboBox;
class QLabel;

namespace fusebench {

/// The matches of the search above the timeline, grouped by name.
class MatchesPanel : public FiguresPanel {
  Q_OBJECT

 public:
  explicit MatchesPanel(TimelineModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme&) override {}
  void setWanted(bool wanted) override;
  QWidget* controls() override { return controls_; }

  MatchFigures& figures() { return figures_; }
  KernelTable& table() { return *table_; }
  QLabel& note() { return *note_; }

 private:
  void refresh();
  void refreshTraces();
  void goTo(const QModelIndex& index);

  TimelineModel& model_;
  MatchFigures figures_;
  QWidget* controls_;
  QComboBox* trace_;
  QLabel* note_;
  KernelTable* table_;
};

}  // namespace fusebench
