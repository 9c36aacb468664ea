// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

struct stat;

namespace fusebench {

/// After this call, regular files that the process reads are remembered, and an OutputFile refuses
/// to replace them: `run t.json --out t.json` must not overwrite the experiment. For commands; the
/// window saves to the file that it opened. Device and inode count, so links do not hide a file.
void keepInputs();

/// Called by what reads a user's file.
void noteInput(const struct stat& status);
void noteInput(const std::string& path);

/// Whether the file has been read while inputs are kept.
bool isKeptInput(const struct stat& status);

}  // namespace fusebench
