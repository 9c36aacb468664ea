// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QString>

class QApplication;
class QWidget;

namespace fusebench {

/// Names and titles come from files written by others. Qt treats a text that looks like HTML as
/// HTML, and opens the files that its images name: a device or a pipe among them would block the
/// window. From here on, labels show such a text as plain text, unless they request rich text, and
/// so do tooltips that name anything to be loaded.
void keepTextsPlain(QApplication& application);

/// QToolTip::showText with the same protection. Tooltips of this program name nothing to be loaded.
void showTip(QPoint global, const QString& text, QWidget* widget);

}  // namespace fusebench
