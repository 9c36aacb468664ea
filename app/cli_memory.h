// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench::cli {

/// Whether the file is, by its begin, a memory snapshot of PyTorch as JSON. Throws InputError for a
/// pickle, which says how to make JSON of it.
bool isMemorySnapshot(const std::string& path);

/// analyze: peaks, what held memory at them, and how fragmented it was.
int analyzeMemory(const std::string& path, bool json, const std::string& csv);

}  // namespace fusebench::cli
