// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;

namespace fusebench {

/// After the application's palette changed, lets the widgets take the colors that its style sheet
/// names by roles: those that are shown at once, each other one when it is shown. Nothing is laid
/// out again.
void recolorWidgets(QApplication& application);

}  // namespace fusebench
