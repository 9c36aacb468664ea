// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/aten_table.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "engine/language/ast_parser.h"

namespace fusebench {
namespace {

/// A row that cannot be read is a mistake of ours in the table.
[[noreturn]] void failRow(std::string_view line) {
  throw std::logic_error("the ATen table has a row that cannot be read: " + std::string(line));
}

std::string_view trimmedAten(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Where a signature's list of parameters ends: behind the parenthesis that closes the first one.
std::size_t closingOf(std::string_view schema, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < schema.size(); ++i) {
    if (schema[i] == '(') ++depth;
    if (schema[i] == ')' && --depth == 0) return i;
  }
  failRow(schema);
}

/// Calls `each` with the pieces between the commas outside of brackets.
template <class Each>
void forEachPiece(std::string_view list, const Each& each) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != ',' || depth != 0) continue;
    if (const std::string_view piece = trimmedAten(list.substr(begin, i - begin)); !piece.empty())
      each(piece);
    begin = i + 1;
  }
}

/// A default as Python writes it: signatures name some constants in their own way.
std::string fallbackText(std::string_view written, std::string_view type) {
  if (written == "contiguous_format") return "torch.contiguous_format";
  if (written == "Mean") return "1";
  if (type == "ScalarType" && written == "4") return "torch.int64";
  if (type == "MemoryFormat" && written == "0") return "torch.contiguous_format";
  return std::string(written);
}

AtenParameter parameterOf(std::string_view piece) {
  AtenParameter made;
  const std::size_t equals = piece.find('=');
  const std::string_view declared = trimmedAten(piece.substr(0, equals));
  const std::size_t space = declared.rfind(' ');
  if (space == std::string_view::npos) failRow(piece);
  made.name = declared.substr(space + 1);
  if (made.name == "from") made.name = "from_";  // a keyword of Python, which no call can name
  std::string_view type = declared.substr(0, space);
  made.optional = type.ends_with('?');
  if (made.optional) type.remove_suffix(1);
  // "Tensor(a!)" also names the memory that is shared; the type is "Tensor".
  for (std::size_t i = 0, depth = 0; i < type.size(); ++i) {
    if (type[i] == '(') ++depth;
    if (depth == 0) made.type += type[i];
    if (type[i] == ')') --depth;
  }
  if (equals != std::string_view::npos)
    made.fallback = parseExpression(fallbackText(piece.substr(equals + 1), made.type), {1, 1});
  return made;
}

AtenRow rowOf(std::string_view line, std::string_view target) {
  AtenRow made;
  constexpr std::string_view kCore = "core ";
  made.core = line.starts_with(kCore);
  if (made.core) line.remove_prefix(kCore.size());
  made.schema = line;
  const std::size_t open = line.find('(');
  if (open == std::string_view::npos || target.empty()) failRow(line);
  const std::string_view full = line.substr(0, open);
  const std::size_t dot = full.find('.');
  made.name = full.substr(0, dot);
  made.overload = dot == std::string_view::npos ? "default" : full.substr(dot + 1);
  bool keywordOnly = false;
  forEachPiece(line.substr(open + 1, closingOf(line, open) - open - 1),
               [&](std::string_view piece) {
                 if (piece == "*") {
                   keywordOnly = true;
                   return;
                 }
                 made.parameters.push_back(parameterOf(piece));
                 made.parameters.back().keywordOnly = keywordOnly;
               });
  if (target.starts_with("! ")) {
    made.refusal = target.substr(2);
  } else {
    made.target = target;
    made.expression = parseExpression(target, {1, 1});
  }
  return made;
}

void readRows(std::string_view text, std::vector<AtenRow>& into) {
  std::string_view above;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (!line.starts_with(' '))
      above = line;
    else
      into.push_back(rowOf(above, trimmedAten(line)));
  }
}

struct AtenTable {
  std::vector<AtenRow> rows;
  std::map<std::string, std::vector<const AtenRow*>, std::less<>> byName;
};

const AtenTable& atenTable() {
  static const AtenTable table = [] {
    AtenTable made;
    for (const EmbeddedFile& file : atenFiles()) readRows(file.text, made.rows);
    for (const AtenRow& row : made.rows) made.byName[row.name].push_back(&row);
    return made;
  }();
  return table;
}

}  // namespace

std::span<const AtenRow> atenRows() {
  return atenTable().rows;
}

std::span<const AtenRow* const> atenOverloads(std::string_view name) {
  const auto found = atenTable().byName.find(name);
  if (found == atenTable().byName.end()) return {};
  return found->second;
}

}  // namespace fusebench
