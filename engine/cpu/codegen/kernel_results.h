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
/// What becomes of one result each, as scalars that are as in memory but for truth values; null for
/// outputs that do not reduce.
KernelScope::Values rowResults(KernelScope& scope, const Accumulators& accumulators);
/// The same from states that storePartials() has put there.
KernelScope::Values rowResults(KernelScope& scope, llvm::Value* words);
/// What becomes of the kernel's totals, whose sums lie there, likewise.
KernelScope::Values totalResults(KernelScope& scope, llvm::Value* words);
/// What a part of the loops has accumulated: kPartialWords an output.
void storePartials(KernelScope& scope, const Accumulators& accumulators, llvm::Value* words);

}  // namespace fusebench::cpu
