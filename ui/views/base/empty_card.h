// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;
class QScrollArea;

namespace fusebench {

/// The content of an empty view: a title, a text, and a button with the next step. In a low view
/// the text scrolls, so that the button remains visible.
class EmptyCard : public QFrame {
 public:
  explicit EmptyCard(QWidget* parent);

  void setWords(const QString& title, const QString& text);
  QPushButton& button() const { return *button_; }
  /// Centers it in an area that begins at the parent's corner.
  void placeIn(const QSize& room);

 private:
  int heightFor(int width, const QMargins& margins) const;

  QScrollArea* scroll_;
  QWidget* words_;
  QLabel *title_, *text_;
  QPushButton* button_;
};

}  // namespace fusebench
