// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace fusebench {

/// To be called first in main(): standard input, output and error that were closed are opened on
/// /dev/null. Otherwise the next file that is opened would take their place, and a message would be
/// written into it. Printing to a closed standard output still fails.
void openStandardStreams() noexcept;

/// Writes to standard error. Never throws: a message that cannot be written must not cost measured
/// results. A pipe that stays full for a second loses the message.
void putError(std::string_view text) noexcept;

}  // namespace fusebench
