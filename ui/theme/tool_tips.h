// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;

namespace fusebench {

/// Long tooltips are broken into several lines: Qt shows plain text in one line, which may be wider
/// than the screen. Call it once per program; further calls have no effect.
void wrapToolTips(QApplication& application);

}  // namespace fusebench
