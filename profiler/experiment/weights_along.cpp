// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/weights_along.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/files/input_error.h"

namespace fusebench {

namespace fs = std::filesystem;

namespace {

bool isSame(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

/// The first of some names that no other file than `from` has there.
fs::path placeIn(const fs::path& folder, const fs::path& from, const std::string& name,
                 const std::string& stem) {
  const std::string ending = fs::path(name).extension().string();
  fs::path place = folder / name;
  std::error_code error;
  for (int number = 1; fs::exists(fs::symlink_status(place, error)) && !isSame(place, from);
       ++number)
    place = folder / (number == 1 ? stem + ending : fmt::format("{}-{}{}", stem, number, ending));
  return place;
}

void copyTo(const fs::path& from, const fs::path& to) {
  const fs::path part = to.string() + ".part";
  std::error_code error;
  fs::copy_file(from, part, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(part, to, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(part, ignored);
  throw InputError(fmt::format("{}: {}", shownName(to.string()),
                               saying("the weights cannot be copied there: {}", error.message())));
}

}  // namespace

void takeWeightsAlong(Experiment& experiment, const std::string& path, std::uintmax_t mostCopied) {
  if (experiment.weights.empty() || experiment.folder.empty()) return;
  const fs::path folder = fs::absolute(path).parent_path();
  if (isSame(folder, experiment.folder)) return;
  std::error_code error;
  const fs::path named = fs::path(experiment.folder) / experiment.weights;
  const fs::path from = fs::canonical(named, error);
  if (error || !fs::is_regular_file(from))
    throw InputError(fmt::format(
        "{}: {}", shownName(named.string()),
        saying("the weights are not there, so the saved experiment has none next to it")));
  const fs::path to = placeIn(folder, from, experiment.weights, fs::path(path).stem().string());
  if (!isSame(to, from)) {
    fs::create_hard_link(from, to, error);
    if (error) {
      if (fs::file_size(from) > mostCopied)
        throw InputError(fmt::format(
            "{}: {}", shownName(from.string()),
            saying("copy the weights next to the saved experiment, as {}: they are on another disk",
                   shownName(named.filename().string()))));
      copyTo(from, to);
    }
  }
  experiment.weights = to.filename().string();
  experiment.folder = folder.string();
}

}  // namespace fusebench
