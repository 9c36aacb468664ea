// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/kernel.h"

namespace fusebench {

/// Where an op of a chain gets an operand from.
struct ChainOperand {
  enum class From : std::uint8_t { input, step, number };
  From from = From::number;
  int index = -1;  ///< of the kernel's input, or of the chain's step
  float number = 0;

  friend bool operator==(const ChainOperand&, const ChainOperand&) = default;
};

/// One pointwise op of a chain.
struct ChainStep {
  const OpRow* row = nullptr;
  int op = -1;  ///< index in Program::ops
  DType dtype = DType::float32;
  int operandCount = 0;
  std::array<ChainOperand, 3> operands{};
  std::vector<double> parameters;  ///< as written, the row's order
};

/// A kernel said op by op instead of as one expression: what is run without being compiled, from
/// pieces that stand for one op each. `kernel` says the loops, the tensors and the reductions; its
/// body and its lists of ops and statements are empty.
struct Chain {
  Kernel kernel;
  std::vector<ChainStep> steps;
  std::vector<ChainOperand> results;  ///< per output: what is stored, or reduced
};

}  // namespace fusebench
