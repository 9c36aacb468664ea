// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/library/opened_library.h"

#include <fmt/format.h>

#include <cstdlib>

#include "engine/base/saying.h"

namespace fusebench::cuda {

LibraryCandidate namedLibrary(const SoughtLibrary& sought, const std::string& library) {
  if (!library.empty()) return {library, saying("as requested")};
  if (const char* named = std::getenv(sought.variable)) return {named, sought.variable};
  return {};
}

bool worksOn(const SoughtLibrary& sought, const std::string& library, const Driver& driver,
             std::string& why) {
  if (!namedLibrary(sought, library).path.empty() || isSystemsDriver(driver.path())) return true;
  why = saying(
      "{} uses the driver that the system finds, but {} was requested; name a library that uses "
      "that driver in {}",
      sought.title, driver.path(), sought.variable);
  return false;
}

}  // namespace fusebench::cuda
