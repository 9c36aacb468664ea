// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QTextCursor>
#include <QWidget>

#include "ui/theme/theme.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QToolButton;

namespace fusebench {

/// Finds text in an editor: counts all matches, signals them, and selects one. Enter and
/// Shift+Enter go to the next and previous match, Escape closes the bar.
class SearchBar : public QWidget {
  Q_OBJECT

 public:
  explicit SearchBar(QPlainTextEdit& editor, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  void open();  ///< with what is selected in the editor
  void close();
  /// To the next place of what was searched for last, or the one before; opens without any.
  void next(bool backwards);
  /// Searches again, after the text has changed.
  void refresh();
  QLineEdit& field() { return *field_; }
  QLabel& count() { return *count_; }

 signals:
  void found(const QList<QTextCursor>& places);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void search();
  void step(int by);
  void select(int index);

  QPlainTextEdit& editor_;
  QLineEdit* field_;
  QLabel* count_;
  QToolButton *back_, *on_, *close_;
  QList<QTextCursor> places_;
  int at_ = -1;
};

}  // namespace fusebench
