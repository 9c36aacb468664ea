// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/plan/kernel_traffic.h"
#include "engine/plan/plan.h"

namespace fusebench {

/// The memory of one value, and for how long it is needed.
struct Storage {
  enum class Kind : std::uint8_t {
    input,      ///< owned by the caller
    temporary,  ///< needed between two steps
    saved,      ///< needed until a step of the backward pass: a saved activation
    result      ///< returned to the caller
  };
  Kind kind = Kind::temporary;
  Memory memory = Memory::device;
  Slot slot = 0;          ///< slot of the value
  std::size_t bytes = 0;  ///< size of its elements, without gaps
  int firstStep = 0;      ///< the step that writes it; -1: it exists before the first step
  int lastStep =
      0;  ///< the step that reads it last; the number of steps if it is needed after them
};
std::string_view name(Storage::Kind kind);

/// The storages of a plan by slot, for inputs with these values of the symbols.
std::vector<Storage> storagesOf(const Plan& plan, std::span<const std::int64_t> symbols);

/// Bytes and operations of one execution of a step.
struct StepCost {
  KernelBytes bytes;  ///< read and written bytes; each element counts once
  std::int64_t flops =
      0;  ///< arithmetic primitives per element, times the elements; fma counts as two
  /// The same, but a function such as sin counts as the smallest number of instructions that any
  /// device needs for it.
  std::int64_t operations = 0;
  int phases = 1;           ///< loops over each row; see kernel_phases.h
  std::int64_t points = 0;  ///< iterations of its loops in each phase
};
/// Costs per step.
std::vector<StepCost> costsOf(const Plan& plan, std::span<const std::int64_t> symbols);

}  // namespace fusebench
