// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/one_op.h"

namespace fusebench::test {

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
