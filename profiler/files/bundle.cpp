// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/bundle.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "engine/base/saying.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_reader.h"

namespace fusebench {
namespace {

using BundleJson = nlohmann::json;

constexpr std::string_view kBundleEnding = ".fusebench";

std::string dumped(const BundleJson& value) {
  return value.dump(2, ' ', false, BundleJson::error_handler_t::replace);
}

}  // namespace

bool isBundleName(std::string_view path) {
  if (path.size() < kBundleEnding.size()) return false;
  const std::string_view ending = path.substr(path.size() - kBundleEnding.size());
  return std::equal(ending.begin(), ending.end(), kBundleEnding.begin(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

bool isBundleText(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  // White space apart, which a person may have added.
  std::string begin;
  for (const char c : text.substr(0, 100))
    if (!std::isspace(static_cast<unsigned char>(c))) begin += c;
  return begin.starts_with(R"({"fusebench":"bundle")");
}

Bundle parseBundle(std::string_view text, std::string_view file) {
  const JsonDocument document(text, file);
  const JsonReader root(document);
  if (!root.json().is_object() || !root.has("fusebench") || !root.json()["fusebench"].is_string() ||
      root["fusebench"].string() != "bundle")
    root.fail(saying("this is not a .fusebench file; one starts with \"fusebench\": \"bundle\""));
  root.expectObject({"fusebench", "version"}, {"experiment", "run", "notes", "view"});
  root["version"].integer(1, 1);
  Bundle bundle;
  for (const auto& [key, part] :
       {std::pair("experiment", &bundle.experiment), {"view", &bundle.view}}) {
    if (!root.has(key)) continue;
    const JsonReader value = root[key];
    if (!value.json().is_object()) value.fail(saying("an object {{...}} is needed"));
    *part = dumped(value.json());
  }
  if (root.has("run")) bundle.run = root["run"].string();
  if (root.has("notes")) bundle.notes = root["notes"].string();
  if (bundle.run.empty() && bundle.experiment.empty())
    root.fail(saying("contains neither an experiment nor a run"));
  return bundle;
}

std::string toText(const Bundle& bundle) {
  // Its kind comes first: a reader knows it by that.
  nlohmann::ordered_json made;
  made["fusebench"] = "bundle";
  made["version"] = 1;
  using ordered = nlohmann::ordered_json;
  if (!bundle.experiment.empty()) made["experiment"] = ordered::parse(bundle.experiment);
  if (!bundle.run.empty()) made["run"] = bundle.run;
  if (!bundle.notes.empty()) made["notes"] = bundle.notes;
  if (!bundle.view.empty()) made["view"] = ordered::parse(bundle.view);
  return made.dump(1, ' ', false, ordered::error_handler_t::replace) + "\n";
}

std::string runTextOf(std::string text, std::string_view file) {
  if (!isBundleText(text)) return text;
  Bundle bundle = parseBundle(text, file);
  if (bundle.run.empty())
    throw InputError(std::string(file) +
                     saying(": this file contains no run; run its experiment first"));
  return std::move(bundle.run);
}

std::string experimentTextOf(std::string text, std::string_view file) {
  if (!isBundleText(text)) return text;
  Bundle bundle = parseBundle(text, file);
  if (bundle.experiment.empty())
    throw InputError(std::string(file) +
                     saying(": this file contains no experiment; save one with its run"));
  return std::move(bundle.experiment);
}

}  // namespace fusebench
