// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/program_model.h"
#include "ui/theme.h"

class QLabel;
class QListView;

namespace fusebench {

/// The chain: what it runs on, and its statements, numbered; those that do not run at the marked
/// place are dim.
class ChainView : public QWidget {
  Q_OBJECT

 public:
  explicit ChainView(ProgramModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  void setInputs(const std::vector<InputLine>& lines);

 signals:
  /// A statement was chosen: its number.
  void statementPicked(int number);

 private:
  void writeInputs();

  ProgramModel& model_;
  const Theme* theme_ = &darkTheme();
  std::vector<InputLine> lines_;
  QLabel* inputs_;
  QListView* list_;
};

}  // namespace fusebench
