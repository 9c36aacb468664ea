// SPDX-License-Identifier: GPL-3.0-or-later
// Python's collections: defaultdict and Counter are dicts, deque is a list.
#include <algorithm>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

constexpr std::string_view kFactory = "default_factory", kCounts = "_counts", kLongest = "maxlen";

const PythonValue* markOf(const PythonValue& value, std::string_view mark) {
  if (!value.object) return nullptr;
  const auto found = value.object->attributes.find(mark);
  return found == value.object->attributes.end() ? nullptr : &found->second;
}

PythonValue numberOf(double number, SourcePlace place) {
  return PythonValue::numberOf(number, true, place);
}

}  // namespace

bool Evaluator::collectionCall(const std::string& path, std::vector<CallArgument>& arguments,
                               SourcePlace place, PythonValue& result) {
  constexpr std::string_view kPackage = "collections.";
  if (!path.starts_with(kPackage)) return false;
  const std::string_view name = std::string_view(path).substr(kPackage.size());
  if (name == "OrderedDict") return builtin("dict", arguments, place, result);
  if (name == "defaultdict") {
    PythonValue factory;
    if (!arguments.empty() && arguments.front().keyword.empty()) {
      factory = arguments.front().value;
      arguments.erase(arguments.begin());
    }
    builtin("dict", arguments, place, result);
    result.object->attributes[std::string(kFactory)] = factory;
    return true;
  }
  if (name == "Counter") {
    std::vector<CallArgument> none;
    builtin("dict", none, place, result);
    result.object->attributes[std::string(kCounts)] = PythonValue::flagOf(true, place);
    for (const CallArgument& each : arguments) count(result, each, 1, place);
    return true;
  }
  if (name != "deque") return false;
  result = PythonValue::listOf({}, false, place);
  PythonValue longest;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].keyword == kLongest || i == 1)
      longest = arguments[i].value;
    else
      result.object->items = iterated(arguments[i].value, place);
  }
  result.object->attributes[std::string(kLongest)] = longest;
  shortened(result, true, place);
  return true;
}

/// Adds to a Counter what is counted: each item of an iterable, or the numbers of a dict.
void Evaluator::count(const PythonValue& counter, const CallArgument& what, double sign,
                      SourcePlace place) {
  const auto add = [&](const PythonValue& key, const PythonValue& by) {
    const std::optional<std::size_t> at = dictEntry(*counter.object, key, place);
    const PythonValue before = at ? counter.object->entries[*at].second : numberOf(0, place);
    assignItem(counter, {key}, false, binary(sign > 0 ? "+" : "-", before, by, place), place);
  };
  if (!what.keyword.empty()) return add(PythonValue::textOf(what.keyword, place), what.value);
  if (what.value.kind == Kind::dict) {
    const KeyPlaces::Entries entries = what.value.object->entries;
    for (const auto& [key, number] : entries) add(key, number);
    return;
  }
  for (const PythonValue& item : iterated(what.value, place)) add(item, numberOf(1, place));
}

/// The value of a key that a dict lacks, as its class says; nothing: an error.
std::optional<PythonValue> Evaluator::missingEntry(const PythonValue& dict, const PythonValue& key,
                                                   SourcePlace place) {
  if (markOf(dict, kCounts)) return numberOf(0, place);
  const PythonValue* const factory = markOf(dict, kFactory);
  if (!factory || factory->kind == Kind::none) return std::nullopt;
  const PythonValue made = call(*factory, {}, place);
  assignItem(dict, {key}, false, made, place);
  return made;
}

bool Evaluator::counterMethod(const PythonValue& self, const std::string& name,
                              const std::vector<CallArgument>& arguments, SourcePlace place,
                              PythonValue& result) {
  if (!markOf(self, kCounts)) return false;
  if (name == "update" || name == "subtract") {
    for (const CallArgument& each : arguments) count(self, each, name == "update" ? 1 : -1, place);
    return true;
  }
  if (name == "total") {
    result = numberOf(0, place);
    for (const auto& [key, number] : self.object->entries)
      result = binary("+", result, number, place);
    return true;
  }
  if (name != "most_common" && name != "elements") return false;
  KeyPlaces::Entries entries = self.object->entries;
  step(place, entries.size());
  std::vector<PythonValue> items;
  if (name == "elements") {
    for (const auto& [key, number] : entries)
      for (std::int64_t n = knownInteger(number, "this count", place); n > 0; --n) {
        step(place);
        items.push_back(key);
      }
    result = iteratorOver(std::move(items), place);
    return true;
  }
  std::ranges::stable_sort(entries, [&](const auto& a, const auto& b) {
    step(place);
    return order(b.second, a.second, place) < 0;
  });
  for (const auto& [key, number] : entries)
    items.push_back(PythonValue::listOf({key, number}, true, place));
  if (!arguments.empty() && arguments[0].value.kind != Kind::none) {
    const std::int64_t most = knownInteger(arguments[0].value, "how many are asked for", place);
    items.resize(std::min(items.size(), static_cast<std::size_t>(std::max<std::int64_t>(most, 0))));
  }
  result = PythonValue::listOf(std::move(items), false, place);
  return true;
}

/// Drops the items of a deque that are over its length, from its left or from its right end.
void Evaluator::shortened(const PythonValue& deque, bool left, SourcePlace place) {
  const PythonValue* const longest = markOf(deque, kLongest);
  if (!longest || longest->kind == Kind::none) return;
  const auto most = static_cast<std::size_t>(
      std::max<std::int64_t>(knownInteger(*longest, "maxlen of a deque", place), 0));
  std::vector<PythonValue>& items = deque.object->items;
  if (items.size() <= most) return;
  const auto over = static_cast<std::ptrdiff_t>(items.size() - most);
  if (left)
    items.erase(items.begin(), items.begin() + over);
  else
    items.erase(items.end() - over, items.end());
}

bool Evaluator::dequeMethod(const PythonValue& self, const std::string& name,
                            const std::vector<CallArgument>& arguments, SourcePlace place,
                            PythonValue& result) {
  if (self.kind != Kind::list || self.tuple || !markOf(self, kLongest)) return false;
  std::vector<PythonValue>& items = self.object->items;
  step(place, 1 + items.size() / 8);
  const auto given = [&]() -> const PythonValue& {
    if (arguments.empty()) failProgram(place, "." + name + " of a deque needs an argument");
    refuseCycle(arguments[0].value, *self.object, place);
    return arguments[0].value;
  };
  if (name == "append" || name == "extend") {
    if (name == "append")
      items.push_back(given());
    else
      for (PythonValue& each : iterated(given(), place)) items.push_back(std::move(each));
    shortened(self, true, place);
    return true;
  }
  if (name == "appendleft" || name == "extendleft") {
    const std::vector<PythonValue> more =
        name == "appendleft" ? std::vector<PythonValue>{given()} : iterated(given(), place);
    items.insert(items.begin(), more.rbegin(), more.rend());
    shortened(self, false, place);
    return true;
  }
  if (name == "popleft") {
    if (items.empty()) failProgram(place, "pop from an empty deque");
    result = items.front();
    items.erase(items.begin());
    return true;
  }
  if (name == "rotate") {
    const std::int64_t by =
        arguments.empty() ? 1 : knownInteger(arguments[0].value, "this rotation", place);
    const auto count = static_cast<std::int64_t>(items.size());
    if (count > 0)
      std::rotate(items.begin(), items.begin() + ((-by % count + count) % count), items.end());
    return true;
  }
  return false;
}

}  // namespace fusebench
