// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace_export.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>

#include "profiler/experiment.h"
#include "profiler/files.h"
#include "profiler/trace_categories.h"

namespace fusebench {
namespace {

/// A file, packed or not, that appears under its name only when it is complete.
class Output {
 public:
  explicit Output(const std::string& path)
      : path_(path), temporary_(fmt::format("{}.{}.tmp", path, getpid())) {
    errno = 0;
    file_ = gzopen(temporary_.c_str(), path.ends_with(".gz") ? "wbe6" : "wbeT");
    if (!file_) throw InputError(systemMessage(path, "cannot be written"));
  }
  ~Output() {
    if (file_) gzclose(file_);
    if (!done_) std::remove(temporary_.c_str());
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  fmt::memory_buffer& text() { return text_; }
  void flush(std::size_t from) {
    if (text_.size() < from) return;
    const auto size = static_cast<unsigned>(text_.size());
    if (size > 0 && gzwrite(file_, text_.data(), size) != static_cast<int>(size)) fail();
    text_.clear();
  }
  void close() {
    flush(0);
    if (gzclose(std::exchange(file_, nullptr)) != Z_OK) fail();
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
    done_ = true;
  }

 private:
  [[noreturn]] void fail() { throw InputError(systemMessage(path_, "cannot be written")); }
  std::string path_, temporary_;
  gzFile file_ = nullptr;
  fmt::memory_buffer text_;
  bool done_ = false;
};

std::string jsonText(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class Writer {
 public:
  Writer(const Trace& trace, Output& out) : trace_(trace), out_(out.text()) {}

  void head() {
    put(R"({{"schemaVersion":1,"deviceProperties":[)");
    if (!trace_.device().empty()) put(R"({{"id":0,"name":{}}})", jsonText(trace_.device()));
    put(R"(],"displayTimeUnit":"ns","baseTimeNanoseconds":{},"traceName":{},"traceEvents":[)",
        trace_.origin(), jsonText(trace_.title()));
  }

  void names() {
    for (LaneId l = 0; l < trace_.lanes().size(); ++l) {
      const Lane& lane = trace_.lanes()[l];
      const bool device = lane.kind == Lane::Kind::device;
      metadata("process_name", lane, lane.thread, "name", lane.processName);
      metadata("process_labels", lane, lane.thread, "labels", device ? lane.processName : "CPU");
      for (std::size_t row = 0; row < (device ? trace_.rowsOf(l).size() : 1); ++row)
        metadata("thread_name", lane, threadOf(lane, row), "name",
                 row == 0 ? lane.name : fmt::format("{} ({})", lane.name, row + 1));
    }
  }

  void event(EventId e, LaneId laneId, std::size_t row) {
    const Lane& lane = trace_.lanes()[laneId];
    const bool device = lane.kind == Lane::Kind::device;
    const SpanKind kind = trace_.kind(e);
    separate();
    put(R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{},"dur":{})",
        device && kind == SpanKind::annotation ? "gpu_user_annotation" : categoryOf(kind),
        jsonText(trace_.name(e)), lane.process, threadOf(lane, row), microseconds(trace_.start(e)),
        microseconds(trace_.duration(e)));
    if (isDeviceWork(kind)) {
      arguments(e, lane);
    } else if (const LaunchDetails* details = trace_.details(e); details && details->correlation) {
      put(R"(,"args":{{"correlation":{}}})", details->correlation);
    } else if (device) {
      put(R"(,"args":{{"stream":{}}})", lane.thread);
    }
    put("}}");
    if (isDeviceWork(kind) && trace_.link(e) != kNoEvent) flow(e, lane, row);
  }

  void tail() { put("\n]}}\n"); }

 private:
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
  static std::int64_t threadOf(const Lane& lane, std::size_t row) {
    if (lane.kind == Lane::Kind::host) return lane.thread;
    return lane.thread + static_cast<std::int64_t>(row) * kRowStride;
  }

  void metadata(const char* what, const Lane& lane, std::int64_t thread, const char* key,
                std::string_view text) {
    separate();
    put(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"ts":0.000,"args":{{"{}":{}}}}})", what,
        lane.process, thread, key, jsonText(text));
  }

  void arguments(EventId e, const Lane& lane) {
    const LaunchDetails& d = *trace_.details(e);
    const auto triple = [](const std::array<std::uint32_t, 3>& n) {
      return fmt::format("[{},{},{}]", n[0], n[1], n[2]);
    };
    put(R"(,"args":{{"External id":{},"device":{},"context":{})", d.externalId, d.device,
        d.context);
    if (lane.kind == Lane::Kind::device) put(R"(,"stream":{})", lane.thread);
    put(R"(,"correlation":{})", d.correlation);
    if (trace_.kind(e) == SpanKind::kernel)
      put(R"(,"registers per thread":{},"shared memory":{},"dynamic shared memory":{},"grid":{},"block":{})",
          d.registers, std::uint64_t{d.staticShared} + d.dynamicShared, d.dynamicShared,
          triple(d.grid), triple(d.block));
    if (d.blocksPerSm >= 0) put(R"(,"blocks per SM":{})", d.blocksPerSm);
    if (d.warpsPerSm >= 0) put(R"(,"warps per SM":{})", d.warpsPerSm);
    if (d.occupancy >= 0) put(R"(,"est. achieved occupancy %":{})", d.occupancy);
    if (d.graph != 0) put(R"(,"graph id":{})", d.graph);
    if (d.graphNode != 0) put(R"(,"graph node id":{})", d.graphNode);
    if (d.bytesRead >= 0) put(R"(,"bytes read":{})", d.bytesRead);
    if (d.bytesWritten >= 0) put(R"(,"bytes written":{})", d.bytesWritten);
    if (d.queued != kNoTime) put(R"(,"queued ns":{})", d.queued);
    if (d.submitted != kNoTime) put(R"(,"submitted ns":{})", d.submitted);
    if (d.firstStatement >= 0)
      put(R"(,"first statement":{},"last statement":{})", d.firstStatement, d.lastStatement);
    if (d.op != 0) put(R"(,"op":{})", jsonText(trace_.nameText(d.op)));
    put("}}");
  }

  /// From the call to the execution.
  void flow(EventId execution, const Lane& to, std::size_t row) {
    const EventId call = trace_.link(execution);
    const Lane& from = trace_.laneOf(call);
    const auto end = [&](const char* more, const Lane& lane, std::int64_t thread, EventId at) {
      separate();
      put(R"({{{},"id":{},"pid":{},"tid":{},"ts":{},"cat":"ac2g","name":"ac2g"}})", more, execution,
          lane.process, thread, microseconds(trace_.start(at)));
    };
    end(R"("ph":"s")", from, from.kind == Lane::Kind::host ? from.thread : threadOf(from, 0), call);
    end(R"("ph":"f","bp":"e")", to, threadOf(to, row), execution);
  }

  const Trace& trace_;
  fmt::memory_buffer& out_;
  bool first_ = true;
};

}  // namespace

void exportTrace(const Trace& trace, const std::string& path, const TraceProgress& progress) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  constexpr EventId kEventsPerStep = 1 << 14;
  Output out(path);
  Writer writer(trace, out);
  writer.head();
  writer.names();
  for (LaneId lane = 0; lane < trace.lanes().size(); ++lane) {
    const auto rows = trace.rowsOf(lane);
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (EventId e = rows[row].first; e < rows[row].last; ++e) {
        writer.event(e, lane, row);
        out.flush(kChunk);
        if (e % kEventsPerStep == 0 && progress &&
            !progress(static_cast<double>(e) / static_cast<double>(trace.size())))
          throw Cancelled();
      }
  }
  writer.tail();
  out.close();
}

}  // namespace fusebench
