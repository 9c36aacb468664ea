// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/query_tables.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/saying.h"
#include "profiler/trace/query_columns.h"

namespace fusebench {
namespace {

struct EventSource {
  explicit EventSource(std::shared_ptr<const Trace> of) : trace(std::move(of)) {}
  std::size_t rows() const { return trace->size(); }
  std::optional<std::size_t> find(std::int64_t key) const { return rowOfNumber(key, rows()); }

  std::shared_ptr<const Trace> trace;
};

constexpr ValuedColumn<EventSource> kEventColumns[] = {
    {"event", kQueryInteger, toBeSaid("the number of the event, which all tables share"),
     [](const EventSource&, std::size_t row) { return numberValue(row); }},
    {"name", kQueryText, toBeSaid("the name"),
     [](const EventSource& of, std::size_t row) -> QueryValue {
       return std::string(of.trace->name(static_cast<EventId>(row)));
     }},
    {"kind", kQueryText,
     toBeSaid("kernel, copy, fill, graph, cpu op, runtime, driver, annotation, ..."),
     [](const EventSource& of, std::size_t row) -> QueryValue {
       return std::string(nameOf(of.trace->kind(static_cast<EventId>(row))));
     }},
    {"track", kQueryInteger, toBeSaid("the track that it is on; joins tracks"),
     [](const EventSource& of, std::size_t row) {
       return numberValue(of.trace->rows()[of.trace->rowOf(static_cast<EventId>(row))].lane);
     }},
    {"depth", kQueryInteger, toBeSaid("how deep it nests in its track, from 0"),
     [](const EventSource& of, std::size_t row) {
       const TraceRow* const rows = of.trace->rows().data();
       const std::size_t at = of.trace->rowOf(static_cast<EventId>(row));
       return numberValue(at -
                          static_cast<std::size_t>(of.trace->rowsOf(rows[at].lane).data() - rows));
     }},
    {"start_ns", kQueryInteger, toBeSaid("start, from the beginning of the trace"),
     [](const EventSource& of, std::size_t row) -> QueryValue {
       return of.trace->start(static_cast<EventId>(row));
     }},
    {"dur_ns", kQueryInteger, toBeSaid("duration"),
     [](const EventSource& of, std::size_t row) -> QueryValue {
       return of.trace->duration(static_cast<EventId>(row));
     }},
    {"end_ns", kQueryInteger, toBeSaid("end"),
     [](const EventSource& of, std::size_t row) -> QueryValue {
       return of.trace->end(static_cast<EventId>(row));
     }},
    {"link", kQueryInteger,
     toBeSaid("for a kernel: the call that launched it; for a call: its first kernel"),
     [](const EventSource& of, std::size_t row) {
       return valueOrNull(of.trace->link(static_cast<EventId>(row)), kNoEvent);
     }},
};

struct TrackSource {
  explicit TrackSource(std::shared_ptr<const Trace> of) : trace(std::move(of)) {}
  std::size_t rows() const { return trace->lanes().size(); }
  std::optional<std::size_t> find(std::int64_t key) const { return rowOfNumber(key, rows()); }

  std::shared_ptr<const Trace> trace;
};

constexpr ValuedColumn<TrackSource> kTrackColumns[] = {
    {"track", kQueryInteger, toBeSaid("the number of the track"),
     [](const TrackSource&, std::size_t row) { return numberValue(row); }},
    {"kind", kQueryText, toBeSaid("host or device"),
     [](const TrackSource& of, std::size_t row) -> QueryValue {
       return std::string(of.trace->lanes()[row].kind == Lane::Kind::host ? "host" : "device");
     }},
    {"process", kQueryInteger,
     toBeSaid("the process ID of the operating system, or the number of the device"),
     [](const TrackSource& of, std::size_t row) -> QueryValue {
       return of.trace->lanes()[row].process;
     }},
    {"thread", kQueryInteger,
     toBeSaid("the thread ID of the operating system, or the number of the stream"),
     [](const TrackSource& of, std::size_t row) -> QueryValue {
       return of.trace->lanes()[row].thread;
     }},
    {"process_name", kQueryText, toBeSaid("the name of the process or device"),
     [](const TrackSource& of, std::size_t row) -> QueryValue {
       return of.trace->lanes()[row].processName;
     }},
    {"name", kQueryText, toBeSaid("the name of the thread or stream"),
     [](const TrackSource& of, std::size_t row) -> QueryValue {
       return of.trace->lanes()[row].name;
     }},
};

constexpr auto kEventsDescribed = describedColumns(kEventColumns);
constexpr auto kTracksDescribed = describedColumns(kTrackColumns);

constexpr std::size_t kQueryTables = 7;

/// Every table, in the order of querySchemas().
const std::array<QueryTableMaker, kQueryTables>& tableMakers() {
  static const std::array<QueryTableMaker, kQueryTables> kMakers = {
      {{{"events", toBeSaid("Everything that the timeline shows"), kEventsDescribed},
        [](const QuerySchema& schema,
           std::shared_ptr<const Trace> trace) -> std::unique_ptr<QueryTable> {
          return std::make_unique<ListedQueryTable<EventSource>>(schema, kEventColumns,
                                                                 std::move(trace));
        }},
       {{"tracks", toBeSaid("The tracks of the timeline: threads and streams"), kTracksDescribed},
        [](const QuerySchema& schema,
           std::shared_ptr<const Trace> trace) -> std::unique_ptr<QueryTable> {
          return std::make_unique<ListedQueryTable<TrackSource>>(schema, kTrackColumns,
                                                                 std::move(trace));
        }},
       kernelQueryTable(),
       operatorQueryTable(),
       collectiveQueryTable(),
       counterQueryTable(),
       sampleQueryTable()}};
  return kMakers;
}

}  // namespace

std::optional<std::size_t> rowOfEvent(const std::vector<EventId>& events, std::int64_t key) {
  const auto found = std::ranges::lower_bound(
      events, key, {}, [](EventId event) { return static_cast<std::int64_t>(event); });
  if (found == events.end() || static_cast<std::int64_t>(*found) != key) return std::nullopt;
  return static_cast<std::size_t>(found - events.begin());
}

std::span<const QuerySchema> querySchemas() {
  static const auto kSchemas = [] {
    std::array<QuerySchema, kQueryTables> schemas{};
    for (std::size_t i = 0; i < schemas.size(); ++i) schemas[i] = tableMakers()[i].schema;
    return schemas;
  }();
  return kSchemas;
}

std::vector<std::unique_ptr<QueryTable>> queryTables(const std::shared_ptr<const Trace>& trace) {
  std::vector<std::unique_ptr<QueryTable>> tables;
  for (std::size_t i = 0; i < tableMakers().size(); ++i)
    tables.push_back(tableMakers()[i].make(querySchemas()[i], trace));
  return tables;
}

}  // namespace fusebench
