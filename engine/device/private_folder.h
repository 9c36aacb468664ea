// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace fusebench {

/// Makes a folder (and those above it) that only this user can look into or write to. Files in it
/// may then be run. Returns "", or one line on why the folder must not be used: it is a link or
/// belongs to another user, others may have put something in it, or it cannot be made.
std::string makePrivateFolder(const std::filesystem::path& folder);

}  // namespace fusebench
