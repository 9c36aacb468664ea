// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/canvas/palette_model.h"
#include "ui/views/canvas/palette_list.h"

class QLabel;
class QLineEdit;

namespace fusebench {

/// The op palette: search as you type, the ops by category, and a description of the current op.
/// Enter or a double click chooses an op; dragging takes it elsewhere.
class PaletteView : public QWidget {
  Q_OBJECT

 public:
  explicit PaletteView(PaletteModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);

  QLineEdit& search() { return *search_; }
  PaletteList& list() { return *list_; }
  QLabel& footer() { return *footer_; }
  /// Points to where a function is written that is several ops, such as softmax; otherwise hidden.
  QLabel& pointer() { return *pointer_; }
  /// Clears the search, selects the first op, and takes the keyboard.
  void start();
  /// One click is enough (in a popup that is open for one choice).
  void setChooseOnClick(bool on) { chooseOnClick_ = on; }

 signals:
  /// The person wants this op; it is noted as used.
  void opChosen(const fusebench::OpRow* row);
  /// The person looks for a function of PyTorch that is several ops: it is written as text.
  void textWanted(const QString& function);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void choose(const QModelIndex& index);
  void describe(const QModelIndex& index);
  void point();

  PaletteModel& model_;
  const Theme* theme_ = &darkTheme();
  QLineEdit* search_;
  PaletteList* list_;
  QLabel* footer_;
  QLabel* pointer_;
  bool chooseOnClick_ = false;
};

}  // namespace fusebench
