// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export/export_python_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "profiler/experiment/inputs.h"

namespace fusebench {

std::string pythonLiteral(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

namespace {

std::string pythonNumber(double value) {
  if (std::isnan(value)) return "math.nan";
  if (std::isinf(value)) return value > 0 ? "math.inf" : "-math.inf";
  return fmt::format("{}", value);
}

/// A name, or the first integer and the one after the last.
std::string fillText(const InputSpec& input) {
  if (!input.range || isFloat(dtypeOf(input))) return pythonLiteral(input.fill);
  const auto [low, high] = *input.range;
  const auto first = static_cast<std::int64_t>(std::ceil(low));
  const auto last = std::max(first, static_cast<std::int64_t>(std::floor(high)));
  return fmt::format("({}, {})", first, last + 1);
}

/// The properties of an input that differ from the usual values, as keyword arguments. `code`: the
/// function that computes it.
std::string detailsOf(const InputSpec& input, const std::string& code) {
  const InputSpec usual;
  std::string text;
  if (input.mean != usual.mean) text += ", mean=" + pythonNumber(input.mean);
  if (input.deviation != usual.deviation) text += ", deviation=" + pythonNumber(input.deviation);
  if (input.range && isFloat(dtypeOf(input)))
    text += fmt::format(", bounds=({}, {})", pythonNumber((*input.range)[0]),
                        pythonNumber((*input.range)[1]));
  if (!input.code.empty()) text += ", code=" + code;
  if (!input.values.empty()) text += ", values=" + pythonLiteral(input.values);
  if (input.data.empty()) return text;
  std::string numbers;
  for (const double value : input.data)
    numbers += (numbers.empty() ? "" : ", ") + pythonNumber(value);
  return text + ", data=[" + numbers + "]";
}

std::string tensorText(const InputSpec& input, std::size_t number, const std::string& code) {
  std::string shape;
  for (const std::string& extent : input.extents) shape += fmt::format("int({}), ", extent);
  const char* const place = input.pinned ? ".cpu().pin_memory()" : input.onHost ? ".cpu()" : "";
  return fmt::format("tensor(({}), {}, {}, torch.{}, (i, {}){}){}", shape, fillText(input),
                     pythonLiteral(input.layout), input.dtype, number, detailsOf(input, code),
                     place);
}

}  // namespace

std::string inputSets(const Experiment& experiment) {
  std::string names, held, functions;
  int sets = 0;
  for (const Axis& axis : experiment.axes) names += ", " + axis.name;
  std::string text = fmt::format("def make_inputs(input_set{}):\n", names);
  text +=
      "    \"\"\"The inputs that a variant runs over, by name; a shape that names i takes the "
      "number of the input.\"\"\"\n";
  for (const InputSet& set : experiment.inputSets) {
    std::string tensors, places;
    for (std::size_t i = 0; i < set.inputs.size(); ++i) {
      const std::string name = pythonLiteral(set.inputs[i].name);
      if (set.inputs[i].initial) {  // the program makes it
        places += fmt::format("{}{}: {}", places.empty() ? "" : ", ", name, i);
        continue;
      }
      const std::string code = fmt::format("fill_{}_{}", sets, i);
      if (!set.inputs[i].code.empty())
        functions += functionOfFill(set.inputs[i].code, code) + "\n\n";
      tensors += fmt::format("            {}: {},\n", name, tensorText(set.inputs[i], i, code));
    }
    ++sets;
    const std::string name = pythonLiteral(set.name);
    text += fmt::format(
        "    if input_set == {}:\n        return [{{\n{}        }} for i in range({})]\n", name,
        tensors, set.count);
    held += fmt::format("{}{}: {{{}}}", held.empty() ? "" : ", ", name, places);
  }
  if (!functions.empty()) functions = "F = torch.nn.functional\n\n\n" + functions;
  return functions + text +
         fmt::format(
             "    raise ValueError(input_set)\n\n\n# The numbers of weights and buffers among the "
             "inputs: which random numbers are theirs.\nPLACES = {{{}}}\n# The file of values next "
             "to this script; empty: there is none.\nWEIGHTS = {}\n",
             held, pythonLiteral(experiment.weights));
}

ScriptState::ScriptState(const Program& program, const std::string& held) {
  // _held = {0: "_module.weight", 1: None}
  for (std::size_t at = held.find('{'); at != std::string::npos && at + 1 < held.size();) {
    const std::size_t number = at + (held[at] == '{' ? 1 : 2);
    const std::size_t colon = held.find(": ", number);
    if (colon == std::string::npos) break;
    const bool names = held.compare(colon + 2, 1, "\"") == 0;
    const std::size_t begin = colon + (names ? 3 : 2);
    const std::size_t end = held.find_first_of(names ? "\"" : ",}", begin);
    paths_[std::stoul(held.substr(number, colon - number))] = held.substr(begin, end - begin);
    at = held.find_first_of(",}", end);
    if (at == std::string::npos || held[at] == '}') break;
  }
  const std::vector<bool> written = writtenInputs(program);
  for (const HeldInput& each : program.held) {
    const auto input = static_cast<std::size_t>(each.input);
    const InitialValues& initial = each.initial;
    if (!holds(input) || paths_[input] == "None") continue;
    if (initial.kind != InitialValues::Kind::numbers)
      starts_ +=
          fmt::format("{}{}: ({}, \"{}\", {}, {}, {})", starts_.empty() ? "" : ", ", input,
                      pythonLiteral(program.inputs[input]),
                      initial.kind == InitialValues::Kind::uniform ? "uniform" : "normal",
                      pythonNumber(initial.low), pythonNumber(initial.high), initial.zeroRow);
  }
  for (std::size_t i = 0; i < written.size(); ++i)
    if (written[i]) written_ += fmt::format("{}, ", i);
}

std::string ScriptState::text() const {
  if (isEmpty()) return {};
  std::string tensors;
  for (const auto& [input, path] : paths_)
    tensors += fmt::format("{}{}: {}", tensors.empty() ? "" : ", ", input, path);
  return fmt::format("    _held = State({{{}}}, {{{}}}, ({}), list(locals().values()))\n", tensors,
                     starts_, written_);
}

}  // namespace fusebench
