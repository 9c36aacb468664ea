// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fusebench {

/// Whether a text is a program by itself, as it stands in a file: a function or a class, with what
/// it imports in front of it perhaps.
bool isFunction(const QString& text);

}  // namespace fusebench
