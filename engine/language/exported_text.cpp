// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/exported_text.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/language/ast_parser.h"
#include "engine/language/program_parser.h"

namespace fusebench {
namespace {

constexpr std::string_view kClass = "class ";
constexpr std::string_view kHeading = "ExportedProgram:";
constexpr std::string_view kBehind = "Graph signature:";

std::string_view withoutEnds(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

bool areDigits(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// The length of a log's prefix, "V1128 19:29:01.251000 77 torch/x.py:1600] [0/0] [__graph_code]
/// ", with the space behind it; 0: the line has none.
std::size_t prefixOf(std::string_view line) {
  const bool dated = line.size() > 8 &&
                     std::string_view("VIDWEC").find(line[0]) != std::string_view::npos &&
                     areDigits(line.substr(1, 4)) && line[5] == ' ' && areDigits(line.substr(6, 2));
  if (!dated) return 0;
  std::size_t end = line.find("] ");
  if (end == std::string_view::npos) return line.ends_with(']') ? line.size() : 0;
  ++end;
  while (end + 1 < line.size() && line[end] == ' ' && line[end + 1] == '[') {
    const std::size_t close = line.find(']', end);
    if (close == std::string_view::npos) break;
    end = close + 1;
  }
  return std::min(end + 1, line.size());
}

std::size_t indentOf(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? line.size() : first;
}

/// "class GraphModule(torch.nn.Module):" of a line that shows where it is from in front of it, as
/// logs do; empty: the line begins no graph.
std::string_view classIn(std::string_view line) {
  const std::size_t at = line.find(kClass);
  if (at == std::string_view::npos || !line.ends_with("(torch.nn.Module):")) return {};
  const std::string_view before = withoutEnds(line.substr(0, at));
  const bool isPath = before.find(' ') == std::string_view::npos && !before.starts_with('#');
  return isPath ? line.substr(at) : std::string_view();
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Whether a line shows that the text was printed, and is not a program as it is.
bool isMark(std::string_view line) {
  if (prefixOf(line) > 0 || withoutEnds(line) == kHeading) return true;
  const std::string_view begin = classIn(line);
  return !begin.empty() && (begin.starts_with("class <") || line.find(kClass) > indentOf(line));
}

constexpr std::array<std::pair<std::string_view, DType>, 9> kShortNames{{{"f32", DType::float32},
                                                                         {"f64", DType::float64},
                                                                         {"f16", DType::float16},
                                                                         {"bf16", DType::bfloat16},
                                                                         {"i64", DType::int64},
                                                                         {"i32", DType::int32},
                                                                         {"i8", DType::int8},
                                                                         {"u8", DType::uint8},
                                                                         {"b8", DType::boolean}}};

}  // namespace

std::optional<std::string> graphOfPrinted(std::string_view text) {
  std::vector<std::string_view> lines = linesOf(text);
  if (std::ranges::none_of(lines, isMark)) return withStatesAsInputs(text);
  const bool logged =
      std::ranges::any_of(lines, [](std::string_view line) { return prefixOf(line) > 0; });
  if (logged)
    for (std::string_view& line : lines) {
      const std::size_t prefix = prefixOf(line);
      line = prefix == 0 ? std::string_view() : line.substr(prefix);
    }
  const auto begins = [](std::string_view line) { return !classIn(line).empty(); };
  const auto first = std::ranges::find_if(lines, begins);
  // A graph ends at the first line that is not deeper than its class. Logs put a space in front of
  // headings, and none in front of the graph's lines.
  std::size_t depth = 0;
  if (first != lines.end()) depth = logged ? 0 : indentOf(*first);
  const std::size_t outside = logged ? 1 : depth;
  std::string made;
  bool inside = false, ended = false;
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    const std::string_view words = withoutEnds(*line);
    if (line == first) {
      std::string header(classIn(*line));
      if (header.starts_with("class <")) {
        const std::size_t close = header.find('>');
        if (close != std::string::npos) header = "class GraphModule" + header.substr(close + 1);
      }
      made += header;
      inside = true;
    } else if (inside && !words.empty()) {
      ended = ended || indentOf(*line) <= outside || words == kBehind;
      if (!ended) made += line->substr(std::min(depth, line->size()));
    }
    made += '\n';
  }
  if (std::optional<std::string> whole = withStatesAsInputs(made)) return whole;
  return made;
}

std::optional<TypeComment> readTypeComment(std::string_view comment) {
  const std::size_t open = comment.find('['), close = comment.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return std::nullopt;
  const auto* const dtype = std::ranges::find(kShortNames, comment.substr(0, open),
                                              &std::pair<std::string_view, DType>::first);
  if (dtype == kShortNames.end()) return std::nullopt;
  TypeComment made{dtype->second, {}};
  std::string_view list = comment.substr(open + 1, close - open - 1);
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    const std::string_view extent = withoutEnds(list.substr(0, end));
    if (!extent.empty()) made.extents.emplace_back(extent);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return made;
}

std::vector<CommentedInput> commentedInputs(std::string_view program) {
  std::vector<CommentedInput> found;
  try {
    const std::vector<Token> tokens = tokenize(program);
    const ProgramLayout layout = layoutOf(tokens, program);
    if (layout.mainPart < 0) return found;
    const ProgramLayout::Part& part = layout.parts[static_cast<std::size_t>(layout.mainPart)];
    const ProgramLayout::Part& function =
        layout.mainMember >= 0 ? part.members[static_cast<std::size_t>(layout.mainMember)] : part;
    TokenCursor cursor(tokens);
    AstParser parser(cursor);
    parser.setText(program);
    cursor.seek(static_cast<std::size_t>(function.word) + 2);
    if (!cursor.accept("(")) return found;
    for (const ast::Parameter& parameter : parser.parameters(")"))
      if (std::optional<TypeComment> type = readTypeComment(parameter.hint))
        found.push_back({parameter.name, std::move(*type)});
  } catch (const ProgramError&) {
    // Errors in the text are reported where it is read.
  }
  return found;
}

}  // namespace fusebench
