// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;
class QScrollArea;

namespace fusebench {

/// What a view says in place of what it has not got: a title, a text, and a button with what to do.
/// In a low view the words scroll, so that the button stays in sight.
class EmptyCard : public QFrame {
 public:
  explicit EmptyCard(QWidget* parent);

  void setWords(const QString& title, const QString& text);
  QPushButton& button() const { return *button_; }
  /// Puts it in the middle of a room that begins at the parent's corner.
  void placeIn(const QSize& room);

 private:
  int heightFor(int width, const QMargins& margins) const;

  QScrollArea* scroll_;
  QWidget* words_;
  QLabel *title_, *text_;
  QPushButton* button_;
};

}  // namespace fusebench
