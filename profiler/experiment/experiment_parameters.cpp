// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/experiment_parameters.h"

#include "engine/language/lexer.h"

namespace fusebench {
namespace {

/// A parameter's default, a number with or without sign: its bytes in the text.
struct NumberDefault {
  std::string name;
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool opens(const Token& token) {
  return token.is("(") || token.is("[") || token.is("{");
}
bool closes(const Token& token) {
  return token.is(")") || token.is("]") || token.is("}");
}

/// Position of the token after the header's "(", or of the end if there is no
/// header.
std::size_t headerBegin(const std::vector<Token>& tokens) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i)
    if (tokens[i].is("def") && tokens[i + 2].is("(")) return i + 3;
  return tokens.size();
}

/// The default of a parameter whose tokens are [from, to): `name [: hint] =
/// number`.
void addDefault(const std::vector<Token>& tokens, std::size_t from, std::size_t to,
                std::vector<NumberDefault>& found) {
  std::size_t equals = from;
  while (equals < to && !tokens[equals].is("=")) ++equals;
  const std::size_t first = equals + 1;
  if (equals == from || first >= to) return;
  const bool sign = tokens[first].is("-") || tokens[first].is("+");
  if (first + (sign ? 2 : 1) != to || tokens[to - 1].kind != Token::Kind::number) return;
  found.push_back({tokens[from].value, tokens[first].begin, tokens[to - 1].end});
}

std::vector<NumberDefault> defaults(std::string_view program) {
  std::vector<NumberDefault> found;
  try {
    const std::vector<Token> tokens = tokenize(program);
    std::size_t from = headerBegin(tokens);
    int depth = 0;
    for (std::size_t i = from; i < tokens.size(); ++i) {
      if (depth == 0 && (tokens[i].is(",") || tokens[i].is(")"))) {
        addDefault(tokens, from, i, found);
        if (tokens[i].is(")")) break;
        from = i + 1;
      }
      depth += opens(tokens[i]) ? 1 : closes(tokens[i]) ? -1 : 0;
    }
  } catch (const ProgramError&) {
    // A text that cannot be read has no parameters; its errors are reported elsewhere.
  }
  return found;
}

}  // namespace

std::vector<std::string> numberParameters(std::string_view program) {
  std::vector<std::string> names;
  for (NumberDefault& parameter : defaults(program)) names.push_back(std::move(parameter.name));
  return names;
}

std::string withParameter(std::string_view program, std::string_view name, std::int64_t value) {
  std::string text(program);
  for (const NumberDefault& parameter : defaults(program))
    if (parameter.name == name)
      return text.replace(parameter.begin, parameter.end - parameter.begin, std::to_string(value));
  return text;
}

}  // namespace fusebench
