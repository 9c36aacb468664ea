// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors of numbers that are known while the program is read: torch.prod(torch.tensor(x.shape))
// is a size where an int is asked for.
#include <algorithm>
#include <array>
#include <string_view>

#include "engine/language/evaluator.h"

namespace fusebench {
namespace {

using KnownKind = PythonValue::Kind;

/// Functions that reduce all numbers to one, and the operator or function on two.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kFolds{
    {{"torch.prod", "*"}, {"torch.sum", "+"}, {"torch.max", "max"}, {"torch.min", "min"}}};
/// More numbers than any shape has.
constexpr std::size_t kMostItems = 64;

bool isTensorOf(const std::string& path) {
  return path == "torch.tensor" || path == "torch.as_tensor" || path == "torch.LongTensor";
}

}  // namespace

void Evaluator::noteItems(const std::string& path, const std::vector<CallArgument>& arguments,
                          std::shared_ptr<PythonObject>& items) {
  if (!isTensorOf(path) || arguments.empty()) return;
  const PythonValue& of = arguments.front().value;
  const bool scalar = of.isScalar();
  if (!scalar && (of.kind != KnownKind::list || of.items().size() > kMostItems ||
                  !std::ranges::all_of(of.items(), &PythonValue::isScalar)))
    return;
  const bool cast = std::ranges::any_of(
      arguments, [](const CallArgument& each) { return each.keyword == "dtype"; });
  if (cast) return;
  items = std::make_shared<PythonObject>();
  items->items = scalar ? std::vector<PythonValue>{of} : of.items();
}

std::optional<std::vector<PythonValue>> Evaluator::knownItems(const PythonValue& value,
                                                              SourcePlace place) {
  if (value.isTensor() && value.object) return value.object->items;
  if (value.kind != KnownKind::held) return std::nullopt;
  const InitialValues& initial = value.object->initial;
  const std::int64_t count = elementCount(initial.extents);
  if (initial.kind != InitialValues::Kind::numbers || value.object->parameter ||
      initial.extents.rank() > 1 || count > static_cast<std::int64_t>(kMostItems))
    return std::nullopt;
  std::vector<PythonValue> items;
  for (std::int64_t i = 0; i < count; ++i)
    items.push_back(PythonValue::numberOf(
        initial.numbers[initial.numbers.size() == 1 ? 0 : static_cast<std::size_t>(i)],
        !isFloat(initial.dtype), place));
  return items;
}

std::optional<PythonValue> Evaluator::knownFold(std::string_view name, const PythonValue& of,
                                                SourcePlace place) {
  const auto* const fold =
      std::ranges::find(kFolds, name, &std::pair<std::string_view, std::string_view>::first);
  const std::optional<std::vector<PythonValue>> items =
      fold == kFolds.end() ? std::nullopt : knownItems(of, place);
  if (!items) return std::nullopt;
  const bool picks = fold->second == "max" || fold->second == "min";
  if (items->empty() && picks) return std::nullopt;
  PythonValue made =
      picks ? items->front() : PythonValue::numberOf(fold->second == "*" ? 1 : 0, true, place);
  for (const PythonValue& item : *items) {
    if (!picks) {
      made = binary(fold->second, made, item, place);
      continue;
    }
    PythonValue next;
    if (!scalarCall(std::string(fold->second), {{"", made, place}, {"", item, place}}, place, next))
      return std::nullopt;
    made = next;
  }
  return made;
}

bool Evaluator::knownCall(const std::string& path, const std::vector<CallArgument>& arguments,
                          SourcePlace place, PythonValue& result) {
  if (arguments.size() != 1 || !arguments.front().keyword.empty()) return false;
  const PythonValue& of = arguments.front().value;
  if (!of.isTensor() && of.kind != KnownKind::held) return false;
  const bool asks = path == "int" || path == "float" || path == "torch.item";
  if (asks || path == "torch.tolist") {
    const std::optional<std::vector<PythonValue>> items = knownItems(of, place);
    if (!items || (asks && items->size() != 1)) return false;
    if (!asks) {
      result = PythonValue::listOf(*items, false, place);
      return true;
    }
    result = items->front();
    return path == "torch.item" || result.isSize() ||
           scalarCall(path, {{"", result, place}}, place, result);
  }
  const std::optional<PythonValue> folded = knownFold(path, of, place);
  if (!folded || !of.isTensor()) {
    if (!folded) return false;
    InitialValues initial;
    if (!folded->isNumber()) return false;
    initial.numbers = {folded->number};
    initial.dtype = of.object->initial.dtype;
    if (initial.dtype == DType::boolean) return false;
    result = held(std::move(initial), place);
    return true;
  }
  result = builder_.call(path, {{"", PythonValue::tensorOf(of.value, of.place), place}}, place);
  result.object = std::make_shared<PythonObject>();
  result.object->items = {*folded};
  return true;
}

}  // namespace fusebench
