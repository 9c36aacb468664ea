// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace fusebench {

/// Call it first in main(): if standard input, output or error are closed, they are opened on
/// /dev/null. Otherwise the next file that is opened would take their place, and a message would be
/// written into it. Printing to a closed standard output still fails.
void openStandardStreams() noexcept;

/// Writes to standard error. Never throws: a message that cannot be written must not cause the loss
/// of measured results. If a pipe stays full for a second, the message is dropped.
void putError(std::string_view text) noexcept;

}  // namespace fusebench
