// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

namespace fusebench {

/// "i % 10 + 4, 16": commas between extents, outermost first. Brackets around the whole, as Python
/// writes a shape, are accepted.
std::vector<std::string> readExtents(const QString& text);
QString showExtents(const std::vector<std::string>& extents);

}  // namespace fusebench
