// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/saying.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "engine/base/said_again.h"

namespace fusebench {
namespace {

/// So many letters of a message must be found again: "{} of {}" is in too many others.
constexpr std::ptrdiff_t kLettersToFind = 10;

/// A message's text in pieces, and which part is put in after each of them but the last.
struct Form {
  std::vector<std::string> pieces{std::string()};
  std::vector<std::size_t> parts;
};

Form formOf(std::string_view message) {
  Form form;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const char c = message[i];
    const bool twice = (c == '{' || c == '}') && message.substr(i + 1, 1) == message.substr(i, 1);
    if (twice || c != '{') {
      form.pieces.back() += c;
      i += twice ? 1 : 0;
      continue;
    }
    const std::size_t end = std::min(message.find('}', i), message.size());
    std::size_t number = 0, digits = 0;
    for (std::size_t d = i + 1; d < end && message[d] >= '0' && message[d] <= '9'; ++d, ++digits)
      number = number * 10 + static_cast<std::size_t>(message[d] - '0');
    form.parts.push_back(digits > 0 ? number : form.parts.size());
    form.pieces.emplace_back();
    i = end;
  }
  return form;
}

std::ptrdiff_t lettersIn(const Form& form) {
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::ptrdiff_t letters = 0;
  for (const std::string& piece : form.pieces) letters += std::ranges::count_if(piece, isLetter);
  return letters;
}

/// A message that has parts, and what it becomes.
struct Pattern {
  Form english, translated;
  std::ptrdiff_t letters;
};

/// Sorts patterns with more letters first: a message with fewer may be a part of one.
std::vector<Pattern> patternsOf(const Sayings& messages) {
  std::vector<Pattern> patterns;
  for (const auto& [english, translated] : messages) {
    if (english.find('{') == std::string::npos) continue;
    Pattern pattern{formOf(english), formOf(translated), 0};
    pattern.letters = lettersIn(pattern.english);
    if (pattern.letters >= kLettersToFind) patterns.push_back(std::move(pattern));
  }
  std::ranges::stable_sort(patterns, std::greater(), &Pattern::letters);
  return patterns;
}

struct Chosen {
  Sayings messages;
  std::vector<Pattern> patterns;
};
Chosen& chosen() {
  static Chosen messages;
  return messages;
}

/// The inserted parts between the pieces, by number, if the text matches the form.
std::optional<std::vector<std::string_view>> partsIn(std::string_view text, const Form& form) {
  if (!text.starts_with(form.pieces.front())) return std::nullopt;
  std::vector<std::string_view> parts(form.parts.size());
  std::size_t begin = form.pieces.front().size();
  for (std::size_t p = 0; p < form.parts.size(); ++p) {
    const std::string& piece = form.pieces[p + 1];
    const bool last = p + 1 == form.parts.size();
    if (last && (text.size() < begin + piece.size() || !text.ends_with(piece))) return std::nullopt;
    const std::size_t end = last ? text.size() - piece.size() : text.find(piece, begin);
    if (end == std::string_view::npos || form.parts[p] >= parts.size()) return std::nullopt;
    parts[form.parts[p]] = text.substr(begin, end - begin);
    begin = end + piece.size();
  }
  return parts;
}

/// The matching message with the most letters, translated, with its parts inserted. `lists`:
/// whether a part may be a list of several.
std::optional<std::string> foundAgain(std::string_view text, bool lists) {
  for (const Pattern& pattern : chosen().patterns) {
    const auto parts = partsIn(text, pattern.english);
    const auto isList = [](std::string_view part) { return part.find("; ") != part.npos; };
    if (!parts || (!lists && std::ranges::any_of(*parts, isList))) continue;
    const Form& into = pattern.translated;
    std::string found = into.pieces.front();
    for (std::size_t p = 0; p < into.parts.size(); ++p) {
      if (into.parts[p] < parts->size()) found += saidAgain((*parts)[into.parts[p]]);
      found += into.pieces[p + 1];
    }
    return found;
  }
  return std::nullopt;
}

/// Translates each part of a list by itself. `all`: nothing if one of them is not a message;
/// otherwise that part stays.
std::optional<std::string> listAgain(std::string_view text, bool all) {
  if (text.find("; ") == text.npos) return std::nullopt;
  std::string list;
  while (true) {
    const std::size_t between = text.find("; ");
    const std::string_view one = text.substr(0, between);
    const std::string again = saidAgain(one);
    // Text in another language was translated already.
    const bool foreign = std::ranges::any_of(one, [](char c) { return (c & 0x80) != 0; });
    if (all && again == one && !foreign) return std::nullopt;
    list += again;
    if (between == text.npos) return list;
    list += said("; ");
    text.remove_prefix(between + 2);
  }
}

}  // namespace

void setMessages(Sayings messages) {
  chosen().patterns = patternsOf(messages);
  chosen().messages = std::move(messages);
}

std::string_view said(std::string_view english) {
  const auto found = chosen().messages.find(english);
  return found == chosen().messages.end() ? english : std::string_view(found->second);
}

std::string saidAgain(std::string_view english) {
  // A name or a figure is not a message, even if it is a word of the catalogue.
  if (chosen().messages.empty() || english.find(' ') == std::string_view::npos)
    return std::string(english);
  if (const auto found = chosen().messages.find(english); found != chosen().messages.end())
    return found->second;
  // A list is taken apart where that explains all of it; else its whole may be a message.
  if (const auto found = foundAgain(english, false)) return *found;
  if (const auto found = listAgain(english, true)) return *found;
  if (const auto found = foundAgain(english, true)) return *found;
  return listAgain(english, false).value_or(std::string(english));
}

std::string_view saidAs(std::string_view meaning, std::string_view english) {
  const auto found = chosen().messages.find(fmt::format("{}: {}", meaning, english));
  return found == chosen().messages.end() ? english : std::string_view(found->second);
}

std::string_view said(std::string_view one, std::string_view many, std::int64_t count) {
  // Chinese has one form for every number: the catalogue says it under both keys.
  return said(count == 1 ? one : many);
}

}  // namespace fusebench
