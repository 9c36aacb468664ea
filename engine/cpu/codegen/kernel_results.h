// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/cpu/codegen/accumulators.h"
#include "engine/cpu/codegen/block_access.h"

namespace fusebench::cpu {

/// For each output of a kernel; null if it is pointwise.
using Accumulators = std::vector<std::unique_ptr<Accumulator>>;

/// What happens to accumulators after their loops: they are finished, converted and stored.
void storeResults(KernelScope& scope, BlockAccess& blocks, const Accumulators& accumulators);
/// The finished result of each output, as scalars of the type in memory, except for bools; null for
/// outputs that do not reduce.
KernelScope::Values rowResults(KernelScope& scope, const Accumulators& accumulators);
/// The same, from states that storePartials() has stored at `words`.
KernelScope::Values rowResults(KernelScope& scope, llvm::Value* words);
/// The results of the kernel's totals, in the same form, from the sums stored at `words`.
KernelScope::Values totalResults(KernelScope& scope, llvm::Value* words);
/// Stores the accumulators of a part of the loops: kPartialWords per output.
void storePartials(KernelScope& scope, const Accumulators& accumulators, llvm::Value* words);

}  // namespace fusebench::cpu
