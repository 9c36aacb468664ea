// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_gradients.h"
#include "engine/language/text_pieces.h"
#include "engine/language/whole_number.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

constexpr std::array<std::string_view, 36> kBuiltins = {
    "abs",   "pow",    "float", "int",     "min",      "max",        "round",  "print", "len",
    "range", "list",   "tuple", "dict",    "set",      "str",        "bool",   "sum",   "any",
    "all",   "zip",    "map",   "sorted",  "reversed", "enumerate",  "super",  "type",  "repr",
    "id",    "object", "slice", "getattr", "hasattr",  "isinstance", "filter", "iter",  "next"};

constexpr std::int64_t kLongestRange = 100000;
/// The cost of one comparison, in items read.
constexpr std::size_t kCompared = 8;

[[noreturn]] void failUnordered(const PythonValue& a, const PythonValue& b, SourcePlace place) {
  const auto isTensor = [](const PythonValue& v) { return v.isTensor() || v.kind == Kind::held; };
  if (isTensor(a) || isTensor(b))
    failProgram(place,
                "this order depends on a tensor's values, and control flow that does is not part "
                "of a program; write torch.maximum(a, b), torch.minimum(a, b) or torch.sort(x)");
  failProgram(place, a.shown() + " and " + b.shown() + " cannot be ordered");
}

/// A value whose truth or number a call asks for: it must be known while the program is read.
[[noreturn]] void failNumberOf(const std::string& name, SourcePlace place) {
  const std::string to = name == "int" ? ".to(torch.int64)" : ".float()";
  if (name == "bool")
    failProgram(place,
                "bool(...) depends on a tensor's values, and control flow that does is not part of "
                "a program; write torch.where(condition, a, b), or .bool() for another dtype");
  if (name == "complex")
    failProgram(place,
                "complex(...) depends on a tensor's values; write torch.complex(real, imag), which "
                "makes a tensor");
  failProgram(place, name +
                         "(...) depends on a tensor's values; write .item() for its number, or " +
                         to + " for another dtype");
}

}  // namespace

/// Which of texts, numbers, and lists of these comes first: below 0, the first.
int Evaluator::order(const PythonValue& a, const PythonValue& b, SourcePlace place) {
  if (a.isSize() || b.isSize())
    return order(builder_.decided(a, "this order"), builder_.decided(b, "this order"), place);
  if (a.kind != Kind::list || b.kind != Kind::list) {
    if (a.kind == Kind::text && b.kind == Kind::text) return a.text.compare(b.text);
    if (a.isNumber() && b.isNumber()) return a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
    failUnordered(a, b, place);
  }
  if (a.object == b.object) return 0;  // however deep it is nested
  const Deeper deeper(*this, place);
  const std::vector<PythonValue>&x = a.items(), &y = b.items();
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    step(place);
    if (const int found = order(x[i], y[i], place); found != 0) return found;
  }
  return x.size() < y.size() ? -1 : x.size() > y.size() ? 1 : 0;
}

std::string_view knownModule(std::string_view name) {
  if (name == "torch" || name == "math") return name;
  if (name == "np" || name == "numpy") return "numpy";
  if (name == "F") return "torch.nn.functional";
  if (name == "nn") return "torch.nn";
  if (name == "dist") return "torch.distributed";
  if (name == "fx_pytree" || name == "pytree") return name;
  if (name == "operator" || name == "_operator") return "operator";
  if (name == "dataclasses") return name;
  return {};
}

bool isPythonBuiltin(std::string_view name) {
  return std::find(kBuiltins.begin(), kBuiltins.end(), name) != kBuiltins.end() ||
         name == "setattr" || name == "delattr" || name == "divmod" || name == "issubclass" ||
         name == "callable";
}

void Evaluator::refuseInexact(const std::string& path, const PythonValue* self,
                              const std::vector<CallArgument>& arguments, SourcePlace place) {
  const auto isInexact = [](const PythonValue& value) {
    return value.inexact ||
           (value.kind == Kind::list && std::ranges::any_of(value.items(), &PythonValue::inexact));
  };
  if (std::ranges::none_of(arguments,
                           [&](const CallArgument& each) { return isInexact(each.value); }))
    return;
  const auto dtypeOf = [&](const PythonValue& value) {
    if (value.kind == Kind::path) return findDType(value.text);
    const bool tensor = value.isTensor();
    return tensor ? findDType(builder_.attribute(value, "dtype", place).text) : nullptr;
  };
  bool floats = false, integers = false;
  const auto see = [&](const PythonValue& value) {
    const DType* const dtype = dtypeOf(value);
    floats |= dtype && isFloat(*dtype);
    integers |= dtype && !isFloat(*dtype);
  };
  if (self) see(*self);
  for (const CallArgument& each : arguments) see(each.value);
  const bool makes = path == "torch.tensor" || path == "torch.as_tensor" || path == "torch.full";
  if (floats || (!integers && !makes)) return;
  failProgram(place,
              "integers above 2**53 are not exact in a program; compute them as a tensor of int64, "
              "or write a float");
}

PythonValue Evaluator::range(const std::vector<CallArgument>& arguments, SourcePlace place) {
  std::int64_t from = 0, to = 0, by = 1;
  const auto known = [&](std::size_t i) {
    return knownInteger(arguments[i].value, "this range", place);
  };
  if (arguments.empty() || arguments.size() > 3)
    failProgram(place, "range takes one to three arguments");
  if (arguments.size() == 1) {
    to = known(0);
  } else {
    from = known(0);
    to = known(1);
    if (arguments.size() == 3) by = known(2);
  }
  if (by == 0) failProgram(place, "the step of a range cannot be 0");
  std::vector<PythonValue> items;
  for (std::int64_t i = from; by > 0 ? i < to : i > to; i += by) {
    if (static_cast<std::int64_t>(items.size()) >= kLongestRange)
      failProgram(place, "this range has more than " + std::to_string(kLongestRange) +
                             " numbers; a loop that long cannot be part of a program");
    items.push_back(PythonValue::numberOf(static_cast<double>(i), true, place));
  }
  step(place, items.size());
  return PythonValue::listOf(std::move(items), false, place);  // x[range(2)] is not x[0, 1]
}

PythonValue Evaluator::lengthOf(const PythonValue& value, SourcePlace place) {
  switch (value.kind) {
    case Kind::tensor:
      return extentOf(value.value, 0, place);
    case Kind::held: {
      const Shape& extents = value.object->initial.extents;
      if (extents.rank() == 0) failProgram(place, "a tensor of no dimensions has no len");
      return PythonValue::numberOf(static_cast<double>(extents[0]), true, place);
    }
    case Kind::shape:
      return tensorSize(PythonValue::tensorOf(value.value, place), "dim", {}, place);
    case Kind::text:
      return PythonValue::numberOf(static_cast<double>(letterCount(value.text)), true, place);
    case Kind::dict:
      return PythonValue::numberOf(static_cast<double>(value.object->entries.size()), true, place);
    case Kind::iterator:
      failProgram(place, "an iterator has no len; write len(list(...))");
    case Kind::instance:
      if (classAttribute(value.object->type, "__len__"))
        return callFunction(bindMethod(value, "__len__", place), {}, place);
      [[fallthrough]];
    default:
      return PythonValue::numberOf(static_cast<double>(iterated(value, place).size()), true, place);
  }
}

bool Evaluator::isInstance(const PythonValue& value, const PythonValue& type, SourcePlace place) {
  if (type.kind == Kind::list) {
    const Deeper deeper(*this, place);
    return std::any_of(type.items().begin(), type.items().end(), [&](const PythonValue& each) {
      step(place);
      return isInstance(value, each, place);
    });
  }
  if (type.kind == Kind::type) {
    const bool named = value.kind == Kind::list && value.object && value.object->type;
    if (value.kind != Kind::instance && !named) return false;
    return comesFrom(value.object->type.get(),
                     [&](const PythonObject& each) { return &each == type.object.get(); });
  }
  const std::string& name = type.text;
  switch (value.kind) {
    case Kind::tensor:
    case Kind::held:
      return name == "torch.Tensor" || name == "Tensor" || name.ends_with(".Parameter") ||
             name == "torch.FloatTensor";
    case Kind::number:
    case Kind::size:
      return name == (value.isSize() || value.integer ? "int" : "float") ||
             name.starts_with("numbers.");
    case Kind::flag:
      return name == "bool" || name == "int";
    case Kind::text:
      return name == "str";
    case Kind::list:
      return name == (value.tuple ? "tuple" : "list") || name.starts_with("collections.");
    case Kind::shape:
      return name == "tuple" || name == "torch.Size";
    case Kind::dict:
      return name == "dict";
    case Kind::instance: {
      constexpr std::string_view kModules = "torch.nn.";
      if (name == "torch.nn.Module") return isModule(value);
      return name.starts_with(kModules) &&
             comesFrom(value.object->type.get(), [&](const PythonObject& each) {
               return each.library && each.name == name.substr(kModules.size());
             });
    }
    default:
      return false;
  }
}

/// The type of an argument of torch.result_type, a tensor or a number, or of torch.promote_types, a
/// dtype.
OperandType Evaluator::operandTypeOf(const PythonValue& value, const std::string& path,
                                     SourcePlace place) {
  using Weight = OperandType::Weight;
  if (path == "torch.promote_types") {
    const DType* const found = value.kind == Kind::path ? findDType(value.text) : nullptr;
    if (!found) failProgram(place, path + " takes dtypes, such as torch.float32");
    return {*found, Weight::dimensioned};
  }
  if (value.kind == Kind::flag) return {DType::boolean, Weight::number};
  if (value.isScalar()) return typeOfNumber(value.isSize() || value.integer);
  const PythonValue tensor = settled(value);
  if (!tensor.isTensor()) failProgram(place, path + " takes tensors and numbers");
  const DType* const found = findDType(builder_.attribute(tensor, "dtype", place).text);
  const std::optional<int> rank = builder_.rankOf(tensor.value);
  return {found ? *found : DType::float32,
          rank && *rank == 0 ? Weight::scalar : Weight::dimensioned};
}

/// Calls on numbers and sizes: math.sqrt, int, min.
bool Evaluator::scalarCall(const std::string& path, const std::vector<CallArgument>& arguments,
                           SourcePlace place, PythonValue& result) {
  std::vector<PythonValue> values;
  bool sizes = false;
  for (const CallArgument& argument : arguments) {
    if (!argument.keyword.empty()) return false;
    values.push_back(argument.value);
    sizes = sizes || argument.value.isSize();
  }
  if (path == "math.prod" && values.size() == 1 && !values[0].isTensor()) {
    result = PythonValue::numberOf(1, true, place);
    for (const PythonValue& each : iterated(values[0], place))
      result = binary("*", result, each, place);
    return true;
  }
  if (path == "torch.numel" && values.size() == 1 && values[0].isTensor()) {
    result = tensorSize(values[0], "numel", {}, place);
    return true;
  }
  if (path == "torch.device") {
    const std::optional<Memory> named = values.empty() ? std::nullopt : memoryNamed(values.front());
    if (!named) failProgram(place, "torch.device takes a device: 'cuda' or 'cpu'");
    result = PythonValue::pathOf(devicePath(*named), place);
    return true;
  }
  if (path == "torch.cuda.is_available") {
    // Which device it is the experiment says; in a program it is 'cuda'.
    result = PythonValue::flagOf(true, place);
    return true;
  }
  if (path == "torch.manual_seed" || path == "torch.set_grad_enabled") {
    result = PythonValue();
    return true;
  }
  if (path == "torch.is_tensor" && values.size() == 1) {
    result = PythonValue::flagOf(values[0].isTensor() || values[0].kind == Kind::held, place);
    return true;
  }
  if (path == "torch.is_floating_point" && values.size() == 1 &&
      (values[0].isTensor() || values[0].kind == Kind::held)) {
    const DType* const dtype = findDType(attribute(values[0], "dtype", place, false).text);
    result = PythonValue::flagOf(dtype && isFloat(*dtype), place);
    return true;
  }
  if ((path == "torch.promote_types" || path == "torch.result_type") && !values.empty()) {
    std::vector<OperandType> types;
    for (const PythonValue& value : values) types.push_back(operandTypeOf(value, path, place));
    const DType made = path == "torch.result_type"
                           ? resultType(types)
                           : promoted(types.front().dtype, types.back().dtype);
    result = PythonValue::pathOf("torch." + std::string(info(made).name), place);
    return true;
  }
  if (path == "torch.Size" && values.size() == 1) {
    result = PythonValue::listOf(iterated(values[0], place), true, place);
    return true;
  }
  if (!sizes) return foldCall(path, values, place, result);
  for (const PythonValue& value : values)
    if (!value.isScalar()) return false;
  SizeExpressions& all = program_.sizes;
  const SizeId first = builder_.sizeIdOf(values[0]);
  const auto give = [&](SizeId id) {
    result = builder_.sizeValue(id, place);
    return true;
  };
  if (values.size() == 1) {
    if (path == "int") return give(all.unary(SizeKind::toInteger, first, place));
    if (path == "float") return give(all.unary(SizeKind::toFloat, first, place));
    if (path == "abs") return give(all.unary(SizeKind::absolute, first, place));
    if (path == "round") return give(all.unary(SizeKind::round, first, place));
    if (const int which = findSizeFunction(mathName(path)); which >= 0)
      return give(all.function(which, first, place));
    return false;
  }
  if (path == "min" || path == "max") {
    SizeId found = first;
    for (std::size_t i = 1; i < values.size(); ++i)
      found = all.binary(path == "min" ? SizeKind::minimum : SizeKind::maximum, found,
                         builder_.sizeIdOf(values[i]), place);
    return give(found);
  }
  if ((path == "pow" || path == "math.pow") && values.size() == 2)
    return give(all.binary(SizeKind::power, first, builder_.sizeIdOf(values[1]), place));
  return false;
}

bool Evaluator::builtin(const std::string& name, std::vector<CallArgument>& arguments,
                        SourcePlace place, PythonValue& result) {
  const auto argument = [&](std::size_t i) -> const PythonValue& {
    if (i >= arguments.size()) failProgram(place, name + " needs another argument");
    return arguments[i].value;
  };
  const auto list = [&](std::vector<PythonValue> items, bool tuple = false) {
    result = PythonValue::listOf(std::move(items), tuple, place);
    return true;
  };
  if (name == "range") {
    result = range(arguments, place);
    return true;
  }
  if (name == "len") {
    result = lengthOf(argument(0), place);
    return true;
  }
  if (name == "set" || name == "frozenset") {
    return list(eachOnce(
        arguments.empty() ? std::vector<PythonValue>() : iterated(argument(0), place), place));
  }
  if (name == "list" || name == "tuple")
    return list(arguments.empty() ? std::vector<PythonValue>() : iterated(argument(0), place),
                name == "tuple");
  if (name == "reversed" || name == "sorted") {
    std::vector<PythonValue> items = iterated(argument(0), place);
    if (name == "reversed") {
      std::reverse(items.begin(), items.end());
      result = iteratorOver(std::move(items), place);
      return true;
    } else {
      std::vector<PythonValue> keys = items;
      bool backwards = false;
      for (const CallArgument& each : arguments) {
        if (each.keyword == "reverse") backwards = truth(each.value, place, "reverse");
        if (each.keyword != "key" || each.value.kind == Kind::none) continue;
        for (PythonValue& key : keys) key = call(each.value, {{"", key, place}}, place);
      }
      for (PythonValue& key : keys) {
        key = builder_.decided(key, "this order");
        if (key.isTensor() || key.kind == Kind::held || key.kind == Kind::instance)
          failProgram(
              place,
              "sorted orders known numbers and strings, not tensors; use torch.sort for tensors");
      }
      std::vector<std::size_t> places(items.size());
      for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
      const auto less = [&](std::size_t x, std::size_t y) {
        search(place, kCompared);
        return order(keys[x], keys[y], place) < 0;
      };
      std::ranges::stable_sort(places, [&](std::size_t x, std::size_t y) {
        return backwards ? less(y, x) : less(x, y);
      });
      std::vector<PythonValue> sorted;
      for (const std::size_t i : places) sorted.push_back(items[i]);
      items = std::move(sorted);
    }
    return list(std::move(items));
  }
  if (name == "enumerate") {
    const std::int64_t start = arguments.size() > 1 ? knownInteger(argument(1), "start", place) : 0;
    result = iteratorOver({iteratorOf(argument(0), place)}, place, Iterating::counted);
    result.object->start = start;
    return true;
  }
  if (name == "iter") {
    result = iteratorOf(argument(0), place);
    return true;
  }
  if (name == "next") {
    const std::optional<PythonValue> next = nextOf(argument(0), place);
    if (!next && arguments.size() < 2) throw StopIteration(place);
    result = next ? *next : argument(1);
    return true;
  }
  if (name == "zip") {
    std::vector<PythonValue> all;
    for (const CallArgument& each : arguments)
      if (each.keyword.empty()) all.push_back(iteratorOf(each.value, place));
    result = iteratorOver(std::move(all), place, Iterating::zipped);
    return true;
  }
  if (name == "filter" || name == "map") {
    std::vector<PythonValue> all{argument(0), iteratorOf(argument(1), place)};
    for (std::size_t i = 2; name == "map" && i < arguments.size(); ++i)
      all.push_back(iteratorOf(argument(i), place));
    result = iteratorOver(std::move(all), place,
                          name == "map" ? Iterating::mapped : Iterating::filtered);
    return true;
  }
  if (name == "dict") {
    result.kind = Kind::dict;
    result.place = place;
    result.object = std::make_shared<PythonObject>();
    for (const CallArgument& each : arguments) {
      if (!each.keyword.empty())
        assignItem(result, {PythonValue::textOf(each.keyword, place)}, false, each.value, place);
      else if (each.value.kind == Kind::dict)
        for (const auto& [key, value] : each.value.object->entries)
          assignItem(result, {key}, false, value, place);
      else
        for (const PythonValue& pair : iterated(each.value, place))
          if (pair.items().size() == 2)
            assignItem(result, {pair.items()[0]}, false, pair.items()[1], place);
    }
    return true;
  }
  if (name == "str" || name == "repr") {
    TextPieces made(place);
    if (name == "repr")
      made.add(writtenText(argument(0), place));
    else if (!arguments.empty())
      made.add(shownText(argument(0), place));
    result = made.value();
    return true;
  }
  if ((name == "bool" || name == "int" || name == "float" || name == "complex") &&
      std::ranges::any_of(arguments, [](const auto& each) { return each.value.isTensor(); }))
    failNumberOf(name, place);
  if (arguments.empty() && (name == "int" || name == "float" || name == "bool")) {
    result = name == "bool" ? PythonValue::flagOf(false, place)
                            : PythonValue::numberOf(0, name == "int", place);
    return true;
  }
  if (name == "bool") {
    result = PythonValue::flagOf(truth(argument(0), place, "bool(...)"), place);
    return true;
  }
  if (name == "int" && argument(0).kind == Kind::text) {
    const std::int64_t base =
        arguments.size() > 1 ? knownInteger(argument(1), "the base of int", place) : 10;
    result = PythonValue::numberOf(wholeNumberOf(argument(0).text, base, place), true, place);
    return true;
  }
  // Several arguments, if they are texts or there is a key, are treated as one list.
  const bool bySide =
      (name == "min" || name == "max") && arguments.size() > 1 && arguments[1].keyword.empty() &&
      (argument(0).kind == Kind::text ||
       std::ranges::any_of(arguments, [](const auto& each) { return each.keyword == "key"; }));
  if ((name == "sum" || name == "any" || name == "all" || name == "min" || name == "max") &&
      !arguments.empty() &&
      (bySide || argument(0).kind == Kind::list || argument(0).kind == Kind::shape ||
       argument(0).kind == Kind::iterator || argument(0).kind == Kind::instance)) {
    std::vector<PythonValue> items;
    if (bySide) {
      for (const CallArgument& each : arguments)
        if (each.keyword.empty()) items.push_back(each.value);
    } else {
      items = iterated(argument(0), place);
    }
    if (name == "any" || name == "all") {
      bool found = name == "all";
      for (const PythonValue& item : items)
        if (truth(item, place, name + "(...)") != found) {
          found = !found;
          break;
        }
      result = PythonValue::flagOf(found, place);
      return true;
    }
    if (name == "sum") {
      result = arguments.size() > 1 ? argument(1) : PythonValue::numberOf(0, true, place);
      for (const PythonValue& item : items) result = binary("+", result, item, place);
      return true;
    }
    const auto given = [&](const char* keyword) {
      const auto found = std::ranges::find(arguments, keyword, &CallArgument::keyword);
      return found == arguments.end() ? nullptr : &found->value;
    };
    if (const PythonValue* const otherwise = given("default"); items.empty() && otherwise) {
      result = *otherwise;
      return true;
    }
    if (items.empty()) failProgram(place, name + " of no items");
    const PythonValue* key = given("key");
    if (key && key->kind == Kind::none) key = nullptr;
    const bool texts = items.front().kind == Kind::text;
    if (texts || key) {
      std::vector<PythonValue> keys;
      for (const PythonValue& item : items)
        keys.push_back(texts && !key ? item
                                     : builder_.decided(call(*key, {{"", item, place}}, place),
                                                        "this " + name + "imum"));
      std::size_t best = 0;
      for (std::size_t i = 1; i < keys.size(); ++i)
        if (name == "min" ? order(keys[i], keys[best], place) < 0
                          : order(keys[best], keys[i], place) < 0)
          best = i;
      result = items[best];
      return true;
    }
    std::vector<CallArgument> all;
    for (const PythonValue& item : items) all.push_back({"", item, place});
    if (all.size() == 1) {
      result = items[0];
      return true;
    }
    return scalarCall(name, all, place, result);
  }
  if (name == "isinstance") {
    result = PythonValue::flagOf(isInstance(argument(0), argument(1), place), place);
    return true;
  }
  if (name == "callable") {
    const Kind kind = argument(0).kind;
    result = PythonValue::flagOf(kind == Kind::function || kind == Kind::type ||
                                     kind == Kind::instance || kind == Kind::path,
                                 place);
    return true;
  }
  const bool typed =
      name == "type" &&
      (argument(0).kind == Kind::instance ||
       (argument(0).kind == Kind::list && argument(0).object && argument(0).object->type));
  if (name == "type" && !typed) {
    const PythonValue& of = argument(0);
    const char* const named = of.kind == Kind::flag     ? "bool"
                              : of.kind == Kind::number ? (of.integer ? "int" : "float")
                              : of.kind == Kind::text   ? "str"
                              : of.kind == Kind::dict   ? "dict"
                              : of.kind == Kind::list   ? (of.tuple ? "tuple" : "list")
                              : of.isTensor() || of.kind == Kind::held ? "torch.Tensor"
                                                                       : nullptr;
    if (!named) return false;
    result = PythonValue::pathOf(named, place);
    return true;
  }
  if (typed) {
    result.kind = Kind::type;
    result.object = argument(0).object->type;
    return true;
  }
  if (name == "getattr" || name == "hasattr") {
    if (argument(1).kind != Kind::text)
      failProgram(place, name + " takes the name of an attribute, a string");
    const PythonValue& of = argument(0);
    const std::string asked = argument(1).text;
    const Attribute found = attributeKind(of, asked);
    if (name == "hasattr")
      result = PythonValue::flagOf(found != Attribute::none, place);
    else if (found == Attribute::none && arguments.size() > 2)
      result = argument(2);
    else
      result = attribute(of, asked, place, found == Attribute::method);
    return true;
  }
  if (name == "_has_part" && inLibrary_ > 0) {
    const PythonValue &part = argument(0), &in = argument(1);
    result = PythonValue::flagOf(
        part.isTensor() && in.isTensor() && builder_.hasPart(part.value, in.value), place);
    return true;
  }
  if (name == "_holds_here" && inLibrary_ > 0) {
    const PythonValue& condition = argument(0);
    result = PythonValue::flagOf(
        condition.isSize() ? builder_.holdsHere(condition) : truth(condition, place, "a condition"),
        place);
    return true;
  }
  if (name == "_carrier_of" && inLibrary_ > 0) {
    std::vector<PythonValue> inputs;
    for (const PythonValue& each : iterated(argument(2), place)) inputs.push_back(settled(each));
    result = carrier(argument(0), argument(1), inputs, place);
    return true;
  }
  if (name == "_without_gradient" && inLibrary_ > 0) {
    if (frame_ >= 0)
      program_.frames[static_cast<std::size_t>(frame_)].name =
          argument(1).object->name + std::string(kOwnBackward);
    result = argument(0);
    return true;
  }
  // A dict of settings, which an object that outlives calls keeps.
  if (name == "_keep_entries" && inLibrary_ > 0) {
    argument(0).object->outlives = true;
    return true;
  }
  // The entry is computed by a function where it is read.
  if (name == "_replace_entry" && inLibrary_ > 0) {
    if (const auto at = dictEntry(*argument(0).object, argument(1), place))
      argument(0).object->entries[*at].second = argument(2);
    argument(0).object->lazy = true;
    return true;
  }
  if (name == "_prepares" && inLibrary_ > 0) {
    result = PythonValue::flagOf(preparing_ > 0 || beside_ || inScript(), place);
    return true;
  }
  if (name == "_deepcopy" && inLibrary_ > 0) {
    result = copied(argument(0), true, place);
    return true;
  }
  if (name == "delattr") {
    if (argument(0).kind != Kind::instance ||
        argument(0).object->attributes.erase(argument(1).text) == 0)
      failProgram(place, argument(0).shown() + " has no " + argument(1).text);
    std::erase(argument(0).object->order, argument(1).text);
    return true;
  }
  if (name == "setattr") {
    setAttribute(argument(0), argument(1).text, argument(2), place);
    return true;
  }
  if (name == "divmod")
    return list({binary("//", argument(0), argument(1), place),
                 binary("%", argument(0), argument(1), place)},
                true);
  for (const char* error :
       {"ValueError", "TypeError", "RuntimeError", "AssertionError", "NotImplementedError"})
    if (name == error) {
      result = PythonValue::textOf(arguments.empty() ? "" : shownText(argument(0), place), place);
      return true;
    }
  return false;
}

}  // namespace fusebench
