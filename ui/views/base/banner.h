// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/models/base/tone.h"
#include "ui/theme/theme.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace fusebench {

/// A message over the window that waits without blocking anything; it may offer one remedy. It
/// covers the lower edge of its parent, so that nothing moves when it appears or disappears. If the
/// mouse is at the lower edge it covers the upper one, to prevent accidental clicks.
class Banner : public QFrame {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  void show(Tone tone, const QString& text, const QString& remedy = {});
  void dismiss();
  QString text() const;
  /// Leaves this much space free below, and above.
  void setMargins(int top, int bottom);
  QPushButton& remedy() const { return *remedy_; }

 signals:
  void remedyChosen();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void place(bool choose);

  QLabel* text_;
  QPushButton* remedy_;
  QToolButton* close_;
  int top_ = 0, bottom_ = 0;
  bool above_ = false;
};

}  // namespace fusebench
