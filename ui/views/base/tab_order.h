// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QWidget;

namespace fusebench {

/// What Tab comes by within a window, in the order in which the eye goes: part by part, in each
/// from top to bottom and from left to right. Qt's own order is that of making, where what is made
/// later (entries of a legend, fields of a variant) comes after all else.
std::vector<QWidget*> tabOrder(QWidget& window);

/// Handles Tab and Shift+Tab for a window: gives the keyboard to the next or previous widget in
/// that order and scrolls it into view. False if no widget takes the keyboard.
bool followTabOrder(QWidget& window, bool next);

}  // namespace fusebench
