// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/cpu/codegen/accumulators.h"
#include "engine/cpu/codegen/block_access.h"

namespace fusebench::cpu {

/// Per output of a kernel; null if it is pointwise.
using Accumulators = std::vector<std::unique_ptr<Accumulator>>;

/// What happens to accumulators when their loops are done: finished, converted, stored.
void storeResults(KernelScope& scope, BlockAccess& blocks, const Accumulators& accumulators);
/// The same of a part of the loops: states go to the function's last argument.
void storePartials(KernelScope& scope, const Accumulators& accumulators);

}  // namespace fusebench::cpu
