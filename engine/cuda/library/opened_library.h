// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/saying.h"
#include "engine/cuda/driver/driver.h"
#include "engine/cuda/driver/library_search.h"

namespace fusebench::cuda {

/// How an NVIDIA library is searched for.
struct SoughtLibrary {
  const char* title;               ///< "cuDNN"
  const char* variable;            ///< of the environment, that names the file
  std::vector<std::string> files;  ///< the newest first
  const char* remedy;              ///< what helps if there is none
};

/// The library to open: `library` if it is a name, otherwise the one that the environment names,
/// otherwise whatever the search finds; and how messages name it.
LibraryCandidate namedLibrary(const SoughtLibrary& sought, const std::string& library);

/// Whether the library, as it would be found, works with the driver: a library that is not named
/// finds the system's driver itself. If not, `why` says in one line what helps.
bool worksOn(const SoughtLibrary& sought, const std::string& library, const Driver& driver,
             std::string& why);

/// The library, opened once for drivers of a major version. `bind` creates it from a file and says
/// in a few words why it cannot be used; it stays open to the end of the process. Null: there is
/// none, and `why` says so in one line, with what helps.
template <class Library>
std::shared_ptr<const Library> openedOnce(
    const SoughtLibrary& sought, const std::string& library, int driverVersion, std::string& why,
    const std::function<std::string(SharedLibrary&, std::shared_ptr<Library>&)>& bind) {
  struct Opened {
    std::shared_ptr<const Library> library;
    std::string why;
  };
  static std::mutex mutex;
  static std::map<std::pair<std::string, int>, Opened> opened;
  const LibraryCandidate named = namedLibrary(sought, library);
  const std::lock_guard lock(mutex);
  Opened& known = opened[{named.path, driverVersion / 1000}];
  if (!known.library) {
    std::vector<LibraryAttempt> attempts;
    const auto take = [&](SharedLibrary& found) {
      std::shared_ptr<Library> made;
      std::string error = bind(found, made);
      if (!error.empty()) return error;
      found.keep();
      made->setOrigin(attempts.back().candidate.origin);
      known = {std::move(made), {}};
      return error;
    };
    const std::vector<LibraryCandidate> candidates =
        named.path.empty() ? libraryCandidates(sought.files, SearchPlaces::system())
                           : std::vector<LibraryCandidate>{named};
    if (!findLibrary(candidates, take, attempts))
      known.why =
          saying("no usable {}: {}; {}", sought.title, attemptsText(attempts), said(sought.remedy));
  }
  why = known.why;
  return known.library;
}

}  // namespace fusebench::cuda
