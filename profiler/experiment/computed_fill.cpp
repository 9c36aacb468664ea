// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/computed_fill.h"

#include <algorithm>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/language/parser.h"
#include "engine/language/program_errors.h"
#include "engine/run/reference.h"
#include "profiler/files/input_error.h"

namespace fusebench {
namespace {

constexpr std::string_view kImports =
    "import math\nimport torch\nimport torch.nn.functional as F\n\n";
constexpr int kLinesBefore = 5;  // the imports and the function's header

}  // namespace

std::string functionOfFill(const std::string& code, const std::string& name) {
  std::string lines = code;
  lines.erase(lines.find_last_not_of(" \t\r\n") + 1);
  std::string text = "def " + name + "():\n";
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    text += std::string("    ") + (end == lines.size() ? "return " : "") +
            lines.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text;
}

Program programOfFill(const std::string& code) {
  try {
    Program program = parseProgram(std::string(kImports) + functionOfFill(code, "fill"), {});
    if (program.outputs.size() != 1 || !program.inputs.empty())
      throw InputError(saying(
          "the last line of this code must compute one tensor, using only torch, F and math"));
    return program;
  } catch (const ProgramError& error) {
    const int line = std::max(1, error.place().line - kLinesBefore);
    throw InputError(saying("line {} of this code: {}", line, saidAgain(error.what())));
  }
}

ValueType typeOfFill(const Program& program) {
  try {
    const std::vector<ValueType> types = inferTypes(program, {});
    double elements = 0;
    for (const ValueType& type : types) {
      double count = 1;
      for (const std::int64_t extent : type.shape) count *= static_cast<double>(extent);
      elements += count;
    }
    if (elements == 0) throw InputError(saying("this code computes a tensor without elements"));
    if (elements > static_cast<double>(kMostComputed))
      throw InputError(saying("this code computes {:.0f} elements; at most {} are allowed",
                              elements, kMostComputed));
    return types.at(static_cast<std::size_t>(program.outputs.front()));
  } catch (const ProgramError& error) {
    throw InputError(saidAgain(error.what()));
  }
}

ComputedFill::ComputedFill(const std::string& code) {
  const Program program = programOfFill(code);
  shape_ = typeOfFill(program).shape;
  try {
    values_ = evaluateReference(program, {}).front().value.values;
  } catch (const ProgramError& error) {
    throw InputError(saidAgain(error.what()));
  }
}

double ComputedFill::at(const Shape& shape, std::int64_t index) const {
  std::int64_t from = 0, step = 1;
  for (int d = shape_.rank(); d-- > 0;) {
    // Ranks share the first dimension: it continues in the next rank.
    const std::int64_t place = d > 0 ? index % shape[d] : index;
    if (d > 0) index /= shape[d];
    from += place % shape_[d] * step;
    step *= shape_[d];
  }
  return values_[static_cast<std::size_t>(from)];
}

}  // namespace fusebench
