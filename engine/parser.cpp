// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parser.h"

#include <algorithm>

#include "engine/expression_parser.h"
#include "engine/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

/// Reads a program statement by statement.
class Parser {
 public:
  explicit Parser(std::string_view text)
      : text_(text),
        tokens_(tokenise(text)),
        cursor_(tokens_),
        builder_(program_),
        expressions_(cursor_, builder_, names_, program_) {}

  Program run() {
    while (cursor_.now().kind != Token::Kind::end) line();
    if (program_.outputs.empty())
      failProgram(cursor_.now().place,
                  "the program has no return; end it with return and what it computes, "
                  "such as return x");
    builder_.finish();
    return std::move(program_);
  }

 private:
  const Token& now() const { return cursor_.now(); }

  void line() {
    const Token::Kind kind = now().kind;
    if (kind == Token::Kind::indent && !blockAllowed_)
      failProgram(now().place, "this line is indented deeper than the one above it");
    if (blockAllowed_ && kind != Token::Kind::indent)
      failProgram(now().place, "expected an indented block after ':', but found " + now().shown());
    blockAllowed_ = false;
    if (kind == Token::Kind::indent || kind == Token::Kind::dedent || kind == Token::Kind::newline)
      return cursor_.advance();
    statement();
  }

  void statement() {
    const Token& first = now();
    if (!program_.outputs.empty())
      failProgram(first.place,
                  "found " + first.shown() + " after the return; nothing may follow it");
    if (first.kind == Token::Kind::text) return docString();
    if (first.is("@")) return skipLine();
    if (first.is("import")) return import();
    if (first.is("from")) return importFrom();
    if (first.is("class")) return classHeader();
    if (first.is("def") || first.is("async")) return function();
    if (first.is("with")) return with();
    if (first.is("return")) return returned();
    if (first.is("pass")) {
      cursor_.advance();
      return endOfStatement();
    }
    if (first.kind == Token::Kind::name && isPythonKeyword(first.value)) refuseKeyword(first);
    if (first.kind == Token::Kind::name && assigns()) return assignment();
    expressionStatement();
  }

  void endOfStatement() {
    const Token& token = now();
    if (token.kind == Token::Kind::newline || token.is(";")) return cursor_.advance();
    if (token.kind == Token::Kind::end) return;
    if (token.is("=")) failProgram(token.place, "found a second '='; write one assignment a line");
    failProgram(token.place, "expected the end of the line, but found " + token.shown());
  }

  void skipLine() {
    while (now().kind != Token::Kind::newline && now().kind != Token::Kind::end) cursor_.advance();
    if (now().kind == Token::Kind::newline) cursor_.advance();
  }

  void docString() {
    cursor_.advance();
    endOfStatement();
  }

  [[noreturn]] void refuseKeyword(const Token& token) {
    for (std::string_view word :
         {"if", "elif", "else", "for", "while", "try", "except", "finally", "break", "continue"})
      if (token.value == word)
        failProgram(token.place,
                    "found '" + token.value +
                        "'; control flow is not part of a program: write torch.where for a choice, "
                        "and repeated lines for a loop");
    failProgram(token.place,
                "found '" + token.value +
                    "'; a program is made of assignments, such as x = torch.exp(x), and a return");
  }

  // --- imports -----------------------------------------------------------------------------------

  std::string dottedName() {
    std::string path;
    for (;;) {
      if (now().kind != Token::Kind::name || isPythonKeyword(now().value))
        failProgram(now().place, "expected the name of a module, but found " + now().shown());
      path += now().value;
      cursor_.advance();
      if (!cursor_.accept(".")) return path;
      path += ".";
    }
  }

  std::string nameToBind() {
    const Token token = now();
    if (token.kind != Token::Kind::name || isPythonKeyword(token.value))
      failProgram(token.place, "expected a name, but found " + token.shown());
    cursor_.advance();
    return token.value;
  }

  void bindPath(const std::string& name, const std::string& path, SourcePlace place) {
    names_.bound[name] = PythonValue::pathOf(path, place);
  }

  void import() {
    cursor_.advance();
    do {
      const SourcePlace place = now().place;
      const std::string path = dottedName();
      if (cursor_.accept("as"))
        bindPath(nameToBind(), path, place);
      else
        bindPath(path.substr(0, path.find('.')), path.substr(0, path.find('.')), place);
    } while (cursor_.accept(","));
    endOfStatement();
  }

  void importFrom() {
    cursor_.advance();
    const std::string module = dottedName();
    cursor_.expect("import", "after 'from " + module + "'");
    const bool open = cursor_.accept("(");
    do {
      const SourcePlace place = now().place;
      if (now().is("*"))
        failProgram(place, "found '*'; import torch, and write torch. before the functions");
      if (open && now().is(")")) break;
      const std::string name = nameToBind();
      const std::string bound = cursor_.accept("as") ? nameToBind() : name;
      bindPath(bound, module + "." + name, place);
    } while (cursor_.accept(","));
    if (open) cursor_.expect(")", "after the imported names");
    endOfStatement();
  }

  // --- headers -----------------------------------------------------------------------------------

  /// After ':': either a block on the next lines, or statements on this one.
  void beginBlock() {
    cursor_.expect(":", "at the end of the header");
    if (now().kind != Token::Kind::newline) return;
    cursor_.advance();
    blockAllowed_ = true;
  }

  void classHeader() {
    cursor_.advance();
    nameToBind();
    if (now().is("(")) skipBalanced();
    beginBlock();
  }

  /// Skips from an opening bracket past the one that closes it.
  void skipBalanced() {
    int depth = 0;
    do {
      const Token& t = now();
      if (t.is("(") || t.is("[") || t.is("{")) ++depth;
      if (t.is(")") || t.is("]") || t.is("}")) --depth;
      if (t.kind == Token::Kind::end || t.kind == Token::Kind::newline) return;
      cursor_.advance();
    } while (depth > 0);
  }

  /// Only blocks that change nothing a program can see.
  void with() {
    const SourcePlace place = now().place;
    cursor_.advance();
    const SourcePlace what = now().place;
    const std::string path = dottedName();
    if (path != "torch.no_grad" && path != "torch.inference_mode")
      failProgram(what,
                  "with " + path +
                      " is not supported; only torch.no_grad() and torch.inference_mode() are");
    if (!now().is("("))
      failProgram(place, "expected '(' after " + path + ", but found " + now().shown());
    skipBalanced();
    beginBlock();
  }

  void function() {
    const Token def = now();
    if (def.is("async")) refuseKeyword(def);
    cursor_.advance();
    const Token name = now();
    nameToBind();
    if (name.value == "__init__")
      failProgram(name.place,
                  "__init__ is not part of a program; keep only forward, with the module's weights "
                  "as inputs");
    if (names_.declared || !program_.ops.empty() || !program_.inputs.empty())
      failProgram(def.place,
                  "found a second function or code before the function; a program is one function");
    cursor_.expect("(", "after the function's name");
    parameters();
    if (cursor_.accept("->")) skipHint();
    names_.declared = true;
    beginBlock();
  }

  void parameters() {
    while (!now().is(")")) {
      if (now().is("*") && (cursor_.ahead().is(",") || cursor_.ahead().is(")")))
        cursor_.advance();
      else if (!cursor_.accept("/"))
        parameter();
      if (!cursor_.accept(",") && !now().is(")"))
        failProgram(now().place,
                    "expected ',' or ')' after a parameter, but found " + now().shown());
    }
    cursor_.advance();
  }

  void parameter() {
    const Token token = now();
    if (token.is("*") || token.is("**"))
      failProgram(token.place,
                  "found '" + token.value + "'; write the function's arguments out one by one");
    const std::string name = nameToBind();
    std::string hint;
    if (cursor_.accept(":")) {
      hint = now().value;
      skipHint();
    }
    if (name == "self" && program_.inputs.empty() && !names_.bound.contains("self"))
      return bindPath("self", "self", token.place);
    if (parameterNames_.contains(name))
      failProgram(token.place, "two parameters are called '" + name + "'");
    parameterNames_[name] = true;
    PythonValue fallback;
    if (cursor_.accept("=")) fallback = expressions_.expression();
    // A parameter with a number or the like as default is that number; a tensor otherwise.
    if (fallback.kind != Kind::none) {
      names_.bound[name] = fallback;
      return;
    }
    for (std::string_view plain : {"float", "int", "bool", "str"})
      if (hint == plain)
        failProgram(token.place, "parameter " + name + " is a " + hint +
                                     " without a value; inputs are tensors: "
                                     "give it a default, as in " +
                                     name + ": " + hint + " = ...");
    names_.bound[name] =
        PythonValue::tensorOf(static_cast<ValueId>(program_.inputs.size()), token.place);
    program_.inputs.push_back(name);
  }

  /// A type hint: everything up to what ends it, brackets included.
  void skipHint() {
    while (!now().is(",") && !now().is(")") && !now().is("=") && !now().is(":") &&
           now().kind != Token::Kind::newline && now().kind != Token::Kind::end) {
      if (now().is("(") || now().is("["))
        skipBalanced();
      else
        cursor_.advance();
    }
  }

  // --- statements --------------------------------------------------------------------------------

  static std::string_view augmented(const Token& token) {
    for (std::string_view symbol :
         {"+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "@="})
      if (token.is(symbol)) return symbol;
    return {};
  }

  /// Whether a name is followed by what makes it a target.
  bool assigns() const {
    const Token& next = cursor_.ahead();
    return next.is("=") || next.is(":") || next.is(",") || !augmented(next).empty();
  }

  void assignment() {
    const Token target = now();
    cursor_.advance();
    if (now().is(","))
      failProgram(now().place,
                  "assignments to several names are not supported; write one assignment a line");
    if (cursor_.accept(":")) {
      skipHint();
      if (now().kind == Token::Kind::newline) return endOfStatement();  // only a declaration
    }
    if (target.value == "self") failProgram(target.place, "self cannot be assigned to");
    const Token symbol = now();
    const std::string_view augment = augmented(symbol);
    const int index = static_cast<int>(program_.statements.size());
    const int firstOp = static_cast<int>(program_.ops.size());
    builder_.setStatement(index);
    PythonValue value;
    if (!augment.empty()) {
      value = augmentedValue(target, symbol, augment.substr(0, augment.size() - 1));
    } else {
      cursor_.expect("=", "after '" + target.value + "'");
      value = assignedValue();
    }
    names_.bound[target.value] = value;
    if (value.isTensor()) {
      Statement statement;
      statement.target = target.value;
      statement.text = source(target.begin, cursor_.last().end);
      statement.firstOp = firstOp;
      statement.opCount = static_cast<int>(program_.ops.size()) - firstOp;
      statement.value = value.value;
      statement.place = target.place;
      program_.statements.push_back(std::move(statement));
    }
    endOfStatement();
  }

  PythonValue assignedValue() {
    std::vector<PythonValue> values = expressions_.expressionList();
    if (values.size() == 1) return values[0];
    PythonValue list;
    list.kind = Kind::list;
    list.place = values[0].place;
    list.items = std::move(values);
    for (const PythonValue& item : list.items)
      if (!item.isNumber())
        failProgram(item.place,
                    "a tuple of tensors cannot be given a name; write one assignment a line");
    return list;
  }

  PythonValue augmentedValue(const Token& target, const Token& symbol, std::string_view operation) {
    const auto found = names_.bound.find(target.value);
    PythonValue before;
    if (found != names_.bound.end()) {
      before = found->second;
    } else if (!names_.declared) {
      before = PythonValue::tensorOf(static_cast<ValueId>(program_.inputs.size()), target.place);
      program_.inputs.push_back(target.value);
    } else {
      failProgram(target.place,
                  "there is no '" + target.value + "' to change here; assign to it first");
    }
    before.place = target.place;
    cursor_.advance();
    const PythonValue by = expressions_.expression();
    if (before.isNumber() && by.isNumber()) return foldBinary(operation, before, by, symbol.place);
    return builder_.binary(operation, before, by, symbol.place);
  }

  void returned() {
    const Token word = now();
    cursor_.advance();
    if (now().kind == Token::Kind::newline || now().kind == Token::Kind::end)
      failProgram(
          word.place,
          "return gives nothing; write what the program computes after it, such as return x");
    const std::size_t begin = now().begin;
    builder_.setStatement(-1);
    std::vector<PythonValue> values = expressions_.expressionList();
    if (values.size() == 1 && values[0].kind == Kind::list) {
      const std::vector<PythonValue> items = values[0].items;
      values = items;
    }
    program_.returnText = source(begin, cursor_.last().end);
    for (const PythonValue& value : values) {
      if (!value.isTensor())
        failProgram(value.place, "return gives " + value.shown() + "; a program returns tensors");
      program_.outputs.push_back(value.value);
    }
    if (program_.outputs.empty())
      failProgram(word.place, "return gives an empty tuple; a program returns tensors");
    endOfStatement();
  }

  void expressionStatement() {
    const Token first = now();
    const PythonValue value = expressions_.expression();
    if (now().is("=") || !augmented(now()).empty())
      failProgram(first.place, "only a plain name can be assigned to, as in x = torch.exp(x)");
    if (value.kind == Kind::none) return endOfStatement();
    failProgram(
        first.place,
        "the result of this line goes nowhere; give it a name, as in x = ..., or return it");
  }

  /// The program's text from one offset to another on one line: line breaks and comments in it
  /// become single spaces.
  std::string source(std::size_t begin, std::size_t end) const {
    std::string line;
    std::size_t last = begin;
    for (const Token& token : tokens_) {
      if (token.begin < begin || token.end > end || token.begin == token.end) continue;
      if (token.kind == Token::Kind::newline) continue;
      const std::string_view between = text_.substr(last, token.begin - last);
      const bool broken = between.find_first_of("\n#\\") != std::string_view::npos;
      const bool tight = line.empty() || line.back() == '(' || token.is(")");
      if (broken)
        line += tight ? "" : " ";
      else
        line += between;
      line += text_.substr(token.begin, token.end - token.begin);
      last = token.end;
    }
    return line;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  TokenCursor cursor_;
  Program program_;
  Names names_;
  ProgramBuilder builder_;
  ExpressionParser expressions_;
  std::map<std::string, bool, std::less<>> parameterNames_;
  bool blockAllowed_ = false;
};

}  // namespace

Program parseProgram(std::string_view text) {
  return Parser(text).run();
}

}  // namespace fusebench
