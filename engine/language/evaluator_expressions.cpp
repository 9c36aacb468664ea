// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_source.h"
#include "engine/language/text_pieces.h"
#include "engine/language/token_cursor.h"

namespace fusebench {
namespace {

using ast::Expression;
using ast::Trailer;
using ExprKind = Expression::Kind;
using Kind = PythonValue::Kind;

constexpr std::size_t kLongestSearched = 10000;

[[noreturn]] void failChoice(const PythonValue& value, SourcePlace place) {
  failProgram(place.line > 0 ? place : value.place,
              "this choice depends on a tensor's values; data-dependent control flow is not "
              "supported; write torch.where(condition, a, b)");
}

[[noreturn]] void failWhile(SourcePlace place) {
  failProgram(place,
              "found 'while' on a tensor's values; data-dependent control flow is not supported");
}

}  // namespace

PythonValue Evaluator::evaluate(const Expression& e) {
  step(e.place);
  const Deeper deeper(*this, e.place);
  switch (e.kind) {
    case ExprKind::number:
      if (e.text.ends_with('j') || e.text.ends_with('J')) return imaginary(e.text, e.place);
      return numberLiteral(e.text, e.place);
    case ExprKind::text:
      step(e.place, e.text.size() / 16);
      return PythonValue::textOf(e.text, e.place);
    case ExprKind::format:
      return format(e);
    case ExprKind::name:
      return name(e, false);
    case ExprKind::ellipsis: {
      PythonValue value;
      value.kind = Kind::ellipsis;
      value.place = e.place;
      return value;
    }
    case ExprKind::unary:
      return unary(e);
    case ExprKind::chain:
      return chain(e);
    case ExprKind::power: {
      const PythonValue base = evaluate(*e.parts[0]);
      return binary("**", base, evaluate(*e.parts[1]), e.place);
    }
    case ExprKind::compare:
      return compare(e);
    case ExprKind::both:
    case ExprKind::either:
    case ExprKind::negation:
      return logical(e);
    case ExprKind::conditional:
      return conditional(e);
    case ExprKind::lambda: {
      PythonValue made = functionOf(e.function);
      made.place = e.place;
      return made;
    }
    case ExprKind::tuple:
    case ExprKind::list:
    case ExprKind::set:
      return sequence(e);
    case ExprKind::dict:
      return dict(e);
    case ExprKind::postfix: {
      PythonValue value = postfix(e);
      if (record_ && inLibrary_ == 0 && !quoted_)
        (value.kind == Kind::outside ? record_->outside : record_->known).insert({e.begin, e.end});
      return value;
    }
    case ExprKind::slice:
      return slice(e);
    case ExprKind::starred:
      failProgram(e.place, "found '*'; it is only allowed among the items of a list or of a call");
    case ExprKind::comprehension:
      return comprehension(e);
    case ExprKind::walrus: {
      PythonValue value = evaluate(*e.parts[0]);
      bind(e.text, value, e.place);
      return value;
    }
  }
  return {};
}

PythonValue Evaluator::binary(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                              SourcePlace place) {
  for (const PythonValue* each : {&a, &b})
    if (each->kind == Kind::outside) return PythonValue::outsideFrom(*each, place);
  if (a.isNumber() && b.isNumber()) {
    if (a.kind == Kind::flag && b.kind == Kind::flag && (symbol == "&" || symbol == "|"))
      return PythonValue::flagOf(symbol == "&" ? a.number * b.number != 0 : a.number + b.number > 0,
                                 place);
    return foldBinary(symbol, a, b, place);
  }
  PythonValue result;
  if ((a.kind == Kind::instance || b.kind == Kind::instance) &&
      ownOperator(symbol, a, b, place, result))
    return result;
  if ((a.kind == Kind::held || b.kind == Kind::held) && heldBinary(symbol, a, b, place, result))
    return result;
  if (a.isScalar() && b.isScalar()) return builder_.sizeArithmetic(symbol, a, b, place);
  if (a.kind == Kind::text || b.kind == Kind::text) {
    if (symbol == "%" && a.kind == Kind::text) return percentFormat(a, b, place);
    if (symbol == "+" && a.kind == b.kind) {
      TextPieces made(place);
      made.add(a.text);
      made.add(b.text);
      return made.value();
    }
    if (symbol == "*" && (a.isNumber() || b.isNumber())) {
      const PythonValue& text = a.kind == Kind::text ? a : b;
      PythonValue times = a.isNumber() ? a : b;
      times.integer = times.integer || times.kind == Kind::flag;
      const std::int64_t count = knownInteger(times, "how often this text is repeated", place);
      TextPieces made(place);
      for (std::int64_t i = 0; i < count && !text.text.empty(); ++i) made.add(text.text);
      return made.value();
    }
  }
  const auto isList = [](const PythonValue& v) {
    return v.kind == Kind::list || v.kind == Kind::shape;
  };
  if (symbol == "+" && isList(a) && isList(b)) {
    std::vector<PythonValue> items = iterated(a, place);
    const std::vector<PythonValue> more = iterated(b, place);
    items.insert(items.end(), more.begin(), more.end());
    step(place, items.size());
    if (items.size() > kLongestList)
      failProgram(place, "this list is longer than any program needs");
    return PythonValue::listOf(std::move(items), a.tuple || a.kind == Kind::shape, place);
  }
  if (symbol == "*" && (isList(a) || isList(b)) && (a.isScalar() || b.isScalar())) {
    const PythonValue& list = isList(a) ? a : b;
    const std::int64_t count = knownInteger(isList(a) ? b : a, "the length of this list", place);
    const std::vector<PythonValue> once = iterated(list, place);
    if (count > 0 && once.size() * static_cast<std::size_t>(count) > kLongestList)
      failProgram(place, "this list is longer than any program needs");
    std::vector<PythonValue> items;
    std::size_t texts = 0;
    for (const PythonValue& each : once) texts += each.text.size() / 16;
    if (count > 0) step(place, (once.size() + texts) * static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) items.insert(items.end(), once.begin(), once.end());
    return PythonValue::listOf(std::move(items), list.tuple, place);
  }
  // Weights become inputs in this order, which earlier files have.
  const PythonValue right = settled(b), left = settled(a);
  if (a.inexact || b.inexact)
    refuseInexact({}, nullptr, {{"", left, place}, {"", right, place}}, place);
  return builder_.binary(symbol, left, right, place);
}

PythonValue Evaluator::chain(const Expression& e) {
  PythonValue left = evaluate(*e.parts[0]);
  for (std::size_t i = 0; i < e.symbols.size(); ++i)
    left = binary(e.symbols[i], left, evaluate(*e.parts[i + 1]), e.symbolPlaces[i]);
  return left;
}

PythonValue Evaluator::unary(const Expression& e) {
  const PythonValue value = evaluate(*e.parts[0]);
  if (value.kind == Kind::outside) return value;
  if (PythonValue made; value.kind == Kind::instance && (e.text == "-" || e.text == "~") &&
                        ownOperator(e.text == "-" ? "neg" : "invert", value, value, e.place, made))
    return made;
  if (value.kind == Kind::held && preparing_ > 0 && e.text == "-")
    return binary("*", value, PythonValue::numberOf(-1, true, e.place), e.place);
  const PythonValue operand = settled(value);
  if (!operand.isTensor() && !operand.isScalar())
    failProgram(e.place, "'" + e.text + "' needs a tensor or a number, but found " + value.shown());
  if (e.text == "+") return operand;
  if (operand.isTensor()) return builder_.unary(e.text, operand, e.place);
  if (e.text == "~" && operand.isNumber() && operand.integer)
    return PythonValue::numberOf(-operand.number - 1, true, e.place);
  if (e.text == "~") failProgram(e.place, "'~' of a number is not supported");
  if (operand.isSize())
    return builder_.sizeValue(program_.sizes.unary(SizeKind::negative, operand.size, e.place),
                              e.place);
  PythonValue negative = PythonValue::numberOf(-operand.number, operand.integer, e.place);
  if (operand.integer && operand.number == 0) negative.number = 0;  // an int has no -0
  negative.wrapped = operand.wrapped;
  return negative;
}

PythonValue Evaluator::compare(const Expression& e) {
  PythonValue left = evaluate(*e.parts[0]);
  PythonValue result;
  for (std::size_t i = 0; i < e.symbols.size(); ++i) {
    const PythonValue right = evaluate(*e.parts[i + 1]);
    const bool tensors = left.isTensor() || right.isTensor();
    if (tensors && e.symbols.size() > 1 && e.symbols[i] != "is" && e.symbols[i] != "is not")
      failProgram(e.symbolPlaces[std::max<std::size_t>(i, 1)],
                  "comparisons of tensors cannot be chained; write (a < b) & (b < c)");
    result = compareTwo(e.symbols[i], left, right, e.symbolPlaces[i]);
    if (i + 1 < e.symbols.size() && !truth(result, e.symbolPlaces[i], "this comparison"))
      return PythonValue::flagOf(false, e.place);
    left = right;
  }
  return result;
}

PythonValue Evaluator::compareTwo(const std::string& symbol, const PythonValue& a,
                                  const PythonValue& b, SourcePlace place) {
  const bool identity = symbol == "is" || symbol == "is not";
  if (!identity && (a.kind == Kind::outside || b.kind == Kind::outside))
    return PythonValue::outsideOf({}, place);
  if (symbol == "is" || symbol == "is not" || symbol == "in" || symbol == "not in") {
    const bool negated = symbol == "is not" || symbol == "not in";
    if (symbol == "in" || symbol == "not in") {
      const PythonValue found = contains(a, b, place);
      return PythonValue::flagOf((found.number != 0) != negated, place);
    }
    const bool none = a.kind == Kind::none || b.kind == Kind::none;
    const bool both = a.kind == b.kind;
    const bool is = none ? both : both && (a.object ? a.object == b.object : same(a, b, place));
    return PythonValue::flagOf(is != negated, place);
  }
  const auto isScalarOrTensor = [](const PythonValue& v) {
    return v.isScalar() || v.isTensor() || v.kind == Kind::held;
  };
  if (PythonValue result; builder_.comparesFetched(symbol, a, b, place, result)) return result;
  if (isScalarOrTensor(a) && isScalarOrTensor(b)) return binary(symbol, a, b, place);
  if (isSelection(a) || isSelection(b)) return binary(symbol, a, b, place);
  if (symbol == "==" || symbol == "!=") {
    if (a.isTensor() || b.isTensor()) return binary(symbol, a, b, place);
    return PythonValue::flagOf(same(a, b, place) == (symbol == "=="), place);
  }
  if (a.kind == Kind::text && b.kind == Kind::text) {
    const int order = a.text.compare(b.text);
    return foldBinary(symbol, PythonValue::numberOf(order, true, place),
                      PythonValue::numberOf(0, true, place), place);
  }
  return binary(symbol, a, b, place);
}

/// Whether two values other than tensors are equal by ==.
bool Evaluator::same(const PythonValue& a, const PythonValue& b, SourcePlace place) {
  if (a.kind == Kind::text && b.kind == Kind::text) return a.text == b.text;
  if (a.isNumber() && b.isNumber()) return a.number == b.number;
  // As Python compares items: what is the same object is equal, however it is nested.
  if (a.kind == b.kind && (a.kind == Kind::list || a.kind == Kind::dict) && a.object == b.object)
    return true;
  const Deeper deeper(*this, place);
  step(place);
  const auto isList = [](const PythonValue& v) {
    return v.kind == Kind::list || v.kind == Kind::shape;
  };
  if (isList(a) && isList(b)) {
    const std::vector<PythonValue> x = iterated(a, place), y = iterated(b, place);
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      step(place);
      if (!same(x[i], y[i], place)) return false;
    }
    return true;
  }
  if (a.isScalar() && b.isScalar())
    return truth(binary("==", a, b, place), place, "this comparison");
  if (isStorage(a) && isStorage(b))
    return a.object->type->name == b.object->type->name &&
           a.object->type->path == b.object->type->path;
  if (a.kind == Kind::instance && b.kind == Kind::instance && a.object->type == b.object->type &&
      !classAttribute(a.object->type, "__eq__"))
    if (const DataClass* const data = dataOf(a.object->type); data && data->equal)
      return same(plainData(a, true, place), plainData(b, true, place), place);
  for (const PythonValue* each : {&a, &b})
    if (each->kind == Kind::instance && classAttribute(each->object->type, "__eq__"))
      failProgram(place, "a class's own __eq__ is not supported; call a method by its name");
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Kind::text:
    case Kind::path:
      return a.text == b.text;
    case Kind::none:
    case Kind::ellipsis:
      return true;
    case Kind::tensor:
      return a.value == b.value;
    case Kind::dict: {
      const auto &entries = a.object->entries, &others = b.object->entries;
      return entries.size() == others.size() &&
             std::ranges::all_of(entries, [&](const auto& entry) {
               search(place, others.size());
               return std::ranges::any_of(others, [&](const auto& other) {
                 return same(entry.first, other.first, place) &&
                        same(entry.second, other.second, place);
               });
             });
    }
    default:
      return a.object == b.object;
  }
}

PythonValue Evaluator::contains(const PythonValue& item, const PythonValue& in, SourcePlace place) {
  if (in.kind == Kind::text && item.kind == Kind::text && in.text.size() > kLongestSearched)
    failProgram(place, "this string is longer than any program needs");
  if (in.kind == Kind::text && item.kind == Kind::text)
    return PythonValue::flagOf(in.text.find(item.text) != std::string::npos, place);
  if (in.kind == Kind::text && item.kind == Kind::text) step(place, in.text.size() / 16);
  if (in.kind == Kind::instance && classAttribute(in.object->type, "__contains__"))
    return PythonValue::flagOf(
        truth(callFunction(bindMethod(in, "__contains__", place), {{"", item, place}}, place),
              place, "this 'in'"),
        place);
  if (in.kind == Kind::instance) {
    if (item.kind == Kind::text)
      return PythonValue::flagOf(in.object->attributes.contains(item.text), place);
  }
  if (in.kind == Kind::dict)
    return PythonValue::flagOf(dictEntry(*in.object, item, place).has_value(), place);
  for (const PythonValue& each : iterated(in, place))
    if (same(each, item, place)) return PythonValue::flagOf(true, place);
  return PythonValue::flagOf(false, place);
}

PythonValue Evaluator::logical(const Expression& e) {
  const bool isNot = e.kind == ExprKind::negation;
  const int frame = frame_;
  PythonValue value;
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    value = evaluatePart(*e.parts[i]);
    const SourcePlace place = isNot ? e.place : e.symbolPlaces[i == 0 ? 0 : i - 1];
    if (!isNot && i + 1 == e.parts.size()) break;
    const bool holds = value.isTensor() ? branchOn(value, *e.parts[i], place)
                                        : truth(value, place, "this condition");
    if (isNot) value = PythonValue::flagOf(!holds, e.place);
    if (isNot || holds != (e.kind == ExprKind::both)) break;
  }
  builder_.setFrame(frame_ = frame);
  return value;
}

PythonValue Evaluator::conditional(const Expression& e) {
  const PythonValue condition = evaluate(*e.parts[0]);
  if (!condition.isTensor())
    return evaluatePart(*e.parts[truth(condition, e.place, "this choice") ? 1 : 2]);
  const int frame = frame_;
  const bool holds = branchOn(condition, *e.parts[0], e.place);
  PythonValue made = evaluatePart(*e.parts[holds ? 1 : 2]);
  builder_.setFrame(frame_ = frame);
  return made;
}

bool Evaluator::branchOn(const PythonValue& tensor, const Expression& condition,
                         SourcePlace place) {
  if (inWhile_ > 0) failWhile(place);
  // Lines around the program have no branches, and expressions in a text no places.
  if (around_ || quoted_) failChoice(tensor, place);
  PythonValue asked = tensor;
  asked.value = builder_.fetchedFrom(tensor.value);
  if (const std::optional<bool> known = builder_.branchedOn(asked.value)) return *known;
  const std::string text = sourceOf(condition.begin, condition.end);
  const bool holds = builder_.branch(asked, text, place);
  // The ops of this way alone, after the choice.
  enterFrame(Frame::Kind::way, holds ? "if " + text : "if not (" + text + ")", place);
  return holds;
}

PythonValue Evaluator::evaluatePart(const Expression& part) {
  notePart(part);
  return evaluate(part);
}

void Evaluator::notePart(const Expression& part) {
  if (record_ && inLibrary_ == 0 && !quoted_) record_->parts.insert({part.begin, part.end});
}

std::vector<PythonValue> Evaluator::eachOnce(std::vector<PythonValue> items, SourcePlace place) {
  std::vector<PythonValue> once;
  for (PythonValue& item : items) {
    search(place, once.size());
    if (std::ranges::none_of(once,
                             [&](const PythonValue& known) { return same(known, item, place); }))
      once.push_back(std::move(item));
  }
  return once;
}

PythonValue Evaluator::sequence(const Expression& e) {
  std::vector<PythonValue> items;
  for (const auto& part : e.parts) {
    if (part->kind == ExprKind::starred) {
      for (PythonValue& item : iterated(evaluate(*part->parts[0]), part->place))
        items.push_back(std::move(item));
    } else {
      items.push_back(evaluate(*part));
    }
  }
  if (e.kind == ExprKind::set) items = eachOnce(std::move(items), e.place);
  return PythonValue::listOf(std::move(items), e.kind == ExprKind::tuple, e.place);
}

PythonValue Evaluator::dict(const Expression& e) {
  PythonValue made;
  made.kind = Kind::dict;
  made.place = e.place;
  made.object = std::make_shared<PythonObject>();
  for (std::size_t i = 0; i + 1 < e.parts.size(); i += 2) {
    const PythonValue value = evaluate(*e.parts[i + 1]);
    if (e.parts[i]) {
      assignItem(made, {evaluate(*e.parts[i])}, false, value, e.place);
      continue;
    }
    if (value.kind != Kind::dict)
      failProgram(e.place, "'**' needs a dict, but found " + value.shown());
    for (const auto& [key, each] : value.object->entries)
      assignItem(made, {key}, false, each, e.place);
  }
  return made;
}

void Evaluator::rounds(const Expression& e, std::size_t clause, const PythonValue& over,
                       std::vector<PythonValue>& into) {
  const ast::Clause& at = e.clauses[clause];
  while (const std::optional<PythonValue> item = nextOf(over, e.place)) {
    step(e.place);
    assign(*at.targets, *item);
    bool taken = true;
    for (const auto& condition : at.conditions)
      taken = taken && truth(evaluatePart(*condition), condition->place, "this choice");
    if (!taken) continue;
    if (clause + 1 < e.clauses.size()) {
      rounds(e, clause + 1, iteratorOf(evaluate(*e.clauses[clause + 1].over), e.place), into);
      continue;
    }
    for (const auto& part : e.parts) into.push_back(evaluatePart(*part));
    if (into.size() > kLongestList)
      failProgram(e.place, "this list is longer than any program needs");
  }
}

PythonValue Evaluator::comprehension(const Expression& e) {
  // Its names are its own. Only what it goes through first is evaluated outside of it.
  const PythonValue over = iteratorOf(evaluate(*e.clauses.front().over), e.place);
  Names& scope = scopes_.emplace_back();
  scope.outer = namesAround();
  scope.declared = true;
  scope.of = Names::Of::comprehension;
  struct Back {
    Names*& names;
    Names* before;
    ~Back() { names = before; }
  } const back{names_, names_};
  names_ = &scope;
  std::vector<PythonValue> items;
  rounds(e, 0, over, items);
  if (e.text == "{") items = eachOnce(std::move(items), e.place);
  if (e.text == "(") return iteratorOver(std::move(items), e.place);
  if (e.text != ":") return PythonValue::listOf(std::move(items), false, e.place);
  PythonValue made;
  made.kind = Kind::dict;
  made.place = e.place;
  made.object = std::make_shared<PythonObject>();
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    assignItem(made, {items[i]}, false, items[i + 1], e.place);
  return made;
}

PythonValue Evaluator::slice(const Expression& e) {
  PythonValue made;
  made.kind = Kind::slice;
  made.place = e.place;
  made.object = std::make_shared<PythonObject>();
  for (const auto& part : e.parts)
    made.object->items.push_back(part ? evaluate(*part) : PythonValue());
  return made;
}

std::vector<CallArgument> Evaluator::arguments(const Trailer& trailer) {
  std::vector<CallArgument> list;
  for (std::size_t i = 0; i < trailer.arguments.size(); ++i) {
    const std::string& keyword = trailer.keywords[i];
    const SourcePlace place = trailer.places[i];
    PythonValue value = evaluate(*trailer.arguments[i]);
    if (keyword == "*") {
      if (value.isTensor())
        failProgram(place, "found '*' before a tensor; write the arguments out one by one");
      for (PythonValue& item : iterated(value, place)) list.push_back({"", std::move(item), place});
    } else if (keyword == "**") {
      if (value.kind != Kind::dict)
        failProgram(place, "'**' needs a dict, but found " + value.shown());
      step(place, value.object->entries.size());
      for (const auto& [key, each] : value.object->entries) list.push_back({key.text, each, place});
    } else {
      list.push_back({keyword, std::move(value), place});
    }
  }
  return list;
}

namespace {

bool isTopk(const PythonValue& callee) {
  return (callee.kind == Kind::path && callee.text == "torch.topk") ||
         (callee.kind == Kind::method && callee.value >= 0 && callee.text == "topk");
}

/// Whether of a pair of values and places a trailer takes the places: [1] or .indices.
bool asksPlaces(const Expression& e, std::size_t trailer) {
  if (trailer >= e.trailers.size()) return false;
  const Trailer& next = e.trailers[trailer];
  if (next.kind == Trailer::Kind::attribute) return next.name == "indices";
  return next.kind == Trailer::Kind::subscript && !next.tuple && next.arguments.size() == 1 &&
         next.arguments[0]->kind == ExprKind::number && next.arguments[0]->text == "1";
}

}  // namespace

/// torch.topk(x, k)[1]: nothing is read where these places are.
PythonValue Evaluator::topkPlaces(const PythonValue& callee, std::vector<CallArgument> arguments,
                                  SourcePlace place) {
  if (callee.kind == Kind::method) {
    PythonValue self = PythonValue::tensorOf(callee.value, callee.place);
    self.detached = callee.detached;
    arguments.insert(arguments.begin(), {"", self, self.place});
  }
  for (CallArgument& argument : arguments) argument.value = settled(argument.value);
  const PythonValue function = *libraryNamed("_topk_places");
  return callFunction(function, std::move(arguments), place);
}

PythonValue Evaluator::postfix(const Expression& e) {
  const Expression& base = *e.parts[0];
  const bool called = e.trailers.front().kind == Trailer::Kind::call;
  PythonValue value = base.kind == ExprKind::name ? name(base, called) : evaluate(base);
  for (std::size_t i = 0; i < e.trailers.size(); ++i) {
    const Trailer& trailer = e.trailers[i];
    step(trailer.place);
    switch (trailer.kind) {
      case Trailer::Kind::attribute: {
        const bool next =
            i + 1 < e.trailers.size() && e.trailers[i + 1].kind == Trailer::Kind::call;
        computeItems(value, trailer.place);
        value = attribute(value, trailer.name, trailer.place, next);
        break;
      }
      case Trailer::Kind::call: {
        const SourcePlace place = value.place.line > 0 ? value.place : trailer.place;
        if (PythonValue other; passedOver(value, trailer, other)) {
          value = other;
          break;
        }
        std::vector<CallArgument> given = arguments(trailer);
        if (value.kind != Kind::path || value.text != "operator.getitem")
          for (const CallArgument& each : given) computeItems(each.value, place);
        if (PythonValue read; i == 0 && textCall(value, given, e, read)) {
          value = read;
          break;
        }
        if (isTopk(value) && asksPlaces(e, i + 1)) {
          value = topkPlaces(value, std::move(given), place);
          ++i;
          break;
        }
        value = call(value, std::move(given), place);
        break;
      }
      case Trailer::Kind::subscript: {
        std::vector<PythonValue> items;
        for (const auto& item : trailer.arguments) items.push_back(evaluate(*item));
        if (value.kind != Kind::outside)
          value = subscript(value, items, trailer.tuple, trailer.place);
        break;
      }
    }
  }
  double number = 0;
  if (value.kind == Kind::path && namedNumber(value.text, number))
    return PythonValue::numberOf(number, false, value.place);
  return value;
}

}  // namespace fusebench
