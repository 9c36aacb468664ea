// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace fusebench {

/// Makes a folder (and those above it) that only this user can look into or write to. What lies in
/// it may then be run. Empty, or one line on why it is not to be used: it is a link or belongs to
/// somebody else, others may have put something in it, or it cannot be made.
std::string makePrivateFolder(const std::filesystem::path& folder);

}  // namespace fusebench
