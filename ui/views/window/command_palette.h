// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "ui/views/window/command_list.h"

class QLineEdit;
class QTreeWidget;

namespace fusebench {

/// Finds a command by some of its letters and runs it. Closes when a command was chosen.
class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  CommandPalette(std::vector<Command> commands, QWidget* parent);

  QLineEdit& search() const { return *search_; }
  /// The commands that are listed, best first.
  std::vector<const Command*> listed() const;

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void fill();
  void choose();

  std::vector<Command> commands_;
  std::vector<std::size_t> shown_;
  QLineEdit* search_;
  QTreeWidget* list_;
};

}  // namespace fusebench
