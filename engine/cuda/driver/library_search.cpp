// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/driver/library_search.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "engine/base/saying.h"

namespace fusebench::cuda {
namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

/// Folders in `parent` whose name begins with `prefix`, the last in version order first.
std::vector<fs::path> foldersBeginning(const fs::path& parent, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator it(parent, failed), end; !failed && it != end; it.increment(failed))
    if (it->path().filename().string().starts_with(prefix) && it->is_directory(failed))
      found.push_back(it->path());
  // "cuda-12.10" after "cuda-12.9": the longer number is the greater one.
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    const std::string x = a.filename().string(), y = b.filename().string();
    std::size_t i = 0, j = 0;
    while (i < x.size() && j < y.size()) {
      const auto digits = [](const std::string& text, std::size_t at) {
        std::size_t to = at;
        while (to < text.size() && text[to] >= '0' && text[to] <= '9') ++to;
        return to - at;
      };
      const std::size_t m = digits(x, i), n = digits(y, j);
      if (m > 0 && n > 0 && m != n) return m > n;
      if (x[i] != y[j]) return x[i] > y[j];
      ++i, ++j;
    }
    return x.size() > y.size();
  });
  return found;
}

class Search {
 public:
  Search(const std::vector<std::string>& names, const SearchPlaces& places)
      : names_(names), places_(places) {}

  std::vector<LibraryCandidate> run() {
    for (const char* variable : {"FUSEBENCH_CUDA_PATH", "CUDA_HOME", "CUDA_PATH"})
      if (const auto value = places_.variable(variable); value && !value->empty())
        toolkit(*value, variable, /*named=*/true);
    for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
      if (const auto value = absolute(variable))
        python(*value, saying("Python packages of {}", variable));
    // The interpreter that runs PyTorch's variants comes with PyTorch's own toolkit.
    if (const auto value = absolute("FUSEBENCH_PYTHON"))
      python(fs::path(*value).parent_path().parent_path(),
             saying("Python packages of FUSEBENCH_PYTHON"));
    if (const auto home = absolute("HOME"))
      python(fs::path(*home) / ".local", saying("the user's Python packages"));
    for (const fs::path& folder : foldersBeginning(places_.local, "cuda"))
      if (folder.filename() == "cuda") toolkit(folder, folder.string(), false);
    for (const fs::path& folder : foldersBeginning(places_.local, "cuda-"))
      toolkit(folder, folder.string(), false);
    for (const std::string& name : names_) made_.push_back({name, saying("found by the system")});
    return std::move(made_);
  }

 private:
  /// A variable that names an absolute path: nothing is loaded from the folder that a command
  /// happens to run in.
  std::optional<std::string> absolute(const char* variable) const {
    auto value = places_.variable(variable);
    return value && fs::path(*value).is_absolute() ? value : std::nullopt;
  }

  /// The names that `folder` holds; true if any.
  bool folder(const fs::path& folder, const std::string& origin) {
    bool any = false;
    for (const std::string& name : names_) {
      const fs::path file = folder / name;
      if (!isThere(file)) continue;
      any = true;
      std::error_code failed;
      const fs::path whole = fs::canonical(file, failed);
      if (std::find(seen_.begin(), seen_.end(), whole) != seen_.end()) continue;
      seen_.push_back(whole);
      made_.push_back({file.string(), origin});
    }
    return any;
  }

  /// A toolkit's root, or its library folder itself. `named`: by a variable, whose failure is to be
  /// seen.
  void toolkit(const fs::path& root, const std::string& origin, bool named) {
    // Opening what a relative path names is refused, and the record then says so.
    bool any = false;
    for (const char* part : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
                             "extras/CUPTI/lib64"})
      any |= folder(root / part, origin);
    any |= folder(root, origin);
    if (!any && named) made_.push_back({(root / "lib64" / names_.front()).string(), origin});
  }

  void python(const fs::path& prefix, const std::string& origin) {
    for (const fs::path& version : foldersBeginning(prefix / "lib", "python3")) {
      const fs::path packages = version / "site-packages" / "nvidia";
      for (const fs::path& package : foldersBeginning(packages, "cu1"))
        folder(package / "lib", origin);
      for (const fs::path& package : foldersBeginning(packages, ""))
        folder(package / "lib", origin);
    }
    folder(prefix / "lib", origin);  // a conda environment's own toolkit
  }

  const std::vector<std::string>& names_;
  const SearchPlaces& places_;
  std::vector<LibraryCandidate> made_;
  std::vector<fs::path> seen_;
};

}  // namespace

SearchPlaces SearchPlaces::system() {
  SearchPlaces places;
  places.variable = [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (!value) return std::nullopt;
    return value;
  };
  return places;
}

std::vector<LibraryCandidate> libraryCandidates(const std::vector<std::string>& names,
                                                const SearchPlaces& places) {
  return Search(names, places).run();
}

bool findLibrary(const std::vector<LibraryCandidate>& candidates, const TakeLibrary& take,
                 std::vector<LibraryAttempt>& attempts) {
  for (const LibraryCandidate& candidate : candidates) {
    LibraryAttempt& attempt = attempts.emplace_back(LibraryAttempt{candidate, {}});
    SharedLibrary library = SharedLibrary::open(candidate.path, attempt.error);
    if (!library) continue;
    attempt.error = take(library);
    if (attempt.error.empty()) return true;
  }
  return false;
}

std::string attemptsText(const std::vector<LibraryAttempt>& attempts) {
  for (const LibraryAttempt& attempt : attempts)
    if (attempt.candidate.path.find('/') != std::string::npos)
      return saying("{} ({}): {}", attempt.candidate.path, attempt.candidate.origin, attempt.error);
  return attempts.empty() ? saying("it was not searched for")
                          : saying("{} was not found", attempts.front().candidate.path);
}

bool isSystemsDriver(const std::string& path) {
  std::string error;
  const SharedLibrary system = SharedLibrary::open("libcuda.so.1", error);
  const void* const init = system.symbol("cuInit");
  return init && SharedLibrary::fileOf(init) == path;
}

}  // namespace fusebench::cuda
