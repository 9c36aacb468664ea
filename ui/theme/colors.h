// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace fusebench {

/// A mix of both, with `share` of the first.
QColor blend(const QColor& over, const QColor& under, double share);
/// Whether dark ink is more readable on it than light ink.
bool isBright(const QColor& ground);
/// The ink that is readable on `ground`.
QColor inkOn(const QColor& ground);

}  // namespace fusebench
