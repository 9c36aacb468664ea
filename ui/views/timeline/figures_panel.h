// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/theme/theme.h"

class QLabel;

namespace fusebench {

/// A part that can take the place of the table under the timeline.
class FiguresPanel : public QWidget {
 public:
  using QWidget::QWidget;
  virtual void setTheme(const Theme& theme) = 0;
  /// Nothing is computed while it is not shown.
  virtual void setWanted(bool wanted) = 0;
  /// Its own lists and buttons, for the line above; null: there are none.
  virtual QWidget* controls() { return nullptr; }
  /// The share of the timeline's height for it: more for a picture than for a table.
  virtual double shareOfHeight() const { return 0.5; }

 protected:
  /// Arranges itself: a muted note, and below it the content, which gets the remaining space.
  void layOutUnder(QLabel& note, QWidget& content);
};

}  // namespace fusebench
