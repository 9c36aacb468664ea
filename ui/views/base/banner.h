// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/models/base/tone.h"
#include "ui/theme/theme.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace fusebench {

/// A message across the window that waits without blocking anything; it may offer one remedy.
class Banner : public QFrame {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  void show(Tone tone, const QString& text, const QString& remedy = {});
  void dismiss();
  QString text() const;
  QPushButton& remedy() const { return *remedy_; }

 signals:
  void remedyChosen();

 private:
  QLabel* text_;
  QPushButton* remedy_;
  QToolButton* close_;
};

}  // namespace fusebench
