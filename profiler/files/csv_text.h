// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fusebench {

/// A text as a field of a CSV table, by RFC 4180: in quotes where it has to be. A text that a
/// spreadsheet would compute gets an apostrophe in front, and control characters are spelled out.
/// All tables that are written get their texts from here.
std::string csvField(std::string_view text);

}  // namespace fusebench
