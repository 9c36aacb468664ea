// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a trace's database about work of devices: kernels and collectives.
#include <unordered_map>

#include "engine/base/saying.h"
#include "profiler/trace/kernel_names.h"
#include "profiler/trace/query_columns.h"
#include "profiler/trace/recorded_tensors.h"
#include "profiler/trace/trace_classes.h"
#include "profiler/trace/trace_steps.h"

namespace fusebench {
namespace {

struct KernelSource {
  explicit KernelSource(std::shared_ptr<const Trace> of)
      : trace(std::move(of)), classes(*trace), steps(*trace) {
    for (EventId e = 0; e < trace->size(); ++e)
      if (isDeviceWork(trace->kind(e))) events.push_back(e);
  }
  std::size_t rows() const { return events.size(); }
  std::optional<std::size_t> find(std::int64_t key) const { return rowOfEvent(events, key); }

  const LaunchDetails& details(std::size_t row) const {
    static const LaunchDetails kUnknown;
    const LaunchDetails* const known = trace->details(events[row]);
    return known ? *known : kUnknown;
  }
  EventId call(std::size_t row) const { return trace->link(events[row]); }
  std::string shortName(EventId event) const {
    const auto [found, isNew] = shortNames.try_emplace(trace->nameId(event));
    if (isNew) found->second = shortKernelName(trace->name(event));
    return found->second;
  }
  NameId operatorOf(std::size_t row) const {
    const NameId known = details(row).op;
    return known != 0 ? known : classes.operatorOf(events[row]);
  }
  static QueryValue product(const std::array<std::uint32_t, 3>& of) {
    // Three numbers of 32 bits: a hostile one may not fit.
    const double whole = double(of[0]) * of[1] * of[2];
    if (whole == 0 || whole > 9e18) return {};
    return static_cast<std::int64_t>(std::uint64_t{of[0]} * of[1] * of[2]);
  }

  std::shared_ptr<const Trace> trace;
  mutable KernelClassifier classes;
  TraceSteps steps;
  std::vector<EventId> events;
  mutable std::unordered_map<NameId, std::string> shortNames;
};

constexpr ValuedColumn<KernelSource> kKernelColumns[] = {
    {"event", kQueryInteger, toBeSaid("the event of the execution"),
     [](const KernelSource& of, std::size_t row) { return numberValue(of.events[row]); }},
    {"name", kQueryText, toBeSaid("the whole name"),
     [](const KernelSource& of, std::size_t row) -> QueryValue {
       return std::string(of.trace->name(of.events[row]));
     }},
    {"short_name", kQueryText, toBeSaid("the name without namespaces and arguments"),
     [](const KernelSource& of, std::size_t row) -> QueryValue {
       return of.shortName(of.events[row]);
     }},
    {"kind", kQueryText, toBeSaid("kernel, copy, fill or graph"),
     [](const KernelSource& of, std::size_t row) -> QueryValue {
       return std::string(nameOf(of.trace->kind(of.events[row])));
     }},
    {"class", kQueryText, toBeSaid("matmul, pointwise, reduction, ...; unknown"),
     [](const KernelSource& of, std::size_t row) -> QueryValue {
       return std::string(nameOf(of.classes.of(of.events[row]).kind));
     }},
    {"library", kQueryText, toBeSaid("the library or vendor, where the name tells it"),
     [](const KernelSource& of, std::size_t row) {
       return valueOrNull(of.classes.of(of.events[row]).library);
     }},
    {"operator", kQueryText, toBeSaid("the operator that launched it"),
     [](const KernelSource& of, std::size_t row) {
       return valueOrNull(of.trace->nameText(of.operatorOf(row)));
     }},
    {"call", kQueryInteger, toBeSaid("the event of the call that launched it"),
     [](const KernelSource& of, std::size_t row) { return valueOrNull(of.call(row), kNoEvent); }},
    {"track", kQueryInteger, toBeSaid("the stream; joins tracks"),
     [](const KernelSource& of, std::size_t row) {
       return numberValue(of.trace->rows()[of.trace->rowOf(of.events[row])].lane);
     }},
    {"start_ns", kQueryInteger, toBeSaid("start, from the beginning of the trace"),
     [](const KernelSource& of, std::size_t row) -> QueryValue {
       return of.trace->start(of.events[row]);
     }},
    {"dur_ns", kQueryInteger, toBeSaid("duration"),
     [](const KernelSource& of, std::size_t row) -> QueryValue {
       return of.trace->duration(of.events[row]);
     }},
    {"delay_ns", kQueryInteger, toBeSaid("from the beginning of the call to the start"),
     [](const KernelSource& of, std::size_t row) {
       return of.call(row) == kNoEvent
                  ? QueryValue()
                  : QueryValue(of.trace->start(of.events[row]) - of.trace->start(of.call(row)));
     }},
    {"device", kQueryInteger, toBeSaid("the number of the device"),
     [](const KernelSource& of, std::size_t row) {
       return valueOrNull(of.details(row).device, -1);
     }},
    {"blocks", kQueryInteger, toBeSaid("blocks of the grid"),
     [](const KernelSource& of, std::size_t row) {
       return KernelSource::product(of.details(row).grid);
     }},
    {"threads", kQueryInteger, toBeSaid("threads per block"),
     [](const KernelSource& of, std::size_t row) {
       return KernelSource::product(of.details(row).block);
     }},
    {"registers", kQueryInteger, toBeSaid("registers per thread"),
     [](const KernelSource& of, std::size_t row) {
       return valueOrNull(of.details(row).registers, 0);
     }},
    {"shared_bytes", kQueryInteger, toBeSaid("shared memory per block"),
     [](const KernelSource& of, std::size_t row) {
       return numberValue(std::uint64_t{of.details(row).staticShared} +
                          of.details(row).dynamicShared);
     }},
    {"bytes_read", kQueryInteger, toBeSaid("bytes that it reads, where they are recorded"),
     [](const KernelSource& of, std::size_t row) {
       return valueOrNull(of.details(row).bytesRead, -1);
     }},
    {"bytes_written", kQueryInteger, toBeSaid("bytes that it writes, where they are recorded"),
     [](const KernelSource& of, std::size_t row) {
       return valueOrNull(of.details(row).bytesWritten, -1);
     }},
    {"correlation", kQueryInteger, toBeSaid("the correlation ID that joins it with its call"),
     [](const KernelSource& of, std::size_t row) {
       return numberValue(of.details(row).correlation);
     }},
    {"graph", kQueryInteger, toBeSaid("the graph that it belongs to; 0: none"),
     [](const KernelSource& of, std::size_t row) { return numberValue(of.details(row).graph); }},
    {"step", kQueryText, toBeSaid("the step in which its call began"),
     [](const KernelSource& of, std::size_t row) -> QueryValue {
       const EventId call = of.call(row) == kNoEvent ? of.events[row] : of.call(row);
       return std::string(
           of.steps.at(of.trace->start(call), of.trace->rows()[of.trace->rowOf(call)].lane));
     }},
};

struct CollectiveSource {
  explicit CollectiveSource(std::shared_ptr<const Trace> of) : trace(std::move(of)) {
    if (!trace->hasCollectiveArguments()) return;
    for (EventId e = 0; e < trace->size(); ++e)
      if (trace->collectiveArguments(e)) events.push_back(e);
  }
  std::size_t rows() const { return events.size(); }
  std::optional<std::size_t> find(std::int64_t key) const { return rowOfEvent(events, key); }
  const CollectiveArguments& known(std::size_t row) const {
    return *trace->collectiveArguments(events[row]);
  }

  std::shared_ptr<const Trace> trace;
  std::vector<EventId> events;
};

constexpr ValuedColumn<CollectiveSource> kCollectiveColumns[] = {
    {"event", kQueryInteger, toBeSaid("the event of the kernel or of the range around its call"),
     [](const CollectiveSource& of, std::size_t row) { return numberValue(of.events[row]); }},
    {"name", kQueryText, toBeSaid("the collective"),
     [](const CollectiveSource& of, std::size_t row) -> QueryValue {
       return std::string(of.trace->nameText(of.known(row).name));
     }},
    {"dtype", kQueryText, toBeSaid("dtype of its elements"),
     [](const CollectiveSource& of, std::size_t row) {
       return valueOrNull(dtypeRecordedAs(of.trace->nameText(of.known(row).dtype)));
     }},
    {"process_group", kQueryText, toBeSaid("the process group"),
     [](const CollectiveSource& of, std::size_t row) {
       return valueOrNull(of.trace->nameText(of.known(row).group));
     }},
    {"ranks", kQueryInteger, toBeSaid("ranks of the group"),
     [](const CollectiveSource& of, std::size_t row) {
       return valueOrNull(of.known(row).ranks, 0);
     }},
    {"elements_in", kQueryInteger, toBeSaid("elements that a rank contributes"),
     [](const CollectiveSource& of, std::size_t row) {
       return valueOrNull(of.known(row).elementsIn, -1);
     }},
    {"elements_out", kQueryInteger, toBeSaid("elements that a rank receives"),
     [](const CollectiveSource& of, std::size_t row) {
       return valueOrNull(of.known(row).elementsOut, -1);
     }},
    {"start_ns", kQueryInteger, toBeSaid("start, from the beginning of the trace"),
     [](const CollectiveSource& of, std::size_t row) -> QueryValue {
       return of.trace->start(of.events[row]);
     }},
    {"dur_ns", kQueryInteger, toBeSaid("duration"),
     [](const CollectiveSource& of, std::size_t row) -> QueryValue {
       return of.trace->duration(of.events[row]);
     }},
    {"on_device", kQueryInteger, toBeSaid("1: a kernel; 0: a range of the host"),
     [](const CollectiveSource& of, std::size_t row) {
       return numberValue(isDeviceWork(of.trace->kind(of.events[row])) ? 1 : 0);
     }},
};

constexpr auto kKernelsDescribed = describedColumns(kKernelColumns);
constexpr auto kCollectivesDescribed = describedColumns(kCollectiveColumns);

}  // namespace

QueryTableMaker kernelQueryTable() {
  return {{"kernels", toBeSaid("Work of devices: kernels, copies, fills and graphs"),
           kKernelsDescribed},
          [](const QuerySchema& schema,
             std::shared_ptr<const Trace> trace) -> std::unique_ptr<QueryTable> {
            return std::make_unique<ListedQueryTable<KernelSource>>(schema, kKernelColumns,
                                                                    std::move(trace));
          }};
}

QueryTableMaker collectiveQueryTable() {
  return {
      {"collectives", toBeSaid("Collectives whose arguments are recorded"), kCollectivesDescribed},
      [](const QuerySchema& schema,
         std::shared_ptr<const Trace> trace) -> std::unique_ptr<QueryTable> {
        return std::make_unique<ListedQueryTable<CollectiveSource>>(schema, kCollectiveColumns,
                                                                    std::move(trace));
      }};
}

}  // namespace fusebench
