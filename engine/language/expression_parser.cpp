// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/expression_parser.h"

#include <algorithm>
#include <array>

#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

/// Deeper nesting than any program has; a limit, so that hostile text cannot exhaust the stack.
constexpr int kMaxDepth = 200;

class Deeper {
 public:
  Deeper(int& depth, SourcePlace place) : depth_(depth) {
    if (++depth_ > kMaxDepth) {
      --depth_;
      failProgram(place,
                  "expressions are nested more than " + std::to_string(kMaxDepth) + " deep here");
    }
  }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int& depth_;
};

constexpr std::array<std::string_view, 35> kKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

/// Python's binary operators, loosest first; ** is apart.
constexpr std::array<std::array<std::string_view, 6>, 7> kLevels = {
    {{"<", "<=", ">", ">=", "==", "!="},
     {"|"},
     {"^"},
     {"&"},
     {"<<", ">>"},
     {"+", "-"},
     {"*", "/", "//", "%", "@"}}};

bool atLevel(const Token& token, std::size_t level) {
  return token.kind == Token::Kind::symbol &&
         std::find(kLevels[level].begin(), kLevels[level].end(), token.value) !=
             kLevels[level].end();
}

/// Modules that pasted code uses without showing the import.
std::string_view knownModule(std::string_view name) {
  if (name == "torch" || name == "math") return name;
  if (name == "np" || name == "numpy") return "numpy";
  if (name == "F") return "torch.nn.functional";
  if (name == "nn") return "torch.nn";
  return {};
}

constexpr std::array<std::string_view, 8> kBuiltins = {"abs", "pow", "float", "int",
                                                       "min", "max", "round", "print"};

[[noreturn]] void failKeyword(const Token& token) {
  const std::string& word = token.value;
  const std::string found = "found '" + word + "'; ";
  if (word == "and" || word == "or" || word == "not")
    failProgram(token.place, found + "for tensors write torch.logical_" + word + "(...)");
  if (word == "if" || word == "else")
    failProgram(
        token.place,
        found + "control flow is not part of a program; write torch.where(condition, a, b)");
  failProgram(token.place, found + "it cannot stand in an expression of a program");
}

}  // namespace

bool isPythonKeyword(std::string_view word) {
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

bool TokenCursor::accept(std::string_view symbol) {
  if (!now().is(symbol)) return false;
  advance();
  return true;
}

void TokenCursor::expect(std::string_view symbol, const std::string& where) {
  if (accept(symbol)) return;
  failProgram(now().place,
              "expected '" + std::string(symbol) + "' " + where + ", but found " + now().shown());
}

PythonValue ExpressionParser::expression() {
  PythonValue value = binaryLevel(0);
  refuseTrailing();
  return value;
}

std::vector<PythonValue> ExpressionParser::expressionList() {
  std::vector<PythonValue> items{expression()};
  while (cursor_.accept(",")) {
    const Token& t = cursor_.now();
    if (t.kind == Token::Kind::newline || t.is("=") || t.is(")")) break;
    items.push_back(expression());
  }
  return items;
}

/// Words that go on with an expression in Python, but not in a program.
void ExpressionParser::refuseTrailing() {
  const Token& token = cursor_.now();
  if (token.kind != Token::Kind::name) return;
  for (std::string_view word : {"if", "else", "and", "or", "not", "is", "in", "for", "lambda"})
    if (token.value == word) failKeyword(token);
}

PythonValue ExpressionParser::combine(std::string_view symbol, const PythonValue& a,
                                      const PythonValue& b, SourcePlace place) {
  if (a.isNumber() && b.isNumber()) return foldBinary(symbol, a, b, place);
  return builder_.binary(symbol, a, b, place);
}

PythonValue ExpressionParser::binaryLevel(std::size_t level) {
  if (level == kLevels.size()) return factor();
  PythonValue left = binaryLevel(level + 1);
  int count = 0;
  while (atLevel(cursor_.now(), level)) {
    const Token& symbol = cursor_.now();
    if (level == 0 && ++count > 1)
      failProgram(symbol.place, "comparisons cannot be chained; write (a < b) & (b < c)");
    cursor_.advance();
    const PythonValue right = binaryLevel(level + 1);
    left = combine(symbol.value, left, right, symbol.place);
  }
  return left;
}

PythonValue ExpressionParser::factor() {
  const Token& token = cursor_.now();
  const Deeper deeper(depth_, token.place);
  if (token.kind != Token::Kind::symbol || !(token.is("-") || token.is("+") || token.is("~")))
    return power();
  cursor_.advance();
  PythonValue value = factor();
  if (!value.isTensor() && !value.isNumber())
    failProgram(token.place,
                "'" + token.value + "' needs a tensor or a number, but found " + value.shown());
  if (token.is("+")) return value;
  if (value.isTensor()) return builder_.unary(token.value, value, token.place);
  if (token.is("~")) failProgram(token.place, "'~' of a number is not part of a program");
  PythonValue negative = PythonValue::numberOf(-value.number, value.integer, token.place);
  if (value.integer && value.number == 0) negative.number = 0;  // an int has no -0
  negative.wrapped = value.wrapped;
  return negative;
}

PythonValue ExpressionParser::power() {
  PythonValue base = postfix();
  if (!cursor_.now().is("**")) return base;
  const SourcePlace place = cursor_.now().place;
  cursor_.advance();
  const PythonValue exponent = factor();
  return combine("**", base, exponent, place);
}

PythonValue ExpressionParser::postfix() {
  PythonValue value = atom();
  for (;;) {
    const Token& token = cursor_.now();
    if (token.is(".")) {
      cursor_.advance();
      value = attribute(value);
    } else if (token.is("(")) {
      value = call(value, token.place);
    } else if (token.is("[")) {
      failProgram(token.place,
                  "indexing is not supported; make what is needed an input of the program");
    } else {
      break;
    }
  }
  double number = 0;
  if (value.kind == Kind::path && namedNumber(value.text, number))
    return PythonValue::numberOf(number, false, value.place);
  return value;
}

PythonValue ExpressionParser::attribute(const PythonValue& of) {
  const Token token = cursor_.now();
  if (token.kind != Token::Kind::name || isPythonKeyword(token.value))
    failProgram(token.place, "expected a name after '.', but found " + token.shown());
  cursor_.advance();
  if (of.kind == Kind::path) return PythonValue::pathOf(of.text + "." + token.value, of.place);
  if (!of.isTensor())
    failProgram(token.place, "." + token.value + " of " + of.shown() +
                                 " is not supported; methods are called on tensors");
  if (!cursor_.now().is("("))
    failProgram(token.place, "." + token.value +
                                 " without parentheses is not supported; sizes, dtypes and layouts "
                                 "are not values of a program");
  PythonValue method;
  method.kind = Kind::method;
  method.text = token.value;
  method.value = of.value;
  method.place = token.place;
  return method;
}

PythonValue ExpressionParser::call(const PythonValue& callee, SourcePlace place) {
  if (callee.kind == Kind::path && callee.text.rfind("self", 0) == 0)
    failProgram(callee.place, callee.text +
                                  "(...) is a module's state; write the function instead, such as "
                                  "torch.nn.functional.relu, and its weights as inputs");
  if (callee.kind == Kind::method) {
    const PythonValue self = PythonValue::tensorOf(callee.value, callee.place);
    return builder_.method(self, callee.text, arguments(), callee.place);
  }
  if (callee.kind != Kind::path) failProgram(place, callee.shown() + " cannot be called");
  return builder_.call(callee.text, arguments(), callee.place);
}

std::vector<CallArgument> ExpressionParser::arguments() {
  cursor_.expect("(", "before the arguments");
  std::vector<CallArgument> list;
  while (!cursor_.now().is(")")) {
    CallArgument argument;
    argument.place = cursor_.now().place;
    if (cursor_.now().is("*") || cursor_.now().is("**"))
      failProgram(argument.place,
                  "found '" + cursor_.now().value + "'; write the arguments out one by one");
    if (cursor_.now().kind == Token::Kind::name && cursor_.ahead().is("=")) {
      argument.keyword = cursor_.now().value;
      cursor_.advance();
      cursor_.advance();
    } else if (!list.empty() && !list.back().keyword.empty()) {
      failProgram(argument.place, "an argument without a keyword cannot follow one with a keyword");
    }
    argument.value = expression();
    list.push_back(std::move(argument));
    if (!cursor_.accept(",") && !cursor_.now().is(")"))
      failProgram(cursor_.now().place,
                  "expected ',' or ')' after an argument, but found " + cursor_.now().shown());
  }
  cursor_.advance();
  return list;
}

PythonValue ExpressionParser::atom() {
  const Token& token = cursor_.now();
  switch (token.kind) {
    case Token::Kind::number:
      cursor_.advance();
      return numberLiteral(token.value, token.place);
    case Token::Kind::text: {
      PythonValue text;
      text.kind = Kind::text;
      text.place = token.place;
      while (cursor_.now().kind == Token::Kind::text) {  // neighbours are joined
        text.text += cursor_.now().value;
        cursor_.advance();
      }
      return text;
    }
    case Token::Kind::name:
      return name();
    case Token::Kind::symbol:
      if (token.is("(") || token.is("[")) return parenthesised();
      if (token.is("...")) {
        cursor_.advance();
        PythonValue nothing;
        nothing.place = token.place;
        return nothing;
      }
      break;
    default:
      break;
  }
  failProgram(token.place,
              "expected a value (a name, a number or a call), but found " + token.shown());
}

PythonValue ExpressionParser::parenthesised() {
  const Token open = cursor_.now();
  const Deeper deeper(depth_, open.place);
  const std::string closing = open.is("(") ? ")" : "]";
  cursor_.advance();
  PythonValue list;
  list.kind = Kind::list;
  list.place = open.place;
  bool comma = false;
  while (!cursor_.now().is(closing)) {
    list.items.push_back(expression());
    if (!cursor_.accept(",")) break;
    comma = true;
  }
  cursor_.expect(closing, "to close '" + open.value + "'");
  if (open.is("(") && list.items.size() == 1 && !comma) return list.items[0];
  return list;
}

PythonValue ExpressionParser::name() {
  const Token token = cursor_.now();
  const std::string& word = token.value;
  cursor_.advance();
  if (word == "True" || word == "False") return PythonValue::flagOf(word == "True", token.place);
  PythonValue value;
  value.place = token.place;
  if (word == "None") return value;
  if (isPythonKeyword(word)) failKeyword(token);
  if (const auto found = names_.bound.find(word); found != names_.bound.end()) {
    value = found->second;
    value.place = token.place;
    return value;
  }
  if (const std::string_view module = knownModule(word); !module.empty())
    return PythonValue::pathOf(std::string(module), token.place);
  const bool builtin = std::find(kBuiltins.begin(), kBuiltins.end(), word) != kBuiltins.end();
  if (builtin || cursor_.now().is("(") || word == "self")
    return PythonValue::pathOf(word, token.place);
  if (names_.declared) {
    std::vector<std::string_view> known{"torch", "math"};
    for (const auto& [each, bound] : names_.bound) known.push_back(each);
    const std::vector<std::string> near = nearest(word, known);
    failProgram(token.place,
                "there is no '" + word + "' here" +
                    (near.empty() ? "; add it to the function's arguments to make it an input"
                                  : "; did you mean '" + near[0] + "'?"));
  }
  value = PythonValue::tensorOf(static_cast<ValueId>(program_.inputs.size()), token.place);
  program_.inputs.push_back(word);
  names_.bound[word] = value;
  return value;
}

}  // namespace fusebench
