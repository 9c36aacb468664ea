// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/search_paths.h"

#include <unistd.h>

#include <array>
#include <cstdlib>

#include "engine/base/standard_streams.h"

namespace fusebench {
namespace {

/// Keeps a variable's absolute elements; false if there was nothing to leave out.
bool keepAbsoluteElements(const char* variable) {
  const char* const given = std::getenv(variable);
  if (!given) return false;
  const std::string kept = absoluteElements(given);
  const bool changed = kept != given;
  // An empty PATH means the current folder, too; without the variable, the default applies.
  if (kept.empty())
    ::unsetenv(variable);
  else if (changed)
    ::setenv(variable, kept.c_str(), 1);
  return changed;
}

}  // namespace

std::string absoluteElements(std::string_view list) {
  std::string kept;
  while (!list.empty()) {
    // The dynamic linker separates folders by semicolons, too.
    const std::size_t end = list.find_first_of(":;");
    const std::string_view element = list.substr(0, end);
    if (element.starts_with('/')) {
      if (!kept.empty()) kept += ':';
      kept += element;
    }
    list = end == std::string_view::npos ? std::string_view() : list.substr(end + 1);
  }
  return kept;
}

void searchAbsoluteFoldersOnly(char* const* arguments) {
  for (const char* variable :
       {"PATH", "PYTHONPATH", "PYTHONHOME", "QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH"})
    keepAbsoluteElements(variable);
  if (!keepAbsoluteElements("LD_LIBRARY_PATH")) return;
  std::array<char, 4096> path{};
  constexpr const char* kOwn = "/proc/self/exe";
  // By its name, so that lists of processes show it.
  if (::readlink(kOwn, path.data(), path.size() - 1) > 0) ::execv(path.data(), arguments);
  ::execv(kOwn, arguments);
  putError(
      "fusebench: LD_LIBRARY_PATH names the current folder, and the program cannot restart "
      "without it; remove empty and relative elements from LD_LIBRARY_PATH\n");
  ::_exit(2);
}

}  // namespace fusebench
