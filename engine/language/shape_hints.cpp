// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/shape_hints.h"
#include "engine/language/text_pieces.h"

#include <algorithm>
#include <cctype>

namespace fusebench {
namespace {

/// Dimensions between brackets, separated by commas or spaces; empty: they are none.
std::vector<std::string> dimsOf(std::string_view inside) {
  std::vector<std::string> dims;
  std::string word;
  for (const char c : std::string(inside) + ",") {
    if (isNameCharacter(c)) {
      word += c;
      continue;
    }
    if (c != ',' && c != ' ' && c != '\t') return {};
    if (!word.empty()) dims.push_back(std::exchange(word, {}));
  }
  for (const std::string& dim : dims) {
    const bool digits =
        std::ranges::all_of(dim, [](unsigned char d) { return std::isdigit(d) != 0; });
    if (std::isdigit(static_cast<unsigned char>(dim.front())) && (!digits || dim.size() > 9))
      return {};
  }
  return dims.size() <= 8 ? dims : std::vector<std::string>();
}

/// The dtype that a word of an annotation means: f32, Int64, Bool.
std::optional<DType> dtypeNamed(std::string_view word) {
  constexpr std::pair<std::string_view, DType> kWords[] = {
      {"f32", DType::float32},     {"f64", DType::float64},     {"f16", DType::float16},
      {"bf16", DType::bfloat16},   {"i64", DType::int64},       {"i32", DType::int32},
      {"b8", DType::boolean},      {"Float", DType::float32},   {"Float32", DType::float32},
      {"Float64", DType::float64}, {"Float16", DType::float16}, {"BFloat16", DType::bfloat16},
      {"Int", DType::int64},       {"Int64", DType::int64},     {"Int32", DType::int32},
      {"Bool", DType::boolean},    {"long", DType::int64},      {"LongTensor", DType::int64}};
  for (const auto& [known, dtype] : kWords)
    if (word == known) return dtype;
  return std::nullopt;
}

/// The first shape in a text, in round or square brackets; jaxtyping's is in quotes.
std::optional<ShapeHint> shapeIn(std::string_view text) {
  ShapeHint hint;
  std::size_t word = 0;
  while (word < text.size()) {
    if (isNameCharacter(text[word])) {
      std::size_t end = word;
      while (end < text.size() && isNameCharacter(text[end])) ++end;
      if (const auto dtype = dtypeNamed(text.substr(word, end - word))) hint.dtype = dtype;
      word = end;
      continue;
    }
    const char c = text[word];
    if (c == '(' || c == '[') {
      const std::size_t close = text.find(c == '(' ? ')' : ']', word);
      if (close == std::string_view::npos) return std::nullopt;
      std::string_view inside = text.substr(word + 1, close - word - 1);
      if (const std::size_t quote = inside.find_first_of("\"'"); quote != inside.npos) {
        inside.remove_prefix(quote + 1);
        inside = inside.substr(0, inside.find_first_of("\"'"));
      }
      hint.dims = dimsOf(inside);
      const bool shape =
          hint.dims.size() > 1 || hint.dtype || (hint.dims.size() == 1 && inside.ends_with(','));
      if (!hint.dims.empty() && shape) return hint;
      word = close + 1;
      continue;
    }
    ++word;
  }
  return std::nullopt;
}

std::string_view lineAt(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  return text.substr(at, end - at);
}

/// A shape that a comment or a docstring says of a name: "x: (B, T, C)", "x is of shape (B, C)".
std::optional<ShapeHint> saidOf(std::string_view name, std::string_view text) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const bool whole =
        (at == 0 || !isNameCharacter(text[at - 1])) &&
        (at + name.size() >= text.size() || !isNameCharacter(text[at + name.size()]));
    if (!whole) continue;
    std::string_view line = lineAt(text, at + name.size());
    const std::size_t open = line.find_first_of("([");
    if (open == std::string_view::npos || open > 40) continue;
    const std::string_view between = line.substr(0, open);
    const bool says = between.find(':') != between.npos || between.find("shape") != between.npos ||
                      between.find('=') != between.npos;
    const bool code = between.find('(') != between.npos || between.find('.') != between.npos;
    if (!says || code) continue;
    if (auto hint = shapeIn(line)) return hint;
  }
  return std::nullopt;
}

/// The comments and quoted texts among some tokens, and the comments behind their lines.
std::string wordsIn(std::string_view text, std::size_t begin, std::size_t end) {
  std::string words;
  bool quoted = false;
  for (std::size_t at = begin; at < end;) {
    const std::string_view line = lineAt(text, at);
    const bool marks = line.find("\"\"\"") != line.npos || line.find("'''") != line.npos;
    if (quoted || marks) words += std::string(line) + "\n";
    if (marks && line.find("\"\"\"") == line.rfind("\"\"\"") &&
        line.find("'''") == line.rfind("'''"))
      quoted = !quoted;
    if (const std::size_t comment = line.find('#'); !quoted && comment != line.npos)
      words += std::string(line.substr(comment + 1)) + "\n";
    at += line.size() + 1;
  }
  return words;
}

}  // namespace

std::int64_t usualSize(std::string_view name) {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::pair<std::string_view, std::int64_t> kSizes[] = {
      {"b", 8},        {"n", 8},         {"bs", 8},        {"bsz", 8},   {"batch", 8},
      {"t", 16},       {"s", 16},        {"l", 16},        {"seq", 16},  {"seqlen", 16},
      {"seq_len", 16}, {"length", 16},   {"tokens", 16},   {"time", 16}, {"h", 32},
      {"w", 32},       {"height", 32},   {"width", 32},    {"heads", 4}, {"nh", 4},
      {"n_heads", 4},  {"num_heads", 4}, {"channels", 16}, {"m", 16},    {"k", 16}};
  for (const auto& [known, size] : kSizes)
    if (lower == known) return size;
  return lower.starts_with("batch") ? 8 : 16;
}

namespace {

/// Parameters of the program's function: their names, where these end, and where they do.
struct HintedParameter {
  std::string name;
  std::size_t begin = 0, end = 0;
};

std::vector<HintedParameter> parametersIn(const std::vector<Token>& tokens,
                                          const ProgramLayout& layout) {
  std::vector<HintedParameter> found;
  if (layout.mainPart < 0) return found;
  const auto& part = layout.parts[static_cast<std::size_t>(layout.mainPart)];
  const auto& function =
      layout.mainMember < 0 ? part : part.members[static_cast<std::size_t>(layout.mainMember)];
  const auto token = [&](int at) -> const Token& {
    return tokens[std::min(static_cast<std::size_t>(at), tokens.size() - 1)];
  };
  int depth = 0;
  for (int i = function.word + 2; i < function.end; ++i) {
    const Token& now = token(i);
    if (now.is("(") || now.is("[") || now.is("{")) ++depth;
    if (now.is(")") || now.is("]") || now.is("}")) --depth;
    if (depth == 0) break;
    const bool parameter = depth == 1 && now.kind == Token::Kind::name &&
                           (token(i - 1).is("(") || token(i - 1).is(","));
    if (!parameter || now.value == "self") continue;
    // Up to the comma that ends it.
    int end = i + 1, within = 0;
    for (; end < function.end; ++end) {
      const Token& t = token(end);
      if (within == 0 && (t.is(",") || t.is(")"))) break;
      if (t.is("(") || t.is("[") || t.is("{")) ++within;
      if (t.is(")") || t.is("]") || t.is("}")) --within;
    }
    found.push_back({now.value, now.end, token(end).begin});
  }
  return found;
}

}  // namespace

std::set<std::string> optionalParameters(std::string_view text, const std::vector<Token>& tokens,
                                         const ProgramLayout& layout) {
  std::set<std::string> names;
  for (const HintedParameter& each : parametersIn(tokens, layout)) {
    std::string_view written = text.substr(each.begin, each.end - each.begin);
    while (!written.empty() && std::isspace(static_cast<unsigned char>(written.back())))
      written.remove_suffix(1);
    if (written.ends_with("None") && written.find('=') != written.npos) names.insert(each.name);
  }
  return names;
}

std::vector<ShapeHint> shapeHints(std::string_view text, const std::vector<Token>& tokens,
                                  const ProgramLayout& layout) {
  std::vector<ShapeHint> hints;
  if (layout.mainPart < 0) return hints;
  const auto& part = layout.parts[static_cast<std::size_t>(layout.mainPart)];
  const auto at = [&](int token) {
    return tokens[std::min(static_cast<std::size_t>(token), tokens.size() - 1)].begin;
  };
  const std::string words = wordsIn(text, at(part.begin), at(part.end));
  for (const HintedParameter& each : parametersIn(tokens, layout)) {
    std::optional<ShapeHint> hint;
    const std::string_view annotation = text.substr(each.begin, each.end - each.begin);
    if (annotation.find(':') != annotation.npos) hint = shapeIn(annotation);
    // The comment behind the comma.
    const std::string_view line = lineAt(text, each.end);
    const std::size_t comment = line.find('#');
    const bool alone = line.find_first_of(",)") == 0 && comment != line.npos &&
                       line.substr(1, comment - 1).find_first_not_of(" ),:") == line.npos;
    if (!hint && alone) hint = shapeIn(line.substr(comment + 1));
    if (!hint) hint = saidOf(each.name, words);
    if (!hint) continue;
    hint->name = each.name;
    hints.push_back(*hint);
  }
  return hints;
}

}  // namespace fusebench
