// SPDX-License-Identifier: GPL-3.0-or-later
// What indexing with numbers, slices, None and ... means: views, one after another.
#include <algorithm>
#include <optional>

#include "engine/language/program_builder.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

void addSize(Op& op, const PythonValue& size) {
  op.sizes.push_back(size.size);
  op.sizeNumbers.push_back(size.isSize() ? 0 : static_cast<std::int64_t>(size.number));
}

void addSize(Op& op, std::int64_t number) {
  op.sizes.push_back(-1);
  op.sizeNumbers.push_back(number);
}

bool isWhole(const PythonValue& item) {
  return item.isSize() || (item.kind == Kind::number && item.integer);
}

/// One bound of a slice, or what stands for it where it is left out.
void addBound(Op& op, const PythonValue& bound, std::int64_t without) {
  if (bound.kind == Kind::none) return addSize(op, without);
  if (!isWhole(bound))
    failProgram(bound.place, "the bounds of a slice must be ints, but found " + bound.shown());
  addSize(op, bound);
}

bool takesAll(const PythonValue& slice) {
  const std::vector<PythonValue>& bounds = slice.items();
  const auto is = [](const PythonValue& bound, double number) {
    return bound.kind == Kind::none || (bound.kind == Kind::number && bound.number == number);
  };
  return is(bounds[0], 0) && bounds[1].kind == Kind::none && is(bounds[2], 1);
}

[[noreturn]] void refuseItem(const PythonValue& item) {
  if (item.isTensor()) failSelection(item.place);
  if (item.kind == Kind::flag)
    failProgram(item.place,
                "indexing by True or False is not supported; write x[None] for x[True]");
  failProgram(item.place,
              "an index must be an int, a slice, None or ..., but found " + item.shown());
}

}  // namespace

PythonValue ProgramBuilder::view(std::string_view row, const PythonValue& of, int dim,
                                 const PythonValue* item, SourcePlace place) {
  Op op;
  op.row = &namedOp(row);
  op.place = place;
  op.operands.push_back({of.value, 0, false});
  op.parameters.assign(op.row->parameters.size(), 0);
  op.dims = {dim};
  if (item && item->kind == Kind::slice) {
    addBound(op, item->items()[0], 0);
    addBound(op, item->items()[1], kToTheEnd);
    const PythonValue& step = item->items()[2];
    if (step.isNumber() && step.number < 1)
      failProgram(step.place, "a slice's step is " + std::to_string(static_cast<int>(step.number)) +
                                  "; PyTorch's slices only go forward");
    addBound(op, step, 1);
  } else if (item) {
    addSize(op, *item);
  }
  return append(std::move(op));
}

PythonValue ProgramBuilder::subscript(const PythonValue& tensor,
                                      const std::vector<PythonValue>& items, SourcePlace place,
                                      PythonValue* index, int* alongIndex) {
  PythonValue result = tensor;
  const PythonValue* by = nullptr;  // what is taken by an index, after all else
  int along = 0;
  checkIndexItems(items);
  // One item; `at` says for a dimension that comes before or after so many others which it is.
  const auto take = [&](const PythonValue& item, int others, bool fromTheEnd) {
    const int dim = fromTheEnd ? -1 - others : others;
    switch (item.kind) {
      case Kind::none:
        result = view("unsqueeze", result, dim, nullptr, place);
        return others + 1;
      case Kind::slice:
        if (!takesAll(item)) result = view("slice", result, dim, &item, place);
        return others + 1;
      case Kind::tensor:
        by = &item;
        along = dim;
        return others + 1;
      default:
        if (item.kind == Kind::flag || !isWhole(item)) refuseItem(item);
        result = view("select", result, dim, &item, place);
        return others;
    }
  };
  std::size_t first = 0;
  int before = 0;
  for (; first < items.size() && items[first].kind != Kind::ellipsis; ++first)
    before = take(items[first], before, false);
  int after = 0;
  for (std::size_t last = items.size(); last-- > first + 1;) {
    if (items[last].kind == Kind::ellipsis)
      failProgram(items[last].place, "an index can have only one ...");
    after = take(items[last], after, true);
  }
  if (by && index) {
    *index = *by;
    *alongIndex = along;
  } else if (by) {
    Op op;
    op.row = &namedOp("index");
    op.place = place;
    op.operands = {{result.value, 0, false}, {by->value, 0, false}};
    op.operands[0].detached = result.detached;
    op.parameters = {0};
    op.dims = {along};
    result = append(std::move(op));
  }
  result.place = place;
  return result;
}

/// Checks the items between brackets: at most one tensor of integers, next to slices. With an int
/// next to it or with a second tensor, PyTorch moves dimensions.
void ProgramBuilder::checkIndexItems(const std::vector<PythonValue>& items) {
  const auto isIndex = [](const PythonValue& item) { return item.kind == Kind::tensor; };
  const auto found = std::ranges::find_if(items, isIndex);
  if (found == items.end()) return;
  for (const PythonValue& item : items) {
    if (&item == &*found) {
      if (isMask(item)) refuseItem(item);
      continue;
    }
    if (isIndex(item) || isWhole(item))
      failProgram(item.place,
                  "next to an integer tensor an index may only have slices, None and ...; index "
                  "again for another, as in x[i][:, j]");
  }
}

}  // namespace fusebench
