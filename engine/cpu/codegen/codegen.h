// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "engine/base/scalar.h"
#include "engine/cpu/codegen/schedule.h"
#include "engine/cpu/codegen/target.h"
#include "engine/plan/kernel.h"

namespace fusebench::cpu {

/// A generated function:
///   void f(void* const* pointers, const int64_t* integers, const Scalar* scalars,
///          int64_t begin, int64_t end, uint64_t* partials)
/// Pointers, integers and scalars are those that Kernel describes; [begin, end) is the part of the
/// first loop to do (begin must be a multiple of a vector step if that loop is the vectorized one).
/// If `partials` is not null and the schedule has partials, the accumulators are written there
/// instead of the results: kPartialWords per output or, in a kernel with phases, per carried
/// result. A kernel with phases is then called with [-1, -1), which computes the results from the
/// accumulators of all parts in `partials`. If a kernel with phases has no partials in its
/// schedule, it keeps its buffers in `partials`, see row_writer.h.
using KernelFunction = void (*)(void* const*, const std::int64_t*, const Scalar*, std::int64_t,
                                std::int64_t, std::uint64_t*);

inline constexpr const char* kEntryName = "fusebench_kernel";

struct GeneratedModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// Writes the kernel as LLVM IR; the function is called kEntryName. `marked`: with the ops that
/// instructions belong to; see OpMarks.
GeneratedModule generate(const Kernel& kernel, const Schedule& schedule, const Target& target,
                         const llvm::DataLayout& layout, bool marked = false);

}  // namespace fusebench::cpu
