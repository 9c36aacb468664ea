// SPDX-License-Identifier: GPL-3.0-or-later
// Where shipped files are found.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/resources.h"
#include "profiler/files/shipped_resources.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;

fs::path executableFolder() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) return {};
  return fs::path(std::string(path, static_cast<std::size_t>(length))).parent_path();
}

/// /proc gives the executable's folder without links; the build's may have been named by one.
bool isWithin(const fs::path& folder, const fs::path& outer) {
  std::error_code failed;
  const fs::path real = fs::canonical(outer, failed);
  if (failed || folder.empty()) return false;
  const auto [outerEnd, ignored] =
      std::mismatch(real.begin(), real.end(), folder.begin(), folder.end());
  return outerEnd == real.end();
}

}  // namespace

std::string resourcePath(std::string_view relative) {
  std::vector<fs::path> roots;
  if (const char* set = std::getenv("FUSEBENCH_RESOURCES"); set && *set) roots.emplace_back(set);
  const fs::path folder = executableFolder();
  if (!folder.empty()) roots.push_back(folder / "resources");
  if (isWithin(folder, buildFolder())) roots.emplace_back(sourceResources());
  roots.emplace_back(installedResources());
  std::error_code ignored;
  for (const fs::path& root : roots)
    if (fs::exists(root / relative, ignored)) return (root / relative).string();
  return (roots.back() / relative).string();
}

std::string resourceText(std::string_view relative) {
  const std::string path = resourcePath(relative);
  std::error_code ignored;
  if (fs::exists(path, ignored)) return readFile(path);
  for (const EmbeddedFile& resource : shippedResources())
    if (resource.name == relative) return std::string(resource.text);
  throw InputError(fmt::format("{}: there is no such shipped file", relative));
}

std::vector<std::string> shippedFiles(std::string_view beginning) {
  std::vector<std::string> names;
  for (const EmbeddedFile& resource : shippedResources())
    if (resource.name.starts_with(beginning)) names.emplace_back(resource.name);
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

std::vector<std::string> shippedIn(std::string_view folder) {
  std::vector<std::string> names = shippedFiles(folder);
  for (std::string& name : names) name = fs::path(name).stem().string();
  return names;
}

}  // namespace

std::vector<std::string> shippedExperiments() {
  return shippedIn("experiments/");
}

std::vector<std::string> shippedReferences() {
  return shippedIn("references/");
}

std::vector<std::string> shippedDevices() {
  return shippedIn("devices/");
}

}  // namespace fusebench
