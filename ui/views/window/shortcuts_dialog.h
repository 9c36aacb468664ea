// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace fusebench {

/// Shows what every key does; does not block.
void showShortcuts(QWidget* parent);

}  // namespace fusebench
