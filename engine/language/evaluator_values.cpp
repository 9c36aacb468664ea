// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <iterator>

#include "engine/language/evaluator.h"
#include "engine/language/expression_text.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

constexpr int kDeepestClass = 30;

PythonValue methodOf(const PythonValue& self, const std::string& name, SourcePlace place) {
  PythonValue method;
  method.kind = Kind::method;
  method.text = name;
  method.place = place;
  if (self.isTensor()) {
    method.value = self.value;
    method.detached = self.detached;
  } else {
    method.object = std::make_shared<PythonObject>();
    method.object->items.push_back(self);
  }
  return method;
}

bool hasDecorator(const PythonValue& function, std::string_view name) {
  if (function.kind != Kind::function) return false;
  const auto& all = function.object->function->decorators;
  return std::find(all.begin(), all.end(), name) != all.end();
}

}  // namespace

const PythonValue* Evaluator::classAttribute(const std::shared_ptr<PythonObject>& type,
                                             std::string_view name) const {
  std::vector<std::pair<const PythonObject*, int>> open{{type.get(), 0}};
  while (!open.empty()) {
    const auto [at, depth] = open.front();
    open.erase(open.begin());
    if (const auto found = at->attributes.find(name); found != at->attributes.end())
      return &found->second;
    if (depth < kDeepestClass)
      for (const auto& base : at->bases) open.emplace_back(base.get(), depth + 1);
  }
  return nullptr;
}

PythonValue Evaluator::bound(const PythonValue& found, const PythonValue& self) const {
  if (found.kind != Kind::function) return found;
  PythonValue method = found;
  if (hasDecorator(found, "staticmethod")) return method;
  if (hasDecorator(found, "classmethod"))
    method.self = self.kind == Kind::instance ? self.object->type : self.object;
  else if (self.kind == Kind::instance)
    method.self = self.object;
  return method;
}

PythonValue Evaluator::attribute(const PythonValue& of, const std::string& name, SourcePlace place,
                                 bool called) {
  switch (of.kind) {
    case Kind::path: {
      PythonValue path = PythonValue::pathOf(of.text + "." + name, of.place);
      if (!called && name == "__name__") return PythonValue::textOf(of.text, place);
      return path;
    }
    case Kind::tensor: {
      if (called) return methodOf(of, name, place);
      if (name == "shape") return tensorSize(of, "size", {}, place);
      if (name == "ndim") return tensorSize(of, "dim", {}, place);
      if (name == "data") {
        PythonValue cut = of;
        cut.detached = true;
        return cut;
      }
      return builder_.attribute(of, name, place);
    }
    case Kind::held: {
      if (called) return methodOf(of, name, place);
      const Shape& extents = of.object->initial.extents;
      if (name == "ndim") return PythonValue::numberOf(extents.rank(), true, place);
      if (name == "shape") {
        std::vector<PythonValue> items;
        for (const std::int64_t extent : extents)
          items.push_back(PythonValue::numberOf(static_cast<double>(extent), true, place));
        return PythonValue::listOf(std::move(items), true, place);
      }
      if (name == "data" && preparing_ == 0) return attribute(settled(of), name, place, called);
      if (name == "data") return of;
      return builder_.attribute(settled(of), name, place);
    }
    case Kind::instance: {
      if (const auto found = of.object->attributes.find(name); found != of.object->attributes.end())
        return found->second;
      // What a ModuleDict holds has names in it.
      if (const auto table = of.object->attributes.find("_table");
          table != of.object->attributes.end() && of.object->type->library)
        for (const auto& [key, value] : table->second.object->entries)
          if (key.kind == Kind::text && key.text == name) return value;
      if (const PythonValue* found = classAttribute(of.object->type, name)) {
        const PythonValue member = bound(*found, of);
        if (hasDecorator(member, "property")) return call(member, {}, place);
        return member;
      }
      if (name == "training") return PythonValue::flagOf(false, place);
      if (name == "__class__") {
        PythonValue type;
        type.kind = Kind::type;
        type.object = of.object->type;
        return type;
      }
      if (called) return methodOf(of, name, place);
      failProgram(place, "there is no self." + name + "; set it in __init__");
    }
    case Kind::superior:
      for (const auto& base : of.object->bases)
        if (const PythonValue* found = classAttribute(base, name)) {
          PythonValue self;
          self.kind = Kind::instance;
          self.object = of.self;
          return bound(*found, self);
        }
      if (of.self) {
        PythonValue self;
        self.kind = Kind::instance;
        self.object = of.self;
        return methodOf(self, name, place);
      }
      return PythonValue::pathOf("super." + name, place);
    case Kind::type: {
      if (const PythonValue* found = classAttribute(of.object, name)) return bound(*found, of);
      if (name == "__name__") return PythonValue::textOf(of.object->name, place);
      failProgram(place, "the class " + of.object->name + " has no " + name);
    }
    case Kind::function:
      if (name == "__name__") return PythonValue::textOf(of.object->function->name, place);
      break;
    case Kind::list:
      // What max and min over a dimension give is a pair with names.
      if (of.tuple && of.items().size() == 2 && !called && (name == "values" || name == "indices"))
        return of.items()[name == "values" ? 0 : 1];
      [[fallthrough]];
    case Kind::shape:
    case Kind::dict:
    case Kind::text:
      if (called) return methodOf(of, name, place);
      break;
    case Kind::number:
    case Kind::flag:
    case Kind::size:
      if (called && name == "item") return methodOf(of, name, place);
      break;
    default:
      break;
  }
  failProgram(
      place, "." + name + " of " + of.shown() + " is not supported; methods are called on tensors");
}

std::vector<PythonValue> Evaluator::iterated(const PythonValue& over, SourcePlace place) {
  switch (over.kind) {
    case Kind::list:
      step(place, over.items().size());
      return over.items();
    case Kind::shape:
      return extents(over, place);
    case Kind::dict: {
      std::vector<PythonValue> keys;
      for (const auto& [key, value] : over.object->entries) keys.push_back(key);
      return keys;
    }
    case Kind::text: {
      std::vector<PythonValue> letters;
      for (const char c : over.text)
        letters.push_back(PythonValue::textOf(std::string(1, c), place));
      return letters;
    }
    case Kind::instance:
      if (classAttribute(over.object->type, "__iter__"))
        return iterated(callFunction(bindMethod(over, "__iter__", place), {}, place), place);
      break;
    case Kind::tensor: {
      const std::int64_t count = knownInteger(extentOf(over.value, 0, place),
                                              "going through this tensor row by row", place);
      step(place, static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
      std::vector<PythonValue> rows;
      for (std::int64_t i = 0; i < count; ++i) {
        rows.push_back(builder_.subscript(
            over, {PythonValue::numberOf(static_cast<double>(i), true, place)}, place));
        rows.back().detached = over.detached;
      }
      return rows;
    }
    case Kind::held:
      return iterated(settled(over), place);
    default:
      break;
  }
  failProgram(place, over.shown() + " cannot be gone through item by item");
}

PythonValue Evaluator::listMethod(const PythonValue& self, const std::string& name,
                                  const std::vector<CallArgument>& arguments, SourcePlace place) {
  if (self.kind == Kind::shape && name == "numel")
    return builder_.sizeValue(program_.sizes.elements(self.value), place);
  const bool changes = name == "append" || name == "extend" || name == "insert" || name == "pop" ||
                       name == "reverse";
  if (changes && (self.tuple || self.kind == Kind::shape))
    failProgram(place, "a tuple cannot be changed; it has no ." + name);
  std::vector<PythonValue>* const items = self.object ? &self.object->items : nullptr;
  const auto argument = [&](std::size_t i) -> const PythonValue& {
    if (i >= arguments.size()) failProgram(place, "." + name + " of a list needs another argument");
    return arguments[i].value;
  };
  if (changes && name != "pop" && name != "reverse")
    for (const CallArgument& each : arguments) refuseCycle(each.value, *self.object, place);
  if (name == "append") {
    items->push_back(argument(0));
    return {};
  }
  if (name == "extend") {
    for (PythonValue& item : iterated(argument(0), place)) items->push_back(std::move(item));
    return {};
  }
  if (name == "insert") {
    const auto count = static_cast<std::int64_t>(items->size());
    const std::int64_t at =
        std::clamp<std::int64_t>(knownInteger(argument(0), "this index", place), 0, count);
    items->insert(items->begin() + at, argument(1));
    return {};
  }
  if (name == "pop") {
    const PythonValue at = arguments.empty() ? PythonValue::numberOf(-1, true, place) : argument(0);
    PythonValue found = itemOf(*items, at, self, place);
    const auto count = static_cast<std::int64_t>(items->size());
    items->erase(items->begin() +
                 static_cast<std::int64_t>(at.number < 0 ? at.number + static_cast<double>(count)
                                                         : at.number));
    return found;
  }
  if (name == "reverse") {
    std::reverse(items->begin(), items->end());
    return {};
  }
  const std::vector<PythonValue> all = iterated(self, place);
  if (name == "index" || name == "count") {
    int count = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!same(all[i], argument(0), place)) continue;
      if (name == "index") return PythonValue::numberOf(static_cast<double>(i), true, place);
      ++count;
    }
    if (name == "count") return PythonValue::numberOf(count, true, place);
    failProgram(place, argument(0).shown() + " is not in this list");
  }
  if (name == "copy") return PythonValue::listOf(all, false, place);
  if (name == "sort" && !self.tuple && items) {
    PythonValue sorted;
    std::vector<CallArgument> given{{"", PythonValue::listOf(all, false, place), place}};
    given.insert(given.end(), arguments.begin(), arguments.end());
    if (builtin("sorted", given, place, sorted)) *items = sorted.items();
    return {};
  }
  if ((name == "remove" || name == "clear") && !self.tuple && items) {
    if (name == "clear") {
      items->clear();
      return {};
    }
    for (auto each = items->begin(); each != items->end(); ++each)
      if (same(*each, argument(0), place)) {
        items->erase(each);
        return {};
      }
    failProgram(place, argument(0).shown() + " is not in this list");
  }
  failProgram(place, "a list has no ." + name + " in a program");
}

PythonValue Evaluator::dictMethod(const PythonValue& self, const std::string& name,
                                  const std::vector<CallArgument>& arguments, SourcePlace place) {
  std::vector<PythonValue> found;
  if (name == "items" || name == "values" || name == "keys") {
    for (const auto& [key, value] : self.object->entries) {
      if (name == "items")
        found.push_back(PythonValue::listOf({key, value}, true, place));
      else
        found.push_back(name == "keys" ? key : value);
    }
    return PythonValue::listOf(std::move(found), true, place);
  }
  if ((name == "get" || name == "pop") && !arguments.empty()) {
    auto& entries = self.object->entries;
    for (auto each = entries.begin(); each != entries.end(); ++each)
      if (same(each->first, arguments[0].value, place)) {
        PythonValue value = each->second;
        if (name == "pop") entries.erase(each);
        return value;
      }
    return arguments.size() > 1 ? arguments[1].value : PythonValue();
  }
  if (name == "copy") {
    PythonValue made = self;
    made.object = std::make_shared<PythonObject>();
    made.object->entries = self.object->entries;
    return made;
  }
  if (name == "setdefault" && !arguments.empty()) {
    for (const auto& [key, value] : self.object->entries)
      if (same(key, arguments[0].value, place)) return value;
    const PythonValue value = arguments.size() > 1 ? arguments[1].value : PythonValue();
    assignItem(self, {arguments[0].value}, false, value, place);
    return value;
  }
  if (name == "update") {
    for (const CallArgument& argument : arguments) {
      if (!argument.keyword.empty())
        assignItem(self, {PythonValue::textOf(argument.keyword, place)}, false, argument.value,
                   place);
      else if (argument.value.kind == Kind::dict)
        for (const auto& [key, value] : argument.value.object->entries)
          assignItem(self, {key}, false, value, place);
    }
    return {};
  }
  failProgram(place, "a dict has no ." + name + " in a program");
}

PythonValue Evaluator::textMethod(const PythonValue& self, const std::string& name,
                                  const std::vector<CallArgument>& arguments, SourcePlace place) {
  const std::string& text = self.text;
  const auto argument = [&]() -> const std::string& {
    if (arguments.empty() || arguments[0].value.kind != Kind::text)
      failProgram(place, "." + name + " of a text needs a text");
    return arguments[0].value.text;
  };
  std::string changed = text;
  if (name == "lower" || name == "upper") {
    for (char& c : changed) {
      if (name == "lower" && c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
      if (name == "upper" && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    }
    return PythonValue::textOf(std::move(changed), place);
  }
  if (name == "startswith") return PythonValue::flagOf(text.starts_with(argument()), place);
  if (name == "endswith") return PythonValue::flagOf(text.ends_with(argument()), place);
  if (name == "find" || name == "index" || name == "count") {
    const std::string& wanted = argument();
    const std::size_t at = text.find(wanted);
    if (name == "index" && at == std::string::npos)
      failProgram(place, "'" + wanted + "' is not in this text");
    double found = at == std::string::npos ? -1 : static_cast<double>(at);
    if (name == "count") {
      found = 0;
      for (std::size_t next = at; next != std::string::npos && !wanted.empty(); ++found)
        next = text.find(wanted, next + wanted.size());
    }
    return PythonValue::numberOf(found, true, place);
  }
  if (name == "format") return braceFormat(text, arguments, place);
  if (name == "isdigit" || name == "isalpha" || name == "isnumeric") {
    const bool letters = name == "isalpha";
    const bool all = std::ranges::all_of(text, [&](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return (letters ? std::isalpha(byte) : std::isdigit(byte)) != 0;
    });
    return PythonValue::flagOf(all && !text.empty(), place);
  }
  if (name == "replace" && arguments.size() == 2) {
    const std::string& from = argument();
    if (from.empty() || arguments[1].value.kind != Kind::text)
      failProgram(place, ".replace of a text needs two texts, the first of which is not empty");
    const std::string& to = arguments[1].value.text;
    std::string made;
    std::size_t at = 0;
    for (std::size_t next; (next = text.find(from, at)) != std::string::npos;
         at = next + from.size())
      made += text.substr(at, next - at) + to;
    return PythonValue::textOf(made + text.substr(at), place);
  }
  if (name == "rstrip" || name == "lstrip") {
    const std::string any = arguments.empty() ? " \t\n" : argument();
    const std::size_t first = text.find_first_not_of(any), last = text.find_last_not_of(any);
    if (first == std::string::npos) return PythonValue::textOf("", place);
    return PythonValue::textOf(name == "rstrip" ? text.substr(0, last + 1) : text.substr(first),
                               place);
  }
  if (name == "strip") {
    const std::size_t first = text.find_first_not_of(" \t\n");
    const std::size_t last = text.find_last_not_of(" \t\n");
    return PythonValue::textOf(
        first == std::string::npos ? "" : text.substr(first, last - first + 1), place);
  }
  if (name == "split") {
    std::vector<PythonValue> parts;
    const std::string by = arguments.empty() ? " " : argument();
    if (by.empty()) failProgram(place, "a text cannot be split at nothing");
    std::size_t at = 0;
    for (std::size_t next; (next = text.find(by, at)) != std::string::npos; at = next + by.size())
      parts.push_back(PythonValue::textOf(text.substr(at, next - at), place));
    parts.push_back(PythonValue::textOf(text.substr(at), place));
    return PythonValue::listOf(std::move(parts), false, place);
  }
  if (name == "join" && !arguments.empty()) {
    std::string all;
    for (const PythonValue& each : iterated(arguments[0].value, place))
      all += (all.empty() ? "" : text) + shownText(each, place);
    return PythonValue::textOf(std::move(all), place);
  }
  failProgram(place, "a text has no ." + name + " in a program");
}

std::vector<PythonValue> Evaluator::heldOf(const PythonValue& module, bool parameters,
                                           SourcePlace place) {
  std::vector<PythonValue> found, open{module};
  std::vector<const PythonObject*> seen;
  while (!open.empty()) {
    const PythonValue at = open.back();
    open.pop_back();
    step(place);
    if (!at.object || std::find(seen.begin(), seen.end(), at.object.get()) != seen.end()) continue;
    seen.push_back(at.object.get());
    std::vector<PythonValue> inside;  // modules within come after what is its own
    if (at.kind == Kind::list) inside = at.items();
    if (at.kind == Kind::dict)
      for (const auto& [key, value] : at.object->entries) inside.push_back(value);
    if (at.kind == Kind::held && at.object->parameter == parameters) found.push_back(at);
    if (at.kind == Kind::instance)
      for (const std::string& each : at.object->order) {
        const PythonValue& value = at.object->attributes[each];
        if (value.kind != Kind::held)
          inside.push_back(value);
        else if (value.object->parameter == parameters &&
                 std::find(seen.begin(), seen.end(), value.object.get()) == seen.end()) {
          seen.push_back(value.object.get());
          found.push_back(value);
        }
      }
    open.insert(open.end(), inside.rbegin(), inside.rend());
  }
  return found;
}

std::vector<Evaluator::NamedMember> Evaluator::membersOf(const PythonValue& module) const {
  std::vector<NamedMember> found;
  const auto add = [&](const std::string& name, const PythonValue& value) {
    const bool known = std::ranges::any_of(
        found, [&](const NamedMember& each) { return each.value.object == value.object; });
    if ((value.kind == Kind::held || value.kind == Kind::instance) && !known)
      found.push_back({name, value});
  };
  for (const std::string& name : module.object->order) {
    const PythonValue& value = module.object->attributes.at(name);
    if (name == "_items" && value.kind == Kind::list) {
      for (std::size_t i = 0; i < value.items().size(); ++i)
        add(std::to_string(i), value.items()[i]);
    } else if (name == "_table" && value.kind == Kind::dict) {
      for (const auto& [key, each] : value.object->entries) add(key.text, each);
    } else {
      add(name, value);
    }
  }
  return found;
}

std::vector<Evaluator::NamedMember> Evaluator::membersWithin(const PythonValue& module,
                                                             Members members, SourcePlace place) {
  std::vector<NamedMember> found, open;
  if (members == Members::children) {
    for (NamedMember& each : membersOf(module))
      if (each.value.kind == Kind::instance) found.push_back(std::move(each));
    return found;
  }
  std::vector<const PythonObject*> seen;
  const auto isNew = [&](const PythonValue& value) {
    if (std::ranges::find(seen, value.object.get()) != seen.end()) return false;
    seen.push_back(value.object.get());
    return true;
  };
  open.push_back({"", module});
  while (!open.empty()) {
    const NamedMember at = std::move(open.back());
    open.pop_back();
    step(place);
    if (!isNew(at.value)) continue;
    if (members == Members::modules) found.push_back(at);
    std::vector<NamedMember> inside;  // modules within come after what is its own
    for (NamedMember& each : membersOf(at.value)) {
      if (!at.name.empty()) each.name = at.name + "." + each.name;
      if (each.value.kind == Kind::instance)
        inside.push_back(std::move(each));
      else if (members != Members::modules &&
               each.value.object->parameter == (members == Members::parameters) &&
               isNew(each.value))
        found.push_back(std::move(each));
    }
    std::ranges::move(inside.rbegin(), inside.rend(), std::back_inserter(open));
  }
  return found;
}

PythonValue Evaluator::moduleMethod(const PythonValue& self, const std::string& name,
                                    const std::vector<CallArgument>& arguments, SourcePlace place) {
  const auto argument = [&](std::size_t i) -> const PythonValue& {
    if (i >= arguments.size()) failProgram(place, name + " needs another argument");
    return arguments[i].value;
  };
  if (name == "requires_grad_") {
    const bool kept = arguments.empty() || truth(argument(0), place, "requires_grad_");
    for (const PythonValue& each : heldOf(self, !kept, place)) {
      if (kept) break;  // buffers stay buffers
      each.object->parameter = false;
      if (each.object->input >= 0) builder_.requireGradient(each.object->input, false);
    }
    return self;
  }
  for (const char* cast : {"to", "half", "float", "double", "bfloat16", "type"})
    if (name == cast) {
      castModule(self, name, arguments, place);
      return self;
    }
  for (const char* same : {"eval", "cuda", "cpu"})
    if (name == same) return self;
  if (name == "apply") {
    // What is within a module comes before it.
    std::vector<NamedMember> modules = membersWithin(self, Members::modules, place);
    std::ranges::stable_sort(modules, std::greater(), [](const NamedMember& each) {
      return std::ranges::count(each.name, '.') + (each.name.empty() ? 0 : 1);
    });
    for (const NamedMember& each : modules) call(argument(0), {{"", each.value, place}}, place);
    return self;
  }
  constexpr std::pair<std::string_view, Members> kWithin[] = {
      {"named_parameters", Members::parameters}, {"named_buffers", Members::buffers},
      {"named_modules", Members::modules},       {"modules", Members::modules},
      {"named_children", Members::children},     {"children", Members::children}};
  for (const auto& [method, members] : kWithin) {
    if (name != method) continue;
    std::vector<PythonValue> found;
    for (const NamedMember& each : membersWithin(self, members, place))
      found.push_back(name.starts_with("named_")
                          ? PythonValue::listOf({PythonValue::textOf(each.name, place), each.value},
                                                true, place)
                          : each.value);
    return PythonValue::listOf(std::move(found), false, place);
  }
  if (name == "__init__") return {};
  if (name == "train") {
    if (!arguments.empty() && argument(0).isNumber() && argument(0).number == 0) return self;
    failProgram(place, "modules are evaluated, not trained, in a program; write .eval()");
  }
  if (name == "register_buffer" || name == "register_parameter" || name == "add_module" ||
      name == "register_module") {
    setAttribute(self, argument(0).text, argument(1), place);
    if (name == "register_buffer" && argument(1).kind == Kind::held)
      argument(1).object->parameter = false;
    return {};
  }
  if (name == "parameters" || name == "buffers")
    return PythonValue::listOf(heldOf(self, name == "parameters", place), false, place);
  if (name == "zero_grad") {
    for (const PythonValue& each : heldOf(self, true, place))
      builder_.setGradient(settled(each).value, PythonValue(), place);
    return {};
  }
  failProgram(place, "there is no self." + name + "(...); define it in the class");
}

std::string Evaluator::shownText(const PythonValue& value, SourcePlace place) {
  const Deeper deeper(*this, place);
  switch (value.kind) {
    case Kind::number:
      return printedNumber(value.number, value.integer);
    case Kind::flag:
      return value.number != 0 ? "True" : "False";
    case Kind::text:
      return value.text;
    case Kind::size:
      return builder_.shownSize(value.size);
    case Kind::list: {
      std::string all;
      for (const PythonValue& item : value.items()) {
        step(place);
        if (all.size() > 1000) return all + "...";
        const std::string one = shownText(item, place);
        all += (all.empty() ? "" : ", ") + (item.kind == Kind::text ? "'" + one + "'" : one);
      }
      if (value.tuple && value.items().size() == 1) all += ",";
      return value.tuple ? "(" + all + ")" : "[" + all + "]";
    }
    default:
      return value.shown();
  }
}

}  // namespace fusebench
