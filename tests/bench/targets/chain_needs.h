// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/plan/kernel.h"

namespace fusebench::targets {

/// The least that a kernel needs, whatever generates its code: multiplications and multiply-adds of
/// whole vectors, given its mathematical functions. Additions are not counted, since some
/// processors overlap them with multiplications, nor are comparisons, shifts and memory.
struct ChainNeeds {
  double multiplications = 0;  ///< per vector of elements
  std::string stated;          ///< "exp 8 x 3, mul 1 x 7": a function's, and how often
};

/// Counts all expression nodes of a kernel. A function that the table does not list counts as one.
ChainNeeds needsOf(const Kernel& kernel);

}  // namespace fusebench::targets
