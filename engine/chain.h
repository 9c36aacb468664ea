// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/kernel.h"

namespace fusebench {

/// Where an op of a chain gets an operand from.
struct ChainOperand {
  enum class From : std::uint8_t { input, step, number };
  From from;     ///< not set from the beginning, for steps have room for more than they need
  int index;     ///< of the kernel's input, or of the chain's step; -1: it is the number
  float number;  ///< or 0

  friend bool operator==(const ChainOperand&, const ChainOperand&) = default;
};

/// One pointwise op of a chain.
struct ChainStep {
  ChainStep() {}  // NOLINT(modernize-use-equals-default): all of it would be set to 0 first

  const OpRow* row = nullptr;
  int op = -1;  ///< index in Program::ops
  DType dtype = DType::float32;
  int operandCount = 0;
  int lastUse = -1;                      ///< the last step that reads it
  std::array<ChainOperand, 3> operands;  ///< the first operandCount are set
  std::vector<double> parameters;        ///< as written, the row's order

  /// The operands that it has.
  std::span<const ChainOperand> given() const {
    return {operands.data(), static_cast<std::size_t>(operandCount)};
  }
};

/// A kernel said op by op instead of as one expression: what is run without being compiled, from
/// pieces that stand for one op each. `kernel` says the loops, the tensors and the reductions; its
/// body and its lists of ops and statements are empty.
struct Chain {
  /// `memory`: where the steps are, which are many; outlives this, and what it is moved to.
  explicit Chain(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : steps(memory) {}

  Kernel kernel;
  std::pmr::vector<ChainStep> steps;
  std::vector<ChainOperand> results;  ///< per output: what is stored, or reduced
  bool truths = false;                ///< an input or a step is of truth values
};

}  // namespace fusebench
