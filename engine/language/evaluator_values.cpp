// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "engine/language/evaluator.h"
#include "engine/language/library.h"
#include "engine/language/program_errors.h"
#include "engine/language/surroundings.h"
#include "engine/language/text_pieces.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

constexpr int kDeepestClass = 30;
/// The cost of moving one item of a list, in items read.
constexpr std::size_t kMoved = 8;

PythonValue methodOf(const PythonValue& self, const std::string& name, SourcePlace place) {
  PythonValue method;
  method.kind = Kind::method;
  method.text = name;
  method.place = place;
  if (self.isTensor()) {
    method.value = self.value;
    method.detached = self.detached;
    method.object = self.object;
  } else {
    method.object = std::make_shared<PythonObject>();
    method.object->items.push_back(self);
  }
  return method;
}

}  // namespace

bool hasDecorator(const PythonValue& function, std::string_view name) {
  if (function.kind != Kind::function) return false;
  const auto has = [&](const std::vector<std::string>& all) {
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  return has(function.object->function->decorators) || has(function.object->decorators);
}

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
    method.self = self.kind == Kind::type ? self.object : self.object->type;
  else if (self.kind == Kind::instance || self.kind == Kind::list)
    method.self = self.object;
  return method;
}

PythonValue Evaluator::attribute(const PythonValue& of, const std::string& name, SourcePlace place,
                                 bool called) {
  switch (of.kind) {
    case Kind::outside:
      return of;
    case Kind::path: {
      if (const DType* const dtype = name == "itemsize" ? findDType(of.text) : nullptr)
        return PythonValue::numberOf(static_cast<double>(info(*dtype).size), true, place);
      // nn.Linear.forward(self, x): a function of a class that the library has.
      if (called && of.text.starts_with("torch.nn."))
        if (const PythonValue* const type = libraryFind(of.text);
            type && type->kind == Kind::type && classAttribute(type->object, name))
          return *classAttribute(type->object, name);
      PythonValue path = PythonValue::pathOf(of.text + "." + name, of.place);
      if (path.text == "torch.cfloat") path.text = "torch.complex64";
      if (path.text == "torch.cdouble") path.text = "torch.complex128";
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
      if (PythonValue answer; layoutAttribute(of, name, place, answer)) return answer;
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
      // Asking does not make it an input, which would have no name yet.
      if (of.object->input < 0) {
        if (name == "dtype")
          return PythonValue::pathOf("torch." + std::string(info(of.object->initial.dtype).name),
                                     place);
        if (name == "requires_grad") return PythonValue::flagOf(of.object->parameter, place);
        if (name == "device") return PythonValue::pathOf("device", place);
        if (name == "is_cuda") return PythonValue::flagOf(false, place);
      }
      if (name == "data" && preparing_ == 0) return attribute(settled(of), name, place, called);
      if (name == "data") return of;
      if (PythonValue answer; layoutAttribute(of, name, place, answer)) return answer;
      return builder_.attribute(settled(of), name, place);
    }
    case Kind::instance: {
      if (const auto found = of.object->attributes.find(name);
          found != of.object->attributes.end()) {
        if (of.object->outlives && !beside_) of.object->asked.emplace(name, true);
        return found->second;
      }
      // A parametrized weight is computed where it is read.
      if (const auto computed = of.object->attributes.find("_computed");
          computed != of.object->attributes.end() && computed->second.kind == Kind::dict)
        for (const auto& [key, function] : computed->second.object->entries)
          if (key.text == name) return call(function, {{"", of, place}}, place);
      // The items of a ModuleDict have names in it.
      if (const auto table = of.object->attributes.find("_table");
          table != of.object->attributes.end() && of.object->type->library)
        for (const auto& [key, value] : table->second.object->entries)
          if (key.kind == Kind::text && key.text == name) return value;
      if (const PythonValue* found = classAttribute(of.object->type, name)) {
        PythonValue member = bound(*found, of);
        if (member.kind == Kind::outside && !member.text.empty())
          failProgram(member.place, member.text);
        if (around_ && member.kind == Kind::path && member.text == kProgramPath)
          member.self = of.object;
        if (hasDecorator(member, "property")) return call(member, {}, place);
        return member;
      }
      if (name == "training" && isModule(of)) return trainingOf(of, place);
      if (name == "__class__") {
        PythonValue type;
        type.kind = Kind::type;
        type.object = of.object->type;
        return type;
      }
      if (called) return methodOf(of, name, place);
      if (isSelection(of)) failSelection(place);
      if (of.object->type->library)
        failProgram(place,
                    "." + name + " of " + publicName(of.object->type->name) + " is not supported");
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
      if (PythonValue found; tupleClassAttribute(of, name, place, found)) return found;
      if (name == "__name__") return PythonValue::textOf(of.object->name, place);
      failProgram(place, "the class " + of.object->name + " has no " + name);
    }
    case Kind::function:
      if (name == "__name__") return PythonValue::textOf(of.object->function->name, place);
      break;
    case Kind::list:
      if (PythonValue found; tupleAttribute(of, name, place, found)) return found;
      // The results of max and min over a dimension are a pair with names.
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

StopIteration::StopIteration(SourcePlace place)
    : ProgramError(place, "StopIteration raised outside a for loop") {}

/// Makes an iterator, which gives these items one after the other, once.
PythonValue Evaluator::iteratorOver(std::vector<PythonValue> items, SourcePlace place,
                                    Iterating how) {
  PythonValue made = PythonValue::listOf(std::move(items), false, place);
  made.kind = Kind::iterator;
  made.object->iterating = how;
  return made;
}

PythonValue Evaluator::iteratorOf(const PythonValue& over, SourcePlace place) {
  if (over.kind == Kind::iterator) return over;
  if (over.kind != Kind::instance) return iteratorOver(iterated(over, place), place);
  if (!classAttribute(over.object->type, "__iter__"))
    failProgram(place, over.shown() + " is not iterable");
  const Deeper deeper(*this, place);
  PythonValue made = callFunction(bindMethod(over, "__iter__", place), {}, place);
  if (made.kind == Kind::list) return iteratorOver(iterated(made, place), place);
  if (made.kind == Kind::iterator ||
      (made.kind == Kind::instance && classAttribute(made.object->type, "__next__")))
    return made;
  failProgram(place, "__iter__ must return an iterator, an object with __next__, but returns " +
                         made.shown());
}

std::optional<PythonValue> Evaluator::nextOf(const PythonValue& iterator, SourcePlace place) {
  if (iterator.kind == Kind::iterator) return nextItem(*iterator.object, place);
  if (iterator.kind != Kind::instance || !classAttribute(iterator.object->type, "__next__"))
    failProgram(place, iterator.shown() + " is not an iterator; write next(iter(...))");
  step(place);
  try {
    return callFunction(bindMethod(iterator, "__next__", place), {}, place);
  } catch (const StopIteration&) {
    return std::nullopt;
  }
}

/// Nothing at its end.
std::optional<PythonValue> Evaluator::nextItem(PythonObject& from, SourcePlace place) {
  if (from.iterating == Iterating::generated) return nextGiven(from.generator, place);
  if (from.iterating == Iterating::items) {
    if (from.next >= from.items.size()) return std::nullopt;
    return from.items[from.next++];
  }
  const Deeper deeper(*this, place);
  const std::size_t first =
      from.iterating == Iterating::mapped || from.iterating == Iterating::filtered ? 1 : 0;
  for (;;) {
    step(place);
    // One item of each at a time: the shortest ends it, even if others have more items.
    std::vector<PythonValue> row;
    for (std::size_t i = first; i < from.items.size(); ++i) {
      std::optional<PythonValue> next = nextOf(from.items[i], place);
      if (!next) return std::nullopt;
      row.push_back(std::move(*next));
    }
    if (row.empty()) return std::nullopt;
    switch (from.iterating) {
      case Iterating::items:
      case Iterating::generated:
      case Iterating::zipped:
        return PythonValue::listOf(std::move(row), true, place);
      case Iterating::counted:
        row.insert(row.begin(), PythonValue::numberOf(static_cast<double>(from.start) +
                                                          static_cast<double>(from.next++),
                                                      true, place));
        return PythonValue::listOf(std::move(row), true, place);
      case Iterating::mapped: {
        std::vector<CallArgument> given;
        for (PythonValue& each : row) given.push_back({"", std::move(each), place});
        return call(from.items[0], std::move(given), place);
      }
      case Iterating::filtered: {
        const PythonValue held = from.items[0].kind == Kind::none
                                     ? row[0]
                                     : call(from.items[0], {{"", row[0], place}}, place);
        if (truth(held, place, "this filter")) return row[0];
        break;
      }
    }
  }
}

std::vector<PythonValue> Evaluator::iterated(const PythonValue& over, SourcePlace place) {
  switch (over.kind) {
    case Kind::list:
      step(place, over.items().size());
      computeItems(over, place);
      return over.items();
    case Kind::iterator:
    case Kind::instance: {
      const PythonValue from = iteratorOf(over, place);
      std::vector<PythonValue> items;
      while (std::optional<PythonValue> next = nextOf(from, place)) {
        items.push_back(std::move(*next));
        if (items.size() > kLongestList)
          failProgram(place, "this iterator yields more items than any program needs");
      }
      step(place, items.size());
      return items;
    }
    case Kind::shape:
      return extents(over, place);
    case Kind::dict: {
      step(place, over.object->entries.size());
      std::vector<PythonValue> keys;
      for (const auto& [key, value] : over.object->entries) keys.push_back(key);
      return keys;
    }
    case Kind::text: {
      std::vector<PythonValue> letters;
      step(place, over.text.size());
      for (const std::string_view letter : lettersOf(over.text))
        letters.push_back(PythonValue::textOf(std::string(letter), place));
      return letters;
    }
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
  failProgram(place, over.shown() + " is not iterable");
}

PythonValue Evaluator::listMethod(const PythonValue& self, const std::string& name,
                                  const std::vector<CallArgument>& arguments, SourcePlace place) {
  if (PythonValue result; tupleMethod(self, name, arguments, place, result)) return result;
  if (PythonValue result; dequeMethod(self, name, arguments, place, result)) return result;
  if (self.kind == Kind::shape && name == "numel")
    return builder_.sizeValue(program_.sizes.elements(self.value), place);
  const bool changes = name == "append" || name == "extend" || name == "insert" || name == "pop" ||
                       name == "reverse";
  const auto items = [&]() -> std::vector<PythonValue>& {
    if (self.tuple || !self.object)
      failProgram(place, "a tuple cannot be changed; it has no ." + name);
    return self.object->items;
  };
  if (changes) items();
  const auto argument = [&](std::size_t i) -> const PythonValue& {
    if (i >= arguments.size()) failProgram(place, "." + name + " of a list needs another argument");
    return arguments[i].value;
  };
  if (changes && name != "pop" && name != "reverse")
    for (const CallArgument& each : arguments) refuseCycle(each.value, *self.object, place);
  if (name == "append") {
    items().push_back(argument(0));
    return {};
  }
  if (name == "extend") {
    for (PythonValue& item : iterated(argument(0), place)) items().push_back(std::move(item));
    return {};
  }
  if (name == "insert") {
    const auto count = static_cast<std::int64_t>(items().size());
    const std::int64_t at =
        std::clamp<std::int64_t>(knownInteger(argument(0), "this index", place), 0, count);
    search(place, static_cast<std::size_t>(count - at) * kMoved);
    items().insert(items().begin() + at, argument(1));
    return {};
  }
  if (name == "pop") {
    const PythonValue at = arguments.empty() ? PythonValue::numberOf(-1, true, place) : argument(0);
    PythonValue found = itemOf(items(), at, self, place);
    const auto count = static_cast<std::int64_t>(items().size());
    const auto first = static_cast<std::int64_t>(
        at.number < 0 ? at.number + static_cast<double>(count) : at.number);
    search(place, static_cast<std::size_t>(count - first) * kMoved);
    items().erase(items().begin() + first);
    return found;
  }
  if (name == "reverse") {
    step(place, items().size());
    std::reverse(items().begin(), items().end());
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
  if (name == "sort" && !self.tuple && self.object) {
    PythonValue sorted;
    std::vector<CallArgument> given{{"", PythonValue::listOf(all, false, place), place}};
    given.insert(given.end(), arguments.begin(), arguments.end());
    if (builtin("sorted", given, place, sorted)) items() = sorted.items();
    return {};
  }
  if ((name == "remove" || name == "clear") && !self.tuple && self.object) {
    if (name == "clear") {
      items().clear();
      return {};
    }
    for (auto each = items().begin(); each != items().end(); ++each)
      if (same(*each, argument(0), place)) {
        items().erase(each);
        return {};
      }
    failProgram(place, argument(0).shown() + " is not in this list");
  }
  failProgram(place, "list." + name + " is not supported in a program");
}

PythonValue Evaluator::dictMethod(const PythonValue& self, const std::string& name,
                                  const std::vector<CallArgument>& arguments, SourcePlace place) {
  if (PythonValue result; counterMethod(self, name, arguments, place, result)) return result;
  std::vector<PythonValue> found;
  if (name == "items" || name == "values" || name == "keys") {
    step(place, self.object->entries.size());
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
    if (const std::optional<std::size_t> at = dictEntry(*self.object, arguments[0].value, place)) {
      PythonValue value = entries[*at].second;
      if (name == "pop") {
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(*at));
        self.object->keys.forget();
        step(place, entries.size() / 8);
      }
      return value;
    }
    return arguments.size() > 1 ? arguments[1].value : PythonValue();
  }
  if (name == "copy") {
    PythonValue made = self;
    step(place, self.object->entries.size());
    made.object = std::make_shared<PythonObject>();
    made.object->entries = self.object->entries;
    made.object->attributes = self.object->attributes;
    return made;
  }
  if (name == "setdefault" && !arguments.empty()) {
    if (const std::optional<std::size_t> at = dictEntry(*self.object, arguments[0].value, place))
      return self.object->entries[*at].second;
    PythonValue value = arguments.size() > 1 ? arguments[1].value : PythonValue();
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
  failProgram(place, "dict." + name + " is not supported in a program");
}

}  // namespace fusebench
