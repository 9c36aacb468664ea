// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fusebench {

/// The maximum size of runs and reports; experiments, lessons and answers have a smaller one.
inline constexpr std::size_t kLargestFile = std::size_t{1} << 30;
inline constexpr std::size_t kLargestWritten = std::size_t{64} << 20;

/// The whole file; throws InputError if it cannot be read, is a device, or is larger than `largest`
/// bytes. A pipe is also read to its end, unless it delivers nothing.
std::string readFile(const std::string& path, std::size_t largest = kLargestFile);

/// The text of a regular file that this program is about to replace. It does not become one of the
/// inputs that must not be overwritten (see keepInputs()). Empty if it cannot be read.
std::string textToReplace(const std::string& path);

/// Writes the file in the same folder under a temporary name and renames it, so that a reader never
/// sees an incomplete file; see OutputFile. Throws InputError if the path is not writable.
void writeFile(const std::string& path, std::string_view content);

/// "file: what: why", from errno.
std::string systemMessage(const std::string& path, std::string_view what);

}  // namespace fusebench
