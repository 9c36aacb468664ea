// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QWidget;

namespace fusebench {

/// What Tab comes by within a window, in the order in which the eye goes: part by part, in each
/// from top to bottom and from left to right. Qt's own order is that of making, where what is made
/// later (entries of a legend, fields of a variant) comes after all else.
std::vector<QWidget*> tabOrder(QWidget& window);

/// What a window does for Tab and Shift+Tab: gives the keyboard to what is next in that order, or
/// before, and brings it into view. False where nothing takes the keyboard.
bool followTabOrder(QWidget& window, bool next);

}  // namespace fusebench
