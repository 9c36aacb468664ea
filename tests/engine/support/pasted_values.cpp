// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/support/pasted_values.h"

#include <algorithm>
#include <random>

#include "engine/language/input_shapes.h"
#include "engine/language/program_source.h"

namespace fusebench::test {

PastedRead readWithValues(std::string_view text, std::int64_t mostElements) {
  const PastedProgram pasted = readPasted(text);
  ProgramHints hints;
  for (const ChosenInput& input : pasted.inputs) hints[input.name] = input.type;
  PastedRead read{parseProgram(pasted.text, hints), {}};
  const Program& program = read.program;
  std::mt19937 engine(static_cast<unsigned>(text.size()));
  std::uniform_int_distribution<int> eighths(-20, 20), hundredths(1, 99);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const auto input = std::ranges::find(pasted.inputs, program.inputs[i], &ChosenInput::name);
    const auto held = std::ranges::find(program.held, static_cast<int>(i), &HeldInput::input);
    const auto given = std::ranges::find(program.given, program.inputs[i], &GivenInput::name);
    const InitialValues* initial = held != program.held.end()     ? &held->initial
                                   : given != program.given.end() ? &given->initial
                                                                  : nullptr;
    ReferenceTensor made;
    made.type =
        held != program.held.end() ? ValueType{initial->extents, initial->dtype} : input->type;
    if (elementCount(made.type.shape) > mostElements)
      throw ProgramError({}, "an input has too many elements to make values for");
    const bool whole = !isFloat(made.type.dtype);
    const auto count = static_cast<std::size_t>(elementCount(made.type.shape));
    for (std::size_t e = 0; e < count; ++e) {
      const bool listed = initial && initial->kind == InitialValues::Kind::numbers &&
                          (held != program.held.end() || initial->numbers.size() > 1);
      if (whole && input != pasted.inputs.end() && input->high > input->low)
        made.values.push_back(
            static_cast<double>(input->low + static_cast<std::int64_t>(hundredths(engine)) %
                                                 (input->high - input->low)));
      else if (listed)
        made.values.push_back(initial->numbers[initial->numbers.size() == 1 ? 0 : e]);
      else if (whole)
        made.values.push_back(hundredths(engine) % (made.type.dtype == DType::boolean ? 2 : 8));
      else if (initial && initial->kind == InitialValues::Kind::uniform)
        made.values.push_back(initial->low +
                              (initial->high - initial->low) * (hundredths(engine) / 100.0));
      else
        made.values.push_back(eighths(engine) / 8.0 + hundredths(engine) / 1011.0);
    }
    read.values.push_back(std::move(made));
  }
  return read;
}

}  // namespace fusebench::test
