// SPDX-License-Identifier: GPL-3.0-or-later
// What ProgramParser makes of the lines around a program: its inputs, its constants, its notes.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "engine/language/computing_text.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_parser.h"
#include "engine/language/program_script.h"
#include "engine/language/program_source.h"

namespace fusebench {
namespace {

using AroundKind = PythonValue::Kind;

std::string linesText(int first, int last) {
  return first == last ? fmt::format("line {}", first) : fmt::format("lines {} to {}", first, last);
}

/// Nesting of lists and dicts whose tensors are looked for.
constexpr int kDeepestParts = 8;

/// Whether a list or a dict has tensors in it.
bool holdsTensors(const PythonValue& value, int depth = 0) {
  const auto holds = [&](const PythonValue& item) {
    return item.kind == AroundKind::held || item.isTensor() || holdsTensors(item, depth + 1);
  };
  if (depth > kDeepestParts || !value.object) return false;
  if (value.kind == AroundKind::list)
    return !value.object->type && std::ranges::any_of(value.items(), holds);
  return value.kind == AroundKind::dict &&
         std::ranges::any_of(value.object->entries,
                             [&](const auto& entry) { return holds(entry.second); });
}

/// The name of an input that is an item of a list or of a dict.
std::string partName(const std::string& name, std::string key) {
  for (char& c : key)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name + "_" + key;
}

/// Visits the items of a list or of a dict, which is copied, with the names of inputs for them.
template <class Visit>
void forEachPart(const std::string& name, PythonValue& value, const Visit& visit) {
  const std::shared_ptr<PythonObject> before = value.object;
  value.object = std::make_shared<PythonObject>();
  value.object->items = before->items;
  value.object->entries = before->entries;
  value.object->attributes = before->attributes;
  for (std::size_t i = 0; i < value.object->items.size(); ++i)
    visit(partName(name, std::to_string(i)), value.object->items[i]);
  for (auto& [key, item] : value.object->entries)
    visit(partName(name, key.kind == AroundKind::text
                             ? key.text
                             : std::to_string(static_cast<std::int64_t>(key.number))),
          item);
}

}  // namespace

std::optional<std::string> literalOf(const PythonValue& value, int depth) {
  switch (value.kind) {
    case AroundKind::number:
      return value.integer ? std::to_string(static_cast<std::int64_t>(value.number))
                           : "float('" + shownFloat(value.number) + "')";
    case AroundKind::flag:
      return value.number != 0 ? "True" : "False";
    case AroundKind::none:
      return "None";
    case AroundKind::path:
      return value.text.starts_with("torch.") ? std::optional(value.text) : std::nullopt;
    case AroundKind::text: {
      std::string made = "'";
      for (const char c : value.text) {
        if (c == '\'' || c == '\\') made += '\\';
        if (static_cast<unsigned char>(c) < ' ') return std::nullopt;
        made += c;
      }
      return made + "'";
    }
    case AroundKind::list: {
      if (depth > 8) return std::nullopt;
      std::string made = value.tuple ? "(" : "[";
      for (const PythonValue& item : value.items()) {
        const std::optional<std::string> one = literalOf(item, depth + 1);
        if (!one) return std::nullopt;
        made += *one + ", ";
      }
      return made + (value.tuple ? ")" : "]");
    }
    default:
      return std::nullopt;
  }
}

bool ProgramParser::isAround() const {
  if (layout_.mainPart < 0) return false;
  const auto& main = layout_.parts[static_cast<std::size_t>(layout_.mainPart)];
  const auto at = static_cast<int>(cursor_.position());
  return at < main.begin || at >= main.end;
}

/// Goes past a statement that cannot be read, with its block.
void ProgramParser::skipStatement() {
  skipLine();
  if (now().kind != Token::Kind::indent) return;
  int depth = 0;
  do {
    depth += now().kind == Token::Kind::indent ? 1 : now().kind == Token::Kind::dedent ? -1 : 0;
    cursor_.advance();
  } while (depth > 0 && now().kind != Token::Kind::end);
}

/// Adds the names that a function, or a class around its functions, takes from outside of it.
void ProgramParser::addMentioned(int begin, int end,
                                 std::set<std::string, std::less<>>& names) const {
  std::set<std::string_view> mentioned, own;
  int depth = 0;
  for (int i = begin; i < end; ++i) {
    const Token& token = tokens_[static_cast<std::size_t>(i)];
    depth += token.is("(") || token.is("[") || token.is("{") ? 1 : 0;
    depth -= token.is(")") || token.is("]") || token.is("}") ? 1 : 0;
    if (token.kind != Token::Kind::name ||
        (i > 0 && tokens_[static_cast<std::size_t>(i) - 1].is(".")))
      continue;
    if (tokens_[static_cast<std::size_t>(i) + 1].is("="))
      own.insert(depth == 0 ? std::string_view(token.value) : std::string_view());
    else
      mentioned.insert(token.value);
  }
  const bool isFunction = tokens_[static_cast<std::size_t>(begin)].is("def");
  for (int i = begin + 2, open = 0; isFunction && i < end; ++i) {
    const Token& token = tokens_[static_cast<std::size_t>(i)];
    const Token& last = tokens_[static_cast<std::size_t>(i) - 1];
    open += token.is("(") ? 1 : token.is(")") ? -1 : 0;
    if (open == 0) break;
    if (open == 1 && token.kind == Token::Kind::name &&
        (last.is("(") || last.is(",") || last.is("*") || last.is("**")))
      own.insert(token.value);
  }
  for (const std::string_view each : mentioned)
    if (!own.contains(each)) names.emplace(each);
}

/// The names that a statement binds or changes, and all that it mentions.
ProgramParser::Computing ProgramParser::namesIn(std::size_t begin, std::size_t end) const {
  Computing found;
  std::vector<std::string> line;
  int depth = 0;
  bool assigned = false, loops = false;
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    depth += token.is("(") || token.is("[") || token.is("{") ? 1 : 0;
    depth -= token.is(")") || token.is("]") || token.is("}") ? 1 : 0;
    if (token.is("for")) loops = true;
    const bool binds =
        (depth == 0 && (token.is("=") || !augmented(token).empty())) || (loops && token.is("in"));
    if (binds) {
      found.targets.insert(line.begin(), line.end());
      assigned = true;
      loops = false;
    }
    if (token.kind == Token::Kind::newline || token.is(":")) {
      // A line that is a call may write to the tensor that it begins with.
      if (!assigned && !line.empty()) found.targets.insert(line.front());
      if (depth > 0) continue;
      line.clear();
      assigned = false;
    }
    if (token.kind != Token::Kind::name || isPythonKeyword(token.value) ||
        (i > begin && tokens_[i - 1].is(".")))
      continue;
    if (!assigned) line.push_back(token.value);
    found.mentions.insert(token.value);
  }
  return found;
}

/// Chooses lines that compute tensors only for arguments of the program's call. They are left out
/// when the lines are read once more, because the arguments are inputs.
void ProgramParser::chooseComputing() {
  std::set<std::string, std::less<>> needed;
  for (const ProgramLayout::Part& part : layout_.parts) {
    if (layout_.drivers.contains(part.name)) continue;
    int from = part.word;
    for (const ProgramLayout::Part& member : part.members) {
      addMentioned(from, member.begin, needed);
      addMentioned(member.word, member.end, needed);
      from = member.end;
    }
    addMentioned(from, part.end, needed);
  }
  for (auto line = computing_.rbegin(); line != computing_.rend(); ++line) {
    const Computing& names = line->second;
    // A line that makes a model, or calls a method of one, prepares it.
    const bool kept = std::ranges::any_of(names.targets, [&](const std::string& name) {
      const auto bound = names_.bound.find(name);
      return needed.contains(name) ||
             (bound != names_.bound.end() && bound->second.kind == AroundKind::instance);
    });
    if (kept)
      needed.insert(names.mentions.begin(), names.mentions.end());
    else
      skipped_.insert(line->first);
  }
}

/// One statement outside of functions that is not the program's.
void ProgramParser::around() {
  const Token first = now();
  const std::size_t begin = cursor_.position();
  if (skipped_.contains(begin)) {
    skipStatement();
    for (const std::string& name : namesIn(begin, cursor_.position()).targets)
      names_.bound[name] = PythonValue::outsideOf({}, first.place);
    return;
  }
  ast::Statement read;
  try {
    read = parser_.statement();
  } catch (const ProgramError& error) {
    cursor_.seek(begin);
    skipStatement();
    around_.left.push_back({first.place.line, cursor_.last().place.line, error.what()});
    return;
  }
  aroundFirst_ =
      aroundFirst_ == 0 || first.place.line < aroundFirst_ ? first.place.line : aroundFirst_;
  aroundLast_ = std::max(aroundLast_, cursor_.last().place.line);
  Surroundings* const before = evaluator_.setSurroundings(&around_);
  const std::size_t ops = program_.ops.size();
  try {
    evaluator_.execute(read);
    if (program_.ops.size() > ops) computing_[begin] = namesIn(begin, cursor_.position());
  } catch (...) {
    evaluator_.setSurroundings(before);
    throw;
  }
  evaluator_.setSurroundings(before);
}

/// Reads the lines before the program's function once more: what they computed was given up.
void ProgramParser::aroundEarlier() {
  const std::size_t back = cursor_.position();
  const auto& main = layout_.parts[static_cast<std::size_t>(layout_.mainPart)];
  cursor_.seek(0);
  while (now().kind != Token::Kind::end && static_cast<int>(cursor_.position()) < main.begin) {
    const Token::Kind kind = now().kind;
    if (const ProgramLayout::Part* part = otherPart())
      cursor_.seek(static_cast<std::size_t>(part->end));
    else if (kind == Token::Kind::newline || kind == Token::Kind::indent ||
             kind == Token::Kind::dedent)
      cursor_.advance();
    else
      around();
  }
  cursor_.seek(back);
}

/// Reads the lines behind the program's function, which may make its object and call it.
void ProgramParser::aroundLater(const std::string& name) {
  const std::size_t back = cursor_.position();
  const auto& main = layout_.parts[static_cast<std::size_t>(layout_.mainPart)];
  PythonValue marked = PythonValue::pathOf(std::string(kProgramPath), now().place);
  if (type_.object)
    type_.object->attributes[name] = marked;
  else
    names_.bound[name] = marked;
  aroundFirst_ = aroundLast_ = 0;
  cursor_.seek(static_cast<std::size_t>(main.end));
  while (now().kind != Token::Kind::end) {
    const Token::Kind kind = now().kind;
    if (const ProgramLayout::Part* part = otherPart())
      cursor_.seek(static_cast<std::size_t>(part->end));
    else if (kind == Token::Kind::newline || kind == Token::Kind::indent ||
             kind == Token::Kind::dedent)
      cursor_.advance();
    else
      around();
  }
  cursor_.seek(back);
  if (layout_.drivers.contains("main") && around_.calls.empty() && !type_.object)
    return void(names_.bound.erase(name));
  if (type_.object)
    type_.object->attributes.erase(name);
  else
    names_.bound.erase(name);
}

/// The first call of the program among those that were read; null: there is none.
const ProgramCall* ProgramParser::programCall() const {
  for (const ProgramCall& call : around_.calls) {
    if (call.callee.kind == AroundKind::path) return &call;
    if (type_.object && call.callee.kind == AroundKind::instance &&
        call.callee.object->type == type_.object)
      return &call;
  }
  return nullptr;
}

/// Whether a held tensor is one that lines around the program have written to.
bool ProgramParser::isWritten(const PythonValue& value) const {
  return value.kind == AroundKind::held && value.object->input >= 0 &&
         std::ranges::any_of(program_.ops, [&](const Op& op) {
           return op.writesInto() && builder_.rootOf(op.into) == value.object->input;
         });
}

void ProgramParser::takeCall(const std::vector<ast::Parameter>& parameters) {
  const ProgramCall* const call = programCall();
  if (!call && type_.object && layout_.made >= 2 && !layout_.madeWithin) {
    // Lines behind the class make an object of it and may set its mode without a call.
    const auto made = names_.bound.find(tokens_[static_cast<std::size_t>(layout_.made) - 2].value);
    if (made != names_.bound.end() && made->second.kind == AroundKind::instance &&
        made->second.object->type == type_.object)
      object_ = made->second;
  }
  if (!call) return;
  called_ = call;
  if (type_.object && call->callee.kind == AroundKind::instance) object_ = call->callee;
  if (type_.object && call->callee.kind == AroundKind::path && call->callee.self) {
    object_.kind = AroundKind::instance;
    object_.object = call->callee.self;
  }
  std::size_t next = !parameters.empty() && type_.object &&
                             (parameters.front().name == "self" || parameters.front().name == "cls")
                         ? 1
                         : 0;
  for (const CallArgument& each : call->arguments) {
    std::string name = each.keyword;
    if (name.empty()) {
      if (next < parameters.size() && parameters[next].kind == ast::Parameter::Kind::plain)
        name = parameters[next++].name;
      else
        name = "*";
    }
    given_.emplace_back(name, each.value);
    describe(name, given_.back().second, each.place);
  }
}

/// Turns a tensor that the lines compute for the call into one that is known by its form: it is an
/// input like any other. Also those in lists and dicts, which are copied.
void ProgramParser::describe(const std::string& name, PythonValue& value, SourcePlace place) {
  if (holdsTensors(value)) {
    forEachPart(name, value,
                [&](const std::string& part, PythonValue& item) { describe(part, item, place); });
    return;
  }
  if (isWritten(value)) value = PythonValue::tensorOf(value.object->input, place);
  const auto layout = value.isTensor() ? builder_.layoutOf(value.value) : std::nullopt;
  if (!layout) return;
  const auto& extents = layout->view.extents;
  const bool isEmpty = std::find(extents.begin(), extents.end(), 0) != extents.end();
  const std::string code = isEmpty ? std::string() : computingText(program_, value.value);
  if (!code.empty()) codes_[name] = code;
  value = PythonValue();
  value.kind = AroundKind::held;
  value.place = place;
  value.object = std::make_shared<PythonObject>();
  for (const std::int64_t extent : extents) value.object->initial.extents.push(extent);
  value.object->initial.dtype = layout->dtype;
  value.object->initial.kind = InitialValues::Kind::normal;
}

/// The value with its tensors as inputs that are named after where they are in it. `text`: the
/// expression that makes it of these.
PythonValue ProgramParser::givenParts(const std::string& name, PythonValue value, SourcePlace place,
                                      std::string& text) {
  if (value.kind == AroundKind::held || value.kind == AroundKind::outside || value.isTensor()) {
    text += name;
    return givenInput(name, value, place);
  }
  if (!holdsTensors(value)) {
    text += literalOf(value).value_or("None");
    return value;
  }
  const bool dict = value.kind == AroundKind::dict;
  text += dict ? "{" : value.tuple ? "(" : "[";
  std::size_t at = 0;
  forEachPart(name, value, [&](const std::string& part, PythonValue& item) {
    if (dict) text += literalOf(value.object->entries[at++].first).value_or("None") + ": ";
    item = givenParts(part, item, place, text);
    text += ", ";
  });
  text += dict ? "}" : value.tuple ? ")" : "]";
  return value;
}

/// The value that the call passes for a parameter; null: none.
const PythonValue* ProgramParser::givenFor(const std::string& name) const {
  const auto found = std::ranges::find(given_, name, &std::pair<std::string, PythonValue>::first);
  return found == given_.end() ? nullptr : &found->second;
}

/// An input of which the call says what it is like.
PythonValue ProgramParser::givenInput(const std::string& name, const PythonValue& value,
                                      SourcePlace place) {
  const PythonValue made =
      PythonValue::tensorOf(static_cast<ValueId>(program_.inputs.size()), place);
  program_.inputs.push_back(name);
  if (value.kind == AroundKind::held) {
    const InitialValues& initial = value.object->initial;
    const auto code = codes_.find(name);
    const bool isPlain = initial.numbers.size() <= 1 &&
                         initial.kind != InitialValues::Kind::uniform;  // fills have a name for it
    const std::string listed = isPlain ? "" : makingCall(initial).value_or("");
    program_.given.push_back({name, initial.extents, initial.dtype, initial,
                              code == codes_.end() ? listed : code->second, called_->place.line});
  }
  return made;
}

/// A parameter that lines around the program give a value. False: they do not.
bool ProgramParser::declareGiven(const ast::Parameter& parameter) {
  using ParameterKind = ast::Parameter::Kind;
  const std::string& name = parameter.name;
  if (parameter.kind == ParameterKind::args) {
    std::vector<PythonValue> items;
    for (const auto& [to, value] : given_)
      if (to == "*")
        items.push_back(
            value.kind == AroundKind::held || value.kind == AroundKind::outside
                ? givenInput(name + "_" + std::to_string(items.size()), value, parameter.place)
                : value);
    if (!called_) return false;
    names_.bound[name] = PythonValue::listOf(std::move(items), true, parameter.place);
    return true;
  }
  if (parameter.kind == ParameterKind::keywords) {
    PythonValue made;
    made.kind = AroundKind::dict;
    made.object = std::make_shared<PythonObject>();
    names_.bound[name] = made;
    return true;
  }
  const PythonValue* const value = givenFor(name);
  if (!value) {
    if (!called_ || !parameter.fallback || builder_.isHinted(name)) return false;
    names_.bound[name] = evaluator_.evaluate(*parameter.fallback);
    return names_.bound[name].kind != AroundKind::held;
  }
  if (value->kind == AroundKind::held || value->kind == AroundKind::outside) {
    if (value->kind == AroundKind::held && parameter.fallback && !builder_.mayBeInput(name))
      return false;
    names_.bound[name] = givenInput(name, *value, parameter.place);
    return true;
  }
  if (builder_.isHinted(name)) return false;
  if (holdsTensors(*value)) {
    std::string text;
    names_.bound[name] = givenParts(name, *value, parameter.place, text);
    if (record_) record_->constants[name] = text;
    return true;
  }
  names_.bound[name] = *value;
  if (record_)
    if (const std::optional<std::string> text = literalOf(*value)) record_->constants[name] = *text;
  return true;
}

/// Whether lines that are not the program's call backward() and step().
bool ProgramParser::trainsAround() const {
  const auto calls = [&](std::string_view method) {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i)
      if (tokens_[i].is(method) && tokens_[i - 1].is(".") && tokens_[i + 1].is("(")) return true;
    return false;
  };
  return calls("backward") && calls("step");
}

/// Says what was made of lines that are not the program's.
void ProgramParser::noteSurroundings() {
  std::vector<ProgramNote>& notes = program_.notes;
  if (aroundLast_ > 0 && called_) {
    notes.push_back(
        {aroundFirst_,
         fmt::format("{}: they call the program, which gives its inputs, and are left out",
                     linesText(aroundFirst_, aroundLast_))});
  }
  for (const Surroundings::Left& each : around_.left) {
    const bool among = called_ && each.first >= aroundFirst_ && each.last <= aroundLast_;
    if (each.why.empty() || among) continue;
    ProgramNote note{each.first, fmt::format("{}: left out, because {}",
                                             linesText(each.first, each.last), each.why)};
    const bool known =
        std::ranges::any_of(notes, [&](const ProgramNote& had) { return had.text == note.text; });
    if (!known) notes.push_back(std::move(note));
  }
  if (!evaluator_.trainingByDefault().empty()) {
    std::string classes;
    for (const std::string& each : evaluator_.trainingByDefault())
      classes += (classes.empty() ? "" : ", ") + each;
    notes.push_back({0, fmt::format("in training mode, as PyTorch's modules are until .eval(): {}; "
                                    "for inference, add .eval() after the module's constructor",
                                    classes)});
  }
  if (!program_.asksGradients && trainsAround())
    notes.push_back({1, fmt::format("the lines that train are not part of the program; to measure "
                                    "a training step, begin the text with the line \"{}{}\", or "
                                    "give --entry {}",
                                    kEntryComment, kScriptEntry, kScriptEntry)});
  if (layout_.entries.size() > 1) {
    std::string others;
    for (const std::string& each : layout_.entries)
      if (each != layout_.entry) others += (others.empty() ? "" : ", ") + each;
    notes.push_back({1, fmt::format("{} is the program; to run {} instead, begin the text with "
                                    "the line \"{}NAME\", or give --entry",
                                    layout_.entry, others, kEntryComment)});
  }
  std::ranges::stable_sort(notes, {}, &ProgramNote::line);
  program_.entries = layout_.entries;
  program_.entry = layout_.entry;
}

}  // namespace fusebench
