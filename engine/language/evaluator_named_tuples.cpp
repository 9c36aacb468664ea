// SPDX-License-Identifier: GPL-3.0-or-later
// Tuples whose items have names: classes derived from typing.NamedTuple, and those that
// collections.namedtuple makes. Also functools.partial.
#include <algorithm>
#include <string_view>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"
#include "engine/language/text_pieces.h"

namespace fusebench {
namespace {

using TupleKind = PythonValue::Kind;

constexpr std::string_view kPartial = "functools.partial";

bool isNamedTuple(std::string_view path) {
  return path == "typing.NamedTuple";
}

/// The words of "a b" or "a, b".
std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c != ' ' && c != ',')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

const PythonValue* argumentNamed(const std::vector<CallArgument>& arguments, std::size_t place,
                                 std::string_view keyword) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].keyword == keyword || (arguments[i].keyword.empty() && i == place))
      return &arguments[i].value;
  return nullptr;
}

PythonValue namesOfFields(const DataClass& data, SourcePlace place) {
  std::vector<PythonValue> names;
  for (const DataField& field : data.fields)
    names.push_back(PythonValue::textOf(field.name, place));
  return PythonValue::listOf(std::move(names), true, place);
}

}  // namespace

void Evaluator::decorateTuple(PythonObject& type, const ast::Statement& s) {
  const bool derived = std::ranges::any_of(
      s.values, [this](const auto& base) { return isNamedTuple(pathOf(*base)); });
  if (!derived) return;
  auto data = std::make_shared<DataClass>();
  data->tuple = data->frozen = true;
  addOwnFields(type, s, *data, false);
  refuseOrder(*data, type.name, s.place);
  type.data = std::move(data);
}

bool Evaluator::tupleCall(const std::string& path, const std::vector<CallArgument>& arguments,
                          SourcePlace place, PythonValue& result) {
  if (path == kPartial) {
    result = partialOf(arguments, place);
    return true;
  }
  const bool typed = isNamedTuple(path);
  if (!typed && path != "collections.namedtuple") return false;
  const PythonValue* const name = argumentNamed(arguments, 0, "typename");
  const PythonValue* const fields = argumentNamed(arguments, 1, typed ? "fields" : "field_names");
  if (!name || name->kind != TupleKind::text || !fields)
    failProgram(place, path + " takes the name of the class and the names of its fields");
  auto data = std::make_shared<DataClass>();
  data->tuple = data->frozen = true;
  if (fields->kind == TupleKind::text) {
    for (std::string& word : wordsOf(fields->text))
      data->fields.push_back({.name = std::move(word)});
  } else {
    for (const PythonValue& each : iterated(*fields, place)) {
      const PythonValue& word =
          each.kind == TupleKind::list && !each.items().empty() ? each.items().front() : each;
      if (word.kind != TupleKind::text)
        failProgram(place, path + " takes the name of the class and the names of its fields");
      data->fields.push_back({.name = word.text});
    }
  }
  if (const PythonValue* const defaults = argumentNamed(arguments, 100, "defaults");
      defaults && defaults->kind != TupleKind::none) {
    const std::vector<PythonValue> values = iterated(*defaults, place);
    if (values.size() > data->fields.size())
      failProgram(place, path + " got more defaults than field names");
    const std::size_t first = data->fields.size() - values.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
      data->fields[first + i].hasFallback = true;
      data->fields[first + i].fallback = values[i];
    }
  }
  result.kind = TupleKind::type;
  result.place = place;
  result.object = std::make_shared<PythonObject>();
  result.object->name = name->text;
  result.object->data = std::move(data);
  return true;
}

PythonValue Evaluator::makeTuple(const PythonValue& type, const DataClass& data,
                                 const std::vector<CallArgument>& arguments, SourcePlace place) {
  const std::string shown = type.object->name + "(...)";
  const auto given = givenFields(shown, data, arguments, place);
  std::vector<PythonValue> items;
  for (const DataField& field : data.fields) {
    const auto found = given.find(field.name);
    if (found == given.end() && !field.hasFallback)
      failProgram(place, shown + " is missing its argument '" + field.name + "'");
    items.push_back(found != given.end() ? found->second : field.fallback);
  }
  PythonValue made = PythonValue::listOf(std::move(items), true, place);
  made.object->type = type.object;
  return made;
}

bool Evaluator::tupleAttribute(const PythonValue& of, const std::string& name, SourcePlace place,
                               PythonValue& result) {
  const DataClass* const data = of.object ? dataOf(of.object->type) : nullptr;
  if (!data) return false;
  for (std::size_t i = 0; i < data->fields.size() && i < of.items().size(); ++i)
    if (data->fields[i].name == name) {
      result = itemAt(*of.object, i, place);
      return true;
    }
  PythonValue type;
  type.kind = TupleKind::type;
  type.place = place;
  type.object = of.object->type;
  if (name == "__class__") {
    result = type;
    return true;
  }
  if (name == "_replace" || name == "_asdict") return false;
  if (const PythonValue* const found = classAttribute(of.object->type, name)) {
    result = bound(*found, of);
    if (hasDecorator(result, "property")) result = call(result, {}, place);
    return true;
  }
  return tupleClassAttribute(type, name, place, result);
}

bool Evaluator::tupleClassAttribute(const PythonValue& of, const std::string& name,
                                    SourcePlace place, PythonValue& result) {
  const DataClass* const data = dataOf(of.object);
  if (!data || !data->tuple) return false;
  if (name == "_fields") {
    result = namesOfFields(*data, place);
    return true;
  }
  if (name == "_make") {
    result.kind = TupleKind::method;
    result.text = name;
    result.place = place;
    result.object = std::make_shared<PythonObject>();
    result.object->items.push_back(of);
    return true;
  }
  return false;
}

bool Evaluator::tupleMethod(const PythonValue& self, const std::string& name,
                            const std::vector<CallArgument>& arguments, SourcePlace place,
                            PythonValue& result) {
  if (self.kind == TupleKind::type) {  // _make
    std::vector<CallArgument> given;
    if (arguments.size() != 1) failProgram(place, "._make takes the items of the tuple");
    for (PythonValue& each : iterated(arguments.front().value, place))
      given.push_back({"", std::move(each), place});
    result = makeTuple(self, *dataOf(self.object), given, place);
    return true;
  }
  const DataClass* const data = self.object ? dataOf(self.object->type) : nullptr;
  if (!data || (name != "_replace" && name != "_asdict")) return false;
  computeItems(self, place);
  if (name == "_asdict") {
    result.kind = TupleKind::dict;
    result.place = place;
    result.object = std::make_shared<PythonObject>();
    for (std::size_t i = 0; i < data->fields.size(); ++i)
      result.object->entries.emplace_back(PythonValue::textOf(data->fields[i].name, place),
                                          self.items()[i]);
    return true;
  }
  std::vector<CallArgument> given = arguments;
  for (const CallArgument& each : given)
    if (each.keyword.empty()) failProgram(each.place, "._replace takes fields by name");
  for (std::size_t i = 0; i < data->fields.size(); ++i)
    if (std::ranges::none_of(
            given, [&](const CallArgument& each) { return each.keyword == data->fields[i].name; }))
      given.push_back({data->fields[i].name, self.items()[i], place});
  PythonValue type;
  type.kind = TupleKind::type;
  type.object = self.object->type;
  result = makeTuple(type, *data, given, place);
  return true;
}

PythonValue Evaluator::partialOf(const std::vector<CallArgument>& arguments, SourcePlace place) {
  if (arguments.empty() || !arguments.front().keyword.empty())
    failProgram(place, "functools.partial needs a function");
  PythonValue made = PythonValue::pathOf(std::string(kPartial), place);
  made.object = std::make_shared<PythonObject>();
  made.object->items.push_back(arguments.front().value);
  for (auto each = arguments.begin() + 1; each != arguments.end(); ++each)
    made.object->entries.emplace_back(PythonValue::textOf(each->keyword, each->place), each->value);
  return made;
}

PythonValue Evaluator::callPartial(const PythonValue& callee, std::vector<CallArgument> arguments,
                                   SourcePlace place) {
  std::vector<CallArgument> given;
  step(place, callee.object->entries.size());
  for (const auto& [keyword, value] : callee.object->entries) {
    // Arguments that the call gives by name replace those that were kept.
    const std::string& name = keyword.text;
    const bool replaced =
        !name.empty() && std::ranges::any_of(arguments, [&name](const CallArgument& each) {
          return each.keyword == name;
        });
    if (!replaced) given.push_back({name, value, place});
  }
  // Arguments by position come before those by name.
  const auto named =
      std::ranges::find_if(given, [](const CallArgument& each) { return !each.keyword.empty(); });
  const auto own =
      std::stable_partition(arguments.begin(), arguments.end(),
                            [](const CallArgument& each) { return each.keyword.empty(); });
  std::vector<CallArgument> all(given.begin(), named);
  all.insert(all.end(), arguments.begin(), own);
  all.insert(all.end(), named, given.end());
  all.insert(all.end(), own, arguments.end());
  PythonValue function = callee.object->items.front();
  if (function.kind == TupleKind::path) function.place = place;
  return call(function, std::move(all), place);
}

}  // namespace fusebench
