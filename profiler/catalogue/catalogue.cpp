// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/catalogue/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"
#include "profiler/files/resources.h"

namespace fusebench {
namespace {

/// What workers that this process starts speak: they are given its environment.
constexpr const char* kVariable = "FUSEBENCH_LANGUAGE";

std::string& chosen() {
  static std::string language = "en";
  return language;
}

Sayings readCatalogue(std::string_view language) {
  const auto json = jsonOf(resourceText("languages/" + std::string(language) + ".json"));
  if (!json.is_object())
    throw InputError("languages/" + std::string(language) + ".json: this is no object of messages");
  Sayings messages;
  for (const auto& [key, value] : json.items())
    if (value.is_string()) messages.emplace(key, value.get<std::string>());
  return messages;
}

}  // namespace

const std::vector<std::string>& languages() {
  static const std::vector<std::string> kLanguages = {"en", "zh_CN"};
  return kLanguages;
}

void setLanguage(std::string_view language) {
  const std::vector<std::string>& known = languages();
  if (std::find(known.begin(), known.end(), language) == known.end())
    throw InputError(fmt::format("--language {}: there is no such language; {}", language,
                                 fmt::format("give {} or {}", known[0], known[1])));
  setMessages(language == known[0] ? Sayings() : readCatalogue(language));
  chosen() = language;
}

std::string_view saidIn(const std::string& language, std::string_view english) {
  if (language == languages().front()) return english;
  static const auto kRead = [] {
    std::map<std::string, Sayings> all;
    for (const std::string& each : languages())
      if (each != languages().front()) all.emplace(each, readCatalogue(each));
    return all;
  }();
  const auto messages = kRead.find(language);
  if (messages == kRead.end()) return english;
  const auto found = messages->second.find(english);
  return found == messages->second.end() ? english : std::string_view(found->second);
}

void tellWorkersTheLanguage() {
  ::setenv(kVariable, chosen().c_str(), /*overwrite=*/1);
}

const std::string& language() {
  return chosen();
}

std::string systemLanguage() {
  if (const char* told = std::getenv(kVariable))
    for (const std::string& each : languages())
      if (each == told) return each;
  for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* set = std::getenv(variable);
    if (!set || !*set) continue;
    const std::string_view locale = set;
    const bool traditional =
        locale.starts_with("zh_TW") || locale.starts_with("zh_HK") || locale.starts_with("zh_MO");
    return locale.starts_with("zh") && !traditional ? "zh_CN" : "en";
  }
  return "en";
}

}  // namespace fusebench
