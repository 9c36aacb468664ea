// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/computing_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/language/expression_text.h"
#include "engine/language/program_builder.h"

namespace fusebench {
namespace {

/// Longest list of numbers that is written out.
constexpr std::size_t kMostListed = 1024;

std::string numberText(double number, DType dtype) {
  if (std::isnan(number)) return "float('nan')";
  if (std::isinf(number)) return number > 0 ? "float('inf')" : "-float('inf')";
  if (dtype == DType::boolean) return number != 0 ? "True" : "False";
  return isFloat(dtype) ? printedNumber(number, false)
                        : fmt::format("{}", static_cast<std::int64_t>(number));
}

std::string shapeText(const Shape& shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += fmt::format("{}, ", extent);
  return shape.rank() == 1 ? "(" + text.substr(0, text.size() - 1) + ")"
                           : "(" + text.substr(0, text.size() - (text.empty() ? 0 : 2)) + ")";
}

/// A call whose results are scaled and moved: "torch.rand((4, 8)) * 2.0 - 1.0".
std::string moved(std::string call, double scale, double by) {
  if (scale != 1) call += " * " + printedNumber(scale, false);
  if (by > 0) call += " + " + printedNumber(by, false);
  if (by < 0) call += " - " + printedNumber(-by, false);
  return call;
}

/// The step of whole numbers that differ by the same; 0: they do not.
double stepOf(const std::vector<double>& numbers) {
  if (numbers.size() < 3) return 0;
  const double step = numbers[1] - numbers[0];
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != std::floor(numbers[i]) ||
        numbers[i] != numbers[0] + step * static_cast<double>(i))
      return 0;
  return step;
}

std::string listText(const std::vector<double>& numbers, DType dtype) {
  std::string text;
  for (const double number : numbers)
    text += (text.empty() ? "" : ", ") + numberText(number, dtype);
  return text;
}

bool areEvenlySpaced(const std::vector<double>& numbers) {
  const double first = numbers.front(), last = numbers.back();
  const double step = (last - first) / static_cast<double>(numbers.size() - 1);
  const double bound = 1e-6 * std::max(std::abs(first), std::abs(last));  // float32's rounding
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!(std::abs(numbers[i] - (first + step * static_cast<double>(i))) <= bound)) return false;
  return true;
}

/// The body of a function's text, one level further out and without "return".
std::string bodyOf(const std::string& function) {
  std::string body;
  for (std::size_t at = function.find('\n') + 1; at < function.size();) {
    const std::size_t end = std::min(function.find('\n', at), function.size());
    std::string_view line = std::string_view(function).substr(at, end - at);
    line.remove_prefix(std::min<std::size_t>(4, line.size()));
    const bool last = line.starts_with("return ");
    body += std::string(line.substr(last ? 7 : 0)) + (last ? "" : "\n");
    at = end + 1;
  }
  return body;
}

}  // namespace

std::optional<std::string> makingCall(const InitialValues& initial) {
  if (initial.zeroRow >= 0) return std::nullopt;
  const std::string shape = shapeText(initial.extents);
  const std::string dtype = initial.dtype == DType::float32
                                ? std::string()
                                : fmt::format(", dtype=torch.{}", info(initial.dtype).name);
  const bool whole = !isFloat(initial.dtype);
  if (initial.kind == InitialValues::Kind::normal)
    return whole ? std::nullopt
                 : std::optional(
                       moved("torch.randn(" + shape + dtype + ")", initial.high, initial.low));
  if (initial.kind == InitialValues::Kind::uniform && !whole)
    return moved("torch.rand(" + shape + dtype + ")", initial.high - initial.low, initial.low);
  if (initial.areDrawn()) {
    const std::string drawn =
        fmt::format("torch.randint({}, {}, {}", numberText(initial.low, DType::int64),
                    numberText(initial.high, DType::int64), shape);
    return whole ? drawn + dtype + ")"
                 : fmt::format("{}).to(torch.{})", drawn, info(initial.dtype).name);
  }
  const std::vector<double>& numbers = initial.numbers;
  if (initial.kind != InitialValues::Kind::numbers || numbers.empty()) return std::nullopt;
  if (numbers.size() == 1)
    return fmt::format("torch.full({}, {}, dtype=torch.{})", shape,
                       numberText(numbers[0], initial.dtype), info(initial.dtype).name);
  std::string list;
  if (const double step = stepOf(numbers); step != 0) {
    list = fmt::format("torch.arange({}, {}, {}, dtype=torch.{})",
                       static_cast<std::int64_t>(numbers[0]),
                       static_cast<std::int64_t>(numbers.back() + step),
                       static_cast<std::int64_t>(step), info(initial.dtype).name);
  } else {
    if (numbers.size() > kMostListed && !(isFloat(initial.dtype) && areEvenlySpaced(numbers)))
      return std::nullopt;
    if (numbers.size() > kMostListed)
      list = fmt::format("torch.linspace({}, {}, {}{})", numberText(numbers.front(), initial.dtype),
                         numberText(numbers.back(), initial.dtype), numbers.size(), dtype);
    else
      list = "torch.tensor([" + listText(numbers, initial.dtype) +
             fmt::format("], dtype=torch.{})", info(initial.dtype).name);
  }
  return initial.extents.rank() == 1 ? list : list + ".reshape(" + shape + ")";
}

std::string computingText(const Program& unfinished, ValueId value) {
  if (!unfinished.branches.empty()) return {};
  Program all = unfinished;
  all.statements.clear();
  all.checks.clear();
  all.frames.clear();
  all.outputs = {value};
  for (Op& op : all.ops) op.statement = -1;
  ProgramBuilder(all).finish();
  const Program only = onlyFor(all, all.outputs.front());
  if (only.asksGradients) return {};
  std::string text;
  for (std::size_t i = 0; i < only.inputs.size(); ++i) {
    const auto reads = [&](const Op& op) {
      return op.into == static_cast<ValueId>(i) ||
             std::ranges::any_of(op.operands, [&](const Operand& operand) {
               return !operand.isNumber() && operand.value == static_cast<ValueId>(i);
             });
    };
    if (std::ranges::none_of(only.ops, reads)) continue;
    const auto held = std::ranges::find(only.held, static_cast<int>(i), &HeldInput::input);
    if (held == only.held.end()) return {};
    const std::optional<std::string> call = makingCall(held->initial);
    if (!call) return {};
    text += only.inputs[i] + " = " + *call + "\n";
  }
  text += bodyOf(toText(only));
  return text.size() <= kLongestComputing ? text : std::string();
}

}  // namespace fusebench
