// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;

namespace fusebench {

/// Long tool tips get several lines: Qt shows plain text in one, which may be wider than the
/// screen. Once for a program; further calls change nothing.
void wrapToolTips(QApplication& application);

}  // namespace fusebench
