// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fusebench {

/// Whether a text has a function or a class, so that it is a complete program.
bool isFunction(const QString& text);

}  // namespace fusebench
