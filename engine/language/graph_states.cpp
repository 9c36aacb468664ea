// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of make_fx and of torch.fx read weights and buffers from the module:
// self._param_constant0.
#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "engine/language/exported_text.h"
#include "engine/language/text_pieces.h"

namespace fusebench {
namespace {

constexpr std::string_view kForward = "def forward(self";

bool containsWord(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !isNameCharacter(text[at - 1])) &&
        (end == text.size() || !isNameCharacter(text[end])))
      return true;
  }
  return false;
}

/// A line "name = self.path", or "name: "f32[4]" = getattr(self, "0").weight".
struct ReadState {
  std::size_t begin = 0, end = 0;  ///< the expression, in the text
  std::string_view comment;        ///< the type with its quotes; empty: there is none
};

/// Nothing: the line reads no state. `begin`: where the line is in the text.
std::optional<ReadState> readState(std::string_view line, std::size_t begin) {
  std::size_t at = line.find_first_not_of(' ');
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  while (at < line.size() && isNameCharacter(line[at])) ++at;
  ReadState read;
  if (line.substr(at).starts_with(": \"")) {
    const std::size_t close = line.find('"', at + 3);
    if (close == std::string_view::npos) return std::nullopt;
    read.comment = line.substr(at + 2, close - at - 1);
    at = close + 1;
  }
  if (!line.substr(at).starts_with(" = ")) return std::nullopt;
  at += 3;
  const std::size_t end = std::min(line.find(';', at), line.size());
  std::string_view value = line.substr(at, end - at);
  while (value.ends_with(' ')) value.remove_suffix(1);
  if (!value.starts_with("self.") && !value.starts_with("getattr(self")) return std::nullopt;
  const bool plain = std::ranges::all_of(value, [](char c) {
    return isNameCharacter(c) || c == '.' || c == '(' || c == ')' || c == ',' || c == ' ' ||
           c == '"';
  });
  // A call of a module is none of its tensors.
  if (!plain || (value.starts_with("self.") && value.find('(') != std::string_view::npos))
    return std::nullopt;
  read.begin = begin + at;
  read.end = read.begin + value.size();
  return read;
}

/// "fc_weight" of self.fc.weight, "param_constant0" of self._param_constant0.
std::string nameOfState(std::string_view value, std::string_view text) {
  std::string name;
  for (const char c : value) {
    if (isNameCharacter(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  for (const std::string_view front : {"getattr_", "self_"})
    if (name.starts_with(front)) name.erase(0, front.size());
  name.erase(0, std::min(name.find_first_not_of('_'), name.size()));
  while (name.ends_with('_')) name.pop_back();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
    name.insert(0, "state_");
  while (containsWord(text, name)) name.insert(0, "state_");
  return name;
}

}  // namespace

std::optional<std::string> withStatesAsInputs(std::string_view text) {
  const std::size_t header = text.find(kForward);
  if (header == std::string_view::npos || text.find("torch.ops.") == std::string_view::npos ||
      text.find(kForward, header + 1) != std::string_view::npos ||
      text.find("__init__") != std::string_view::npos)
    return std::nullopt;
  const std::size_t lineEnd = std::min(text.find('\n', header), text.size());
  const std::size_t close = text.substr(0, lineEnd).rfind(')');
  if (close == std::string_view::npos || close < header) return std::nullopt;
  std::vector<ReadState> reads;
  for (std::size_t begin = lineEnd + 1; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (const auto read = readState(text.substr(begin, end - begin), begin)) reads.push_back(*read);
    begin = end + 1;
  }
  if (reads.empty()) return std::nullopt;
  std::map<std::string, std::string, std::less<>> names;  // by what is read
  std::string parameters, body;
  std::size_t at = close;
  for (const ReadState& read : reads) {
    const std::string value(text.substr(read.begin, read.end - read.begin));
    const auto [known, fresh] = names.try_emplace(value, nameOfState(value, text));
    if (fresh) {
      parameters += ", " + known->second;
      if (!read.comment.empty()) parameters.append(": ").append(read.comment);
    }
    body.append(text.substr(at, read.begin - at)).append(known->second);
    at = read.end;
  }
  return std::string(text.substr(0, close)) + parameters + body + std::string(text.substr(at));
}

}  // namespace fusebench
