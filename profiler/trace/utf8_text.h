// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fusebench {

/// The text with each byte that is not part of valid UTF-8 (RFC 3629) replaced by U+FFFD.
std::string validUtf8(std::string_view text);

}  // namespace fusebench
