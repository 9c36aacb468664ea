// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_classes.h"

#include <algorithm>
#include <array>

namespace fusebench {
namespace {

/// Rows above a call in which its operator is searched for. In a trace with thousands of rows,
/// which no nesting makes, a longer search would take too long.
constexpr std::size_t kFarthestOperator = 64;

}  // namespace

KernelClassifier::KernelClassifier(const Trace& trace) : trace_(trace) {
  for (EventId e = 0; e < trace.size() && !operators_; ++e)
    operators_ = trace.kind(e) == SpanKind::op;
}

NameId KernelClassifier::operatorOf(EventId execution) const {
  if (!operators_) return 0;
  const EventId call = trace_.link(execution);
  if (call == kNoEvent) return 0;
  const Nanoseconds time = trace_.start(call);
  // Nested slices are one row deeper, so the operators around the call are in the rows above it.
  const std::size_t own = trace_.rowOf(call);
  const LaneId lane = trace_.rows()[own].lane;
  for (std::size_t row = own;
       row-- > 0 && trace_.rows()[row].lane == lane && own - row <= kFarthestOperator;) {
    const TraceRow& above = trace_.rows()[row];
    const EventId around = trace_.firstEndingAfter(above, time);
    if (around < above.last && trace_.start(around) <= time && trace_.kind(around) == SpanKind::op)
      return trace_.nameId(around);
  }
  return 0;
}

const KernelMeaning& KernelClassifier::of(EventId execution) {
  static constexpr KernelMeaning kCopies{KernelClass::copy, Joins::no, {}};
  static constexpr KernelMeaning kFills{KernelClass::fill, Joins::no, {}};
  static constexpr KernelMeaning kGraphs{KernelClass::graph, Joins::no, {}};
  switch (trace_.kind(execution)) {
    case SpanKind::copy:
      return kCopies;
    case SpanKind::set:
      return kFills;
    case SpanKind::graph:
      return kGraphs;
    default:
      break;
  }
  const NameId name = trace_.nameId(execution), op = operatorOf(execution);
  const auto [at, isNew] =
      known_.try_emplace(std::uint64_t{name} << 32 | std::uint64_t{op}, KernelMeaning{});
  if (isNew) at->second = meaningOfKernel(trace_.nameText(name), trace_.nameText(op));
  return at->second;
}

std::vector<ClassTotal> classesOf(const Trace& trace, OneDevice device) {
  KernelClassifier classifier(trace);
  std::array<ClassTotal, kKernelClasses> totals{};
  Nanoseconds all = 0;
  std::uint64_t count = 0;
  for (LaneId lane = 0; lane < trace.lanes().size(); ++lane) {
    if (device && trace.lanes()[lane].process != *device) continue;
    for (const TraceRow& row : trace.rowsOf(lane))
      for (EventId e = row.first; e < row.last; ++e) {
        if (trace.kind(e) != SpanKind::kernel && trace.kind(e) != SpanKind::graph) continue;
        ClassTotal& total = totals[static_cast<std::size_t>(classifier.of(e).kind)];
        ++total.count;
        total.total += trace.duration(e);
        all += trace.duration(e);
        ++count;
      }
  }
  std::vector<ClassTotal> made;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    ClassTotal& total = totals[i];
    total.kind = static_cast<KernelClass>(i);
    if (total.count == 0 && (total.kind != KernelClass::unknown || count == 0)) continue;
    total.share = all > 0 ? static_cast<double>(total.total) / static_cast<double>(all) : 0;
    made.push_back(total);
  }
  std::ranges::stable_sort(made, std::greater{}, &ClassTotal::total);
  return made;
}

double unknownShareOf(const std::vector<ClassTotal>& classes) {
  const auto found = std::ranges::find(classes, KernelClass::unknown, &ClassTotal::kind);
  return found == classes.end() ? 0 : found->share;
}

}  // namespace fusebench
