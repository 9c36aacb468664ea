// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QWidget;

namespace fusebench {

/// A line of the list, in English.
struct ShownKey {
  const char* part;  ///< "Timeline"
  const char* keys;  ///< "N, P or F3, Shift+F3"
};
std::vector<ShownKey> shownKeys();

/// Shows what every key does; does not block.
void showShortcuts(QWidget* parent);

}  // namespace fusebench
