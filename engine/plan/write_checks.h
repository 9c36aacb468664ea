// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// The positions of a tensor's elements in its memory, in elements from the memory's first one.
struct Extent {
  Shape shape;
  Strides strides;
  std::int64_t offset = 0;
};

/// Whether two tensors in one memory may share an element. Exact where both step through it by the
/// same strides, as parts of one tensor do; otherwise, whether their spans meet.
bool mayOverlap(const Extent& a, const Extent& b);

/// Throws ProgramError where an op would write several elements into one, as into an expanded
/// tensor; PyTorch's rule.
void checkWritten(const Op& op, const Shape& shape, const Strides& strides);
/// Throws ProgramError where an op reads an element of its target in another step of its loops
/// than it writes it: then the result would depend on the order of the steps.
void checkOverlap(const Op& op, const Extent& written, const Extent& read);
/// The same where an element is not written where its like is read: not even the same elements may
/// be.
void checkApart(const Op& op, const Extent& written, const Extent& read);

/// Whether an op reads another part of a tensor than the one that it writes: a plan of it holds for
/// the sizes alone that it was made for.
bool readsBesideWritten(const Program& program);

}  // namespace fusebench
