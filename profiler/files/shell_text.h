// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fusebench {

/// A word as a POSIX shell reads it back.
std::string shellQuoted(std::string_view word);

}  // namespace fusebench
