// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench::cli {

/// Whether the file is, judging by its beginning, a memory snapshot of PyTorch as JSON. Throws
/// InputError for a pickle, with instructions for converting it to JSON.
bool isMemorySnapshot(const std::string& path);

/// analyze: peaks, the code that allocated the memory in use at them, and fragmentation.
int analyzeMemory(const std::string& path, bool json, const std::string& csv);

}  // namespace fusebench::cli
