// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/theme/theme.h"

class QTextDocument;

namespace fusebench {

/// Markdown in which the lines of a paragraph are joined if both sides are Chinese: a line break
/// counts as a space, which Chinese does not use there. Code is unchanged.
QString chineseJoined(const QString& markdown);

/// Markdown in which numbers are not broken across lines, neither between groups of digits nor
/// before a unit. Code is unchanged.
QString figuresKeptWhole(const QString& markdown);

/// Puts Markdown into a document and sets it for reading in a narrow column.
void typesetLesson(QTextDocument& document, const QString& markdown, const Theme& theme);

}  // namespace fusebench
