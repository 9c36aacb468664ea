// SPDX-License-Identifier: GPL-3.0-or-later
// The tables "counters" and "samples" of a trace's database.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/trace/query_columns.h"
#include "profiler/trace/trace_counters.h"

namespace fusebench {
namespace {

struct CounterSource {
  explicit CounterSource(std::shared_ptr<const Trace> of) : trace(std::move(of)) {}
  std::size_t rows() const { return trace->counters().size(); }
  std::optional<std::size_t> find(std::int64_t key) const { return rowOfNumber(key, rows()); }
  const CounterTrack& counter(std::size_t row) const { return trace->counters()[row]; }
  CounterFigures figures(std::size_t row) const {
    return figuresOf(*trace, counter(row)).value_or(CounterFigures());
  }

  std::shared_ptr<const Trace> trace;
};

constexpr ValuedColumn<CounterSource> kCounterColumns[] = {
    {"counter", kQueryInteger, toBeSaid("the number of the counter"),
     [](const CounterSource&, std::size_t row) { return numberValue(row); }},
    {"name", kQueryText, toBeSaid("the name"),
     [](const CounterSource& of, std::size_t row) -> QueryValue { return of.counter(row).name; }},
    {"unit", kQueryText, toBeSaid("bytes, %, W, ...; NULL if the file does not specify it"),
     [](const CounterSource& of, std::size_t row) { return valueOrNull(of.counter(row).unit); }},
    {"process", kQueryInteger,
     toBeSaid("the process ID of the operating system, or the number of the device"),
     [](const CounterSource& of, std::size_t row) -> QueryValue {
       return of.counter(row).process;
     }},
    {"process_name", kQueryText, toBeSaid("the name of the process or device"),
     [](const CounterSource& of, std::size_t row) {
       return valueOrNull(of.counter(row).processName);
     }},
    {"samples", kQueryInteger, toBeSaid("number of values"),
     [](const CounterSource& of, std::size_t row) {
       return numberValue(of.counter(row).times.size());
     }},
    {"min", kQueryReal, toBeSaid("smallest value"),
     [](const CounterSource& of, std::size_t row) -> QueryValue { return of.figures(row).least; }},
    {"mean", kQueryReal, toBeSaid("mean value, weighted by time"),
     [](const CounterSource& of, std::size_t row) -> QueryValue { return of.figures(row).mean; }},
    {"max", kQueryReal, toBeSaid("largest value"),
     [](const CounterSource& of, std::size_t row) -> QueryValue { return of.figures(row).most; }},
};

/// All values of all counters, counter after counter.
struct SampleSource {
  explicit SampleSource(std::shared_ptr<const Trace> of) : trace(std::move(of)) {
    for (const CounterTrack& counter : trace->counters())
      before.push_back(before.back() + counter.times.size());
  }
  std::size_t rows() const { return before.back(); }
  std::optional<std::size_t> find(std::int64_t key) const { return rowOfNumber(key, rows()); }
  std::size_t counter(std::size_t row) const {
    return static_cast<std::size_t>(std::upper_bound(before.begin(), before.end(), row) -
                                    before.begin()) -
           1;
  }
  std::size_t place(std::size_t row) const { return row - before[counter(row)]; }

  std::shared_ptr<const Trace> trace;
  std::vector<std::size_t> before{0};  ///< samples of the counters before each
};

constexpr ValuedColumn<SampleSource> kSampleColumns[] = {
    {"sample", kQueryInteger, toBeSaid("the number of the sample"),
     [](const SampleSource&, std::size_t row) { return numberValue(row); }},
    {"counter", kQueryInteger, toBeSaid("the counter that it belongs to; joins counters"),
     [](const SampleSource& of, std::size_t row) { return numberValue(of.counter(row)); }},
    {"time_ns", kQueryInteger, toBeSaid("time since the beginning of the trace"),
     [](const SampleSource& of, std::size_t row) -> QueryValue {
       return of.trace->counters()[of.counter(row)].times[of.place(row)];
     }},
    {"value", kQueryReal, toBeSaid("the value, valid until the next sample"),
     [](const SampleSource& of, std::size_t row) -> QueryValue {
       return of.trace->counters()[of.counter(row)].values[of.place(row)];
     }},
};

constexpr auto kCountersDescribed = describedColumns(kCounterColumns);
constexpr auto kSamplesDescribed = describedColumns(kSampleColumns);

}  // namespace

QueryTableMaker counterQueryTable() {
  return {{"counters", toBeSaid("Counters, such as memory in use or device utilization"),
           kCountersDescribed},
          [](const QuerySchema& schema,
             std::shared_ptr<const Trace> trace) -> std::unique_ptr<QueryTable> {
            return std::make_unique<ListedQueryTable<CounterSource>>(schema, kCounterColumns,
                                                                     std::move(trace));
          }};
}

QueryTableMaker sampleQueryTable() {
  return {{"samples", toBeSaid("Values of the counters over time"), kSamplesDescribed},
          [](const QuerySchema& schema,
             std::shared_ptr<const Trace> trace) -> std::unique_ptr<QueryTable> {
            return std::make_unique<ListedQueryTable<SampleSource>>(schema, kSampleColumns,
                                                                    std::move(trace));
          }};
}

}  // namespace fusebench
