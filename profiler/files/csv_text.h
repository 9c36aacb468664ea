// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fusebench {

/// A text as a field of a CSV table, by RFC 4180: quoted if necessary. A text that a spreadsheet
/// would evaluate gets an apostrophe in front, and control characters are escaped. All tables that
/// are written use this for their texts.
std::string csvField(std::string_view text);

}  // namespace fusebench
