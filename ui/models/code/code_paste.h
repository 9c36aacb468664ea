// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fusebench {

/// What a pasted text becomes: tabs as four spaces, common indentation taken off, and, where the
/// caret stands in an indented line, that indentation for the lines after the first. What PyTorch
/// printed or logged of a graph becomes the graph.
/// `before`: the line in front of the caret.
QString pastedText(const QString& text, const QString& before);

}  // namespace fusebench
