// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fusebench {

/// First line of a (kernel pseudo-)file without its end; nothing if it cannot be read.
std::optional<std::string> firstLine(const std::string& path);

/// Bytes that are available without swapping: MemAvailable, or the rest of the control group's
/// limit if that is less. 0 if unknown.
std::uint64_t availableMemory();
std::uint64_t totalMemory();

}  // namespace fusebench
