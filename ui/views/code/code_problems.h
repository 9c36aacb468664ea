// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/views/code/code_editor.h"

class QLabel;
class QListWidget;
class QPushButton;

namespace fusebench {

/// The strip under the text: what is wrong, in words, and a way out. Hidden while all is well.
class CodeProblems : public QFrame {
  Q_OBJECT

 public:
  explicit CodeProblems(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// `removable`: whether there are lines that are not understood.
  void show(const std::vector<CodeMark>& marks, bool removable);
  QListWidget& list() const { return *list_; }
  QPushButton& removeButton() const { return *remove_; }

 signals:
  void picked(int line, int column);
  void removeAsked();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitHeight();

  const Theme* theme_ = &darkTheme();
  std::vector<CodeMark> marks_;
  QLabel* count_;
  QPushButton* remove_;
  QListWidget* list_;
};

}  // namespace fusebench
