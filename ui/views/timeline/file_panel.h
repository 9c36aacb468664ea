// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "ui/models/timeline/file_model.h"
#include "ui/views/timeline/figures_panel.h"
#include "ui/views/timeline/kernel_table.h"

class QHBoxLayout;
class QLabel;

namespace fusebench {

/// The content of a separate file, as a table below a few sentences. It needs no trace.
class FilePanel : public FiguresPanel {
 public:
  struct Words {
    QString table;       ///< the table's name for screen readers
    QString reading;     ///< shown while the file is read
    QString invitation;  ///< shown before a file is open: how to create one
  };
  FilePanel(FileModel& model, Words words, QWidget* parent);
  void setTheme(const Theme&) override {}
  void setWanted(bool) override {}
  QWidget* controls() override { return controls_; }

  /// Whether there is something to show about a file, even if only why it cannot be read.
  bool hasFile() const;
  bool isReading() const { return model_.busy(); }
  KernelTable& table() { return *table_; }
  QLabel& note() { return *note_; }  ///< what is shown, or why there is nothing

 protected:
  virtual bool hasContent() const = 0;
  /// Fills the table. The sentences above it, one per line.
  virtual QStringList fill() = 0;
  /// Whether the content is to be shown now.
  bool showsContent() const;
  virtual void refresh();
  QHBoxLayout& controlLine() { return *line_; }

 private:
  FileModel& model_;
  Words words_;
  QWidget* controls_;
  QHBoxLayout* line_;
  QLabel* note_;
  KernelTable* table_;
};

}  // namespace fusebench
