// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/traced_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/saying.h"
#include "engine/base/shape.h"

namespace fusebench {
namespace {

using Kind = TracedValue::Kind;

/// PyTorch's numbers of dtypes, of those that Fusebench has.
constexpr std::array<std::pair<std::int64_t, std::string_view>, 9> kScalarTypes{
    {{0, "torch.uint8"},
     {1, "torch.int8"},
     {3, "torch.int32"},
     {4, "torch.int64"},
     {5, "torch.float16"},
     {6, "torch.float32"},
     {7, "torch.float64"},
     {11, "torch.bool"},
     {15, "torch.bfloat16"}}};
constexpr std::array<std::string_view, 4> kMemoryFormats{
    "torch.contiguous_format", "torch.preserve_format", "torch.channels_last",
    "torch.channels_last_3d"};

/// "softmax" and "int" of "aten::softmax.int(Tensor self, ...".
std::pair<std::string_view, std::string_view> overloadIn(std::string_view schema) {
  schema = schema.substr(0, schema.find('('));
  if (const std::size_t colons = schema.find("::"); colons != std::string_view::npos)
    schema.remove_prefix(colons + 2);
  const std::size_t dot = schema.find('.');
  if (dot == std::string_view::npos) return {schema, "default"};
  return {schema.substr(0, dot), schema.substr(dot + 1)};
}

/// Parameters that only say where a result is.
bool isDropped(const AtenParameter& parameter) {
  return parameter.type == "Device" || parameter.type == "Layout" || parameter.name == "pin_memory";
}

std::string realText(double value) {
  if (std::isnan(value)) return "float('nan')";
  if (std::isinf(value)) return value > 0 ? "float('inf')" : "-float('inf')";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

/// Nothing: the number has no name here.
std::optional<std::string> namedNumber(std::int64_t number, const std::string& type) {
  if (type == "ScalarType") {
    for (const auto& [known, name] : kScalarTypes)
      if (known == number) return std::string(name);
    return std::nullopt;
  }
  if (type == "MemoryFormat") {
    if (number < 0 || number >= static_cast<std::int64_t>(kMemoryFormats.size()))
      return std::nullopt;
    return std::string(kMemoryFormats.at(static_cast<std::size_t>(number)));
  }
  return std::to_string(number);
}

bool isPlainText(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; });
}

/// Why a value cannot be written down; empty: it can.
std::string problemOfValue(const ExecutionTrace& trace, const TracedValue& value,
                           const AtenParameter& parameter) {
  switch (value.kind) {
    case Kind::other:
      return saying("the trace does not have the value of its argument '{}'", parameter.name);
    case Kind::tensor:
      if (trace.tensors[value.tensor].dtype.empty())
        return saying("Fusebench has no dtype {}", trace.tensors[value.tensor].recordedType);
      if (trace.tensors[value.tensor].extents.size() > static_cast<std::size_t>(kMaxRank))
        return saying("a tensor has {} dimensions, and Fusebench supports {}",
                      trace.tensors[value.tensor].extents.size(), kMaxRank);
      return {};
    case Kind::integer:
      return namedNumber(value.integer, parameter.type)
                 ? std::string()
                 : saying("Fusebench has no {} with number {}", parameter.type, value.integer);
    case Kind::text:
      return isPlainText(value.text)
                 ? std::string()
                 : saying("the trace does not have the value of its argument '{}'", parameter.name);
    case Kind::list:
      for (const TracedValue& each : value.items)
        if (std::string problem = problemOfValue(trace, each, parameter); !problem.empty())
          return problem;
      return {};
    default:
      return {};
  }
}

std::string problemOfArguments(const ExecutionTrace& trace, const TracedOperator& op,
                               const AtenRow& row) {
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    const TracedValue& value = op.inputs[i];
    if (i >= row.parameters.size()) {
      // A later PyTorch has one more parameter, which says nothing as long as it is off.
      const bool isOff =
          value.kind == Kind::none || (value.kind == Kind::flag && value.integer == 0);
      if (!isOff) return saying("it has more arguments than {}", row.schema);
      continue;
    }
    if (isDropped(row.parameters[i])) continue;
    if (std::string problem = problemOfValue(trace, value, row.parameters[i]); !problem.empty())
      return problem;
  }
  return {};
}

/// Whether the arguments can be those of the overload; for traces without signatures.
bool couldBe(const TracedOperator& op, const AtenRow& row) {
  if (op.inputs.size() != row.parameters.size()) return false;
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    const TracedValue& value = op.inputs[i];
    const AtenParameter& parameter = row.parameters[i];
    const bool wantsTensor = parameter.type == "Tensor", wantsList = parameter.type.ends_with(']');
    if (value.kind == Kind::none ? !parameter.optional && !parameter.fallback
                                 : (value.kind == Kind::tensor) != wantsTensor ||
                                       (value.kind == Kind::list) != wantsList ||
                                       (value.kind == Kind::flag) != (parameter.type == "bool"))
      return false;
  }
  return true;
}

/// The texts of the signature's defaults by position; empty: none.
std::vector<std::string> defaultsOf(std::string_view schema) {
  std::vector<std::string> defaults;
  const std::size_t open = schema.find('('), close = schema.rfind(") ->");
  if (open == std::string_view::npos || close == std::string_view::npos) return defaults;
  const std::string_view list = schema.substr(open + 1, close - open - 1);
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != ',' || depth != 0) continue;
    std::string_view piece = list.substr(begin, i - begin);
    while (piece.starts_with(' ')) piece.remove_prefix(1);
    const std::size_t equals = piece.find('=');
    if (piece != "*" && !piece.empty())
      defaults.emplace_back(equals == std::string_view::npos ? "" : piece.substr(equals + 1));
    begin = i + 1;
  }
  return defaults;
}

std::optional<double> numberIn(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool areSame(std::string_view written, std::string_view fallback) {
  if (written == fallback) return true;
  const auto one = numberIn(written), other = numberIn(fallback);
  return one && other && *one == *other;
}

/// Whether an argument is what it would be without being given.
bool isDefault(const TracedValue& value, const std::string& written, const std::string& fallback) {
  if (fallback.empty()) return false;
  if (areSame(written, fallback) || written == "torch." + fallback) return true;
  if (fallback == "Mean" && written == "1") return true;
  if (value.kind != Kind::list || value.items.empty()) return false;
  std::string items = fallback;  // "[1, 1]", or 0 for each of them
  std::vector<std::string> each;
  if (items.starts_with('[')) {
    std::string one;
    for (const char c : items.substr(1)) {
      if (c == ',' || c == ']') {
        each.push_back(std::exchange(one, {}));
      } else if (c != ' ') {
        one += c;
      }
    }
  }
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const TracedValue& item = value.items[i];
    if (item.kind != Kind::integer) return false;
    const std::string& other =
        each.empty() ? items : each[each.size() == 1 ? 0 : std::min(i, each.size() - 1)];
    if (!areSame(std::to_string(item.integer), other)) return false;
  }
  return each.size() <= 1 || each.size() == value.items.size();
}

std::string valueText(const TracedValue& value, const AtenParameter& parameter,
                      const NameTensor& nameOf) {
  switch (value.kind) {
    case Kind::tensor:
      return nameOf(value.tensor, parameter.name);
    case Kind::list: {
      std::string text;
      for (const TracedValue& each : value.items)
        text += (text.empty() ? "" : ", ") + valueText(each, parameter, nameOf);
      return "[" + text + "]";
    }
    case Kind::integer:
      return namedNumber(value.integer, parameter.type).value_or("None");
    case Kind::flag:
      return value.integer != 0 ? "True" : "False";
    case Kind::real:
      return realText(value.real);
    case Kind::text:
      return '"' + value.text + '"';
    default:
      return "None";
  }
}

}  // namespace

TracedCall tracedCall(const ExecutionTrace& trace, OperatorIndex at) {
  const TracedOperator& op = trace.operators[at];
  std::string_view name = trace.nameOf(at);
  name.remove_prefix(std::min(name.size(), std::string_view("aten::").size()));
  const std::string_view schema = trace.schemaOf(at);
  const auto [schemaName, overload] = overloadIn(schema);
  TracedCall made;
  const std::span<const AtenRow* const> rows = atenOverloads(schema.empty() ? name : schemaName);
  for (const AtenRow* row : rows) {
    const bool isIt = schema.empty() ? couldBe(op, *row) : row->overload == overload;
    if (isIt && !made.row) made.row = row;
  }
  if (!trace.isAten(at) || !made.row)
    made.problem = saying("Fusebench does not have this operator");
  else if (!made.row->supported())
    made.problem = made.row->refusal;
  else
    made.problem = problemOfArguments(trace, op, *made.row);
  return made;
}

std::string callText(const TracedOperator& op, const AtenRow& row, const NameTensor& nameOf) {
  const std::vector<std::string> defaults = defaultsOf(row.schema);
  std::vector<std::string> byPosition, byName;
  std::size_t needed = 0;  // how many by position
  // A move within one device changes the dtype alone.
  const bool moves = row.name == "to" && row.overload == "device";
  for (std::size_t i = 0; i < op.inputs.size() && i < row.parameters.size(); ++i) {
    const AtenParameter& parameter = row.parameters[i];
    if (parameter.keywordOnly ? isDropped(parameter) : moves && parameter.type == "Device")
      continue;
    // A trace of shapes has no texts: they are taken to be the default.
    const bool isMissing = op.inputs[i].kind == Kind::none && !parameter.optional;
    const std::string fallback = i < defaults.size() ? defaults[i] : std::string();
    const std::string text =
        isMissing && !fallback.empty() ? fallback : valueText(op.inputs[i], parameter, nameOf);
    const bool said = isMissing || isDefault(op.inputs[i], text, fallback);
    if (parameter.keywordOnly) {
      if (!said) byName.push_back(parameter.name + "=" + text);
      continue;
    }
    byPosition.push_back(text);
    if (!said) needed = byPosition.size();
  }
  byPosition.resize(needed);
  std::string text;
  for (const std::vector<std::string>* list : {&byPosition, &byName})
    for (const std::string& each : *list) text += (text.empty() ? "" : ", ") + each;
  return fmt::format("torch.ops.aten.{}.{}({})", row.name, moves ? "dtype" : row.overload, text);
}

void forEachTensor(const std::vector<TracedValue>& values,
                   const std::function<void(std::uint32_t)>& each) {
  for (const TracedValue& value : values) {
    if (value.kind == Kind::tensor) each(value.tensor);
    if (value.kind == Kind::list) forEachTensor(value.items, each);
  }
}

bool writesArguments(std::string_view schema) {
  return schema.substr(0, schema.find(") ->")).find("!)") != std::string_view::npos;
}

}  // namespace fusebench
