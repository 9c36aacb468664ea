// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QWidget;

namespace fusebench {

/// The tab order within a window, in visual order: part by part, in each part from top to bottom
/// and from left to right. Qt's own order is that of creation, in which later widgets (entries of a
/// legend, fields of a variant) come last.
std::vector<QWidget*> tabOrder(QWidget& window);

/// Handles Tab and Shift+Tab for a window: moves the focus to the next or previous widget in that
/// order and scrolls it into view. False if no widget accepts the focus.
bool followTabOrder(QWidget& window, bool next);

}  // namespace fusebench
