// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <span>
#include <string_view>

#include "engine/language/parser.h"
#include "engine/language/program.h"

namespace fusebench {

/// The program with gradients of its first result by these values as further results, in order: as
/// if it ended with torch.autograd.grad. `scale`: what that result is multiplied by before, and the
/// gradients are divided by after. Throws ProgramError for a value that it does not have.
Program withGradients(const Program& program, std::span<const ValueId> by, double scale = 1);

/// The end of the name of a frame in which a function ran whose own backward is not followed.
inline constexpr std::string_view kOwnBackward = ".apply, without its backward";
/// The frame of such a function through which a gradient of `of` by `by` would flow; null: none.
const Frame* ownBackward(std::span<const Op> ops, std::span<const Frame> frames,
                         ValueId firstResult, ValueId of, ValueId by);
/// Throws ProgramError if there is one.
void refuseOwnBackward(std::span<const Op> ops, std::span<const Frame> frames, ValueId firstResult,
                       ValueId of, ValueId by);

/// Thrown where a text takes a gradient through a function whose own backward was not read.
class OwnBackwardAsked : public std::exception {};

/// Reads a text, and again for gradients if it takes those of functions with their own backward.
template <class Read>
auto readForGradients(ProgramHints hints, const Read& read) {
  using How = ProgramHints::OwnBackward;
  if (hints.ownBackward == How::left) hints.ownBackward = How::asked;
  try {
    return read(hints);
  } catch (const OwnBackwardAsked&) {
    hints.ownBackward = How::followed;
    return read(hints);
  }
}

/// The program, read again for gradients if it has a function whose own backward was not read.
Program readForGradients(Program program);

/// Recomputes values for gradients in segments of `statements` statements instead of keeping them.
/// The last segment is kept, because its gradients come first. 0: all are kept; -1: the segment
/// length is the square root of the number of statements.
void setSegments(Program& program, int statements);
/// The same for its first statements only, in segments of `statements`; the others are kept.
void setFirstSegments(Program& program, int statements, int first);

}  // namespace fusebench
