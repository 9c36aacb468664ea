// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench::test {

/// A program of one op over as many inputs as it has operands.
inline Program programOf(const OpRow& row, const std::vector<double>& parameters) {
  Program program;
  Op op;
  op.row = &row;
  op.parameters = parameters;
  for (int i = 0; i < row.arity; ++i) {
    program.inputs.push_back("x" + std::to_string(i));
    op.operands.push_back({i, 0});
  }
  program.ops.push_back(op);
  program.outputs.push_back(row.arity);
  return program;
}

/// The values as the operand wants them: float32, or truth.
inline Tensor operandTensor(EngineFixture& fixture, const OpRow& row, int operand,
                            const Shape& shape, const std::vector<float>& values) {
  if (!((row.truthOperands >> operand) & 1u)) return fixture.tensor(shape, values);
  std::vector<std::uint8_t> truth;
  for (const float value : values) truth.push_back(value != 0);
  Tensor made = makeTensor(fixture.backend().allocator(), DType::boolean, shape);
  if (!truth.empty()) fixture.backend().copyIn(made, truth.data(), truth.size());
  return made;
}

}  // namespace fusebench::test
