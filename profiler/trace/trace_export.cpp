// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_export.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "profiler/files/output_file.h"
#include "profiler/trace/thread_numbers.h"
#include "profiler/trace/trace_categories.h"
#include "profiler/trace/trace_counters.h"

namespace fusebench {
namespace {

/// A file, packed or not, that appears under its name only when it is complete.
class Output {
 public:
  explicit Output(const std::string& path) : path_(path), packs_(path.ends_with(".gz")) {
    constexpr int kLevel = 6, kWindow = 15 + 16, kMemory = 8;  // 16 more: with gzip's head and end
    if (packs_ &&
        deflateInit2(&packer_, kLevel, Z_DEFLATED, kWindow, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Output() {
    if (packs_) deflateEnd(&packer_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  fmt::memory_buffer& text() { return text_; }
  /// Before the first flush().
  void open() { file_.emplace(path_); }
  void flush(std::size_t from) {
    if (text_.size() < from) return;
    if (packs_)
      pack(Z_NO_FLUSH);
    else
      file_->write({text_.data(), text_.size()});
    text_.clear();
  }
  void close() {
    flush(0);
    if (packs_) pack(Z_FINISH);
    file_->finish();
  }

 private:
  void pack(int how) {
    packer_.next_in = reinterpret_cast<Bytef*>(text_.data());
    packer_.avail_in = static_cast<uInt>(text_.size());
    char packed[1 << 16];
    do {
      packer_.next_out = reinterpret_cast<Bytef*>(packed);
      packer_.avail_out = sizeof packed;
      deflate(&packer_, how);
      file_->write({packed, sizeof packed - packer_.avail_out});
    } while (packer_.avail_out == 0);
  }

  std::string path_;
  std::optional<OutputFile> file_;
  bool packs_;
  z_stream packer_{};
  fmt::memory_buffer text_;
};

constexpr auto kReplace = nlohmann::json::error_handler_t::replace;  // for invalid UTF-8

std::string jsonText(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, kReplace);
}

class Writer {
 public:
  Writer(const Trace& trace, Output& out)
      : trace_(trace), out_(out.text()), numbers_(trace.lanes()) {
    std::set<std::int64_t> hosts;
    for (const Lane& lane : trace.lanes())
      if (lane.kind == Lane::Kind::host) hosts.insert(lane.process);
    severalCallers_ = hosts.size() > 1;
  }

  void head() {
    put(R"({{"schemaVersion":1,"deviceProperties":{})", devices().dump(-1, ' ', false, kReplace));
    put(R"(,"displayTimeUnit":"ns","baseTimeNanoseconds":{},"traceName":{})", trace_.origin(),
        jsonText(trace_.title()));
    if (!trace_.note().empty()) put(R"(,"note":{})", jsonText(trace_.note()));
    // Always there: it is also what such a file is known by.
    nlohmann::json parts = nlohmann::json::array();
    for (const TracePart& part : trace_.parts())
      parts.push_back({{"name", part.name}, {"processes", part.processes}});
    put(R"(,"parts":{})", parts.dump(-1, ' ', false, kReplace));
    put(R"(,"traceEvents":[)");
  }

  void names() {
    for (LaneId l = 0; l < trace_.lanes().size(); ++l) {
      const Lane& lane = trace_.lanes()[l];
      const bool device = lane.kind == Lane::Kind::device;
      threads_.push_back(threadsOf(l));
      for (std::size_t row = 0; row < threads_[l].size(); ++row) {
        const std::int64_t thread = threads_[l][row];
        if (row > 0 && thread == threads_[l][row - 1]) continue;
        // A thread has it, because a program and a device may have one number.
        metadata("process_name", lane, thread, "name", lane.processName);
        metadata("process_labels", lane, thread, "labels", device ? labelOf(l) : "CPU");
        metadata("thread_name", lane, thread, "name",
                 row == 0 ? lane.name : fmt::format("{} ({})", lane.name, row + 1));
      }
    }
  }

  void event(EventId e, LaneId laneId, std::size_t row) {
    const Lane& lane = trace_.lanes()[laneId];
    const bool device = lane.kind == Lane::Kind::device;
    const SpanKind kind = trace_.kind(e);
    separate();
    put(R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{},"dur":{})",
        device && kind == SpanKind::annotation ? "gpu_user_annotation" : categoryOf(kind),
        jsonText(trace_.name(e)), lane.process, threads_[laneId][row],
        microseconds(trace_.start(e)), microseconds(trace_.duration(e)));
    put(R"(,"args":{{)");
    firstArgument_ = true;
    // Where its thread is not the one that is written.
    if (!device && threads_[laneId][row] != lane.thread) argument("fusebench thread", lane.thread);
    if (device) argument("stream", lane.thread);
    if (const LaunchDetails* details = trace_.details(e); details && details->correlation)
      argument("correlation", details->correlation);
    if (severalCallers_ && isDeviceWork(kind) && trace_.link(e) != kNoEvent)
      argument("calling process", trace_.laneOf(trace_.link(e)).process);
    if (isDeviceWork(kind)) arguments(e, device);
    if (const OperatorArguments* known = trace_.operatorArguments(e)) recorded(*known);
    if (const CollectiveArguments* known = trace_.collectiveArguments(e)) recorded(*known);
    put("}}}}");
    if (isDeviceWork(kind) && trace_.link(e) != kNoEvent) flow(e, lane, threads_[laneId][row], row);
  }

  /// Where it was, with its unit in its name: other tools show that.
  void counterName(const CounterTrack& counter) {
    if (counter.processName.empty()) return;
    const Lane place{Lane::Kind::host, counter.process, 0, {}, {}};
    metadata("process_name", place, counterThread(counter), "name", counter.processName);
  }
  void count(const CounterTrack& counter, std::size_t i) {
    const bool said = nameAndUnit(counter.name).second == counter.unit;
    separate();
    put(R"({{"ph":"C","name":{},"pid":{},"tid":{},"ts":{},"args":{{"value":{:.17g}}}}})",
        jsonText(said ? counter.name : fmt::format("{} [{}]", counter.name, counter.unit)),
        counter.process, counterThread(counter), microseconds(counter.times[i]), counter.values[i]);
  }

  void tail() { put("\n]}}\n"); }

 private:
  /// One that no lane of the process has.
  std::int64_t counterThread(const CounterTrack& counter) {
    const auto [at, isNew] = counterThreads_.try_emplace(counter.process, 0);
    if (isNew) at->second = numbers_.free(counter.process);
    return at->second;
  }

  /// As Kineto writes them. The first has the name.
  nlohmann::json devices() const {
    nlohmann::json devices = nlohmann::json::array();
    for (const DeviceLimits& limits : trace_.limits())
      devices.push_back({{"id", limits.device},
                         {"computeMajor", limits.generation},
                         {"computeMinor", limits.revision},
                         {"maxThreadsPerMultiprocessor", limits.threads},
                         {"regsPerMultiprocessor", limits.registers},
                         {"sharedMemPerMultiprocessor", limits.sharedBytes}});
    if (trace_.device().empty()) return devices;
    if (devices.empty()) devices.push_back({{"id", 0}});
    devices.front()["name"] = trace_.device();
    return devices;
  }

  template <typename... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }
  void separate() {
    put("{}", first_ ? "\n" : ",\n");
    first_ = false;
  }
  static std::string microseconds(Nanoseconds time) {
    return fmt::format("{}.{:03}", time / 1000, time % 1000);
  }

  /// The thread that each row of a lane is written under. Spans of one thread must nest; those of a
  /// device do not, nor do those of hosts always. A stream may have the number of a thread, too.
  std::vector<std::int64_t> threadsOf(LaneId l) {
    const Lane& lane = trace_.lanes()[l];
    const auto rows = trace_.rowsOf(l);
    std::vector<std::int64_t> threads(std::max<std::size_t>(1, rows.size()), numbers_.of(lane));
    for (std::size_t row = 1; row < rows.size(); ++row) {
      const bool nests = lane.kind == Lane::Kind::host && nestsIn(rows[row], rows[row - 1]);
      threads[row] = nests ? threads[row - 1] : numbers_.free(lane.process);
    }
    return threads;
  }

  /// Whether each span of the inner row is within one of the outer row, or outside all of them.
  bool nestsIn(const TraceRow& inner, const TraceRow& outer) const {
    EventId around = outer.first;
    for (EventId e = inner.first; e < inner.last; ++e) {
      while (around < outer.last && trace_.end(around) <= trace_.start(e)) ++around;
      if (around == outer.last) return true;
      if (trace_.start(around) < trace_.end(e) &&
          (trace_.start(e) < trace_.start(around) || trace_.end(e) > trace_.end(around)))
        return false;
    }
    return true;
  }

  /// "GPU 0" where the number is known.
  std::string labelOf(LaneId l) const {
    const Lane& lane = trace_.lanes()[l];
    for (const TraceRow& row : trace_.rowsOf(l))
      if (const LaunchDetails* details = trace_.details(row.first); details && details->device >= 0)
        return fmt::format("GPU {}", details->device);
    return lane.processName;
  }

  void metadata(const char* what, const Lane& lane, std::int64_t thread, const char* key,
                std::string_view text) {
    separate();
    put(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"ts":0.000,"args":{{"{}":{}}}}})", what,
        lane.process, thread, key, jsonText(text));
  }

  template <typename Value>
  void argument(const char* key, const Value& value) {
    put(R"({}"{}":{})", firstArgument_ ? "" : ",", key, value);
    firstArgument_ = false;
  }

  void arguments(EventId e, bool device) {
    const LaunchDetails& d = *trace_.details(e);
    const auto triple = [](const std::array<std::uint32_t, 3>& n) {
      return fmt::format("[{},{},{}]", n[0], n[1], n[2]);
    };
    // A kernel that a thread of the host ran has only the known details.
    if (device || d.externalId != 0) argument("External id", d.externalId);
    if (d.device >= 0) argument("device", d.device);
    if (d.context >= 0) argument("context", d.context);
    if (trace_.kind(e) == SpanKind::kernel && (device || d.grid[0] != 0)) {
      argument("registers per thread", d.registers);
      argument("shared memory", std::uint64_t{d.staticShared} + d.dynamicShared);
      argument("dynamic shared memory", d.dynamicShared);
      argument("grid", triple(d.grid));
      argument("block", triple(d.block));
    }
    if (device) argument("queued", d.queued == kNoTime ? 0 : d.queued);
    if (d.blocksPerSm >= 0) argument("blocks per SM", d.blocksPerSm);
    if (d.warpsPerSm >= 0) argument("warps per SM", d.warpsPerSm);
    if (d.occupancy >= 0) argument("est. achieved occupancy %", d.occupancy);
    if (d.graph != 0) argument("graph id", d.graph);
    if (d.graphNode != 0) argument("graph node id", d.graphNode);
    if (d.bytesRead >= 0) argument("bytes read", d.bytesRead);
    if (d.bytesWritten >= 0) argument("bytes written", d.bytesWritten);
    if (d.queued != kNoTime) argument("queued ns", d.queued);
    if (d.submitted != kNoTime) argument("submitted ns", d.submitted);
    if (d.firstStatement >= 0) {
      argument("first statement", d.firstStatement);
      argument("last statement", d.lastStatement);
    }
    if (d.op != 0) argument("op", jsonText(trace_.nameText(d.op)));
  }

  /// Texts that are JSON already.
  void recorded(const OperatorArguments& known) {
    if (known.shapes != 0) argument("Input Dims", trace_.nameText(known.shapes));
    if (known.types != 0) argument("Input type", trace_.nameText(known.types));
    if (known.strides != 0) argument("Input Strides", trace_.nameText(known.strides));
    if (known.values != 0) argument("Concrete Inputs", trace_.nameText(known.values));
    if (known.sequence >= 0) argument("Sequence number", known.sequence);
    if (known.forwardThread != 0) argument("Fwd thread id", known.forwardThread);
  }
  void recorded(const CollectiveArguments& known) {
    argument("Collective name", jsonText(trace_.nameText(known.name)));
    if (known.dtype != 0) argument("dtype", jsonText(trace_.nameText(known.dtype)));
    if (known.group != 0) argument("Process Group Name", jsonText(trace_.nameText(known.group)));
    if (known.elementsIn >= 0) argument("In msg nelems", known.elementsIn);
    if (known.elementsOut >= 0) argument("Out msg nelems", known.elementsOut);
    if (known.ranks > 0) argument("Group size", known.ranks);
  }

  /// From the call to the execution.
  void flow(EventId execution, const Lane& to, std::int64_t toThread, std::size_t toRow) {
    const EventId call = trace_.link(execution);
    const TraceRow& row = trace_.rows()[trace_.rowOf(call)];
    const Lane& from = trace_.lanes()[row.lane];
    const auto place = static_cast<std::size_t>(&row - trace_.rowsOf(row.lane).data());
    const auto end = [&](const char* more, const Lane& lane, std::int64_t thread, Nanoseconds at,
                         std::size_t onRow) {
      separate();
      put(R"({{{},"id":{},"pid":{},"tid":{},"ts":{},"cat":"ac2g","name":"ac2g","args":{{)"
          R"("fusebench row":{}}}}})",
          more, execution, lane.process, thread, microseconds(at), onRow);
    };
    const Nanoseconds start = trace_.start(execution);
    end(R"("ph":"s")", from, threads_[row.lane][place], innermostAt(call, place), place);
    end(R"("ph":"f","bp":"e")", to, toThread, start, toRow);
  }

  /// The first moment of a span at which no other is inside it: an arrow belongs to the innermost
  /// one.
  Nanoseconds innermostAt(EventId span, std::size_t row) const {
    const auto rows = trace_.rowsOf(trace_.rows()[trace_.rowOf(span)].lane);
    Nanoseconds at = trace_.start(span);
    int tries = 64;  // one may be full of others
    for (std::size_t inner = row + 1; inner < rows.size() && tries > 0; ++inner) {
      const EventId e = trace_.firstEndingAfter(rows[inner], at);
      if (e == rows[inner].last || trace_.start(e) > at) continue;
      at = trace_.end(e);
      inner = row;  // what was free before may not be so any more
      --tries;
    }
    return at < trace_.end(span) ? at : trace_.start(span);
  }

  const Trace& trace_;
  fmt::memory_buffer& out_;
  ThreadNumbers numbers_;
  std::map<std::int64_t, std::int64_t> counterThreads_;  ///< by process
  std::vector<std::vector<std::int64_t>> threads_;       ///< per lane and row
  bool severalCallers_ = false;                          ///< each counts its correlations by itself
  bool first_ = true;                                    ///< of the events
  bool firstArgument_ = true;                            ///< of an event
};

}  // namespace

void exportTrace(const Trace& trace, const std::string& path, const TraceProgress& progress) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  constexpr EventId kEventsPerStep = 1 << 14;
  Output out(path);
  Writer writer(trace, out);
  writer.head();
  // Not before: where memory runs out as JSON is destroyed, the program ends, and would leave half
  // of a file.
  out.open();
  writer.names();
  for (LaneId lane = 0; lane < trace.lanes().size(); ++lane) {
    const auto rows = trace.rowsOf(lane);
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (EventId e = rows[row].first; e < rows[row].last; ++e) {
        writer.event(e, lane, row);
        out.flush(kChunk);
        if (e % kEventsPerStep == 0 && progress &&
            !progress(static_cast<double>(e) / static_cast<double>(trace.size())))
          throw Canceled();
      }
  }
  for (const CounterTrack& counter : trace.counters()) {
    writer.counterName(counter);
    for (std::size_t i = 0; i < counter.times.size(); ++i) {
      writer.count(counter, i);
      out.flush(kChunk);
    }
  }
  writer.tail();
  out.close();
}

}  // namespace fusebench
