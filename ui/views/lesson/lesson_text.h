// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/theme/theme.h"

class QTextDocument;

namespace fusebench {

/// Puts Markdown into a document and sets it for reading in a narrow column.
void typesetLesson(QTextDocument& document, const QString& markdown, const Theme& theme);

}  // namespace fusebench
