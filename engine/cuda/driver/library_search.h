// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/shared_library.h"

namespace fusebench::cuda {

/// The places that the search looks at; replaced in tests.
struct SearchPlaces {
  std::function<std::optional<std::string>(const char*)>
      variable;                                ///< value of an environment variable
  std::filesystem::path local = "/usr/local";  ///< holds cuda, cuda-13.0, ...
  /// The places of this process.
  static SearchPlaces system();
};

/// A place where a library may be, and why: "CUDA_HOME", "Python packages".
struct LibraryCandidate {
  std::string path;  ///< path of a file, or a bare name for the system's search
  std::string origin;
};

/// Places for the first existing one of `names`, best first: the folder that FUSEBENCH_CUDA_PATH
/// names; CUDA_HOME and CUDA_PATH; Python packages of the active environment (VIRTUAL_ENV,
/// CONDA_PREFIX), of FUSEBENCH_PYTHON's and the user's own, CUDA 13's folder first; /usr/local/cuda
/// and /usr/local/cuda-*, newest first (for a toolkit its folder for CUPTI, too); the system's
/// search. Within a place the names' order counts: newest version first. Missing files are left
/// out, except in folders that a variable names.
std::vector<LibraryCandidate> libraryCandidates(const std::vector<std::string>& names,
                                                const SearchPlaces& places);

/// One candidate that was tried.
struct LibraryAttempt {
  LibraryCandidate candidate;
  std::string error;  ///< why it was not taken, in one line; empty: it was
};

/// Tries to use a library that could be opened; returns why it cannot be used, or nothing.
using TakeLibrary = std::function<std::string(SharedLibrary&)>;

/// Opens candidates in order until `take` accepts one. False if it accepts none. `attempts` is the
/// record, for people.
bool findLibrary(const std::vector<LibraryCandidate>& candidates, const TakeLibrary& take,
                 std::vector<LibraryAttempt>& attempts);

/// The attempts in one line: only the most relevant one, a file that a variable names or that
/// exists.
std::string attemptsText(const std::vector<LibraryAttempt>& attempts);

/// Whether libraries that look for the driver themselves find the one at `path`.
bool isSystemsDriver(const std::string& path);

}  // namespace fusebench::cuda
