// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/language/source_place.h"

/// The syntax tree of Python source, which the evaluator runs. Syntax that cannot be part of a
/// program (await) has no node; reading it is an error.
namespace fusebench::ast {

struct Expression;
struct Statement;
struct Function;
using ExpressionPtr = std::unique_ptr<Expression>;
using Block = std::vector<Statement>;

/// `for targets in over if condition...` of a comprehension.
struct Clause {
  ExpressionPtr targets;
  ExpressionPtr over;
  std::vector<ExpressionPtr> conditions;
};

/// The part after a primary: `.name`, `(arguments)`, `[items]`. These are in a list instead of
/// nested nodes, so that a long chain of methods needs no stack.
struct Trailer {
  enum class Kind : std::uint8_t { attribute, call, subscript };
  Kind kind = Kind::attribute;
  SourcePlace place;  ///< the place of the name after the dot, otherwise of the bracket
  std::string name;   ///< attribute
  std::vector<ExpressionPtr> arguments;  ///< call, subscript
  std::vector<std::string> keywords;  ///< call, per argument: "" (positional), "name", "*" or "**"
  std::vector<SourcePlace> places;  ///< call, per argument: where it begins, including its keyword
  bool tuple = false;               ///< subscript: the items were separated by a comma
};

struct Expression {
  enum class Kind : std::uint8_t {
    number,       ///< `text`, as written
    text,         ///< `text`, with escapes replaced
    format,       ///< f"...": `text`, not parsed
    name,         ///< `text`; also True, False and None
    ellipsis,     ///< ...
    unary,        ///< - + ~ of parts[0]; `text`
    chain,        ///< a op b op c, left-associative; parts and `symbols` between them
    power,        ///< parts[0] ** parts[1]
    compare,      ///< a < b <= c: parts and `symbols` ("<", "in", "not in", "is", "is not")
    both,         ///< and
    either,       ///< or
    negation,     ///< not parts[0]
    conditional,  ///< parts[1] if parts[0] else parts[2]
    lambda,       ///< `function`
    tuple,
    list,
    set,
    dict,           ///< parts: key, value, key, value; a null key: **value
    postfix,        ///< parts[0] and `trailers`
    slice,          ///< parts[0]:parts[1]:parts[2], each may be null
    starred,        ///< *parts[0]
    comprehension,  ///< `text` "[", "(", "{" or ":" (a dict's); parts[0] (and [1]); `clauses`
    walrus,         ///< `text` := parts[0]
  };
  Kind kind = Kind::name;
  SourcePlace place;
  std::vector<SourcePlace> symbolPlaces{};  ///< chain, compare, both, either: places of the symbols
  std::size_t begin = 0, end = 0;           ///< byte offsets in the text
  std::string text{};
  std::vector<std::string> symbols{};
  std::vector<ExpressionPtr> parts{};
  std::vector<Trailer> trailers{};
  std::vector<Clause> clauses{};
  std::shared_ptr<const Function> function{};
};

struct Parameter {
  enum class Kind : std::uint8_t { plain, keywordOnly, args, keywords };
  std::string name;
  Kind kind = Kind::plain;
  std::string hint;          ///< first word of its type annotation
  std::string annotation{};  ///< the whole annotation, as written
  ExpressionPtr fallback;
  SourcePlace place;
};

/// A def or a lambda, shared by all values made from it.
struct Function {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<std::string> decorators;     ///< dotted names
  std::vector<ExpressionPtr> decorations;  ///< the decorators as written, in order
  Block body;
  SourcePlace place;
  std::shared_ptr<const std::string> text;  ///< the text that the offsets refer to
  bool generates = false;                   ///< it contains a yield
};

struct Statement {
  enum class Kind : std::uint8_t {
    expression,  ///< value
    assign,      ///< targets[0] = targets[1] = ... = value
    augmented,   ///< targets[0] op= value; `text` the operator without "="
    annotated,   ///< targets[0]: hint = value (may be null); `text` the hint as written
    returned,    ///< value may be null
    yielded,     ///< value may be null; `text` "from": yields each item of it
    condition,   ///< if value: body else: otherwise
    loop,        ///< for targets[0] in value: body else: otherwise
    whileLoop,   ///< while value: body else: otherwise
    function,
    classType,  ///< `text`; bases; body; `decorations` as written
    with,       ///< values: context managers; targets: their names, or null; body
    attempt,    ///< try: body; handlers: each a `body`; otherwise; lastly
    match,      ///< value; cases: each `values` the patterns, `message` the guard, `body`
    check,      ///< assert value, message
    raise,      ///< value may be null
    pass,
    leave,   ///< break
    next,    ///< continue
    import,  ///< bindings: name and its meaning
    remove,  ///< del
    scope,   ///< global, nonlocal; bindings: the name and which of the two words
    docString,
  };
  Kind kind = Kind::pass;
  SourcePlace place{};
  std::size_t begin = 0, end = 0;  ///< byte offsets of its first line (of a block: its header)
  std::string text{};
  std::vector<ExpressionPtr> targets{};
  ExpressionPtr value{};
  ExpressionPtr message{};
  SourcePlace symbolPlace{};  ///< augmented: the position of the operator
  std::vector<ExpressionPtr> values{};
  Block body{};
  Block otherwise{};
  Block handlers{};  ///< attempt: one for each except; match: one for each case
  Block lastly{};    ///< attempt: the block of `finally`
  std::shared_ptr<const Function> function{};
  std::vector<ExpressionPtr> decorations{};
  std::vector<std::pair<std::string, std::string>> bindings{};
};

/// "torch.no_grad" of torch.no_grad(): the names up to the first trailer that is not a name.
inline std::string dottedNameOf(const Expression& e) {
  const bool follows = e.kind == Expression::Kind::postfix;
  const Expression& first = follows ? *e.parts[0] : e;
  std::string path = first.kind == Expression::Kind::name ? first.text : std::string();
  for (const Trailer& trailer : e.trailers) {
    if (trailer.kind != Trailer::Kind::attribute) break;
    path += "." + trailer.name;
  }
  return path;
}

}  // namespace fusebench::ast
