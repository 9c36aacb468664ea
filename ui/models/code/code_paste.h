// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fusebench {

/// Converts a pasted text: tabs become four spaces, and common indentation is removed. If the caret
/// is in an indented line, the lines after the first get its indentation. Text that PyTorch printed
/// or logged for a graph becomes the graph.
/// `before`: the line in front of the caret.
QString pastedText(const QString& text, const QString& before);

}  // namespace fusebench
