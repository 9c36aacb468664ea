// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/catalogue/catalogue.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"
#include "profiler/files/resources.h"

namespace fusebench {
namespace {

using Messages = std::map<std::string, std::string, std::less<>>;

struct Chosen {
  std::string language = "en";
  Messages messages;
};
Chosen& chosen() {
  static Chosen one;
  return one;
}

Messages readCatalogue(std::string_view language) {
  const auto json = jsonOf(resourceText("languages/" + std::string(language) + ".json"));
  if (!json.is_object())
    throw InputError("languages/" + std::string(language) + ".json: this is no object of messages");
  Messages messages;
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
  chosen().messages = language == known[0] ? Messages() : readCatalogue(language);
  chosen().language = language;
}

const std::string& language() {
  return chosen().language;
}

std::string systemLanguage() {
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

std::string_view said(std::string_view english) {
  const auto found = chosen().messages.find(english);
  return found == chosen().messages.end() ? english : std::string_view(found->second);
}

std::string_view said(std::string_view one, std::string_view many, std::int64_t count) {
  // Chinese has one form for every number: the catalogue says it under both keys.
  return said(count == 1 ? one : many);
}

}  // namespace fusebench
