// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/plan/kernel.h"

namespace fusebench::targets {

/// What a kernel needs at least, whoever writes its code: multiplications and multiply-adds of
/// whole vectors, by what its functions are in mathematics. Additions are not counted, since some
/// processors do them beside multiplications, nor are comparisons, shifts and memory.
struct ChainNeeds {
  double multiplications = 0;  ///< an element of a vector
  std::string stated;          ///< "exp 8 x 3, mul 1 x 7": a function's, and how often
};

/// Of all of a kernel's expression nodes. Of a primitive that the table does not know: one.
ChainNeeds needsOf(const Kernel& kernel);

}  // namespace fusebench::targets
