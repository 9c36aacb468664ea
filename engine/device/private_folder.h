// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace fusebench {

/// Makes a folder (and its parents) that only this user can read or write. Files in it may then be
/// executed. Returns "", or one line on why the folder must not be used: it is a link or belongs to
/// another user, others may have put something in it, or it cannot be created.
std::string makePrivateFolder(const std::filesystem::path& folder);

}  // namespace fusebench
