// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <vector>

#include "engine/language/exported_text.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_parser.h"
#include "engine/language/program_source.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;
using Part = ProgramLayout::Part;

constexpr std::string_view kSizeComment = "Sym(";

bool isSizeComment(std::string_view hint) {
  return hint.starts_with(kSizeComment) && hint.ends_with(')');
}

/// The type that a comment states, if its extents are numbers.
std::optional<ValueType> commentedType(std::string_view hint) {
  const std::optional<TypeComment> comment = readTypeComment(hint);
  if (!comment || comment->extents.size() > static_cast<std::size_t>(kMaxRank)) return std::nullopt;
  ValueType type;
  type.dtype = comment->dtype;
  for (const std::string& extent : comment->extents) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(extent.data(), extent.data() + extent.size(), number);
    if (error != std::errc() || end != extent.data() + extent.size() || number < 0)
      return std::nullopt;
    type.shape.push(number);
  }
  return type;
}

}  // namespace

bool ProgramParser::isMain(std::size_t token) const {
  if (layout_.mainPart < 0) return false;
  const Part& main = layout_.parts[static_cast<std::size_t>(layout_.mainPart)];
  const auto is = [&](const Part& part) {
    return static_cast<int>(token) >= part.begin && static_cast<int>(token) <= part.word;
  };
  if (is(main)) return true;
  return layout_.mainMember >= 0 && is(main.members[static_cast<std::size_t>(layout_.mainMember)]);
}

const Part* ProgramParser::otherPart() const {
  const auto found = layout_.starts.find(static_cast<int>(cursor_.position()));
  if (found == layout_.starts.end()) return nullptr;
  const auto [index, member] = found->second;
  const Part& part = layout_.parts[static_cast<std::size_t>(index)];
  if (index != layout_.mainPart) return member < 0 ? &part : nullptr;
  if (member < 0 || member == layout_.mainMember) return nullptr;
  return &part.members[static_cast<std::size_t>(member)];
}

void ProgramParser::define(const Part& part) {
  const auto begin = static_cast<std::size_t>(part.begin);
  if (!defined_[begin]) {
    defined_[begin] = true;
    cursor_.seek(begin);
    bindPart(part);
  }
  cursor_.seek(static_cast<std::size_t>(part.end));
}

/// Whether the header of a function or a class ends its line and no indented line follows. That is
/// a syntax error even if nothing uses the part.
bool ProgramParser::lacksBlock(const Part& part) const {
  auto at = static_cast<std::size_t>(part.word);
  while (at + 1 < tokens_.size() && tokens_[at].kind != Token::Kind::newline) ++at;
  return at > 0 && tokens_[at - 1].is(":") && at + 1 < tokens_.size() &&
         tokens_[at + 1].kind != Token::Kind::indent;
}

/// An error in a function or a class is reported where the program uses it.
void ProgramParser::bindPart(const Part& part) {
  try {
    evaluator_.execute(parser_.statement());
  } catch (const ProgramError& error) {
    if (lacksBlock(part)) return failAhead(error);
    names_.bound[part.name] = PythonValue::outsideOf(error.what(), error.place());
  }
}

void ProgramParser::defineLater() {
  const std::size_t back = cursor_.position();
  for (std::size_t i = 0; i < layout_.parts.size(); ++i) {
    const Part& part = layout_.parts[i];
    if (static_cast<int>(i) == layout_.mainPart || part.begin < static_cast<int>(back)) continue;
    bool& done = defined_[static_cast<std::size_t>(part.begin)];
    if (std::exchange(done, true)) continue;
    cursor_.seek(static_cast<std::size_t>(part.begin));
    bindPart(part);
  }
  cursor_.seek(back);
}

void ProgramParser::beginBlock() {
  cursor_.expect(":", "at the end of the header");
  if (now().kind != Token::Kind::newline) return;
  cursor_.advance();
  blockAllowed_ = true;
}

void ProgramParser::with() {
  const Token word = now();
  cursor_.advance();
  ast::Statement header;
  header.kind = ast::Statement::Kind::with;
  header.place = word.place;
  header.begin = word.begin;
  do {
    header.values.push_back(parser_.expression());
    ast::ExpressionPtr bound;
    if (cursor_.accept("as")) {
      bound = std::make_unique<ast::Expression>();
      bound->text = parser_.nameToBind();
    }
    header.targets.push_back(std::move(bound));
  } while (cursor_.accept(","));
  evaluator_.noteContexts(header);
  const BuildModes modes = evaluator_.modesIn(header);
  beginBlock();
  const BuildModes before = builder_.setModes(modes);
  if (blockAllowed_) {
    modes_.push_back({depth_, before});
    return;
  }
  statement();
  builder_.setModes(before);
}

void ProgramParser::classHeader() {
  const Part& main = layout_.parts[static_cast<std::size_t>(layout_.mainPart)];
  defineLater();
  ast::Statement made;
  made.kind = ast::Statement::Kind::classType;
  made.place = now().place;
  cursor_.advance();
  made.text = parser_.nameToBind();
  made.values = parser_.bases();
  beginBlock();
  const std::size_t back = cursor_.position();
  std::vector<std::pair<std::string, PythonValue>> wrong;
  // Everything in the class except the program's function, at any position.
  const Part& own = main.members[static_cast<std::size_t>(layout_.mainMember)];
  if (now().kind == Token::Kind::indent) cursor_.advance();
  while (static_cast<int>(cursor_.position()) < main.end && now().kind != Token::Kind::dedent &&
         now().kind != Token::Kind::end) {
    const std::size_t begin = cursor_.position();
    if (now().kind == Token::Kind::newline) {
      cursor_.advance();
      continue;
    }
    if (static_cast<int>(begin) == own.begin) {
      cursor_.seek(static_cast<std::size_t>(own.end));
      continue;
    }
    try {
      made.body.push_back(parser_.statement());
    } catch (const ProgramError& error) {
      // It is reported where the program uses it.
      bool skipped = false;
      for (const Part& member : main.members)
        if (member.begin == static_cast<int>(begin)) {
          wrong.emplace_back(member.name, PythonValue::outsideOf(error.what(), error.place()));
          cursor_.seek(static_cast<std::size_t>(member.end));
          skipped = true;
        }
      if (!skipped) failAhead(error);
      if (cursor_.position() <= begin) skipLine();
    }
    defined_[begin] = true;
  }
  cursor_.seek(back);
  evaluator_.execute(made);
  type_ = names_.bound[made.text];
  for (const auto& [name, value] : wrong) type_.object->attributes[name] = value;
}

void ProgramParser::function() {
  if (now().is("async"))
    failProgram(now().place, "found 'async'; asynchronous code is not supported");
  if (!type_.object) defineLater();
  cursor_.advance();
  const Token name = now();
  parser_.nameToBind();
  cursor_.expect("(", "after the function's name");
  const std::vector<ast::Parameter> parameters = parser_.parameters(")");
  if (cursor_.accept("->")) parser_.skipHint();
  const auto before = names_.bound;
  const bool earlier = program_.valueCount() > 0;  // lines before it compute values
  aroundLater(name.value);
  takeCall(parameters);
  // Values that lines around the program compute come behind its inputs.
  const bool computes = program_.valueCount() > 0;
  if (computes) {
    chooseComputing();
    const std::vector<ProgramNote> notes = std::move(program_.notes);
    program_ = {};
    program_.notes = notes;
    evaluator_.forgetPending();
    builder_.forgetTypes();
  }
  takeGlobals(before, computes);
  for (const ast::Parameter& parameter : parameters)
    if (!isSizeComment(parameter.hint)) declare(parameter, &parameter == &parameters.front());
  bindSizes(parameters);
  if (computes) {
    auto own = std::exchange(names_.bound, before);
    given_.clear();
    around_ = {layout_.drivers, {}, {}, false};
    if (earlier) aroundEarlier();
    const auto again = names_.bound;
    aroundLater(name.value);
    takeCall(parameters);
    takeGlobals(again, false);
    names_.bound = std::move(own);
  }
  names_.declared = true;
  if (type_.object && names_.bound.contains("self")) makeModule(name.place);
  evaluator_.setPreparing(false);
  evaluator_.setClass(type_.object);
  names_.assigned = assignedByProgram();
  beginBlock();
}

/// The names that the program's function binds; null: it cannot be read as a whole.
std::shared_ptr<const std::set<std::string, std::less<>>> ProgramParser::assignedByProgram() {
  const std::size_t back = cursor_.position();
  const Part& main = layout_.parts[static_cast<std::size_t>(layout_.mainPart)];
  const Part& own =
      layout_.mainMember >= 0 ? main.members[static_cast<std::size_t>(layout_.mainMember)] : main;
  std::shared_ptr<const std::set<std::string, std::less<>>> names;
  cursor_.seek(static_cast<std::size_t>(own.word));
  try {
    const ast::Statement whole = parser_.statement();
    if (whole.function) names = assignedIn(whole.function->body);
  } catch (const ProgramError&) {  // said where the line is read
  }
  cursor_.seek(back);
  return names;
}

/// Names around the function are what its helpers see, too. `again`: they are read once more.
void ProgramParser::takeGlobals(const std::map<std::string, PythonValue, std::less<>>& before,
                                bool again) {
  if (again) {
    names_.bound = before;
    object_ = {};
  }
  if (object_.object) {
    evaluator_.nameHeld(object_, "", std::string(kInstanceName));
    std::erase_if(names_.bound,
                  [this](const auto& each) { return each.second.object == object_.object; });
  }
  evaluator_.nameHeldIn(names_);
  for (auto& [bound, value] : names_.bound) evaluator_.globals().bound[bound] = value;
  names_.bound.clear();
}

/// The program is its module's forward, without what hooks would do before and behind it.
void ProgramParser::refuseHooks(const PythonValue& module) {
  for (const char* kind : {"_forward_pre_hooks", "_forward_hooks"}) {
    const auto found = module.object->attributes.find(kind);
    if (found == module.object->attributes.end() || found->second.items().empty()) continue;
    failProgram(found->second.items().front().place,
                "a hook of the module that is the program itself is not supported; add a function "
                "after it that calls the module, such as def program(x): return model(x)");
  }
}

/// The value of an expression outside of the program's function, which does not see its arguments.
PythonValue ProgramParser::outsideValue(const ast::Expression& e) {
  auto own = std::exchange(names_.bound, {});
  PythonValue value = evaluator_.evaluate(e);
  names_.bound = std::move(own);
  return value;
}

void ProgramParser::makeModule(SourcePlace place) {
  try {
    if (object_.object) {
      names_.bound["self"] = object_;
    } else if (layout_.made >= 0 && !layout_.madeWithin) {
      const std::size_t back = cursor_.position();
      cursor_.seek(static_cast<std::size_t>(layout_.made));
      const ast::ExpressionPtr call = parser_.expression();
      cursor_.seek(back);
      PythonValue made = outsideValue(*call);
      names_.bound["self"] = std::move(made);
    } else {
      names_.bound["self"] = evaluator_.instantiate(type_, {}, place);
    }
    refuseHooks(names_.bound["self"]);
    evaluator_.nameHeld(names_.bound["self"], "", std::string(kInstanceName));
    if (record_) {
      record_->prepares = around_.prepares;
      record_->instance = true;
      record_->module = Evaluator::isModule(names_.bound["self"]);
      record_->modes[std::string(kInstanceName)] =
          evaluator_.modesWithin(names_.bound["self"], place);
    }
  } catch (const ProgramError& error) {
    const std::string_view what = error.what();
    const bool missing = layout_.made < 0 && what.find("is missing its argument") != what.npos;
    failAhead(
        missing
            ? ProgramError(
                  error.place(),
                  std::string(what) +
                      "; give it a default, or add a line after the class that creates the module")
            : error);
  }
}

void ProgramParser::declare(const ast::Parameter& parameter, bool first) {
  const std::string& name = parameter.name;
  const bool self = name == "self" || name == "cls";
  if (self && first) {
    names_.bound[name] = PythonValue::pathOf(name, parameter.place);
    return;
  }
  if (declareGiven(parameter)) return;
  if (parameter.kind == ast::Parameter::Kind::args)
    failProgram(parameter.place,
                "how many arguments *" + name +
                    " takes is not known; write them out, or call the function behind it");
  PythonValue fallback;
  if (parameter.fallback) fallback = outsideValue(*parameter.fallback);
  // An argument that may be left out, and is, where the inputs are known.
  if (parameter.fallback && fallback.kind == Kind::none && !builder_.mayBeInput(name)) {
    names_.bound[name] = fallback;
    return;
  }
  // A parameter with a number or the like as default is that number; a tensor otherwise.
  if (fallback.kind != Kind::none && fallback.kind != Kind::held) {
    names_.bound[name] = fallback;
    return;
  }
  for (std::string_view plain : {"float", "int", "bool", "str"})
    if (parameter.hint == plain)
      failProgram(parameter.place, "parameter " + name + " is a " + parameter.hint +
                                       " without a value; inputs are tensors: "
                                       "give it a default, as in " +
                                       name + ": " + parameter.hint + " = ...");
  names_.bound[name] =
      PythonValue::tensorOf(static_cast<ValueId>(program_.inputs.size()), parameter.place);
  program_.inputs.push_back(name);
  if (const std::optional<ValueType> type = commentedType(parameter.hint))
    builder_.addHint(name, *type);
}

/// Exported graphs take sizes that may change as inputs of their own, `s0: "Sym(s0)"`: here they
/// are extents of the tensors whose comments name them.
void ProgramParser::bindSizes(const std::vector<ast::Parameter>& parameters) {
  for (const ast::Parameter& size : parameters) {
    if (!isSizeComment(size.hint)) continue;
    const std::string symbol =
        size.hint.substr(kSizeComment.size(), size.hint.size() - kSizeComment.size() - 1);
    for (const ast::Parameter& tensor : parameters) {
      const std::optional<TypeComment> type = readTypeComment(tensor.hint);
      if (!type) continue;
      const auto at = std::ranges::find(type->extents, symbol);
      if (at == type->extents.end()) continue;
      const auto dim = static_cast<int>(at - type->extents.begin());
      names_.bound[size.name] = builder_.sizeValue(
          program_.sizes.extent(names_.bound[tensor.name].value, dim), size.place);
      break;
    }
    if (!names_.bound.contains(size.name))
      failProgram(size.place, "no input has a dimension of the size " + symbol +
                                  "; write its number in place of " + size.name);
  }
}

}  // namespace fusebench
