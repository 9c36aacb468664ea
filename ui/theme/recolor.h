// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;

namespace fusebench {

/// After a change of the application's palette, updates the colors that widgets take from its style
/// sheet by roles: visible widgets immediately, hidden ones when they are shown. Nothing is laid
/// out again.
void recolorWidgets(QApplication& application);

}  // namespace fusebench
