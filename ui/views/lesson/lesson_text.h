// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/theme/theme.h"

class QTextDocument;

namespace fusebench {

/// Markdown whose lines within a paragraph are joined where both sides are Chinese: a break counts
/// as a space, and Chinese has none there. Code stays as it is.
QString chineseJoined(const QString& markdown);

/// Markdown whose figures are not broken: not between groups of digits, nor before a unit. Code
/// stays as it is.
QString figuresKeptWhole(const QString& markdown);

/// Puts Markdown into a document and sets it for reading in a narrow column.
void typesetLesson(QTextDocument& document, const QString& markdown, const Theme& theme);

}  // namespace fusebench
