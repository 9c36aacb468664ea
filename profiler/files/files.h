// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fusebench {

/// The whole file; throws InputError if it cannot be read or is larger than 1 GiB. A pipe is read
/// to its end, too, unless nothing comes out of it.
std::string readFile(const std::string& path);

/// Written beside under a temporary name and renamed, so that a reader never sees half a file; see
/// OutputFile. Throws InputError if the place is not writable.
void writeFile(const std::string& path, std::string_view content);

/// "file: what: why", from errno.
std::string systemMessage(const std::string& path, std::string_view what);

}  // namespace fusebench
