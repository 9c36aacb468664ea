// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profiler/trace/chrome_fields.h"
#include "profiler/trace/row_meaning.h"
#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// Turns Chrome trace events, one JSON object after the other, into spans and launches. Names and
/// meanings of the fields: the "Trace Event Format" document of Chromium and what Kineto's
/// ChromeTraceLogger writes.
class ChromeEvents {
 public:
  explicit ChromeEvents(TraceBuilder& builder) : builder_(builder) {}
  /// For reading the same file again, if `earlier` reported that this is needed.
  ChromeEvents(TraceBuilder& builder, const ChromeEvents& earlier);

  /// `text` is followed by TraceScanner::kPadding readable bytes. Invalid events are counted.
  void add(std::string_view text);
  /// Call it after the last event: whether the file has to be read again from its beginning,
  /// because it had late data: names that define the meaning of rows, or begins and ends out of
  /// order.
  bool wantsAgain() const;
  /// Call it after the last event: names lanes, hands over flows, counts events that began and did
  /// not end. `ours`: the names of processes are final; in Kineto's files, all of them are
  /// "python".
  void end(bool ours);

 private:
  struct Open {
    Nanoseconds start;
    std::string name, category;
    std::uint64_t correlation;
  };
  /// A begin or an end, kept for sorting.
  struct Edge {
    Nanoseconds time;
    std::uint64_t correlation;
    NameId name, category, stream;
    bool begins;
  };
  struct Place {
    LaneId lane = 0;
    Lane numbers;  ///< and its kind; names are added at the end
    std::string process, thread;
    std::string track;       ///< the thread of its first event in the file
    std::string otherTrack;  ///< and the last event, if the file assigned it to another thread
    std::vector<Open> open;
    Nanoseconds lastEdge = kNoTime;  ///< the latest begin or end so far
    std::vector<Edge> edges;         ///< all of them, where they are sorted
  };
  /// A row of the file, and the meaning that was assumed for it.
  struct Row {
    std::string process, thread;
    RowMeaning meaning;
  };

  /// A synchronization, kept until all contexts are known: its device is that of its context.
  struct Wait {
    Nanoseconds start, end;
    NameId name, process, thread, stream;
    std::int32_t context;
  };

  std::int64_t numberOf(std::string_view text);
  Place& place(const ChromeFields& fields, std::string_view thread, bool device);
  void addFlow(const ChromeFields& fields);
  std::uint32_t track(const ChromeFields& fields);
  void noteTrack(Place& at, const ChromeFields& fields, std::string_view thread);
  void addComplete(const ChromeFields& fields, Nanoseconds start, Nanoseconds end);
  void addDeviceWork(const ChromeFields& fields, SpanKind kind, Nanoseconds start, Nanoseconds end);
  void addMetadata(const ChromeFields& fields);
  void nameProcess(std::string_view key, std::string_view name);
  void nameThread(std::string_view process, std::string_view thread, std::string_view name);
  void begin(const ChromeFields& fields, Nanoseconds time);
  void finish(const ChromeFields& fields, Nanoseconds time);
  void addEdge(const ChromeFields& fields, Nanoseconds time);
  void pairEdges();
  void placeWaits();
  void addCounts(const ChromeFields& fields);
  void addMemory(const ChromeFields& fields);
  std::size_t counter(const ChromeFields& fields, std::string_view name, std::string_view unit);
  RowMeaning meaningOf(const ChromeFields& fields);
  RowMeaning meaningNow(const std::string& process, const std::string& thread) const;
  /// The text for the row if the file has one for the row's thread, else for the process; null:
  /// neither.
  static const std::string* saidOf(const std::map<std::string, std::string>& names,
                                   const std::string& process, const std::string& thread);
  std::string nameOfProcess(const std::string& process, const std::string& thread) const;

  TraceBuilder& builder_;
  ChromeParser parser_;
  std::unordered_map<std::string, Place> places_;
  std::unordered_map<std::string, Row> rows_;
  bool sorts_ = false;  ///< begins and ends
  std::uint64_t outOfOrder_ = 0;
  std::string lastKey_;
  Place* last_ = nullptr;
  /// By process, and by thread: a program and a device may have one process's number.
  std::map<std::string, std::string> processNames_, processLabels_;
  std::map<std::string, std::string> threadNames_;
  /// Counts of names that announce streams, updated as the names arrive, because every row reads
  /// them.
  std::uint64_t allStreams_ = 0, eachStream_ = 0;             ///< names of processes
  std::unordered_map<std::string, std::uint64_t> streamsOf_;  ///< names of a process's threads
  std::unordered_map<std::string, std::uint32_t> tracks_;     ///< in flows_, by process and thread
  TraceFlows flows_;
  std::vector<Wait> waits_;
  /// Counters by process and name, with the position at which their events are written.
  struct Counter {
    std::size_t number = 0;
    CounterTrack track;
    std::string process, thread;
  };
  std::unordered_map<std::string, Counter> counters_;
  /// The device process of a context; nothing: the context is on several devices.
  std::map<std::int32_t, std::optional<std::string>> contexts_;
  std::map<std::string, std::int64_t> numbers_;  ///< for processes and threads that have none
};

}  // namespace fusebench
