// SPDX-License-Identifier: GPL-3.0-or-later
// Binds values to names, attributes and items.
#include <algorithm>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_source.h"
#include "engine/language/surrounding_rows.h"

namespace fusebench {
namespace {

using ast::Expression;

using ExprKind = Expression::Kind;
using Kind = PythonValue::Kind;

}  // namespace

void Evaluator::assign(const Expression& target, const PythonValue& value) {
  const Deeper deeper(*this, target.place);
  switch (target.kind) {
    case ExprKind::name:
      if (target.text == "self") failProgram(target.place, "self cannot be assigned to");
      if (names_->elsewhere.contains(target.text))
        bind(target.text, value, target.place);
      else
        names_->bound[target.text] = value;
      if (inScript() && (value.kind == Kind::instance || value.kind == Kind::held))
        nameHeld(value, target.text, target.text);
      return;
    case ExprKind::tuple:
    case ExprKind::list:
      return unpack(target, value);
    case ExprKind::postfix: {
      const ast::Trailer& last = target.trailers.back();
      const ItemPlace item = itemPlace(target);
      if (item.of.kind == Kind::outside) return;
      if (last.kind != ast::Trailer::Kind::attribute && item.of.kind == Kind::path &&
          findSurrounding(item.of.text))
        return;
      if (last.kind == ast::Trailer::Kind::attribute)
        return setAttribute(item.of, last.name, value, last.place);
      return assignItem(item.of, item.items, item.tuple, value, item.place);
    }
    default:
      failProgram(target.place, "only a plain name can be assigned to, as in x = torch.exp(x)");
  }
}

/// del of a name, of an entry of a dict, of an item of a list, of an attribute, or of several.
void Evaluator::remove(const Expression& target) {
  const Deeper deeper(*this, target.place);
  if (target.kind == ExprKind::tuple || target.kind == ExprKind::list) {
    for (const auto& part : target.parts) remove(*part);
    return;
  }
  if (target.kind == ExprKind::name) {
    names_->bound.erase(target.text);
    return;
  }
  if (target.kind != ExprKind::postfix) failProgram(target.place, "this cannot be deleted");
  const ast::Trailer& last = target.trailers.back();
  const ItemPlace item = itemPlace(target);
  if (last.kind == ast::Trailer::Kind::attribute && item.of.kind == Kind::instance &&
      item.of.object->attributes.erase(last.name) > 0) {
    std::erase(item.of.object->order, last.name);
    return;
  }
  if (last.kind == ast::Trailer::Kind::subscript && item.items.size() == 1) {
    const PythonValue& at = item.items.front();
    if (item.of.kind == Kind::dict || item.of.kind == Kind::list)
      step(target.place, (item.of.object->entries.size() + item.of.object->items.size()) / 8);
    if (item.of.kind == Kind::dict)
      if (const std::optional<std::size_t> found = dictEntry(*item.of.object, at, target.place)) {
        auto& entries = item.of.object->entries;
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(*found));
        item.of.object->keys.forget();
        return;
      }
    if (item.of.kind == Kind::list && !item.of.tuple && at.isNumber() && at.integer) {
      auto& items = item.of.object->items;
      const auto count = static_cast<double>(items.size());
      const double place = at.number < 0 ? at.number + count : at.number;
      if (place >= 0 && place < count) {
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
        return;
      }
    }
  }
  failProgram(target.place,
              "del takes existing names, attributes, entries of dicts and items of lists");
}

void Evaluator::setAttribute(const PythonValue& of, const std::string& name,
                             const PythonValue& value, SourcePlace place) {
  if (of.kind == Kind::outside) return;
  if (of.kind != Kind::instance) {
    if (of.kind == Kind::path)
      if (const SurroundingRow* const row = findSurrounding(of.text + "." + name)) {
        if (row->how != SurroundingRow::How::passedOver)
          note(place, of.text + "." + name + ": " + row->note);
        return;
      }
    if (of.kind == Kind::held && name == "requires_grad" && of.object->input < 0) {
      of.object->parameter = truth(value, place, ".requires_grad");
      return;
    }
    if ((of.isTensor() || of.kind == Kind::held) && name == "requires_grad")
      return builder_.requireGradient(settled(of).value, truth(value, place, ".requires_grad"));
    if ((of.isTensor() || of.kind == Kind::held) && name == "grad")
      return builder_.setGradient(settled(of).value, settled(value), place);
    if ((of.isTensor() || of.kind == Kind::held) && name == "data" && preparing_ == 0)
      failProgram(place,
                  "a tensor's .data cannot be set; write into it, as in w.data.copy_(...) or "
                  "w.data -= ...");
    if (of.isTensor())
      failProgram(place, "." + name +
                             " without parentheses cannot be set; a tensor's values are "
                             "made by ops");
    if (of.kind == Kind::path && of.text.starts_with("torch."))
      failProgram(place, of.text + "." + name +
                             " is a setting of PyTorch, not part of a program; leave the line out" +
                             (name == "benchmark" ? ": the variant's option tune, set to search, "
                                                    "has algorithms tried as it does"
                                                  : ""));
    failProgram(place, "." + name + " of " + of.shown() + " cannot be set");
  }
  // What is made in a call may keep tensors: it is gone when the call is over.
  if (of.object->outlives && !of.object->library && preparing_ == 0 && value.isTensor())
    failProgram(
        place,
        "modules keep no state between calls in a program; return the value, and pass it in again");
  if (const DataClass* const data = dataOf(of.object->type); data && data->frozen)
    failProgram(place,
                "." + name + " of " + of.object->type->name +
                    " cannot be set, because the dataclass is frozen; make another object by "
                    "dataclasses.replace");
  refuseCounting(of, name, value, place);
  refuseCycle(value, *of.object, place);
  // PyTorch's own modules hold parameters; what is a buffer there is registered as one.
  if (value.kind == Kind::held && (inLibrary_ > 0 || (of.object->type && of.object->type->library)))
    value.object->parameter = true;
  putAttribute(*of.object, name, value, place);
}

void Evaluator::putAttribute(PythonObject& of, const std::string& name, const PythonValue& value,
                             SourcePlace place) {
  of.attributes[name] = value;
  search(place, of.order.size());
  if (std::ranges::find(of.order, name) == of.order.end()) of.order.push_back(name);
}

/// An attribute that a call reads from an object that outlives it and then changes has another
/// value at the next call in Python; here each call would begin with the value that __init__ set.
void Evaluator::refuseCounting(const PythonValue& of, const std::string& name,
                               const PythonValue& value, SourcePlace place) {
  if (!of.object->outlives || of.object->library || beside_ || preparing_ > 0) return;
  if (!of.object->asked.emplace(name, false).first->second) return;
  const PythonValue& before = of.object->attributes[name];
  // From None to something is what the first call makes, and each would make the same.
  if (!before.isScalar() && before.kind != Kind::text) return;
  if (before.kind == value.kind && same(before, value, place)) return;
  failProgram(place, "." + name + " of " + of.object->type->name +
                         " would change from call to call, and each call of a program begins with "
                         "what __init__ set; keep it as a tensor, which stays: self." +
                         name + " = torch.zeros(())");
}

void Evaluator::noteRead(const PythonValue& dict, const PythonValue& key) const {
  if (dict.object->outlives && !beside_ && preparing_ == 0 && key.kind == Kind::text)
    dict.object->asked.emplace(key.text, true);
}

void Evaluator::refuseCountingEntry(const PythonValue& dict, const PythonValue& key,
                                    const PythonValue& before, const PythonValue& value,
                                    SourcePlace place) {
  if (!dict.object->outlives || key.kind != Kind::text) return;
  if (dict.object->lazy && before.kind == Kind::function)
    failProgram(place, "the scheduler of this optimizer sets '" + key.text +
                           "'; leave this line or the scheduler out");
  if (beside_ || preparing_ > 0) return;
  if (!dict.object->asked.emplace(key.text, false).first->second) return;
  if (before.kind == value.kind && same(before, value, place)) return;
  failProgram(place, "'" + key.text +
                         "' of this optimizer would change from call to call, and each call of a "
                         "program begins with the value that it was made with; write a scheduler "
                         "of torch.optim.lr_scheduler, or set it before it is read");
}

/// Evaluates the part before a target's last trailer, and the items in its brackets.
Evaluator::ItemPlace Evaluator::itemPlace(const Expression& target) {
  const ast::Trailer& last = target.trailers.back();
  PythonValue of = target.parts[0]->kind == ExprKind::name ? name(*target.parts[0], false)
                                                           : evaluate(*target.parts[0]);
  for (std::size_t i = 0; i + 1 < target.trailers.size(); ++i) {
    const ast::Trailer& each = target.trailers[i];
    if (each.kind == ast::Trailer::Kind::attribute) {
      const bool called = target.trailers[i + 1].kind == ast::Trailer::Kind::call;
      of = attribute(of, each.name, each.place, called);
    } else if (each.kind == ast::Trailer::Kind::subscript) {
      std::vector<PythonValue> items;
      for (const auto& item : each.arguments) items.push_back(evaluate(*item));
      of = subscript(of, items, each.tuple, each.place);
    } else {
      of = call(of, arguments(each), each.place);
    }
  }
  ItemPlace found{std::move(of), {}, last.tuple, last.place};
  if (last.kind == ast::Trailer::Kind::subscript)
    for (const auto& item : last.arguments) found.items.push_back(evaluate(*item));
  return found;
}

void Evaluator::unpack(const Expression& target, const PythonValue& value) {
  if (value.kind == Kind::outside) return bindOutside(target, {}, target.place);
  const std::size_t count = target.parts.size();
  const auto star = std::find_if(target.parts.begin(), target.parts.end(),
                                 [](const auto& part) { return part->kind == ExprKind::starred; });
  const bool rest = star != target.parts.end();
  const auto before = static_cast<std::size_t>(star - target.parts.begin());
  const std::size_t after = rest ? count - before - 1 : 0;
  const std::vector<PythonValue> items =
      value.kind == Kind::shape ? unpackedShape(value, before, after, rest, target.place)
                                : iterated(value, target.place);
  const std::size_t least = rest ? count - 1 : count;
  if (items.size() < least || (!rest && items.size() > count))
    failProgram(target.place, std::to_string(count) + " names for " + std::to_string(items.size()) +
                                  " values; the numbers must be equal");
  for (std::size_t i = 0; i < before; ++i) assign(*target.parts[i], items[i]);
  if (!rest) return;
  const std::size_t taken = items.size() - before - after;
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(before);
  assign(*(*star)->parts[0],
         PythonValue::listOf({first, first + static_cast<std::ptrdiff_t>(taken)}, false,
                             target.place));
  for (std::size_t i = 0; i < after; ++i)
    assign(*target.parts[before + 1 + i], items[before + taken + i]);
}

void Evaluator::augmented(const ast::Statement& s) {
  const Expression& target = *s.targets[0];
  if (target.kind == ExprKind::name) {
    // A name that a function changes is its own, unless the function declares otherwise.
    const bool known =
        names_->bound.contains(target.text) ||
        ((names_->of == Names::Of::classBody || names_->elsewhere.contains(target.text)) &&
         lookUp(target.text));
    const bool makesInput = names_ == &main_ && !main_.declared && preparing_ == 0;
    if (!known && !makesInput && !isPythonBuiltin(target.text))
      failProgram(target.place,
                  "there is no '" + target.text + "' to change here; assign to it first");
  }
  const bool ofItem = target.kind == ExprKind::postfix &&
                      target.trailers.back().kind == ast::Trailer::Kind::subscript;
  // The object that an item belongs to is evaluated once.
  ItemPlace spot = ofItem ? itemPlace(target) : ItemPlace();
  if (spot.of.isTensor() || spot.of.kind == Kind::held) {
    spot.items = indexItems(spot.items, spot.tuple, spot.place);
    spot.tuple = true;
    if (builder_.hasMask(spot.items)) {
      PythonValue into = settled(spot.of);
      takeInts(into, spot.items, spot.place);
      const PythonValue by = evaluate(*s.value);
      if (isSelection(by)) {
        const SelectedValues from = selectionOf(by);
        builder_.augmentMasked(s.text, into, spot.items, from.whole, &from, s.symbolPlace);
      } else {
        builder_.augmentMasked(s.text, into, spot.items, settled(by), nullptr, s.symbolPlace);
      }
      return;
    }
  }
  PythonValue before = target.kind == ExprKind::name ? name(target, false)
                       : ofItem ? subscript(spot.of, spot.items, spot.tuple, spot.place)
                                : evaluate(target);
  const auto assigned = [&](const PythonValue& value) {
    ofItem ? assignItem(spot.of, spot.items, spot.tuple, value, spot.place) : assign(target, value);
  };
  before.place = target.place;
  const PythonValue by = evaluate(*s.value);
  if (before.kind == Kind::list && !before.tuple && s.text == "+") {
    for (PythonValue& item : iterated(by, s.place)) before.object->items.push_back(std::move(item));
    return;
  }
  if (PythonValue made; ownOperatorInPlace(s.text, before, by, s.symbolPlace, made))
    return assigned(made);
  if (before.isTensor() || (before.kind == Kind::held && preparing_ == 0)) {
    // In place, as PyTorch does: whatever else names the tensor sees it, too.
    const PythonValue written =
        builder_.augmented(s.text, settled(before), settled(by), s.symbolPlace);
    // An index of integer tensors selects a new tensor, which is written back. If several elements
    // go to one place, the last one counts.
    const bool taken =
        ofItem && (spot.of.isTensor() || spot.of.kind == Kind::held) &&
        std::ranges::any_of(spot.items, [&](const PythonValue& each) { return each.isTensor(); });
    if (s.text == "@" || taken || (target.kind == ExprKind::name && before.isTensor()))
      assigned(written);
    return;
  }
  assigned(binary(s.text, before, by, s.symbolPlace));
}

}  // namespace fusebench
