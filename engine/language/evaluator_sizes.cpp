// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

}  // namespace

bool Evaluator::truth(const PythonValue& value, SourcePlace place, const std::string& what) {
  const Deeper deeper(*this, place);
  switch (value.kind) {
    case Kind::number:
    case Kind::flag:
      return value.number != 0;
    case Kind::size: {
      PythonValue placed = value;
      placed.place = place;
      return builder_.decided(placed, what).number != 0;
    }
    case Kind::text:
      return !value.text.empty();
    case Kind::none:
      return false;
    case Kind::outside:
      failProgram(place, what + " depends on a call that is left out of the program");
    case Kind::list:
      return !value.items().empty();
    case Kind::dict:
      return !value.object->entries.empty();
    case Kind::tensor:
      failProgram(place, what +
                             " depends on a tensor's values; data-dependent control flow is not "
                             "supported; write torch.where(condition, a, b)");
    case Kind::held:
      if (value.object->initial.kind == InitialValues::Kind::numbers &&
          value.object->initial.numbers.size() == 1 &&
          elementCount(value.object->initial.extents) == 1)
        return value.object->initial.numbers[0] != 0;
      failProgram(place, what + " depends on a tensor of several values; reduce it, as in .any()");
    case Kind::instance:
      if (classAttribute(value.object->type, "__len__"))
        return truth(lengthOf(value, place), place, what);
      return true;
    default:
      return true;
  }
}

std::int64_t Evaluator::knownInteger(const PythonValue& value, const std::string& what,
                                     SourcePlace place) {
  PythonValue placed = value;
  placed.place = place;
  const PythonValue known = builder_.decided(placed, what);
  if (!known.isNumber() || !known.integer)
    failProgram(place, what + " must be an int, but found " +
                           (known.kind == Kind::number ? "a float" : known.shown()));
  return static_cast<std::int64_t>(known.number);
}

PythonValue Evaluator::extentOf(ValueId tensor, int dim, SourcePlace place) {
  return builder_.sizeValue(program_.sizes.extent(tensor, dim), place);
}

std::vector<PythonValue> Evaluator::extents(const PythonValue& shape, SourcePlace place) {
  const std::optional<int> rank = builder_.rankOf(shape.value);
  if (!rank)
    failProgram(place,
                "how many dimensions this tensor has is not known before the inputs' sizes "
                "are; name them, as in b, n = x.shape, or give the inputs sizes");
  return unpackedShape(shape, static_cast<std::size_t>(*rank), 0, false, place);
}

std::vector<PythonValue> Evaluator::unpackedShape(const PythonValue& shape, std::size_t before,
                                                  std::size_t after, bool rest, SourcePlace place) {
  const std::optional<int> rank = builder_.rankOf(shape.value);
  const std::size_t least = before + after;
  if (rank &&
      (rest ? static_cast<std::size_t>(*rank) < least : static_cast<std::size_t>(*rank) != least))
    failProgram(place, std::to_string(least) + " names for the " + std::to_string(*rank) +
                           " sizes of this tensor; the numbers must be equal");
  SizeExpressions& sizes = program_.sizes;
  std::vector<PythonValue> items;
  const std::size_t middle = rest && rank ? static_cast<std::size_t>(*rank) - least : 0;
  for (std::size_t i = 0; i < before + middle; ++i)
    items.push_back(extentOf(shape.value, static_cast<int>(i), place));
  for (std::size_t i = 0; i < after; ++i)
    items.push_back(extentOf(shape.value, static_cast<int>(i) - static_cast<int>(after), place));
  const SizeId count = sizes.constant(static_cast<double>(least), true);
  // Without a known rank the rest stays empty, which holds only if it is.
  const SizeId fits = sizes.binary(SizeKind::equal, sizes.rank(shape.value),
                                   rest && rank ? sizes.constant(*rank, true) : count, place);
  builder_.check(fits, true,
                 builder_.shownSize(sizes.rank(shape.value)) + " is not " +
                     std::to_string(rest && rank ? static_cast<std::size_t>(*rank) : least) +
                     ", as many as names stand for its shape here",
                 place);
  return items;
}

PythonValue Evaluator::shapeItem(const PythonValue& shape, const PythonValue& index,
                                 SourcePlace place) {
  if (index.kind != Kind::slice)
    return extentOf(shape.value, static_cast<int>(knownInteger(index, "this index", place)), place);
  const std::vector<PythonValue>& bounds = index.items();
  const auto bound = [&](std::size_t i) -> std::optional<std::int64_t> {
    if (i >= bounds.size() || bounds[i].kind == Kind::none) return std::nullopt;
    return knownInteger(bounds[i], "this bound", place);
  };
  const std::optional<std::int64_t> from = bound(0), to = bound(1), by = bound(2);
  std::vector<PythonValue> found;
  // x.shape[-2:] and x.shape[:2] need no rank.
  if (!by && !to && from && *from < 0 && *from >= -kMaxRank) {
    for (std::int64_t d = *from; d < 0; ++d)
      found.push_back(extentOf(shape.value, static_cast<int>(d), place));
  } else if (!by && to && *to >= 0 && *to <= kMaxRank && (!from || *from >= 0) &&
             !builder_.rankOf(shape.value)) {
    for (std::int64_t d = from.value_or(0); d < *to; ++d)
      found.push_back(extentOf(shape.value, static_cast<int>(d), place));
  } else {
    return subscript(PythonValue::listOf(extents(shape, place), true, place), {index}, false,
                     place);
  }
  return PythonValue::listOf(std::move(found), true, place);
}

PythonValue Evaluator::tensorSize(const PythonValue& tensor, const std::string& name,
                                  const std::vector<CallArgument>& arguments, SourcePlace place) {
  if (name == "dim" || name == "ndimension") {
    if (const std::optional<int> rank = builder_.rankOf(tensor.value)) {
      SizeExpressions& sizes = program_.sizes;
      const SizeId is = sizes.binary(SizeKind::equal, sizes.rank(tensor.value),
                                     sizes.constant(*rank, true), place);
      builder_.check(is, true,
                     "the program was read for a tensor of " + std::to_string(*rank) +
                         " dimensions here, which these inputs do not give",
                     place);
      return PythonValue::numberOf(*rank, true, place);
    }
    return builder_.sizeValue(program_.sizes.rank(tensor.value), place);
  }
  if (name == "numel" || name == "nelement")
    return builder_.sizeValue(program_.sizes.elements(tensor.value), place);
  if (!arguments.empty()) {
    const std::int64_t dim = knownInteger(arguments[0].value, "the dimension", place);
    if (dim < -kMaxRank || dim >= kMaxRank)
      failProgram(place, "tensors have at most " + std::to_string(kMaxRank) + " dimensions");
    return extentOf(tensor.value, static_cast<int>(dim), place);
  }
  PythonValue shape;
  shape.kind = Kind::shape;
  shape.value = tensor.value;
  shape.place = place;
  return shape;
}

}  // namespace fusebench
