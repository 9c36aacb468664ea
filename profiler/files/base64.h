// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fusebench {

/// Base64 (RFC 4648, section 4, with padding).
std::string toBase64(std::string_view bytes);
/// Nothing unless the whole text is base64.
std::optional<std::string> fromBase64(std::string_view text);

}  // namespace fusebench
