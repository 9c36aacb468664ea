// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/program_lines.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace fusebench {
namespace {

bool isNameStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isNamePart(char c) {
  return isNameStart(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

ProgramLine programLine(std::string text) {
  ProgramLine line;
  std::vector<std::string> names;
  std::size_t equals = std::string::npos;  // position of the assignment
  int depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '#') break;
    if (c == '\'' || c == '"') {
      i = std::min(text.find(c, i + 1), text.size() - 1) + 1;
      continue;
    }
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == '=' && depth == 0 && equals == std::string::npos) {
      equals = i;
      line.targets = std::exchange(names, {});
    }
    if (!isNameStart(c)) {
      // The letters of a number, as in 1e-05, are part of it.
      if (std::isdigit(static_cast<unsigned char>(c)) != 0)
        while (i + 1 < text.size() && (isNamePart(text[i + 1]) || text[i + 1] == '.')) ++i;
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && isNamePart(text[end])) ++end;
    const bool attribute = i > 0 && text[i - 1] == '.';
    const bool keyword = depth > 0 && end < text.size() && text[end] == '=' &&
                         (end + 1 >= text.size() || text[end + 1] != '=');
    if (!attribute && !keyword) names.push_back(text.substr(i, end - i));
    i = end;
  }
  line.reads = std::move(names);
  line.text = std::move(text);
  return line;
}

}  // namespace

std::vector<ProgramLine> programLines(std::string_view text) {
  std::vector<ProgramLine> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(programLine(std::string(text.substr(0, end))));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace fusebench
