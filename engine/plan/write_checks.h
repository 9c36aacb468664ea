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

/// Whether two tensors in one memory may share an element. Exact if both use the same strides, as
/// parts of one tensor do; otherwise, whether their ranges overlap.
bool mayOverlap(const Extent& a, const Extent& b);

/// Throws ProgramError if an op would write several elements to one position, as into an expanded
/// tensor; PyTorch's rule.
void checkWritten(const Op& op, const Shape& shape, const Strides& strides);
/// Throws ProgramError if an op reads an element of its target in another iteration of its loops
/// than it writes it: then the result would depend on the order of the iterations.
void checkOverlap(const Op& op, const Extent& written, const Extent& read);
/// The same if an element is not written where the corresponding one is read: not even the same
/// elements may be.
void checkApart(const Op& op, const Extent& written, const Extent& read);

/// Whether an op reads another part of a tensor than the one that it writes: a plan of it is only
/// valid for the sizes for which it was made.
bool readsBesideWritten(const Program& program);

}  // namespace fusebench
