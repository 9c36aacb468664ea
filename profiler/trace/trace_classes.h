// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profiler/trace/kernel_table.h"
#include "profiler/trace/trace_statistics.h"

namespace fusebench {

/// Classifies the kernels of one trace by the operators that launched them and by their names.
class KernelClassifier {
 public:
  explicit KernelClassifier(const Trace& trace);

  /// The meaning of an execution. Copies, fills and whole graphs are identified by their kind.
  const KernelMeaning& of(EventId execution);
  /// The operator that launched an execution: the innermost one around its call; 0: not known.
  NameId operatorOf(EventId execution) const;

 private:
  const Trace& trace_;
  bool operators_ = false;                                  ///< the trace has some
  std::unordered_map<std::uint64_t, KernelMeaning> known_;  ///< by kind, name and operator
};

/// The kernels of one class.
struct ClassTotal {
  KernelClass kind = KernelClass::unknown;
  std::uint64_t count = 0;
  Nanoseconds total = 0;
  double share = 0;  ///< in the time of all kernels
  bool operator==(const ClassTotal&) const = default;
};
/// The classes of all kernels of a trace, or of one device, longest total first. Classes without
/// kernels are omitted, except `unknown` if there is any kernel.
std::vector<ClassTotal> classesOf(const Trace& trace, OneDevice device = {});
/// The share of unknown kernels in the time of all kernels; 0 without kernels.
double unknownShareOf(const std::vector<ClassTotal>& classes);

}  // namespace fusebench
