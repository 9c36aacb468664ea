// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors that are made before a program begins: what a module's __init__ makes. As long as their
// values are numbers that are known, arithmetic on them is done here; where they meet the program's
// tensors they become inputs.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/elements.h"
#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_source.h"
#include "engine/ops/promotion.h"

namespace fusebench {
namespace {

/// The name of a held tensor that no name leads to.
constexpr std::string_view kUnnamedHeld = "held";

using Kind = PythonValue::Kind;

/// More numbers than a program's text or a small buffer has; larger ones are filled, not listed.
constexpr std::int64_t kMostNumbers = 65536;
constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

bool listed(const InitialValues& initial) {
  return initial.kind == InitialValues::Kind::numbers;
}

/// Number `i` of those that one stands for all of.
double numberAt(const InitialValues& initial, std::size_t i) {
  return initial.numbers.size() == 1 ? initial.numbers[0] : initial.numbers[i];
}

const PythonValue* keyword(const std::vector<CallArgument>& arguments, std::string_view name) {
  for (const CallArgument& each : arguments)
    if (each.keyword == name) return &each.value;
  return nullptr;
}

bool isWhole(const InitialValues& initial) {
  return initial.dtype == DType::int64 || initial.dtype == DType::int32;
}

/// The dtype that PyTorch gives to a number.
DType dtypeOf(const PythonValue& number) {
  return number.kind == Kind::flag ? DType::boolean
         : number.integer          ? DType::int64
                                   : DType::float32;
}

/// dtype=...; none: not said.
std::optional<DType> dtypeGiven(const std::vector<CallArgument>& arguments, SourcePlace place) {
  const PythonValue* const given = keyword(arguments, "dtype");
  if (!given || given->kind == Kind::none) return std::nullopt;
  const DType* const found = given->kind == Kind::path ? findDType(given->text) : nullptr;
  if (!found) failProgram(place, "dtype must be a dtype, such as torch.float32");
  return *found;
}

/// What a method makes of a tensor's elements; none: it makes nothing else of them.
std::optional<DType> castBy(const std::string& name, const std::vector<CallArgument>& arguments) {
  if (name == "to" || name == "type" || name == "astype") {
    for (const CallArgument& argument : arguments) {
      if (argument.value.kind != Kind::path) continue;
      const std::string& type = argument.value.text;
      if (const DType* const found =
              findDType(type.starts_with("numpy.") ? "torch." + type.substr(6) : type))
        return *found;
    }
    return std::nullopt;
  }
  constexpr std::pair<std::string_view, DType> kCasts[] = {
      {"float", DType::float32},     {"double", DType::float64}, {"half", DType::float16},
      {"bfloat16", DType::bfloat16}, {"long", DType::int64},     {"int", DType::int32},
      {"bool", DType::boolean}};
  for (const auto& [method, dtype] : kCasts)
    if (name == method) return dtype;
  return std::nullopt;
}

/// A number as a dtype holds it.
double asHeld(double number, DType dtype) {
  if (dtype == DType::boolean) return number != 0 ? 1 : 0;
  return isFloat(dtype) ? roundedTo(number, dtype) : std::trunc(number);
}

/// Rounds the numbers to another dtype, as a conversion of the tensor would.
void castNumbers(InitialValues& made, DType to) {
  for (double& number : made.numbers) number = asHeld(asHeld(number, made.dtype), to);
  made.dtype = to;
}

/// The number given at a place or by keyword.
double numberGiven(const std::vector<CallArgument>& arguments, std::size_t at,
                   std::string_view name, double otherwise) {
  if (const PythonValue* found = keyword(arguments, name)) return found->number;
  if (at < arguments.size() && arguments[at].keyword.empty() && arguments[at].value.isNumber())
    return arguments[at].value.number;
  return otherwise;
}

/// A text as a part of an input's name.
std::string asName(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}

/// Whether a text can be written between quotes as it is.
bool isQuotable(const std::string& text) {
  return std::ranges::none_of(text, [](char c) {
    return c == '\'' || c == '"' || c == '\\' || std::iscntrl(static_cast<unsigned char>(c));
  });
}

/// The text given at a place or by keyword.
std::string textGiven(const std::vector<CallArgument>& arguments, std::size_t at,
                      std::string_view name, std::string_view otherwise) {
  const PythonValue* found = keyword(arguments, name);
  if (!found && at < arguments.size() && arguments[at].keyword.empty())
    found = &arguments[at].value;
  return found && found->kind == Kind::text ? found->text : std::string(otherwise);
}

/// The gain of a nonlinearity, by which PyTorch scales the spread of initial values.
double gainOf(const std::string& nonlinearity, double slope, SourcePlace place) {
  if (nonlinearity == "leaky_relu") return std::sqrt(2 / (1 + slope * slope));
  constexpr std::pair<std::string_view, double> kGains[] = {{"linear", 1},
                                                            {"sigmoid", 1},
                                                            {"tanh", 5.0 / 3},
                                                            {"selu", 0.75},
                                                            {"relu", 1.4142135623730951}};
  for (const auto& [known, gain] : kGains)
    if (nonlinearity == known || (gain == 1 && nonlinearity.starts_with("conv"))) return gain;
  failProgram(place, "no gain is known for '" + nonlinearity +
                         "'; use linear, sigmoid, tanh, relu, leaky_relu or selu");
}

/// The dtype of torch.FloatTensor and its like; nothing: it is none of them.
std::optional<DType> typedTensor(std::string_view name) {
  constexpr std::pair<std::string_view, DType> kTypes[] = {
      {"Tensor", DType::float32},     {"FloatTensor", DType::float32},
      {"HalfTensor", DType::float16}, {"DoubleTensor", DType::float64},
      {"LongTensor", DType::int64},   {"IntTensor", DType::int32},
      {"ByteTensor", DType::uint8},   {"BoolTensor", DType::boolean}};
  for (const auto& [known, dtype] : kTypes)
    if (name == known) return dtype;
  return std::nullopt;
}

/// Some whole numbers from `low` up to, but not, `high`.
std::vector<double> wholeNumbers(double low, double high, std::int64_t count) {
  std::vector<double> numbers;
  std::uint64_t state = 0x9E3779B97F4A7C15u;
  for (std::int64_t i = 0; i < std::max<std::int64_t>(count, 1); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    numbers.push_back(low + std::floor((high - low) * static_cast<double>(state >> 40) /
                                       static_cast<double>(1u << 24)));
  }
  return numbers;
}

/// How many elements an output is made of, and how many outputs an element has a part in.
struct Fans {
  double in = 1, out = 1;
};
Fans fansOf(const Shape& extents) {
  if (extents.rank() < 2) return {};
  double field = 1;
  for (int d = 2; d < extents.rank(); ++d) field *= static_cast<double>(extents[d]);
  return {static_cast<double>(extents[1]) * field, static_cast<double>(extents[0]) * field};
}

}  // namespace

PythonValue Evaluator::held(InitialValues initial, SourcePlace place) const {
  PythonValue made;
  made.kind = Kind::held;
  made.place = place;
  made.object = std::make_shared<PythonObject>();
  made.object->initial = std::move(initial);
  return made;
}

PythonValue Evaluator::settled(const PythonValue& value) {
  if (isSelection(value)) failSelection(value.place);
  if (value.kind != Kind::held) {
    if (value.kind != Kind::list) return value;
    for (const PythonValue& item : value.items())
      if (isSelection(item)) failSelection(item.place);
    const bool any = std::any_of(value.items().begin(), value.items().end(),
                                 [](const PythonValue& v) { return v.kind == Kind::held; });
    if (!any) return value;
    std::vector<PythonValue> items;
    for (const PythonValue& item : value.items()) items.push_back(settled(item));
    return PythonValue::listOf(std::move(items), value.tuple, value.place);
  }
  PythonObject& object = *value.object;
  if (const auto known = heldInputs_.find(object.name);
      object.input < 0 && known != heldInputs_.end())
    object.input = known->second;
  if (object.input < 0) {
    const std::string plain = object.name.empty() ? std::string(kUnnamedHeld) : object.name;
    std::string name = plain;
    for (int n = 1;
         std::find(program_.inputs.begin(), program_.inputs.end(), name) != program_.inputs.end();
         ++n)
      name = plain + "_" + std::to_string(n);
    object.input = static_cast<ValueId>(program_.inputs.size());
    program_.inputs.push_back(name);
    program_.held.push_back({object.input, object.initial, object.parameter});
    if (record_) record_->held[name] = object.path;
    if (object.parameter) builder_.requireGradient(object.input, true);
  }
  return PythonValue::tensorOf(object.input, value.place);
}

void Evaluator::nameHeldIn(const Names& names) {
  for (const bool steppers : {false, true})
    for (const auto& [name, value] : names.bound) {
      if (value.kind == Kind::held && !steppers && value.object->name.empty())
        value.object->name = value.object->path = name;
      if (value.kind == Kind::instance && value.object->name.empty() &&
          isStepper(value.object->type) == steppers)
        nameHeld(value, name, name);
      if (record_ && !steppers && isModule(value))
        record_->modes[name] = modesWithin(value, value.place);
    }
}

/// A held tensor that lines around the program read before it had a name: its input gets it.
void Evaluator::renameHeld(const PythonObject& held) {
  // Lines that are read once more leave numbers behind that no input has.
  if (static_cast<std::size_t>(held.input) >= program_.inputs.size()) return;
  std::string& name = program_.inputs[static_cast<std::size_t>(held.input)];
  if (!name.starts_with(kUnnamedHeld)) return;
  // If lines also wrote to it, these writes are part of the program, and PyTorch's module has done
  // them when it is made: it keeps its own tensor.
  const auto writes = [&](const Op& op) {
    return op.writesInto() && writtenRoot(program_.ops, kFirstResult, op.into) == held.input;
  };
  if (std::ranges::any_of(program_.ops, writes)) return;
  if (record_) record_->held.erase(name);
  const bool free =
      !held.name.empty() && std::ranges::find(program_.inputs, held.name) == program_.inputs.end();
  if (free) name = held.name;
  if (record_) record_->held[name] = held.path;
}

void Evaluator::nameHeld(const PythonValue& instance, const std::string& own,
                         const std::string& expression) {
  struct Open {
    PythonValue at;
    std::string name, path;
  };
  std::vector<Open> open{{instance, own, expression}};
  while (!open.empty()) {
    const auto [at, prefix, path] = open.back();
    open.pop_back();
    const bool holds = at.kind == Kind::list || at.kind == Kind::dict;
    if (!at.object || (!holds && at.kind != Kind::instance && at.kind != Kind::held)) continue;
    step(at.place);
    if (!holds) {
      if (!at.object->name.empty() && !prefix.empty()) continue;  // reached by another way before
      at.object->name = prefix;
      at.object->path = path;
      if (at.kind == Kind::held && at.object->input >= 0) renameHeld(*at.object);
    }
    const std::string joined = prefix.empty() ? "" : prefix + "_";
    // PyTorch's optimizers store their state differently, so no expression leads to it.
    const bool leads = !path.empty() && !(at.kind == Kind::instance && isStepper(at.object->type));
    const auto behind = [leads, &start = path](const std::string& more) {
      return leads ? start + more : std::string();
    };
    if (at.kind == Kind::list)
      for (std::size_t i = at.items().size(); i-- > 0;)
        open.push_back(
            {at.items()[i], joined + std::to_string(i), behind("[" + std::to_string(i) + "]")});
    if (at.kind == Kind::dict)
      for (std::size_t i = at.object->entries.size(); i-- > 0;)
        if (const auto& [key, value] = at.object->entries[i]; key.kind == Kind::text)
          open.push_back({value, joined + asName(key.text),
                          isQuotable(key.text) ? behind("['" + key.text + "']") : std::string()});
    if (at.kind != Kind::instance) continue;
    const auto& order = at.object->order;
    for (auto name = order.rbegin(); name != order.rend(); ++name) {
      const bool items = *name == "_items" || *name == "_table";
      // setattr() takes any text as a name; other text must not become code.
      const bool named = asName(*name) == *name;
      open.push_back({at.object->attributes[*name], items ? prefix : joined + *name,
                      items   ? behind("")
                      : named ? behind("." + *name)
                              : std::string()});
    }
  }
}

Shape Evaluator::extentsGiven(const std::vector<CallArgument>& arguments, std::size_t first,
                              SourcePlace place) {
  std::vector<PythonValue> items;
  if (const PythonValue* size = keyword(arguments, "size")) items = iterated(*size, place);
  for (std::size_t i = first; i < arguments.size(); ++i) {
    if (!arguments[i].keyword.empty()) continue;
    const PythonValue& value = arguments[i].value;
    if (value.kind == Kind::list)
      items.insert(items.end(), value.items().begin(), value.items().end());
    else if (value.isScalar())
      items.push_back(value);
  }
  Shape extents;
  std::int64_t elements = 1;
  if (items.size() > static_cast<std::size_t>(kMaxRank))
    failProgram(place, "tensors have at most " + std::to_string(kMaxRank) + " dimensions");
  for (const PythonValue& item : items) {
    const std::int64_t extent = knownInteger(item, "a size", place);
    if (extent < 0 || extent > kMostElements)
      failProgram(place, "a tensor cannot have " + std::to_string(extent) + " elements");
    extents.push(extent);
    elements = extent == 0                         ? 0
               : elements > kMostElements / extent ? kMostElements + 1
                                                   : elements * extent;
  }
  if (elements > kMostElements) failProgram(place, "this tensor is larger than any memory");
  return extents;
}

void Evaluator::numbersOf(const PythonValue& list, InitialValues& into, int depth,
                          SourcePlace place) {
  if (list.isNumber()) {
    into.numbers.push_back(list.number);
    const DType own = dtypeOf(list);
    into.dtype = into.numbers.size() == 1 ? own : promoted(into.dtype, own);
    return;
  }
  if (list.kind != Kind::list || depth >= kMaxRank)
    failProgram(place, "a tensor must be made of numbers in lists, but found " + list.shown());
  const auto count = static_cast<std::int64_t>(list.items().size());
  if (into.extents.rank() <= depth)
    into.extents.push(count);
  else if (into.extents[depth] != count)
    failProgram(place, "the lists of a tensor must have equal lengths at each depth");
  if (static_cast<std::int64_t>(into.numbers.size()) > kMostNumbers)
    failProgram(place, "a tensor of more than " + std::to_string(kMostNumbers) +
                           " listed numbers is better given as an input");
  for (const PythonValue& item : list.items()) numbersOf(item, into, depth + 1, place);
}

bool Evaluator::heldCall(const std::string& path, const std::vector<CallArgument>& arguments,
                         SourcePlace place, PythonValue& result) {
  if (path.ends_with("nn.Parameter") || path.ends_with("nn.parameter.Parameter")) {
    if (arguments.empty()) failProgram(place, "a parameter needs its initial tensor");
    result = arguments[0].value;
    const PythonValue* required = keyword(arguments, "requires_grad");
    if (!required && arguments.size() > 1) required = &arguments[1].value;
    const bool trained = !required || truth(*required, place, "requires_grad");
    if (result.kind == Kind::held) result.object->parameter = trained;
    if (result.isTensor()) builder_.requireGradient(result.value, trained);
    return true;
  }
  const bool wraps =
      path == "torch.from_numpy" || path == "torch.as_tensor" || path == "torch.tensor";
  if (wraps && !arguments.empty() && arguments[0].value.kind == Kind::held && preparing_ > 0) {
    result = arguments[0].value;
    if (const std::optional<DType> dtype = dtypeGiven(arguments, place)) {
      InitialValues made = result.object->initial;
      castNumbers(made, *dtype);
      result = held(std::move(made), place);
    }
    return true;
  }
  if (path.ends_with("nn.Buffer") || path.ends_with("nn.parameter.Buffer")) {
    if (arguments.empty()) failProgram(place, "a buffer needs its initial tensor");
    result = arguments[0].value;
    if (result.kind == Kind::held) result.object->parameter = false;
    return true;
  }
  if (path.starts_with("torch.nn.init.")) {
    if (path.ends_with("._calculate_fan_in_and_fan_out") && !arguments.empty() &&
        arguments[0].value.kind == Kind::held) {
      const Fans fans = fansOf(arguments[0].value.object->initial.extents);
      result = PythonValue::listOf({PythonValue::numberOf(fans.in, true, place),
                                    PythonValue::numberOf(fans.out, true, place)},
                                   true, place);
      return true;
    }
    if (path.ends_with(".calculate_gain")) {
      result = PythonValue::numberOf(gainOf(textGiven(arguments, 0, "nonlinearity", "linear"),
                                            numberGiven(arguments, 1, "param", 0.01), place),
                                     false, place);
      return true;
    }
    initialize(path.substr(14), arguments, place);
    if (!arguments.empty()) result = arguments[0].value;
    return true;
  }
  const std::string name = path.starts_with("torch.") ? path.substr(6) : std::string();
  if (const std::optional<DType> of = typedTensor(name); of && preparing_ == 0) {
    if (arguments.empty()) return false;
    std::vector<CallArgument> all = arguments;
    const PythonValue first = all.front().value;  // `all` grows
    if (first.isTensor() || first.kind == Kind::held) {
      result = builder_.method(
          settled(first), "to",
          {{"", PythonValue::pathOf("torch." + std::string(info(*of).name), place), place}}, place);
      return true;
    }
    all.push_back(
        {"dtype", PythonValue::pathOf("torch." + std::string(info(*of).name), place), place});
    spellShapes(all);
    result = builder_.call(first.kind == Kind::list ? "torch.tensor" : "torch.empty",
                           std::move(all), place);
    return true;
  }
  if (preparing_ == 0) return false;
  if (path.starts_with("numpy.") && numpyCall(path.substr(6), arguments, place, result))
    return true;
  InitialValues made;
  if (const std::optional<DType> of = typedTensor(name)) {
    made.dtype = *of;
    if (arguments.empty() || arguments[0].value.isScalar() ||
        (arguments.size() == 1 && arguments[0].value.kind == Kind::shape)) {
      if (arguments.empty()) return false;
      made.extents = extentsGiven(arguments, 0, place);
      made.numbers = {0};
    } else if (arguments[0].value.kind == Kind::held) {
      made = arguments[0].value.object->initial;
      if (!listed(made)) return false;
      castNumbers(made, *of);
    } else {
      numbersOf(arguments[0].value, made, 0, place);
      if (made.numbers.empty()) made.numbers = {0};
      castNumbers(made, *of);
    }
  } else if (name == "tensor" || name == "as_tensor") {
    if (arguments.empty()) failProgram(place, path + " needs its numbers");
    numbersOf(arguments[0].value, made, 0, place);
    if (made.numbers.empty() && elementCount(made.extents) == 0) made.numbers = {0};
  } else if (name == "ones" || name == "zeros" || name == "empty") {
    made.extents = extentsGiven(arguments, 0, place);
    made.numbers = {name == "ones" ? 1.0 : 0.0};
  } else if (name == "randint") {
    // torch.randint(high, size), or with `low` first.
    const bool both = arguments.size() > 1 && arguments[1].value.isNumber();
    const double low = both ? numberGiven(arguments, 0, "low", 0) : numberGiven({}, 0, "low", 0);
    const double high = numberGiven(arguments, both ? 1 : 0, "high", 1);
    made.extents = extentsGiven(arguments, both ? 2 : 1, place);
    const std::int64_t count = elementCount(made.extents);
    if (!(high > low) || count > kMostNumbers) return false;
    made.numbers = wholeNumbers(low, high, count);
    made.low = low;  // for an experiment that draws its own
    made.high = high;
    made.dtype = DType::int64;
  } else if (name == "randperm") {
    const double count = numberGiven(arguments, 0, "n", 0);
    if (count < 0 || count > kMostNumbers) return false;
    // Some order: what it is when the program runs is drawn as its inputs are.
    for (double i = count; i-- > 0;) made.numbers.push_back(i);
    made.extents = {static_cast<std::int64_t>(count)};
    if (made.numbers.empty()) made.numbers = {0};
    made.dtype = DType::int64;
  } else if (name == "full") {
    made.extents = extentsGiven(
        {arguments.begin(), arguments.begin() + std::min<std::ptrdiff_t>(1, std::ssize(arguments))},
        0, place);
    made.numbers = {numberGiven(arguments, 1, "fill_value", 0)};
    const PythonValue* fill = keyword(arguments, "fill_value");
    if (!fill && arguments.size() > 1) fill = &arguments[1].value;
    if (fill && fill->isNumber()) made.dtype = dtypeOf(*fill);
  } else if (name == "eye") {
    const double rows = numberGiven(arguments, 0, "n", 0);
    const double columns = numberGiven(arguments, 1, "m", rows);
    if (rows < 0 || columns < 0 || rows * columns > kMostNumbers) return false;
    for (double row = 0; row < rows; ++row)
      for (double column = 0; column < columns; ++column)
        made.numbers.push_back(row == column ? 1 : 0);
    made.extents = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)};
    if (made.numbers.empty()) made.numbers = {0};
  } else if (name == "rand" || name == "randn") {
    made.extents = extentsGiven(arguments, 0, place);
    made.kind = name == "rand" ? InitialValues::Kind::uniform : InitialValues::Kind::normal;
  } else if (name == "ones_like" || name == "zeros_like" || name == "empty_like") {
    if (arguments.empty() || arguments[0].value.kind != Kind::held) return false;
    made.extents = arguments[0].value.object->initial.extents;
    made.numbers = {name == "ones_like" ? 1.0 : 0.0};
    made.dtype = arguments[0].value.object->initial.dtype;
  } else if (name == "arange" || name == "linspace") {
    double from = numberGiven(arguments, 0, "start", 0), to = numberGiven(arguments, 1, "end", 0);
    double by = numberGiven(arguments, 2, "step", 1);
    std::int64_t count = 0;
    const bool line = name == "linspace";
    if (line) {
      count = static_cast<std::int64_t>(numberGiven(arguments, 2, "steps", 100));
      by = count > 1 ? (to - from) / static_cast<double>(count - 1) : 0;
    } else {
      const bool one =
          !keyword(arguments, "end") && (arguments.size() < 2 || !arguments[1].keyword.empty());
      if (one) to = std::exchange(from, 0);
      if (by == 0) failProgram(place, "the step of a range cannot be 0");
      count = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil((to - from) / by)));
    }
    if (count < 0 || count > kMostNumbers)
      failProgram(place, path + " of more than " + std::to_string(kMostNumbers) +
                             " numbers is better given as an input");
    for (std::int64_t i = 0; i < count; ++i)
      made.numbers.push_back(from + by * static_cast<double>(i));
    made.extents.push(count);
    if (made.numbers.empty()) made.numbers = {0};
    const bool whole = std::ranges::all_of(arguments, [](const CallArgument& each) {
      return !each.value.isNumber() || each.value.integer || each.value.kind == Kind::flag;
    });
    if (!line && whole) made.dtype = DType::int64;
  } else {
    return false;
  }
  if (const std::optional<DType> dtype = dtypeGiven(arguments, place)) {
    for (double& number : made.numbers) number = asHeld(number, *dtype);
    made.dtype = *dtype;
  }
  result = held(std::move(made), place);
  const PythonValue* const differentiated = keyword(arguments, "requires_grad");
  result.object->parameter =
      differentiated && differentiated->kind == Kind::flag && differentiated->number != 0;
  return true;
}

/// numpy's functions that make arrays: these are tensors here, of numpy's dtypes.
bool Evaluator::numpyCall(const std::string& name, const std::vector<CallArgument>& arguments,
                          SourcePlace place, PythonValue& result) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"random.rand", "rand"},
      {"random.random", "rand"},
      {"random.random_sample", "rand"},
      {"random.randn", "randn"},
      {"random.standard_normal", "randn"},
      {"random.normal", "randn"},
      {"random.uniform", "rand"},
      {"random.randint", "randint"},
      {"random.permutation", "randperm"},
      {"zeros", "zeros"},
      {"ones", "ones"},
      {"empty", "empty"},
      {"full", "full"},
      {"eye", "eye"},
      {"arange", "arange"},
      {"linspace", "linspace"},
      {"array", "tensor"},
      {"asarray", "tensor"}};
  const auto* const known =
      std::ranges::find(kNames, name, &std::pair<std::string_view, std::string_view>::first);
  if (known == std::end(kNames)) return false;
  std::vector<CallArgument> given;
  std::optional<DType> dtype;
  const bool draws = name == "random.normal" || name == "random.uniform";
  for (const CallArgument& each : arguments) {
    if (each.keyword == "dtype") {
      const std::string type = each.value.kind == Kind::path ? each.value.text : std::string();
      const DType* const found =
          findDType(type.starts_with("numpy.") ? "torch." + type.substr(6) : type);
      if (!found) failProgram(each.place, "dtype must be a dtype, such as np.float32");
      dtype = *found;
    } else if (draws && each.keyword.empty() && each.value.isNumber()) {
      continue;  // the range, and the mean and the deviation, are those of other inputs
    } else if (each.keyword != "loc" && each.keyword != "scale") {
      given.push_back(each);
    }
  }
  if (!heldCall("torch." + std::string(known->second), given, place, result)) return false;
  InitialValues& initial = result.object->initial;
  const bool listed = known->second == "tensor";
  castNumbers(initial, dtype ? *dtype
                       : isFloat(initial.dtype) && !(listed && result.object->input >= 0)
                           ? DType::float64
                           : initial.dtype);
  return true;
}

/// nn.init's functions, which fill a tensor.
void Evaluator::initialize(const std::string& name, const std::vector<CallArgument>& arguments,
                           SourcePlace place) {
  if (arguments.empty() || arguments[0].value.kind != Kind::held)
    failProgram(place, "nn.init." + name + " fills a parameter that __init__ created");
  InitialValues& initial = arguments[0].value.object->initial;
  if (name == "_zero_row_") {
    initial.zeroRow = static_cast<std::int64_t>(numberGiven(arguments, 1, "row", 0));
    return;
  }
  initial.zeroRow = -1;
  initial.numbers.clear();
  const Shape& extents = initial.extents;
  const auto [fanIn, fanOut] = fansOf(extents);
  const auto uniform = [&](double bound) {
    initial.kind = InitialValues::Kind::uniform;
    initial.low = -bound;
    initial.high = bound;
  };
  const auto normal = [&](double mean, double deviation) {
    initial.kind = InitialValues::Kind::normal;
    initial.low = mean;
    initial.high = deviation;
  };
  const auto all = [&](double number) {
    initial.kind = InitialValues::Kind::numbers;
    initial.numbers = {number};
  };
  // Kaiming (arXiv:1502.01852) and Xavier (Glorot and Bengio 2010), as in PyTorch.
  const double slope = numberGiven(arguments, 1, "a", 0);
  if (name == "zeros_") return all(0);
  if (name == "ones_") return all(1);
  if (name == "constant_") return all(numberGiven(arguments, 1, "val", 0));
  if (name == "uniform_") {
    initial.kind = InitialValues::Kind::uniform;
    initial.low = numberGiven(arguments, 1, "a", 0);
    initial.high = numberGiven(arguments, 2, "b", 1);
    return;
  }
  if (name == "normal_" || name == "trunc_normal_")
    return normal(numberGiven(arguments, 1, "mean", 0), numberGiven(arguments, 2, "std", 1));
  const bool out = textGiven(arguments, 2, "mode", "fan_in") == "fan_out";
  if (name.starts_with("kaiming_")) {
    const double gain = gainOf(textGiven(arguments, 3, "nonlinearity", "leaky_relu"), slope, place);
    const double deviation = gain / std::sqrt(out ? fanOut : fanIn);
    if (name == "kaiming_uniform_") return uniform(std::sqrt(3.0) * deviation);
    if (name == "kaiming_normal_") return normal(0, deviation);
  }
  if (name == "eye_" || name == "dirac_") {
    const std::int64_t count = elementCount(extents);
    if (extents.rank() < 2 || count > kMostNumbers)
      failProgram(place, "nn.init." + name + " fills a matrix of at most " +
                             std::to_string(kMostNumbers) + " numbers");
    initial.kind = InitialValues::Kind::numbers;
    initial.numbers.assign(static_cast<std::size_t>(std::max<std::int64_t>(count, 1)), 0);
    std::int64_t field = 1, middle = 0;
    for (int d = 2; d < extents.rank(); ++d) {
      field *= extents[d];
      middle = middle * extents[d] + extents[d] / 2;
    }
    for (std::int64_t i = 0; i < std::min(extents[0], extents[1]); ++i)
      initial.numbers[static_cast<std::size_t>((i * extents[1] + i) * field + middle)] = 1;
    return;
  }
  if (name == "orthogonal_") {
    note(place,
         "nn.init.orthogonal_: the tensor starts as random numbers of that size, which are "
         "not orthogonal");
    return normal(0, numberGiven(arguments, 1, "gain", 1) / std::sqrt(std::max(fanIn, fanOut)));
  }
  const double gain = numberGiven(arguments, 1, "gain", 1);
  if (name == "xavier_uniform_") return uniform(gain * std::sqrt(6 / (fanIn + fanOut)));
  if (name == "xavier_normal_") return normal(0, gain * std::sqrt(2 / (fanIn + fanOut)));
  failProgram(place, "there is no nn.init." + name + " in programs");
}

void Evaluator::castModule(const PythonValue& module, const std::string& name,
                           const std::vector<CallArgument>& arguments, SourcePlace place) {
  const std::optional<DType> cast = castBy(name, arguments);
  if (!cast) return;
  for (const bool parameters : {true, false})
    for (const PythonValue& each : heldOf(module, parameters, place)) {
      InitialValues& initial = each.object->initial;
      if (!isFloat(initial.dtype) || initial.dtype == *cast) continue;
      if (each.object->input >= 0)
        failProgram(place,
                    "a module's dtype is chosen before the program uses it: outside of its "
                    "function or in __init__");
      castNumbers(initial, *cast);
    }
}

bool Evaluator::heldMethod(const PythonValue& self, const std::string& name,
                           const std::vector<CallArgument>& arguments, SourcePlace place,
                           PythonValue& result) {
  const PythonObject& object = *self.object;
  const InitialValues& initial = object.initial;
  // A copy is another tensor, which may be written to; so is what no gradient flows back from.
  const bool apart = name == "clone" || name == "detach";
  if (apart && preparing_ == 0) return false;
  if (name == "clone" && object.input < 0) {
    result = held(initial, place);
    return true;
  }
  if (preparing_ > 0 && name.starts_with("new_") && name != "new_tensor") {
    const bool full = name == "new_full";
    if (full && arguments.size() < 2) failProgram(place, "new_full takes a size and a number");
    if (!full && name != "new_zeros" && name != "new_ones" && name != "new_empty") return false;
    InitialValues made;
    made.extents = extentsGiven(
        full ? std::vector<CallArgument>{arguments.begin(), arguments.begin() + 1} : arguments, 0,
        place);
    made.numbers = {full ? numberGiven(arguments, 1, "fill_value", 0)
                         : (name == "new_ones" ? 1.0 : 0.0)};
    made.dtype = dtypeGiven(arguments, place).value_or(initial.dtype);
    for (double& number : made.numbers) number = asHeld(number, made.dtype);
    result = held(std::move(made), place);
    return true;
  }
  // A module's own tensors are where the program computes, unless the program moves them.
  const bool away =
      preparing_ == 0 &&
      (name == "cpu" ||
       (name == "to" && std::ranges::any_of(arguments, [](const CallArgument& argument) {
          return memoryNamed(argument.value) == Memory::host;
        })));
  if (const std::optional<DType> cast = castBy(name, arguments); cast && *cast != initial.dtype) {
    // Later it is an op on what is an input.
    if (preparing_ == 0 || object.input >= 0 || (!listed(initial) && !isFloat(*cast))) return false;
    InitialValues made = initial;
    castNumbers(made, *cast);
    result = held(std::move(made), place);
    return true;
  }
  for (const char* same : {"clone", "detach", "contiguous", "to", "type", "float", "long", "int",
                           "bool", "half", "double", "bfloat16", "cpu", "cuda", "astype"})
    if (name == same && !away) {
      result = self;
      return true;
    }
  if (name == "numel" || name == "nelement") {
    result = PythonValue::numberOf(static_cast<double>(elementCount(initial.extents)), true, place);
    return true;
  }
  if (name == "dim" || name == "size") {
    result = attribute(self, name == "dim" ? "ndim" : "shape", place, false);
    if (!arguments.empty()) result = subscript(result, {arguments[0].value}, false, place);
    return true;
  }
  if (name == "requires_grad_" && object.input < 0 && preparing_ > 0) {
    self.object->parameter =
        arguments.empty() || truth(arguments[0].value, place, "requires_grad_");
    result = self;
    return true;
  }
  // It is an input, or becomes one: what is done to it are ops.
  if (object.input >= 0) return false;
  if (preparing_ == 0 && name.ends_with('_') && name != "requires_grad_") return false;
  for (const char* fills : {"fill_", "zero_", "uniform_", "normal_"})
    if (name == fills) {
      std::vector<CallArgument> all{{"", self, place}};
      all.insert(all.end(), arguments.begin(), arguments.end());
      initialize(name == "fill_" ? "constant_" : name == "zero_" ? "zeros_" : name, all, place);
      result = self;
      return true;
    }
  if (name == "copy_" && !arguments.empty() && arguments[0].value.kind == Kind::held &&
      listed(arguments[0].value.object->initial)) {
    const InitialValues& given = arguments[0].value.object->initial;
    if (given.extents != initial.extents && given.numbers.size() != 1)
      failProgram(place, "copy_: shape " + toString(given.extents) + " does not fit " +
                             toString(initial.extents));
    InitialValues& own = self.object->initial;
    own.kind = InitialValues::Kind::numbers;
    own.numbers = given.numbers;
    own.zeroRow = -1;
    for (double& number : own.numbers) number = asHeld(number, own.dtype);
    result = self;
    return true;
  }
  // Results in the program depend on the contents at that time, and gradients flow back from them.
  if (preparing_ > 0 && (name == "view" || name == "reshape" || name == "unsqueeze")) {
    InitialValues made = initial;
    if (name == "unsqueeze") {
      const std::int64_t rank = initial.extents.rank();
      std::int64_t at = arguments.empty() ? 0 : knownInteger(arguments[0].value, "dim", place);
      if (at < 0) at += rank + 1;
      if (at < 0 || at > rank)
        failProgram(place, "there is no position " + std::to_string(at) + " for a dimension");
      made.extents = {};
      for (int d = 0; d <= rank; ++d)
        made.extents.push(d == at ? 1 : initial.extents[d < at ? d : d - 1]);
    } else {
      std::vector<PythonValue> items;
      for (const CallArgument& each : arguments)
        if (each.value.kind == Kind::list)
          items.insert(items.end(), each.value.items().begin(), each.value.items().end());
        else
          items.push_back(each.value);
      std::int64_t known = 1, open = -1;
      made.extents = {};
      for (const PythonValue& item : items) {
        std::int64_t extent = knownInteger(item, "a size", place);
        if (extent == -1 && open < 0) {
          open = made.extents.rank();
          extent = 1;
        }
        if (extent < 0 || extent > kMostElements)
          failProgram(place, "a tensor cannot have " + std::to_string(extent) + " elements");
        known = cappedMultiply(known, extent);
        made.extents.push(extent);
      }
      const std::int64_t elements = elementCount(initial.extents);
      if (open >= 0 && known > 0) made.extents[static_cast<int>(open)] = elements / known;
      std::int64_t wanted = 1;
      for (const std::int64_t extent : made.extents) wanted = cappedMultiply(wanted, extent);
      if (wanted != elements)
        failProgram(place, "shape " + toString(made.extents) + " does not fit the " +
                               std::to_string(elements) + " elements of " +
                               toString(initial.extents));
    }
    result = held(std::move(made), place);
    return true;
  }
  const bool known = preparing_ > 0 || (!object.parameter && name != "sum");
  if ((name == "any" || name == "all" || name == "sum" || name == "item") && arguments.empty() &&
      known && listed(initial)) {
    const auto count = static_cast<std::size_t>(elementCount(initial.extents));
    bool any = false, all = true;
    double sum = 0;
    const std::size_t seen = initial.numbers.size() == 1 ? std::min<std::size_t>(count, 1) : count;
    for (std::size_t i = 0; i < seen; ++i) {
      any = any || numberAt(initial, i) != 0;
      all = all && numberAt(initial, i) != 0;
      sum += numberAt(initial, i);
    }
    if (initial.numbers.size() == 1) sum = initial.numbers[0] * static_cast<double>(count);
    if (name == "item")
      result = PythonValue::numberOf(numberAt(initial, 0), isWhole(initial), place);
    else
      result = name == "sum" ? PythonValue::numberOf(sum, !isFloat(initial.dtype), place)
                             : PythonValue::flagOf(name == "any" ? any : all, place);
    return true;
  }
  return false;
}

bool Evaluator::heldBinary(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                           SourcePlace place, PythonValue& result) {
  const bool first = a.kind == Kind::held;
  const PythonValue& of = first ? a : b;
  const PythonValue& by = first ? b : a;
  if (preparing_ == 0 || of.object->input >= 0 || (!by.isNumber() && by.kind != Kind::held))
    return false;
  const InitialValues& initial = of.object->initial;
  if (!listed(initial)) {
    // A scaled or shifted distribution is one still: torch.randn(n) * 0.02.
    const bool normal = initial.kind == InitialValues::Kind::normal;
    if (!by.isNumber() || (symbol != "*" && symbol != "+" && symbol != "-" && symbol != "/"))
      return false;
    if ((symbol == "/" || symbol == "-") && !first) return false;
    InitialValues made = initial;
    double low = 0, high = 0;
    const double k = symbol == "/" ? 1 / by.number : symbol == "-" ? -by.number : by.number;
    const bool scales = symbol == "*" || symbol == "/";
    low = scales ? initial.low * k : initial.low + k;
    high = scales ? (normal ? std::fabs(initial.high * k) : initial.high * k)
                  : (normal ? initial.high : initial.high + k);
    made.low = normal ? low : std::min(low, high);
    made.high = normal ? high : std::max(low, high);
    result = held(std::move(made), place);
    return true;
  }
  InitialValues other;
  other.numbers = {by.number};
  other.dtype = by.isNumber() ? dtypeOf(by) : DType::float32;
  if (by.kind == Kind::held) {
    if (by.object->input >= 0 || !listed(by.object->initial)) return false;
    other = by.object->initial;
  }
  const bool plain = by.isNumber() || other.extents == initial.extents;
  if (!plain || symbol == "&" || symbol == "|" || symbol == "^" || symbol == "<<" ||
      symbol == ">>" || (initial.dtype == DType::boolean && other.dtype == DType::boolean))
    return false;
  InitialValues made = initial;
  const std::size_t count = std::max(initial.numbers.size(), other.numbers.size());
  made.numbers.clear();
  made.low = 0, made.high = 1;  // no longer the numbers that were drawn
  // Of two dtypes a number's counts where it is of another kind; see torch.result_type.
  const bool kept = by.isNumber() && isFloat(initial.dtype);
  made.dtype = kept ? initial.dtype : promoted(initial.dtype, other.dtype);
  if (by.isNumber() && isWhole(initial) && other.dtype == DType::int64) made.dtype = initial.dtype;
  if (symbol == "/" && !isFloat(made.dtype)) made.dtype = DType::float32;
  const bool whole = made.dtype == DType::int64 || made.dtype == DType::int32;
  for (std::size_t i = 0; i < count; ++i) {
    const PythonValue x = PythonValue::numberOf(numberAt(initial, i), whole, place);
    const PythonValue y = PythonValue::numberOf(numberAt(other, i), whole, place);
    double found = 0;
    if (symbol == "/" && (first ? y : x).number == 0) {
      const double top = (first ? x : y).number;
      found = top == 0 ? std::nan("") : std::copysign(INFINITY, top);
    } else {
      const PythonValue folded =
          first ? foldBinary(symbol, x, y, place) : foldBinary(symbol, y, x, place);
      found = folded.number;
      if (folded.kind == Kind::flag) made.dtype = DType::boolean;
    }
    made.numbers.push_back(isFloat(made.dtype) ? asHeld(found, made.dtype) : found);
  }
  result = held(std::move(made), place);
  return true;
}

bool Evaluator::heldSubscript(const PythonValue& of, const std::vector<PythonValue>& items,
                              PythonValue& result) {
  if (preparing_ == 0 || of.object->input >= 0) return false;
  const InitialValues& initial = of.object->initial;
  InitialValues made = initial;
  made.extents = {};
  int d = 0;
  const auto whole = [](const PythonValue& item) {
    return item.kind == Kind::slice &&
           std::all_of(item.items().begin(), item.items().end(),
                       [](const PythonValue& each) { return each.kind == Kind::none; });
  };
  const auto named = static_cast<int>(std::count_if(items.begin(), items.end(), whole));
  for (const PythonValue& item : items) {
    if (item.kind == Kind::none) {
      made.extents.push(1);
    } else if (item.kind == Kind::ellipsis) {
      for (int n = initial.extents.rank() - named; n > 0; --n)
        made.extents.push(initial.extents[d++]);
    } else if (whole(item) && d < initial.extents.rank()) {
      made.extents.push(initial.extents[d++]);
    } else {
      return false;
    }
  }
  while (d < initial.extents.rank()) made.extents.push(initial.extents[d++]);
  result = held(std::move(made), of.place);
  return true;
}

}  // namespace fusebench
