// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fusebench {

/// SHA-256 (FIPS 180-4) in hexadecimal, lower case.
std::string sha256(std::string_view text);

}  // namespace fusebench
