// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QString>

class QApplication;
class QWidget;

namespace fusebench {

/// Names and titles come from files that somebody else wrote. Qt takes a text that looks like HTML
/// for HTML, and opens the files that its pictures name: a device or a pipe among them stops the
/// window. From here on labels show such a text as it is, unless they ask for rich text, and so do
/// tips that name anything to be loaded.
void keepTextsPlain(QApplication& application);

/// QToolTip::showText, with the same care. Tips of this program name nothing to be loaded.
void showTip(QPoint global, const QString& text, QWidget* widget);

}  // namespace fusebench
