// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QScrollArea>

namespace fusebench {

/// Sentences that take the lines they need, up to a maximum; beyond that they scroll with the mouse
/// and the keyboard.
class CappedLabel : public QScrollArea {
  Q_OBJECT

 public:
  CappedLabel(int mostLines, QWidget* parent);
  QLabel& label() const { return *label_; }
  void setText(const QString& text);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();

  int mostLines_;
  QLabel* label_;
};

}  // namespace fusebench
