// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cpu/codegen/accumulators.h"
#include "engine/cpu/codegen/kernel_scope.h"
#include "engine/plan/kernel_phases.h"

namespace fusebench::cpu {

class KernelWriter;

/// The phases of a kernel on this backend. Values that are more expensive to recompute than to read
/// back are kept in buffers of a row.
KernelPhases phasesFor(const Kernel& kernel);

/// Size in bytes of a buffer for a row with this many elements: whole cache lines.
constexpr std::int64_t rowBufferBytes(std::int64_t elements) {
  return (elements * 8 + 63) / 64 * 64;
}

/// Size in bytes of the totals, which precede the buffers: whole cache lines.
constexpr std::int64_t totalsBytes(std::size_t totals) {
  return (static_cast<std::int64_t>(totals) * kPartialWords * 8 + 63) / 64 * 64;
}

/// Writes the function of a kernel with phases: the loops over rows, and within them one loop over
/// the row after another, each vectorized separately. Values that one loop carries to the next stay
/// in registers; buffers are at the address in the function's last argument.
class RowWriter {
 public:
  RowWriter(const Kernel& kernel, const Schedule& schedule, const Target& target,
            llvm::Module& module);
  /// With marks if not null.
  void write(OpMarks* marks = nullptr);

 private:
  void rows(int position);
  void row();
  void row(const Schedule& whole);
  void loneRow();
  void withTotals();
  void addUp(const Schedule& whole);
  template <class Write>
  void phase(const KernelPhase& phase, const Schedule& whole, const Write& write);
  void place(const KernelPhase& phase, KernelWriter& writer);
  void setCarried(const KernelPhase& phase, const KernelScope::Values& made);
  void storeLast(const Schedule& whole);
  void fetchNextRow(KernelWriter& writer);
  llvm::Value* pointer(int tensor);

  llvm::Module& module_;
  KernelScope scope_;
  const Kernel& k_;
  const Schedule& s_;
  llvm::IRBuilder<>& b_;
  KernelPhases phases_;
  const Target rowTarget_;         ///< with vectors narrow enough for short rows
  KernelScope::Values carried_;    ///< of the row: what loops have carried so far, or null
  llvm::Value* length_ = nullptr;  ///< elements of a row
  bool streams_ = false;           ///< some store bypasses the caches
  KernelScope::Values sums_;       ///< where each total is stored
};

}  // namespace fusebench::cpu
