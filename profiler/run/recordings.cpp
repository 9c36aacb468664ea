// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/run/recordings.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "profiler/experiment/experiment.h"
#include "profiler/files/files.h"
#include "profiler/files/json_text.h"
#include "profiler/files/resources.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;

/// Empty where it is not a text.
std::string text(const nlohmann::json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::vector<Recording> shippedRecordings() {
  const fs::path index = resourcePath("recordings/index.json");
  std::vector<Recording> recordings;
  std::error_code ignored;
  if (!fs::exists(index, ignored)) return recordings;
  const auto entries = jsonOf(readFile(index.string()));
  if (!entries.is_array()) return recordings;
  for (const auto& entry : entries) {
    if (!entry.is_object()) continue;
    const std::string file = text(entry, "file");
    const fs::path path = index.parent_path() / file;
    // A copy of the folder that lacks one has the others.
    if (file.empty() || !fs::exists(path, ignored)) continue;
    recordings.push_back({file.substr(0, file.find('.')), path.string(), text(entry, "title"),
                          text(entry, "about"), text(entry, "reference"),
                          text(entry, "crossings")});
  }
  return recordings;
}

std::optional<Recording> recordingOf(std::string_view reference) {
  if (reference.empty()) return std::nullopt;
  for (Recording& recording : shippedRecordings())
    if (recording.reference == reference) return std::move(recording);
  return std::nullopt;
}

}  // namespace fusebench
