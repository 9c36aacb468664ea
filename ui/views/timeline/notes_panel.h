// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/timeline/timeline_model.h"
#include "ui/views/timeline/figures_panel.h"
#include "ui/views/timeline/kernel_table.h"

class QLabel;
class QToolButton;

namespace fusebench {

/// The notes and bookmarks of the traces: a click shows one, its text can be changed in place.
class NotesPanel : public FiguresPanel {
  Q_OBJECT

 public:
  explicit NotesPanel(TimelineModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme&) override {}
  void setWanted(bool wanted) override;
  QWidget* controls() override { return controls_; }

  KernelTable& table() { return *table_; }
  QLabel& note() { return *note_; }
  QToolButton& addButton() { return *add_; }
  QToolButton& removeButton() { return *remove_; }
  QToolButton& csvButton() { return *csv_; }

 signals:
  /// A table is to be written to a file.
  void csvWanted(const QString& name, const QString& csv);

 private:
  void refresh();
  void refreshButtons();
  void removeChosen();
  std::optional<TraceNotes::Place> placeOf(const QModelIndex& index) const;

  TimelineModel& model_;
  QWidget* controls_;
  QToolButton *add_, *remove_, *csv_;
  QLabel* note_;
  KernelTable* table_;
  bool wanted_ = false;
  bool filling_ = false;  ///< the table changes, not a text in it
};

}  // namespace fusebench
