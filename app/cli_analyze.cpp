// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "app/cli_report.h"
#include "profiler/export/result_json.h"
#include "profiler/files/files.h"
#include "profiler/files/json_text.h"
#include "profiler/files/resources.h"
#include "profiler/run/recordings.h"

namespace fusebench::cli {
namespace {

/// What a Fusebench file says it is; empty if it is none.
std::string kindOf(const std::string& text) {
  const auto whole = jsonOf(text);
  const auto first =
      whole.is_discarded() ? jsonOf(std::string_view(text).substr(0, text.find('\n'))) : whole;
  if (!first.is_object() || !first.contains("fusebench") || !first["fusebench"].is_string())
    return "";
  return first["fusebench"].get<std::string>();
}

template <typename Results>
void print(const Results& results, bool json) {
  const auto crossings = findCrossings(results);
  if (json)
    printJson(resultJson(results, crossings));
  else
    printOut(reportText(results, crossings));
}

}  // namespace

int analyzeCommand(const std::string& given, bool json) {
  std::error_code ignored;
  if (!std::filesystem::exists(given, ignored))
    if (const auto file = shippedFile(given, "references", shippedReferences())) {
      print(parseReference(resourceText(*file), *file), json);
      return kDone;
    }
  std::string path = given;
  if (!std::filesystem::exists(given, ignored))
    for (const Recording& recording : shippedRecordings())
      if (recording.isRun() && recording.name == given) path = recording.path;
  const std::string text = readFile(path);
  const std::string kind = kindOf(text);
  if (kind == "reference") {
    print(parseReference(text, path), json);
  } else if (kind == "experiment") {
    throw InputError(
        path + ":1:1: this is an experiment, not results; measure it with: fusebench-cli run " +
        path);
  } else {
    print(parseRun(text, path), json);
  }
  return kDone;
}

}  // namespace fusebench::cli
