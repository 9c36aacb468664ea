// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fusebench {

/// Whether a text has a function or a class, and is a program by itself.
bool isFunction(const QString& text);

}  // namespace fusebench
