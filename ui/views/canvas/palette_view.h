// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/canvas/palette_model.h"
#include "ui/views/canvas/palette_list.h"

class QLabel;
class QLineEdit;

namespace fusebench {

/// The op palette: search as you type, the ops by category, and a description of the current op.
/// Enter or a double-click chooses an op; dragging moves it elsewhere.
class PaletteView : public QWidget {
  Q_OBJECT

 public:
  explicit PaletteView(PaletteModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);

  QLineEdit& search() { return *search_; }
  PaletteList& list() { return *list_; }
  QLabel& footer() { return *footer_; }
  /// A hint on how to write a function that consists of several ops, such as softmax; otherwise
  /// hidden.
  QLabel& pointer() { return *pointer_; }
  /// Clears the search, selects the first op, and takes the keyboard.
  void start();
  /// One click is enough (in a popup that is open for one choice).
  void setChooseOnClick(bool on) { chooseOnClick_ = on; }

 signals:
  /// The user chose this op; it is recorded as used.
  void opChosen(const fusebench::OpRow* row);
  /// The user searches for a PyTorch function that consists of several ops: it is inserted as text.
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
