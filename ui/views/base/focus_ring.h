// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

#include "ui/theme/theme.h"

namespace fusebench {

/// The line's object name.
inline constexpr const char* kFocusRingName = "focusRing";

/// Shows which large part of a window has the keyboard focus, with a line in the accent color
/// around the chart, the canvas, a list or a text. Buttons and fields show it by their own border.
class FocusRing : public QObject {
  Q_OBJECT

 public:
  explicit FocusRing(QWidget& window);
  void setTheme(const Theme& theme);
  /// The part that the ring is around; null: none.
  QWidget* part() const { return part_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow(QWidget* focused);
  bool needsRing(const QWidget* widget) const;

  QWidget& window_;
  QPointer<QWidget> part_, ring_;
  const Theme* theme_ = &darkTheme();
};

}  // namespace fusebench
