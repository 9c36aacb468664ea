// SPDX-License-Identifier: GPL-3.0-or-later
// Reads subscripts: items of lists and dicts, slices, indices and masks of tensors.
#include <algorithm>
#include <cmath>

#include "engine/language/evaluator.h"
#include "engine/language/expression_text.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

}  // namespace

PythonValue Evaluator::itemOf(const std::vector<PythonValue>& items, const PythonValue& index,
                              const PythonValue& of, SourcePlace place) {
  const auto count = static_cast<std::int64_t>(items.size());
  if (index.kind != Kind::slice) {
    const std::int64_t at = knownInteger(index, "this index", place);
    if (at < -count || at >= count)
      failProgram(place, "there is no item " + std::to_string(at) + " in " + std::to_string(count));
    return items[static_cast<std::size_t>(at < 0 ? at + count : at)];
  }
  const auto bound = [&](std::size_t i, std::int64_t otherwise) {
    if (index.items()[i].kind == Kind::none) return otherwise;
    return knownInteger(index.items()[i], "this bound", place);
  };
  const std::int64_t by = bound(2, 1);
  if (by == 0) failProgram(place, "the step of a slice cannot be 0");
  const auto within = [&](std::int64_t at) {
    if (at < 0) at += count;
    return std::clamp<std::int64_t>(at, by > 0 ? 0 : -1, by > 0 ? count : count - 1);
  };
  std::int64_t at =
      index.items()[0].kind == Kind::none ? (by > 0 ? 0 : count - 1) : within(bound(0, 0));
  const std::int64_t end =
      index.items()[1].kind == Kind::none ? (by > 0 ? count : -1) : within(bound(1, 0));
  std::vector<PythonValue> found;
  // A step of more than the list is as good as one.
  const std::int64_t stride = std::clamp<std::int64_t>(by, -count - 1, count + 1);
  for (; by > 0 ? at < end : at > end; at += stride)
    found.push_back(items[static_cast<std::size_t>(at)]);
  step(place, found.size());
  return PythonValue::listOf(std::move(found), of.tuple, place);
}

PythonValue Evaluator::indexList(const PythonValue& list, bool alone, SourcePlace place) {
  const Deeper deeper(*this, place);
  step(place, list.items().size());
  std::string truths;
  bool flags = !list.items().empty();
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    const PythonValue& item = list.items()[i];
    flags = flags && item.kind == Kind::flag;
    if (flags && item.number != 0) truths += (truths.empty() ? "" : ", ") + std::to_string(i);
  }
  if (flags)
    failProgram(
        place,
        "a list of True and False is a mask; write the indices where it is True, which are [" +
            truths + "]");
  for (const PythonValue& item : list.items()) {
    if (item.kind == Kind::list && !alone) {
      indexList(item, false, place);
      continue;
    }
    if (item.kind == Kind::list)
      failProgram(place,
                  "versions of PyTorch read lists in one list as an index in two ways; write "
                  "x[[0, 1], [2, 3]] for pairs, x[torch.tensor([[0, 1], [2, 3]])] for a table");
    if (item.isTensor() || item.kind == Kind::held)
      failProgram(place,
                  "a list as an index must contain ints, but found a tensor; write torch.stack((i, "
                  "j)) for one index of both, x[i, j] for pairs");
    if (!item.isSize() && (item.kind != Kind::number || !item.integer))
      failProgram(place, "a list as an index must contain ints, but found " + item.shown());
  }
  return builder_.call(
      "torch.tensor",
      {{"", list, place}, {"dtype", PythonValue::pathOf("torch.int64", place), place}}, place);
}

std::vector<PythonValue> Evaluator::indexItems(const std::vector<PythonValue>& items, bool tuple,
                                               SourcePlace place) {
  const Deeper deeper(*this, place);
  const bool one = !tuple && items.size() == 1;
  // x[(0, 2)] is x[0, 2].
  if (one && items[0].kind == Kind::list && items[0].tuple)
    return indexItems(items[0].items(), true, place);
  std::vector<PythonValue> resolved;
  for (const PythonValue& item : items)
    resolved.push_back(item.kind == Kind::list ? indexList(item, one, place) : settled(item));
  return resolved;
}

void Evaluator::takeInts(PythonValue& of, std::vector<PythonValue>& items, SourcePlace place) {
  const auto isInt = [](const PythonValue& item) {
    return item.isSize() || (item.kind == Kind::number && item.integer);
  };
  if (std::ranges::none_of(items, isInt) ||
      std::ranges::none_of(items, [](const PythonValue& item) { return item.isTensor(); }))
    return;
  std::vector<PythonValue> first, rest;
  for (const PythonValue& item : items) {
    if (!isInt(item)) rest.push_back(item);
    if (item.kind == Kind::none) continue;
    if (isInt(item) || item.kind == Kind::ellipsis) {
      first.push_back(item);
      continue;
    }
    // A mask goes over as many dimensions as it has.
    for (int n = item.isTensor() ? builder_.indexedDims(item) : 1; n > 0; --n)
      first.push_back(PythonValue::sliceOfAll(place));
  }
  const bool detached = of.detached;
  of = builder_.subscript(of, first, place);
  of.detached = detached;
  items = std::move(rest);
}

Evaluator::IndexRun Evaluator::indexRun(const std::vector<PythonValue>& items, SourcePlace place) {
  const auto isIndex = [&](const PythonValue& item) { return builder_.isIndex(item); };
  const auto first = std::ranges::find_if(items, isIndex);
  auto last = first;
  while (last != items.end() && isIndex(*last)) ++last;
  if (last - first < 2) return {};
  const auto passes = [](const PythonValue& item) {
    return item.kind == Kind::slice || item.kind == Kind::ellipsis;
  };
  if (!std::all_of(items.begin(), first, passes) || !std::all_of(last, items.end(), passes))
    failProgram(place,
                "several integer tensors in an index must be adjacent, and the rest slices or ..., "
                "as in x[:, i, j]");
  const bool fromTheEnd = std::any_of(
      items.begin(), first, [](const PythonValue& item) { return item.kind == Kind::ellipsis; });
  return {static_cast<std::size_t>(first - items.begin()), static_cast<std::size_t>(last - first),
          static_cast<int>(fromTheEnd ? first - items.end() : first - items.begin())};
}

PythonValue Evaluator::callOfIndices(const char* function, const PythonValue& of,
                                     const std::vector<PythonValue>& items, const IndexRun& run,
                                     SourcePlace place) {
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(run.first);
  const std::vector<PythonValue> indices(first, first + static_cast<std::ptrdiff_t>(run.count));
  return callFunction(*libraryNamed(function),
                      {{"", of, place},
                       {"", PythonValue::numberOf(run.dim, true, place), place},
                       {"", PythonValue::listOf(indices, true, place), place}},
                      place);
}

void Evaluator::mergeIndices(PythonValue& of, std::vector<PythonValue>& items, SourcePlace place) {
  const IndexRun run = indexRun(items, place);
  if (run.count == 0) return;
  const PythonValue merged = callOfIndices("_merged_index", of, items, run, place);
  of = merged.items()[0];
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(run.first);
  *first = merged.items()[1];
  items.erase(first + 1, first + static_cast<std::ptrdiff_t>(run.count));
}

bool Evaluator::putByIndices(const PythonValue& into, std::vector<PythonValue> items,
                             const PythonValue& value, SourcePlace place) {
  const IndexRun run = indexRun(items, place);
  if (run.count == 0) return false;
  const PythonValue index = callOfIndices("_merged_place", into, items, run, place);
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(run.first);
  std::fill_n(first, run.count, PythonValue::sliceOfAll(place));
  PythonValue part = builder_.subscript(into, items, place);
  part.detached = into.detached;
  builder_.putByIndex(part, run.dim, index, value, false, place, static_cast<int>(run.count));
  return true;
}

PythonValue Evaluator::subscript(const PythonValue& of, const std::vector<PythonValue>& items,
                                 bool tuple, SourcePlace place) {
  const Deeper deeper(*this, place);
  const PythonValue index = tuple           ? PythonValue::listOf(items, true, place)
                            : items.empty() ? PythonValue()
                                            : items[0];
  switch (of.kind) {
    case Kind::tensor: {
      std::vector<PythonValue> resolved = indexItems(items, tuple, place);
      PythonValue whole = of;
      takeInts(whole, resolved, place);
      if (builder_.hasMask(resolved)) return selection(whole, resolved, place);
      mergeIndices(whole, resolved, place);
      return builder_.subscript(whole, resolved, place);
    }
    case Kind::held: {
      PythonValue result;
      if (heldSubscript(of, items, result)) return result;
      return subscript(settled(of), items, tuple, place);
    }
    case Kind::shape:
      return shapeItem(of, index, place);
    case Kind::list: {
      if (index.kind == Kind::slice) computeItems(of, place);
      if (!of.object->lazy) return itemOf(of.items(), index, of, place);
      const std::int64_t count = static_cast<std::int64_t>(of.items().size());
      std::int64_t at = knownInteger(index, "this index", place);
      if (at < 0) at += count;
      if (at < 0 || at >= count) return itemOf(of.items(), index, of, place);
      return itemAt(*of.object, static_cast<std::size_t>(at), place);
    }
    case Kind::dict:
      if (const std::optional<std::size_t> at = dictEntry(*of.object, index, place)) {
        noteRead(of, index);
        const PythonValue found = of.object->entries[*at].second;
        return of.object->lazy && found.kind == Kind::function ? call(found, {}, place) : found;
      }
      if (const std::optional<PythonValue> made = missingEntry(of, index, place)) return *made;
      if (of.object->leftOutLine > 0)
        failProgram(place, "there is no " + index.shown() + " in this dict; line " +
                               std::to_string(of.object->leftOutLine) +
                               ", which may put it there, is left out, because " +
                               of.object->leftOutWhy);
      failProgram(place, "there is no " + index.shown() + " in this dict");
    case Kind::text: {
      PythonValue found = itemOf(iterated(of, place), index, of, place);
      if (found.kind == Kind::text) return found;
      std::string all;
      for (const PythonValue& letter : found.items()) all += letter.text;
      return PythonValue::textOf(std::move(all), place);
    }
    case Kind::instance:
      if (isSelection(of)) return subscriptOfSelection(of, items, place);
      if (classAttribute(of.object->type, "__getitem__"))
        return callFunction(bindMethod(of, "__getitem__", place), {{"", index, place}}, place);
      break;
    case Kind::path:  // Optional[Tensor], List[int]
      return of;
    default:
      break;
  }
  failProgram(place, of.shown() + " has no items");
}

std::optional<std::size_t> Evaluator::dictEntry(PythonObject& dict, const PythonValue& key,
                                                SourcePlace place) {
  step(place, 1 + dict.keys.follow(dict.entries) / 64);
  const std::string shared = KeyPlaces::shared(key);
  if (!shared.empty()) {
    if (const std::optional<std::size_t> found = dict.keys.find(shared)) return found;
    search(place, dict.keys.others().size());
    for (const std::size_t at : dict.keys.others())
      if (same(dict.entries[at].first, key, place)) return at;
    return std::nullopt;
  }
  search(place, dict.entries.size());
  for (std::size_t at = 0; at < dict.entries.size(); ++at)
    if (same(dict.entries[at].first, key, place)) return at;
  return std::nullopt;
}

void Evaluator::assignItem(const PythonValue& of, const std::vector<PythonValue>& items, bool tuple,
                           const PythonValue& value, SourcePlace place) {
  if (of.isTensor() || of.kind == Kind::held) {
    std::vector<PythonValue> resolved = indexItems(items, tuple, place);
    PythonValue into = settled(of);
    takeInts(into, resolved, place);
    if (isSelection(value) && builder_.hasMask(resolved))
      return builder_.assignSelected(into, resolved, selectionOf(value), place);
    if (!putByIndices(into, resolved, settled(value), place))
      builder_.assignSubscript(into, resolved, settled(value), place);
    return;
  }
  const PythonValue index = tuple ? PythonValue::listOf(items, true, place) : items.at(0);
  if (of.kind == Kind::instance && classAttribute(of.object->type, "__setitem__")) {
    callFunction(bindMethod(of, "__setitem__", place), {{"", index, place}, {"", value, place}},
                 place);
    return;
  }
  if (of.object) refuseCycle(value, *of.object, place);
  if (of.kind == Kind::dict) {
    if (const std::optional<std::size_t> at = dictEntry(*of.object, index, place)) {
      refuseCountingEntry(of, index, of.object->entries[*at].second, value, place);
      of.object->entries[*at].second = value;
    } else {
      of.object->entries.emplace_back(index, value);
    }
    return;
  }
  if (of.kind != Kind::list || of.tuple) failProgram(place, of.shown() + " cannot be written into");
  const auto count = static_cast<std::int64_t>(of.items().size());
  const std::int64_t at = knownInteger(index, "this index", place);
  if (at < -count || at >= count)
    failProgram(place, "there is no item " + std::to_string(at) + " in " + std::to_string(count));
  of.object->items[static_cast<std::size_t>(at < 0 ? at + count : at)] = value;
}

}  // namespace fusebench
