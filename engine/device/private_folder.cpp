// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/private_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "engine/base/saying.h"

namespace fusebench {

std::string makePrivateFolder(const std::filesystem::path& folder) {
  if (folder.empty()) return saying("there is no folder for it; set HOME or XDG_CACHE_HOME");
  std::error_code failed;
  std::filesystem::create_directories(folder.parent_path(), failed);
  const auto why = [&](const std::string& what) {
    return fmt::format("{} {}", folder.string(), what);
  };
  const auto system = [&](const char* what) {
    return why(saying("{}: {}", said(what), std::generic_category().message(errno)));
  };
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return system(toBeSaid("cannot be made"));
  struct stat status {};
  // Somebody who may write to the folder above it could have laid a link that leads elsewhere.
  const std::filesystem::path above = folder.parent_path();
  if (::lstat(above.c_str(), &status) == 0 && S_ISLNK(status.st_mode) &&
      status.st_uid != ::geteuid() && status.st_uid != 0)
    return why(saying("is reached through another user's link; remove {}", above.string()));
  if (::lstat(folder.c_str(), &status) != 0) return system(toBeSaid("cannot be examined"));
  if (S_ISLNK(status.st_mode))
    return why(saying("is a symbolic link; remove it, or set XDG_CACHE_HOME to another folder"));
  if (!S_ISDIR(status.st_mode)) return why(saying("is not a folder"));
  if (status.st_uid != ::geteuid()) return why(saying("belongs to another user"));
  if ((status.st_mode & 022) != 0)
    return why(
        saying("can be written to by others; remove it, or set XDG_CACHE_HOME to another folder"));
  if ((status.st_mode & 077) != 0 && ::chmod(folder.c_str(), 0700) != 0)
    return system(toBeSaid("cannot be made private"));
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return system(toBeSaid("is not writable"));
  return "";
}

}  // namespace fusebench
