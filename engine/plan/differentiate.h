// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// A program whose gradients are ops like any other.
struct Differentiated {
  Program program;
  /// What is in it holds for these extents alone: a count of elements, a shape to come back to.
  bool exact = false;
  /// By op of what goes forward, in order: what its gradient reads of what was there before. Ops
  /// that no gradient goes through are not among them.
  struct Entry {
    int op = -1;
    std::vector<ValueId> saved;
  };
  /// The ops [first, end) that make gradients of one value.
  struct WayBack {
    ValueId of = -1;
    int first = 0, end = 0;
  };
  std::vector<Entry> tape;
  std::vector<WayBack> waysBack;
};

/// What of the way there is kept for the way back.
enum class SavePolicy : std::uint8_t {
  named,  ///< what derivatives name, as a framework does that runs op by op
  fewest  ///< of that, what a fused step cannot make anew from what is in memory anyway
};

/// What a program keeps that is called forwards only, but might be differentiated afterwards (see
/// Program::taped): its ops, and what their gradients would read as further results.
Differentiated taped(const Program& program, std::span<const ValueType> inputs, SavePolicy policy);

/// Puts in the place of each gradient the ops that make it: back through the ops before it, by the
/// derivatives of their rows (engine/ops/derivatives.h), gradients of what is read twice added up,
/// those of what was broadcast summed back to its shape. Ops of a segment are made anew when they
/// are needed, from what the segment reads. SavePolicy::fewest does the same with element-wise ops
/// where what they read is in memory: fused, that costs less than to keep what they made.
///
/// `program`: its sizes worked out (withNumbers), types: of its inputs. Values that are not
/// gradients keep their order. Throws ProgramError where PyTorch has no derivative.
Differentiated differentiate(const Program& program, std::span<const ValueType> inputs,
                             SavePolicy policy);

}  // namespace fusebench
