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

/// Bytes that one value lies in, and how long they are needed.
struct Storage {
  enum class Kind : std::uint8_t {
    input,      ///< the caller's
    temporary,  ///< between two steps
    saved,      ///< between two steps, the later of which makes gradients: an activation
    result      ///< handed to the caller
  };
  Kind kind = Kind::temporary;
  Memory memory = Memory::device;
  Slot slot = 0;          ///< of the value
  std::size_t bytes = 0;  ///< of its elements, without gaps
  int firstStep = 0;      ///< that writes it; -1: there before the first
  int lastStep = 0;       ///< that reads it; the number of steps: needed after the last
};
std::string_view name(Storage::Kind kind);

/// The storages of a plan by slot, for inputs that give its symbols these values.
std::vector<Storage> storagesOf(const Plan& plan, std::span<const std::int64_t> symbols);

/// What one execution of a step moves and computes.
struct StepCost {
  KernelBytes bytes;  ///< of its tensors, each element once
  std::int64_t flops =
      0;  ///< arithmetic primitives of its expressions for each element; fma is two
  /// The same, functions such as sin counted as the least instructions that any device takes for
  /// one.
  std::int64_t operations = 0;
  int phases = 1;           ///< loops over each row; see kernel_phases.h
  std::int64_t points = 0;  ///< elements that its loops go through, each once a phase
};
/// By step.
std::vector<StepCost> costsOf(const Plan& plan, std::span<const std::int64_t> symbols);

}  // namespace fusebench
