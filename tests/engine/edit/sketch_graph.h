// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/language/program.h"

namespace fusebench::test {

/// A program as a graph alone: what tests change by hand to say what an edit of the text must give.
struct ProgramGraph {
  explicit ProgramGraph(const Program& program)
      : inputs(program.inputs), ops(program.ops), outputs(program.outputs) {}

  ValueId result(int op) const { return static_cast<ValueId>(inputs.size()) + op; }
  int add(Op op) {
    ops.push_back(std::move(op));
    return static_cast<int>(ops.size()) - 1;
  }

  /// The outputs as expressions over the inputs' names, equal ones written once: two graphs that
  /// compute the same by the same ops have the same text, whatever their order and names.
  std::string text() const {
    std::map<std::string, int> numbers;
    std::map<ValueId, int> known;
    std::string result;
    for (ValueId output : outputs) result += std::to_string(number(output, numbers, known)) + " ";
    std::vector<std::string> lines(numbers.size());
    for (const auto& [line, n] : numbers) lines[static_cast<std::size_t>(n)] = line;
    for (std::size_t i = 0; i < lines.size(); ++i)
      result += "\n" + std::to_string(i) + " = " + lines[i];
    return result;
  }

  std::vector<std::string> inputs;
  std::vector<Op> ops;
  std::vector<ValueId> outputs;

 private:
  int number(ValueId value, std::map<std::string, int>& numbers,
             std::map<ValueId, int>& known) const {
    if (const auto found = known.find(value); found != known.end()) return found->second;
    std::string line;
    const auto count = static_cast<ValueId>(inputs.size());
    if (value < count) {
      line = inputs[static_cast<std::size_t>(value)];
    } else {
      const Op& op = ops[static_cast<std::size_t>(value - count)];
      line = op.row ? std::string(op.row->name) : "?";
      for (const Operand& operand : op.operands)
        line += operand.isNumber() ? " #" + std::to_string(operand.number)
                                   : " " + std::to_string(number(operand.value, numbers, known));
      for (double parameter : op.parameters) line += " p" + std::to_string(parameter);
      if (op.dims)
        for (int dim : *op.dims) line += " d" + std::to_string(dim);
      if (op.keepDims) line += " keep";
    }
    const int n = numbers.emplace(line, static_cast<int>(numbers.size())).first->second;
    known[value] = n;
    return n;
  }
};

}  // namespace fusebench::test
