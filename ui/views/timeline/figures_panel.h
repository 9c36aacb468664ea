// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/theme/theme.h"

namespace fusebench {

/// A part that can take the place of the table under the timeline.
class FiguresPanel : public QWidget {
 public:
  using QWidget::QWidget;
  virtual void setTheme(const Theme& theme) = 0;
  /// Nothing is computed while it is not shown.
  virtual void setWanted(bool wanted) = 0;
  /// Its own lists and buttons, for the line above; null: it has none.
  virtual QWidget* controls() { return nullptr; }
};

}  // namespace fusebench
