// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_parser.h"

#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

}  // namespace

std::string ProgramParser::dottedName() {
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

std::string ProgramParser::nameToBind() {
  const Token token = now();
  if (token.kind != Token::Kind::name || isPythonKeyword(token.value))
    failProgram(token.place, "expected a name, but found " + token.shown());
  cursor_.advance();
  return token.value;
}

void ProgramParser::bindPath(const std::string& name, const std::string& path, SourcePlace place) {
  names_.bound[name] = PythonValue::pathOf(path, place);
}

void ProgramParser::import() {
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

void ProgramParser::importFrom() {
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

void ProgramParser::beginBlock() {
  cursor_.expect(":", "at the end of the header");
  if (now().kind != Token::Kind::newline) return;
  cursor_.advance();
  blockAllowed_ = true;
}

void ProgramParser::classHeader() {
  cursor_.advance();
  nameToBind();
  if (now().is("(")) skipBalanced();
  beginBlock();
}

void ProgramParser::skipBalanced() {
  int depth = 0;
  do {
    const Token& t = now();
    if (t.is("(") || t.is("[") || t.is("{")) ++depth;
    if (t.is(")") || t.is("]") || t.is("}")) --depth;
    if (t.kind == Token::Kind::end || t.kind == Token::Kind::newline) return;
    cursor_.advance();
  } while (depth > 0);
}

void ProgramParser::with() {
  const SourcePlace place = now().place;
  cursor_.advance();
  const SourcePlace what = now().place;
  const std::string path = dottedName();
  if (path != "torch.no_grad" && path != "torch.inference_mode")
    failProgram(what, "with " + path +
                          " is not supported; only torch.no_grad() and torch.inference_mode() are");
  if (!now().is("("))
    failProgram(place, "expected '(' after " + path + ", but found " + now().shown());
  skipBalanced();
  beginBlock();
}

void ProgramParser::function() {
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

void ProgramParser::parameters() {
  while (!now().is(")")) {
    if (now().is("*") && (cursor_.ahead().is(",") || cursor_.ahead().is(")")))
      cursor_.advance();
    else if (!cursor_.accept("/"))
      parameter();
    if (!cursor_.accept(",") && !now().is(")"))
      failProgram(now().place, "expected ',' or ')' after a parameter, but found " + now().shown());
  }
  cursor_.advance();
}

void ProgramParser::parameter() {
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

void ProgramParser::skipHint() {
  while (!now().is(",") && !now().is(")") && !now().is("=") && !now().is(":") &&
         now().kind != Token::Kind::newline && now().kind != Token::Kind::end) {
    if (now().is("(") || now().is("["))
      skipBalanced();
    else
      cursor_.advance();
  }
}

}  // namespace fusebench
