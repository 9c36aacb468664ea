// SPDX-License-Identifier: GPL-3.0-or-later
// Classes that @dataclass makes: their fields, objects made from these, and the functions of
// Python's dataclasses.
#include <algorithm>
#include <functional>
#include <string_view>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using DataKind = PythonValue::Kind;

constexpr std::string_view kPackage = "dataclasses.";
/// What field(...) gives until its class is made.
constexpr std::string_view kFieldMark = "dataclasses.field";

/// A name of the package, with or without the package before it; empty: it is none.
std::string_view ownName(std::string_view path) {
  if (path.starts_with(kPackage)) return path.substr(kPackage.size());
  return path == "dataclass" || path == "field" ? path : std::string_view();
}

/// Whether an annotation is of this kind: "ClassVar[int]", "typing.ClassVar".
bool annotates(std::string_view annotation, std::string_view kind) {
  if (annotation.starts_with('"') || annotation.starts_with('\'')) annotation.remove_prefix(1);
  const std::string_view word = annotation.substr(0, annotation.find_first_of("[ \"'"));
  const std::size_t dot = word.rfind('.');
  return (dot == std::string_view::npos ? word : word.substr(dot + 1)) == kind;
}

const PythonValue* givenTo(const PythonValue& field, std::string_view keyword) {
  for (const auto& [key, value] : field.object->entries)
    if (key.text == keyword) return &value;
  return nullptr;
}

void addField(DataClass& data, DataField field) {
  const auto known = std::ranges::find(data.fields, field.name, &DataField::name);
  if (known == data.fields.end())
    data.fields.push_back(std::move(field));
  else
    *known = std::move(field);
}

}  // namespace

void refuseOrder(const DataClass& data, const std::string& name, SourcePlace place) {
  const DataField* before = nullptr;
  for (const DataField& field : data.fields) {
    if (!field.init || field.keywordOnly) continue;
    const bool optional = field.hasFallback || field.factory.kind != DataKind::none;
    if (before && !optional)
      failProgram(place, "the field '" + field.name + "' of " + name +
                             " has no default but follows '" + before->name + "', which has one");
    if (optional) before = &field;
  }
}

void Evaluator::decorateClass(PythonObject& type, const ast::Statement& s) {
  const auto decorator = std::ranges::find_if(
      s.decorations, [this](const auto& each) { return ownName(pathOf(*each)) == "dataclass"; });
  if (decorator == s.decorations.end()) return;
  auto data = std::make_shared<DataClass>();
  bool keywordOnly = false;
  for (const ast::Trailer& trailer : (*decorator)->trailers) {
    if (trailer.kind != ast::Trailer::Kind::call) continue;
    for (const CallArgument& each : arguments(trailer)) {
      const bool holds = truth(each.value, each.place, each.keyword);
      if (each.keyword == "frozen") data->frozen = holds;
      if (each.keyword == "init") data->init = holds;
      if (each.keyword == "eq") data->equal = holds;
      if (each.keyword == "kw_only") keywordOnly = holds;
    }
  }
  for (auto base = type.bases.rbegin(); base != type.bases.rend(); ++base)
    if (const DataClass* const inherited = dataOf(*base))
      for (const DataField& field : inherited->fields) addField(*data, field);
  addOwnFields(type, s, *data, keywordOnly);
  refuseOrder(*data, type.name, s.place);
  type.data = std::move(data);
}

void Evaluator::addOwnFields(PythonObject& type, const ast::Statement& s, DataClass& data,
                             bool keywordOnly) {
  for (const ast::Statement& line : s.body) {
    if (line.kind != ast::Statement::Kind::annotated ||
        line.targets.front()->kind != ast::Expression::Kind::name ||
        annotates(line.text, "ClassVar"))
      continue;
    if (annotates(line.text, "KW_ONLY")) {
      keywordOnly = true;
      continue;
    }
    step(line.place);
    DataField field{.name = line.targets.front()->text};
    field.keywordOnly = keywordOnly;
    field.stored = !annotates(line.text, "InitVar");
    const auto own = type.attributes.find(field.name);
    if (own != type.attributes.end() && own->second.text == kFieldMark) {
      const PythonValue made = own->second;
      type.attributes.erase(own);
      if (const PythonValue* const fallback = givenTo(made, "default")) {
        field.hasFallback = true;
        field.fallback = type.attributes[field.name] = *fallback;
      }
      if (const PythonValue* const factory = givenTo(made, "default_factory"))
        field.factory = *factory;
      if (const PythonValue* const init = givenTo(made, "init"))
        field.init = truth(*init, line.place, "init");
      if (const PythonValue* const only = givenTo(made, "kw_only"))
        field.keywordOnly = truth(*only, line.place, "kw_only");
    } else if (own != type.attributes.end()) {
      field.hasFallback = true;
      field.fallback = own->second;
    }
    const bool shared =
        !data.tuple && (field.fallback.kind == DataKind::dict ||
                        (field.fallback.kind == DataKind::list && !field.fallback.tuple));
    if (shared)
      failProgram(line.place, "the default of the field '" + field.name + "' is " +
                                  field.fallback.shown() +
                                  ", which all objects would share; write "
                                  "field(default_factory=lambda: ...)");
    addField(data, std::move(field));
  }
}

const PythonObject* Evaluator::madeByFields(const PythonObject& type) {
  const PythonObject* found = nullptr;
  comesFrom(&type, [&](const PythonObject& each) {
    const bool own = each.attributes.contains("__init__");
    if (!own && each.data && each.data->init) found = &each;
    return own || found != nullptr;
  });
  return found;
}

const DataClass* Evaluator::dataOf(const std::shared_ptr<PythonObject>& type) {
  const DataClass* found = nullptr;
  if (!type) return found;
  comesFrom(type.get(), [&](const PythonObject& each) {
    found = each.data.get();
    return found != nullptr;
  });
  return found;
}

std::map<std::string_view, PythonValue> Evaluator::givenFields(
    const std::string& shown, const DataClass& data, const std::vector<CallArgument>& arguments,
    SourcePlace place) {
  std::map<std::string_view, PythonValue> given;
  std::size_t next = 0;
  const auto takesNext = [&] {
    while (next < data.fields.size() && (!data.fields[next].init || data.fields[next].keywordOnly))
      ++next;
    return next < data.fields.size();
  };
  for (const CallArgument& argument : arguments) {
    search(place, data.fields.size());
    if (argument.keyword.empty()) {
      if (!takesNext()) {
        const auto count = std::ranges::count_if(
            data.fields, [](const DataField& each) { return each.init && !each.keywordOnly; });
        failProgram(argument.place, shown + " takes at most " + std::to_string(count) +
                                        (count == 1 ? " argument" : " arguments"));
      }
      given[data.fields[next++].name] = argument.value;
      continue;
    }
    const auto named = std::ranges::find_if(data.fields, [&](const DataField& each) {
      return each.init && each.name == argument.keyword;
    });
    if (named == data.fields.end())
      failProgram(argument.place, shown + " has no argument '" + argument.keyword + "'");
    if (!given.emplace(named->name, argument.value).second)
      failProgram(argument.place, shown + " got '" + argument.keyword + "' twice");
  }
  return given;
}

void Evaluator::makeFromFields(const PythonValue& made, const DataClass& data,
                               std::vector<CallArgument> arguments, SourcePlace place) {
  const std::string shown = made.object->type->name + "(...)";
  const auto given = givenFields(shown, data, arguments, place);
  std::vector<CallArgument> passed;  // to __post_init__
  for (const DataField& field : data.fields) {
    step(place);
    PythonValue value;
    if (const auto found = given.find(field.name); found != given.end())
      value = found->second;
    else if (field.factory.kind != DataKind::none)
      value = call(field.factory, {}, place);
    else if (field.hasFallback)
      value = field.fallback;
    else if (field.init)
      failProgram(place, shown + " is missing its argument '" + field.name + "'");
    else
      continue;
    refuseCycle(value, *made.object, place);
    if (field.stored)
      putAttribute(*made.object, field.name, value, place);
    else
      passed.push_back({"", value, place});
  }
  if (classAttribute(made.object->type, "__post_init__"))
    callFunction(bindMethod(made, "__post_init__", place), std::move(passed), place);
}

/// dataclasses.asdict and astuple: a copy in which objects of dataclasses are dicts or tuples.
PythonValue Evaluator::plainData(const PythonValue& value, bool tuple, SourcePlace place) {
  const Deeper deeper(*this, place);
  step(place);
  if (value.kind == DataKind::list) {
    std::vector<PythonValue> items;
    for (const PythonValue& each : iterated(value, place))
      items.push_back(plainData(each, tuple, place));
    return PythonValue::listOf(std::move(items), value.tuple, place);
  }
  PythonValue made;
  made.kind = DataKind::dict;
  made.place = place;
  made.object = std::make_shared<PythonObject>();
  if (value.kind == DataKind::dict) {
    for (const auto& [key, each] : value.object->entries)
      made.object->entries.emplace_back(key, plainData(each, tuple, place));
    return made;
  }
  const DataClass* const data =
      value.kind == DataKind::instance ? dataOf(value.object->type) : nullptr;
  if (!data) return value;
  std::vector<PythonValue> items;
  for (const DataField& field : data->fields) {
    if (!field.stored) continue;
    const PythonValue one = plainData(attribute(value, field.name, place, false), tuple, place);
    if (tuple)
      items.push_back(one);
    else
      made.object->entries.emplace_back(PythonValue::textOf(field.name, place), one);
  }
  return tuple ? PythonValue::listOf(std::move(items), true, place) : made;
}

bool Evaluator::dataclassCall(const std::string& path, std::vector<CallArgument>& arguments,
                              SourcePlace place, PythonValue& result) {
  if (path == "object.__setattr__" && arguments.size() == 3 &&
      arguments[0].value.kind == DataKind::instance) {
    refuseCycle(arguments[2].value, *arguments[0].value.object, place);
    putAttribute(*arguments[0].value.object, arguments[1].value.text, arguments[2].value, place);
    return true;
  }
  const std::string_view name = ownName(path);
  if (name.empty()) return false;
  if (name == "field") {
    result.kind = DataKind::dict;
    result.text = kFieldMark;
    result.place = place;
    result.object = std::make_shared<PythonObject>();
    for (const CallArgument& each : arguments) {
      if (each.keyword.empty()) failProgram(each.place, "field(...) takes arguments by name");
      result.object->entries.emplace_back(PythonValue::textOf(each.keyword, place), each.value);
    }
    return true;
  }
  if (arguments.empty()) failProgram(place, path + " needs an argument");
  const PythonValue of = arguments.front().value;
  const DataClass* data = of.kind == DataKind::instance ? dataOf(of.object->type)
                          : of.kind == DataKind::type   ? dataOf(of.object)
                                                        : nullptr;
  if (data && data->tuple) data = nullptr;
  if (name == "is_dataclass") {
    result = PythonValue::flagOf(data != nullptr, place);
    return true;
  }
  if (!data || (of.kind == DataKind::type && name != "fields"))
    failProgram(place, path + " takes a dataclass instance, not " + of.shown());
  if (name == "asdict" || name == "astuple") {
    result = plainData(of, name == "astuple", place);
    return true;
  }
  if (name == "fields") {
    PythonValue type;
    type.kind = DataKind::type;
    type.object = std::make_shared<PythonObject>();
    type.object->name = "Field";
    std::vector<PythonValue> all;
    for (const DataField& field : data->fields) {
      if (!field.stored) continue;
      PythonValue one = instantiate(type, {}, place);
      putAttribute(*one.object, "name", PythonValue::textOf(field.name, place), place);
      putAttribute(*one.object, "init", PythonValue::flagOf(field.init, place), place);
      if (field.hasFallback) putAttribute(*one.object, "default", field.fallback, place);
      all.push_back(std::move(one));
    }
    result = PythonValue::listOf(std::move(all), true, place);
    return true;
  }
  if (name != "replace") failProgram(place, path + " is not supported");
  std::vector<CallArgument> changed(arguments.begin() + 1, arguments.end());
  for (const DataField& field : data->fields) {
    const bool changes = std::ranges::any_of(
        changed, [&](const CallArgument& each) { return each.keyword == field.name; });
    if (changes && !field.init)
      failProgram(place,
                  "replace cannot set '" + field.name + "', which is not an argument of the class");
    if (!changes && field.init && field.stored)
      changed.push_back({field.name, attribute(of, field.name, place, false), place});
  }
  PythonValue type;
  type.kind = DataKind::type;
  type.object = of.object->type;
  result = instantiate(type, std::move(changed), place);
  return true;
}

}  // namespace fusebench
