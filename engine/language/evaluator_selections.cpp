// SPDX-License-Identifier: GPL-3.0-or-later
// What a mask selects: x[mask], whose size depends on data. See library/selections.py.
#include <algorithm>
#include <array>
#include <string_view>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

constexpr std::string_view kSelected = "_Selected";

const PythonValue& memberOf(const PythonValue& selection, std::string_view name) {
  return selection.object->attributes.find(name)->second;
}

bool takesAllOf(const PythonValue& item) {
  return item.kind == Kind::slice &&
         std::ranges::all_of(item.items(),
                             [](const PythonValue& bound) { return bound.kind == Kind::none; });
}

}  // namespace

bool Evaluator::isSelection(const PythonValue& value) {
  return value.kind == Kind::instance && value.object->type && value.object->type->library &&
         value.object->type->name == kSelected;
}

SelectedValues Evaluator::selectionOf(const PythonValue& value) {
  return {memberOf(value, "whole"), memberOf(value, "mask"),
          static_cast<int>(memberOf(value, "after").number),
          static_cast<std::size_t>(memberOf(value, "at").number)};
}

PythonValue Evaluator::selection(const PythonValue& of, const std::vector<PythonValue>& items,
                                 SourcePlace place) {
  const ProgramBuilder::Masked read = builder_.selected(of, items, place);
  const auto number = [&](auto count) {
    return PythonValue::numberOf(static_cast<double>(count), true, place);
  };
  return call(*libraryNamed(kSelected),
              {{"", read.part, place},
               {"", read.chosen, place},
               {"", read.mask, place},
               {"", number(read.before), place},
               {"", number(read.after), place},
               {"", number(program_.ops.size()), place}},
              place);
}

/// x[m][:, 0], x[m][..., None]: items for dimensions after the selected one.
PythonValue Evaluator::subscriptOfSelection(const PythonValue& of,
                                            const std::vector<PythonValue>& items,
                                            SourcePlace place) {
  const auto before = static_cast<std::size_t>(memberOf(of, "before").number);
  const int after = static_cast<int>(memberOf(of, "after").number);
  const auto takes = [](const PythonValue& item) {
    return item.kind != Kind::none && item.kind != Kind::ellipsis;
  };
  const bool dots = !items.empty() && items[0].kind == Kind::ellipsis;
  const std::size_t first = dots ? 1 : before + 1;
  const bool whole =
      dots ||
      (items.size() >= first &&
       std::all_of(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(first), takesAllOf));
  const bool plain = std::ranges::none_of(items, [](const PythonValue& item) {
    return item.isTensor() || item.kind == Kind::list || item.kind == Kind::instance ||
           item.kind == Kind::flag;
  });
  if (!whole || !plain || items.size() < first) failSelection(place);
  std::vector<PythonValue> inner(items.begin() + static_cast<std::ptrdiff_t>(first), items.end());
  if (std::ranges::count_if(inner, takes) > after) failSelection(place);
  PythonValue dotted;
  dotted.kind = Kind::ellipsis;
  dotted.place = place;
  // A slice for each dimension that no item is for: the items are counted from the first.
  if (!dots && std::ranges::none_of(
                   inner, [](const PythonValue& item) { return item.kind == Kind::ellipsis; }))
    for (auto left = after - std::ranges::count_if(inner, takes); left > 0; --left)
      inner.push_back(PythonValue::sliceOfAll(place));
  inner.insert(inner.begin(), dotted);
  const PythonValue& full = memberOf(of, "whole");
  PythonValue made = builder_.subscript(full, inner, place);
  made.detached = full.detached;
  return call(bindMethod(of, "_with", place), {{"", made, place}}, place);
}

/// A method of tensors that the library's class of selections does not have.
PythonValue Evaluator::methodOfSelection(const PythonValue& self, const std::string& name,
                                         const std::vector<CallArgument>& arguments,
                                         SourcePlace place) {
  return callLifted("_method", self, {PythonValue::textOf(name, place)}, arguments, place);
}

PythonValue Evaluator::callLifted(const char* method, const PythonValue& self,
                                  std::vector<PythonValue> first,
                                  const std::vector<CallArgument>& arguments, SourcePlace place) {
  std::vector<PythonValue> places;
  PythonValue names;
  names.kind = Kind::dict;
  names.place = place;
  names.object = std::make_shared<PythonObject>();
  for (const CallArgument& each : arguments) {
    if (each.keyword.empty())
      places.push_back(each.value);
    else
      names.object->entries.emplace_back(PythonValue::textOf(each.keyword, place), each.value);
  }
  std::vector<CallArgument> given;
  for (PythonValue& each : first) given.push_back({"", std::move(each), place});
  given.push_back({"", PythonValue::listOf(std::move(places), false, place), place});
  given.push_back({"", names, place});
  return call(bindMethod(self, method, place), std::move(given), place);
}

/// torch.exp(x[m]): a function of PyTorch. False: none of its arguments is a selection.
bool Evaluator::selectionCall(const std::string& path, const std::vector<CallArgument>& arguments,
                              SourcePlace place, PythonValue& result) {
  const auto found = std::ranges::find_if(
      arguments, [](const CallArgument& each) { return isSelection(each.value); });
  if (found == arguments.end() || !path.starts_with("torch.")) return false;
  result = callLifted("_function", found->value,
                      {PythonValue::textOf(path.substr(path.rfind('.') + 1), place),
                       PythonValue::pathOf(path, place)},
                      arguments, place);
  return true;
}

namespace {

/// Follows what ops make of selected elements: each may only combine elements that the mask does
/// not tell apart.
class Elementwise {
 public:
  Elementwise(ProgramBuilder& builder, int lead) : builder_(builder), lead_(lead) {}

  void start(ValueId whole) { parts_.push_back(whole); }

  bool takes(const Op& op, ValueId result) {
    const auto isPart = [&](const Operand& operand) {
      return !operand.isNumber() && std::ranges::find(parts_, operand.value) != parts_.end();
    };
    if (op.into >= 0 && !isPart(Operand::ofValue(op.into))) return false;
    if (std::ranges::none_of(op.operands, isPart)) return true;
    parts_.push_back(result);
    const bool first = isPart(op.operands.front());
    switch (op.row->kind) {
      case OpKind::pointwise:
        return std::ranges::all_of(op.operands, [&](const Operand& operand) {
          return operand.isNumber() || isPart(operand) || isShort(operand.value, result);
        });
      case OpKind::make:
        return op.row->places == IndexInputs::none;
      case OpKind::copy:
        return true;
      case OpKind::reduce:
      case OpKind::scan:
        return op.dims && !op.dims->empty() && std::ranges::all_of(*op.dims, [&](int dim) {
                 return isInner(dim, builder_.rankOf(op.operands.front().value));
               });
      case OpKind::view: {
        constexpr std::array<std::string_view, 4> kInner{
            {"unsqueeze", "squeeze", "select", "slice"}};
        const bool named = std::ranges::find(kInner, op.row->name) != kInner.end();
        const std::optional<int> rank =
            builder_.rankOf(op.row->name == "unsqueeze" ? result : op.operands.front().value);
        return named && op.dims && op.dims->size() == 1 && isInner(op.dims->front(), rank);
      }
      case OpKind::contract: {
        const std::optional<int> rank = builder_.rankOf(op.operands.front().value);
        if (!first || !rank || *rank <= lead_ ||
            std::any_of(op.operands.begin() + 1, op.operands.end(), isPart))
          return false;
        const std::optional<int> by = builder_.rankOf(op.operands[1].value);
        return op.row->name == "linear" || op.row->name == "linear_bias" ||
               (op.row->name == "matmul" && by && *by == 2);
      }
      default:
        return false;
    }
  }

 private:
  bool isInner(int dim, std::optional<int> rank) const {
    return rank && (dim < 0 ? dim + *rank : dim) >= lead_;
  }
  /// Whether a tensor has no dimension along which the mask selects, or 1 element along these.
  bool isShort(ValueId value, ValueId result) {
    const std::optional<int> own = builder_.rankOf(value), rank = builder_.rankOf(result);
    if (!own || !rank) return false;
    if (*own <= *rank - lead_) return true;
    const std::optional<Shape> shape = builder_.shapeOf(value);
    for (int d = 0; d < *own - (*rank - lead_); ++d)
      if (!shape || (*shape)[d] != 1) return false;
    return true;
  }

  ProgramBuilder& builder_;
  int lead_;  ///< how many dimensions the mask has and come before it
  std::vector<ValueId> parts_;
};

}  // namespace

/// Calls a function of the library's at every element, and refuses what mixes elements that the
/// mask tells apart.
PythonValue Evaluator::elementwise(const PythonValue& function, int lead,
                                   const std::vector<PythonValue>& wholes, SourcePlace place) {
  const std::size_t before = program_.ops.size();
  Elementwise rule(builder_, lead);
  for (const PythonValue& each : wholes) rule.start(each.value);
  PythonValue made = call(function, {}, place);
  for (std::size_t i = before; i < program_.ops.size(); ++i)
    if (!rule.takes(program_.ops[i], kFirstResult + static_cast<ValueId>(i))) failSelection(place);
  return made;
}

}  // namespace fusebench
