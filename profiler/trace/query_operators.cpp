// SPDX-License-Identifier: GPL-3.0-or-later
// The table of a trace's database about calls of operators, modules and ranges.
#include <array>
#include <optional>
#include <unordered_map>

#include "engine/base/saying.h"
#include "profiler/trace/operator_frames.h"
#include "profiler/trace/query_columns.h"
#include "profiler/trace/recorded_tensors.h"

namespace fusebench {
namespace {

struct OperatorSource {
  explicit OperatorSource(std::shared_ptr<const Trace> of) : trace(std::move(of)) {}
  std::size_t rows() const { return all().frames.size(); }
  std::optional<std::size_t> find(std::int64_t key) const { return rowOfNumber(key, rows()); }

  /// Made when it is first asked for: most queries ask for kernels alone.
  const OperatorFrames& all() const {
    if (!frames) frames = operatorFrames(*trace, recordedOf(*trace));
    return *frames;
  }
  const OperatorFrame& frame(std::size_t row) const { return all().frames[row]; }
  const std::vector<RecordedTensor>& tensors(std::size_t row) const {
    static const std::vector<RecordedTensor> kNone;
    const EventId event = frame(row).event;
    const OperatorArguments* const known =
        event == kNoEvent ? nullptr : trace->operatorArguments(event);
    if (!known) return kNone;
    const std::uint64_t pair = std::uint64_t{known->shapes} << 32U | known->types;
    const auto [found, isNew] = read.try_emplace(pair);
    if (isNew)
      found->second =
          recordedTensors(trace->nameText(known->shapes), trace->nameText(known->types));
    return found->second;
  }

  std::shared_ptr<const Trace> trace;
  mutable std::optional<OperatorFrames> frames;
  mutable std::unordered_map<std::uint64_t, std::vector<RecordedTensor>> read;
};

constexpr ValuedColumn<OperatorSource> kOperatorColumns[] = {
    {"call", kQueryInteger, toBeSaid("the number of the call of an operator, module or range"),
     [](const OperatorSource&, std::size_t row) { return numberValue(row); }},
    {"parent", kQueryInteger, toBeSaid("the call around it; joins operators.call"),
     [](const OperatorSource& of, std::size_t row) {
       return valueOrNull(of.frame(row).parent, kNoFrame);
     }},
    {"event", kQueryInteger, toBeSaid("its event; NULL: work whose operator was not recorded"),
     [](const OperatorSource& of, std::size_t row) {
       return valueOrNull(of.frame(row).event, kNoEvent);
     }},
    {"kind", kQueryText, toBeSaid("operator, module or range"),
     [](const OperatorSource& of, std::size_t row) -> QueryValue {
       constexpr std::array<const char*, 3> kKinds = {"module", "range", "operator"};
       return std::string(kKinds.at(static_cast<std::size_t>(of.frame(row).kind)));
     }},
    {"name", kQueryText, toBeSaid("the name"),
     [](const OperatorSource& of, std::size_t row) {
       return valueOrNull(of.trace->nameText(of.frame(row).name));
     }},
    {"module", kQueryText, toBeSaid("the path of the modules around it"),
     [](const OperatorSource& of, std::size_t row) {
       return valueOrNull(of.all().modules[of.frame(row).module]);
     }},
    {"shapes", kQueryText, toBeSaid("the shapes of its tensors"),
     [](const OperatorSource& of, std::size_t row) {
       return valueOrNull(shapesText(of.tensors(row)));
     }},
    {"dtypes", kQueryText, toBeSaid("the dtypes of its tensors, each once"),
     [](const OperatorSource& of, std::size_t row) {
       return valueOrNull(dtypesText(of.tensors(row)));
     }},
    {"track", kQueryInteger, toBeSaid("the track that it is on; joins tracks"),
     [](const OperatorSource& of, std::size_t row) { return numberValue(of.frame(row).lane); }},
    {"start_ns", kQueryInteger, toBeSaid("start, from the beginning of the trace"),
     [](const OperatorSource& of, std::size_t row) -> QueryValue { return of.frame(row).start; }},
    {"host_total_ns", kQueryInteger, toBeSaid("time on the host"),
     [](const OperatorSource& of, std::size_t row) -> QueryValue {
       return of.frame(row).hostTotal;
     }},
    {"host_self_ns", kQueryInteger, toBeSaid("the same without nested calls (self time)"),
     [](const OperatorSource& of, std::size_t row) -> QueryValue {
       return of.frame(row).hostSelf;
     }},
    {"device_total_ns", kQueryInteger, toBeSaid("time of the kernels that it launched"),
     [](const OperatorSource& of, std::size_t row) -> QueryValue {
       return of.frame(row).deviceTotal;
     }},
    {"device_self_ns", kQueryInteger, toBeSaid("the same without nested calls (self time)"),
     [](const OperatorSource& of, std::size_t row) -> QueryValue {
       return of.frame(row).deviceSelf;
     }},
    {"kernels", kQueryInteger, toBeSaid("kernels that it launched by itself"),
     [](const OperatorSource& of, std::size_t row) { return numberValue(of.frame(row).kernels); }},
};

constexpr auto kOperatorsDescribed = describedColumns(kOperatorColumns);

}  // namespace

QueryTableMaker operatorQueryTable() {
  return {
      {"operators", toBeSaid("Calls of operators, modules and named ranges"), kOperatorsDescribed},
      [](const QuerySchema& schema,
         std::shared_ptr<const Trace> trace) -> std::unique_ptr<QueryTable> {
        return std::make_unique<ListedQueryTable<OperatorSource>>(schema, kOperatorColumns,
                                                                  std::move(trace));
      }};
}

}  // namespace fusebench
