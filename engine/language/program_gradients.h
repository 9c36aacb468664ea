// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "engine/language/program.h"

namespace fusebench {

/// The program with gradients of its first result by these values as further results, in order: as
/// if it ended with torch.autograd.grad. `scale`: what that result is multiplied by before, and the
/// gradients are divided by after. Throws ProgramError for a value that it does not have.
Program withGradients(const Program& program, std::span<const ValueId> by, double scale = 1);

/// The end of the name of a frame in which a function ran whose own backward is not followed.
inline constexpr std::string_view kOwnBackward = ".apply, without its backward";
/// Throws ProgramError if a gradient of `of` by `by` would flow through such a function.
void refuseOwnBackward(std::span<const Op> ops, std::span<const Frame> frames, ValueId firstResult,
                       ValueId of, ValueId by);

/// Recomputes values for gradients in segments of `statements` statements instead of keeping them.
/// The last segment is kept, because its gradients come first. 0: all are kept; -1: the segment
/// length is the square root of the number of statements.
void setSegments(Program& program, int statements);
/// The same for its first statements only, in segments of `statements`; the others are kept.
void setFirstSegments(Program& program, int statements, int first);

}  // namespace fusebench
