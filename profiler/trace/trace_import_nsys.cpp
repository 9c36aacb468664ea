// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/files/input_error.h"
#include "profiler/files/kept_inputs.h"
#include "profiler/trace/trace_counters.h"
#include "profiler/trace/trace_import.h"

namespace fusebench {
namespace {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct FinishStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, FinishStatement>;

/// A number of the profiler's: process and thread packed into one (nsys documentation,
/// "globalTid").
std::int64_t processOf(std::int64_t global) {
  return (global >> 24) & 0xFFFFFF;
}
std::int64_t threadOf(std::int64_t global) {
  return global & 0xFFFFFF;
}

/// Reads the tables that an export holds. The layout: "nsys export" schema, as its documentation
/// describes; tables are there only if they have rows, columns vary between versions.
class NsysReader {
 public:
  NsysReader(const std::string& path, const TraceProgress& progress, const DatabaseBudget& budget)
      : path_(path),
        progress_(progress),
        budget_(budget),
        builder_(std::filesystem::path(path).filename().string()) {
    sqlite3* database = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
    database_.reset(database);
    if (code != SQLITE_OK) fail("cannot be opened");
    noteInput(path);
    // A hostile schema may hold triggers, views and functions: nothing of it is trusted or run.
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 16 << 20);
    sqlite3_set_authorizer(database, &NsysReader::authorize, nullptr);
    sqlite3_progress_handler(database, kOperationsPerLook, &NsysReader::look, this);
  }

  std::shared_ptr<const Trace> read() {
    if (columns("StringIds").empty() && hasTableLike("rocpd_%"))
      throw InputError(path_ +
                       saying(": this is a rocpd database of rocprofv3; make a Perfetto file "
                              "of it with rocpd convert --output-format pftrace, or record "
                              "one with rocprofv3 --output-format pftrace"));
    if (columns("StringIds").empty() && columns("CUPTI_ACTIVITY_KIND_KERNEL").empty())
      throw InputError(path_ +
                       ": this database is no export of Nsight Systems (no StringIds); make one "
                       "with nsys export --type sqlite");
    guarded("StringIds", [&] { readTexts(); });
    guarded("CUPTI_ACTIVITY_KIND_KERNEL", [&] { readKernels(); });
    guarded("CUPTI_ACTIVITY_KIND_MEMCPY", [&] { readMemory("CUPTI_ACTIVITY_KIND_MEMCPY", true); });
    guarded("CUPTI_ACTIVITY_KIND_MEMSET", [&] { readMemory("CUPTI_ACTIVITY_KIND_MEMSET", false); });
    guarded("CUPTI_ACTIVITY_KIND_RUNTIME", [&] { readCalls("CUPTI_ACTIVITY_KIND_RUNTIME"); });
    guarded("CUPTI_ACTIVITY_KIND_DRIVER", [&] { readCalls("CUPTI_ACTIVITY_KIND_DRIVER"); });
    guarded("NVTX_EVENTS", [&] { readRanges(); });
    guarded("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", [&] { readGraphs(); });
    guarded("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", [&] { readSyncs(); });
    guarded("OSRT_API", [&] { readSpans("OSRT_API", SpanKind::other); });
    guarded("CUDNN_EVENTS", [&] { readSpans("CUDNN_EVENTS", SpanKind::op); });
    guarded("CUBLAS_EVENTS", [&] { readSpans("CUBLAS_EVENTS", SpanKind::op); });
    guarded("TARGET_INFO_GPU", [&] { readDevice(); });
    guarded("GPU_METRICS", [&] { readMetrics(); });
    guarded("ThreadNames", [&] { readThreadNames(); });
    nameStreams();
    guarded("StringIds", [&] { countForeignRows(); });
    if (builder_.size() == 0)
      throw InputError(path_ + ": this export holds no kernels, calls or ranges" +
                       (partial_.empty() ? std::string("; record with nsys profile --trace cuda")
                                         : ": " + partial_));
    if (!partial_.empty()) builder_.setPartial(partial_);
    return builder_.finish(
        [this](double share) { return !progress_ || progress_(0.8 + 0.2 * share); });
  }

 private:
  static constexpr int kOperationsPerLook = 1 << 16;  ///< steps of SQLite's machine
  static constexpr std::size_t kMostTables = 1024;
  static constexpr std::int64_t kOtherProcess = 1'000'000;  ///< far from what streams are called
  static constexpr std::int64_t kAllStreams = 0xFFFF'FFFF;  ///< of a wait for a whole context

  /// Reading tables is all that is done here: what a view asks for comes with the view's name.
  static int authorize(void*, int action, const char*, const char*, const char*, const char* view) {
    const bool reading = action == SQLITE_SELECT || action == SQLITE_READ ||
                         action == SQLITE_PRAGMA || action == SQLITE_FUNCTION;
    return reading && !view ? SQLITE_OK : SQLITE_DENY;
  }

  /// While a statement works, which a hostile file can make it do for ever: true to interrupt it.
  static int look(void* self) {
    auto& reader = *static_cast<NsysReader*>(self);
    reader.canceled_ = reader.progress_ && !reader.progress_(reader.share_);
    reader.exhausted_ = ++reader.looks_ * kOperationsPerLook > reader.budget_.operations;
    return reader.canceled_ || reader.exhausted_;
  }

  bool hasTableLike(const std::string& pattern) {
    Statement statement =
        prepare("SELECT 1 FROM sqlite_master WHERE name LIKE '" + pattern + "' LIMIT 1");
    return step(statement);
  }

  /// Whether this is a table with rows of its own: views and virtual tables compute theirs.
  bool isTable(const std::string& name) {
    const int code = sqlite3_table_column_metadata(database_.get(), "main", name.c_str(), nullptr,
                                                   nullptr, nullptr, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK && code != SQLITE_ERROR) fail("cannot be read");
    if (code != SQLITE_OK)  // there is none, or it is a view
      return false;
    Statement statement = prepare(
        "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = '" + name + "'");
    return step(statement) && integer(statement, 0) > 0;
  }

  [[noreturn]] void fail(const char* what) {
    if (canceled_) throw Canceled();
    if (exhausted_)
      throw InputError(fmt::format("it takes more than {} operations", budget_.operations));
    if (!database_ || sqlite3_errcode(database_.get()) == SQLITE_NOMEM) throw std::bad_alloc();
    throw InputError(fmt::format("{}: {}: {}", path_, what, sqlite3_errmsg(database_.get())));
  }

  /// Reads a table; where the file is damaged, what came before counts.
  template <typename Read>
  void guarded(const char* table, Read&& read) {
    try {
      if (columns(table).empty()) return;
      read();
    } catch (const InputError& error) {
      if (partial_.empty()) partial_ = fmt::format("table {}: {}", table, error.what());
    }
    share_ += 0.1;
    if (progress_ && !progress_(share_)) throw Canceled();
  }

  const std::map<std::string, bool>& columns(const std::string& table) {
    const auto [at, isNew] = columns_.try_emplace(table);
    if (!isNew || !isTable(table)) return at->second;
    Statement statement = prepare("PRAGMA main.table_info(\"" + table + "\")");
    while (step(statement)) at->second[text(statement, 1)] = true;
    return at->second;
  }

  Statement prepare(const std::string& sql) {
    sqlite3_stmt* made = nullptr;
    if (sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &made, nullptr) != SQLITE_OK)
      fail("cannot be read");
    return Statement(made);
  }

  /// SELECT of these columns; those that this version does not have are null.
  Statement select(const std::string& table, std::initializer_list<const char*> names) {
    std::string sql = "SELECT ";
    for (const char* name : names) {
      if (sql.size() > 7) sql += ", ";
      sql += columns(table).contains(name) ? fmt::format("\"{}\"", name) : std::string("NULL");
    }
    return prepare(sql + " FROM \"" + table + "\"");
  }

  bool step(const Statement& statement) {
    const int code = sqlite3_step(statement.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail("cannot be read");
    if (code == SQLITE_ROW && ++steps_ > budget_.rows)
      throw InputError(fmt::format("it has more than {} rows", budget_.rows));
    if (steps_ % (1 << 16) == 0 && progress_ && !progress_(share_)) throw Canceled();
    return code == SQLITE_ROW;
  }

  static std::int64_t integer(const Statement& s, int column) {
    return sqlite3_column_int64(s.get(), column);
  }
  static std::optional<std::int64_t> maybe(const Statement& s, int column) {
    if (sqlite3_column_type(s.get(), column) == SQLITE_NULL) return std::nullopt;
    return integer(s, column);
  }
  static Nanoseconds time(const Statement& s, int column) {
    return maybe(s, column).value_or(kNoTime);
  }
  static std::string text(const Statement& s, int column) {
    const unsigned char* chars = sqlite3_column_text(s.get(), column);
    if (chars) return reinterpret_cast<const char*>(chars);
    if (sqlite3_errcode(sqlite3_db_handle(s.get())) == SQLITE_NOMEM) throw std::bad_alloc();
    return "";
  }
  static std::uint32_t size(const Statement& s, int column) {
    return static_cast<std::uint32_t>(integer(s, column));
  }

  std::string_view textOf(std::int64_t id) const {
    const auto found = texts_.find(id);
    return found == texts_.end() ? std::string_view("unknown") : std::string_view(found->second);
  }

  LaneId host(std::int64_t global) {
    const auto [at, isNew] = hosts_.try_emplace(global, 0);
    if (isNew)
      at->second = builder_.lane({Lane::Kind::host, processOf(global), threadOf(global),
                                  fmt::format("process {}", processOf(global)),
                                  fmt::format("thread {}", threadOf(global))});
    return at->second;
  }
  /// Each process numbers its streams by itself.
  LaneId stream(std::int64_t device, std::int64_t number, std::int64_t globalPid) {
    const auto [at, isNew] =
        streams_.try_emplace({device, number, processOf(globalPid)}, Stream{0, number});
    if (isNew) {
      processes_.insert(processOf(globalPid));
      Stream& made = at->second;
      while (!taken_.emplace(device, made.thread).second) made.thread += kOtherProcess;
      made.lane = builder_.lane({Lane::Kind::device, device, made.thread,
                                 fmt::format("GPU {}", device), streamName(number)});
    }
    return at->second.lane;
  }
  static std::string streamName(std::int64_t number) {
    return number == kAllStreams || number < 0 ? std::string("all streams")
                                               : fmt::format("stream {}", number);
  }
  /// Where several processes share a device.
  void nameStreams() {
    if (processes_.size() < 2) return;
    for (const auto& [key, made] : streams_) {
      const auto& [device, number, process] = key;
      builder_.lane({Lane::Kind::device, device, made.thread, "",
                     fmt::format("{}, process {}", streamName(number), process)});
    }
  }
  /// Which process's calls set something off; exports of old versions do not say.
  static std::int64_t callerOf(std::int64_t globalPid) {
    return processOf(globalPid) == 0 ? kAnyProcess : processOf(globalPid);
  }

  void readTexts() {
    Statement s = select("StringIds", {"id", "value"});
    std::size_t bytes = 0;
    while (step(s)) {
      std::string value = text(s, 1);
      bytes += value.size() + sizeof value;
      if (bytes > budget_.textBytes)
        throw InputError(fmt::format("it has more than {} bytes of text", budget_.textBytes));
      texts_[integer(s, 0)] = std::move(value);
    }
  }

  void readKernels() {
    Statement s = select("CUPTI_ACTIVITY_KIND_KERNEL", {"start",
                                                        "end",
                                                        "deviceId",
                                                        "contextId",
                                                        "streamId",
                                                        "correlationId",
                                                        "demangledName",
                                                        "shortName",
                                                        "gridX",
                                                        "gridY",
                                                        "gridZ",
                                                        "blockX",
                                                        "blockY",
                                                        "blockZ",
                                                        "registersPerThread",
                                                        "staticSharedMemory",
                                                        "dynamicSharedMemory",
                                                        "graphId",
                                                        "graphNodeId",
                                                        "queued",
                                                        "submitted",
                                                        "globalPid"});
    while (step(s)) {
      const auto name = maybe(s, 6) ? maybe(s, 6) : maybe(s, 7);
      contexts_.try_emplace({processOf(integer(s, 21)), integer(s, 3)}, integer(s, 2));
      builder_.addLaunch({.kind = SpanKind::kernel,
                          .name = textOf(name.value_or(-1)),
                          .queued = time(s, 19),
                          .submitted = time(s, 20),
                          .start = time(s, 0),
                          .end = time(s, 1),
                          .deviceLane = stream(integer(s, 2), integer(s, 4), integer(s, 21)),
                          .correlation = static_cast<std::uint64_t>(integer(s, 5)),
                          .callingProcess = callerOf(integer(s, 21)),
                          .graph = size(s, 17),
                          .graphNode = static_cast<std::uint64_t>(integer(s, 18)),
                          .grid = {size(s, 8), size(s, 9), size(s, 10)},
                          .block = {size(s, 11), size(s, 12), size(s, 13)},
                          .registers = size(s, 14),
                          .staticShared = size(s, 15),
                          .dynamicShared = size(s, 16),
                          .device = static_cast<std::int32_t>(integer(s, 2)),
                          .context = static_cast<std::int32_t>(integer(s, 3))});
    }
  }

  void readMemory(const char* table, bool copies) {
    // CUpti_ActivityMemcpyKind
    constexpr const char* kWays[] = {"",     "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                                     "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
    Statement s = select(table, {"start", "end", "deviceId", "contextId", "streamId",
                                 "correlationId", "bytes", "copyKind", "graphNodeId", "globalPid"});
    while (step(s)) {
      const std::int64_t way = integer(s, 7);
      contexts_.try_emplace({processOf(integer(s, 9)), integer(s, 3)}, integer(s, 2));
      const std::string name =
          !copies ? std::string("Memset")
                  : fmt::format("Memcpy {}", way > 0 && way <= 10 ? kWays[way] : "");
      builder_.addLaunch({.kind = copies ? SpanKind::copy : SpanKind::set,
                          .name = name,
                          .start = time(s, 0),
                          .end = time(s, 1),
                          .deviceLane = stream(integer(s, 2), integer(s, 4), integer(s, 9)),
                          .correlation = static_cast<std::uint64_t>(integer(s, 5)),
                          .callingProcess = callerOf(integer(s, 9)),
                          .graphNode = static_cast<std::uint64_t>(integer(s, 8)),
                          .bytesRead = copies ? maybe(s, 6).value_or(-1) : -1,
                          .bytesWritten = maybe(s, 6).value_or(-1),
                          .device = static_cast<std::int32_t>(integer(s, 2)),
                          .context = static_cast<std::int32_t>(integer(s, 3))});
    }
  }

  /// Reads graphs that are recorded as a whole, which is the profiler's default.
  void readGraphs() {
    Statement s = select("CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                         {"start", "end", "deviceId", "contextId", "streamId", "correlationId",
                          "graphId", "globalPid"});
    while (step(s)) {
      const std::string name = fmt::format("graph {}", integer(s, 6));
      builder_.addLaunch({.kind = SpanKind::graph,
                          .name = name,
                          .start = time(s, 0),
                          .end = time(s, 1),
                          .deviceLane = stream(integer(s, 2), integer(s, 4), integer(s, 7)),
                          .correlation = static_cast<std::uint64_t>(integer(s, 5)),
                          .callingProcess = callerOf(integer(s, 7)),
                          .graph = size(s, 6),
                          .device = static_cast<std::int32_t>(integer(s, 2)),
                          .context = static_cast<std::int32_t>(integer(s, 3))});
    }
  }

  void readSyncs() {
    // CUpti_ActivitySynchronizationType
    constexpr const char* kTypes[] = {"Sync", "Event Sync", "Stream Wait Event", "Stream Sync",
                                      "Context Sync"};
    Statement s =
        select("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
               {"start", "end", "deviceId", "streamId", "syncType", "globalPid", "contextId"});
    while (step(s)) {
      const std::int64_t type = integer(s, 4);
      // A wait is written with the device that its thread had chosen, not with its context's.
      const auto known = contexts_.find({processOf(integer(s, 5)), integer(s, 6)});
      const std::int64_t device = known == contexts_.end() ? integer(s, 2) : known->second;
      builder_.addSpan({stream(device, integer(s, 3), integer(s, 5)), SpanKind::sync,
                        kTypes[type > 0 && type <= 4 ? type : 0], time(s, 0), time(s, 1)});
    }
  }

  /// Calls of libraries and of the operating system.
  void readSpans(const char* table, SpanKind kind) {
    Statement s = select(table, {"start", "end", "globalTid", "nameId"});
    while (step(s))
      builder_.addSpan({host(integer(s, 2)), kind, textOf(integer(s, 3)), time(s, 0), time(s, 1)});
  }

  /// Rows with a begin and an end of tables that nothing is read of here.
  void countForeignRows() {
    static const std::set<std::string> kRead = {"CUPTI_ACTIVITY_KIND_KERNEL",
                                                "CUPTI_ACTIVITY_KIND_MEMCPY",
                                                "CUPTI_ACTIVITY_KIND_MEMSET",
                                                "CUPTI_ACTIVITY_KIND_RUNTIME",
                                                "CUPTI_ACTIVITY_KIND_DRIVER",
                                                "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                                                "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                                "NVTX_EVENTS",
                                                "OSRT_API",
                                                "CUDNN_EVENTS",
                                                "CUBLAS_EVENTS"};
    std::vector<std::string> names;
    Statement tables = prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
    while (step(tables) && names.size() < kMostTables) names.push_back(text(tables, 0));
    const auto isPlain = [](const std::string& name) {
      return std::ranges::all_of(name, [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
               (c >= 'a' && c <= 'z');
      });
    };
    for (const std::string& name : names) {
      if (kRead.contains(name) || !isPlain(name)) continue;
      const auto& has = columns(name);
      if (!has.contains("start") || !has.contains("end")) continue;
      Statement s = prepare("SELECT count(*) FROM \"" + name + "\"");
      if (step(s)) builder_.remarks().foreignRows += static_cast<std::uint64_t>(integer(s, 0));
    }
  }

  void readCalls(const char* table) {
    Statement s = select(table, {"start", "end", "globalTid", "correlationId", "nameId"});
    while (step(s)) {
      const std::string_view name = textOf(integer(s, 4));
      // Calls of the driver are in the runtime's table, too; their names begin as cuLaunchKernel.
      const bool driver = name.starts_with("cu") && !name.starts_with("cuda");
      builder_.addSpan({host(integer(s, 2)), driver ? SpanKind::driver : SpanKind::runtime, name,
                        time(s, 0), time(s, 1), static_cast<std::uint64_t>(integer(s, 3))});
    }
  }

  void readRanges() {
    // Pushed and popped (59), started and ended (60): the documentation's NvtxEventType.
    Statement s =
        select("NVTX_EVENTS", {"start", "end", "globalTid", "text", "textId", "eventType"});
    while (step(s)) {
      const auto type = maybe(s, 5).value_or(59);
      if (!maybe(s, 1) || (type != 59 && type != 60)) {  // marks have no end
        ++builder_.remarks().marks;
        continue;
      }
      const std::string own = text(s, 3);
      builder_.addSpan({host(integer(s, 2)), SpanKind::annotation,
                        own.empty() ? textOf(integer(s, 4)) : std::string_view(own), time(s, 0),
                        time(s, 1)});
    }
  }

  void readDevice() {
    Statement s = select("TARGET_INFO_GPU", {"name"});
    std::vector<std::string> models;
    while (step(s) && models.size() < kMostTables) models.push_back(text(s, 0));
    builder_.setDevices(models);
  }

  /// Samples of each GPU. The low byte of the type is its number.
  void readMetrics() {
    std::map<std::int64_t, std::string> names;
    if (!columns("TARGET_INFO_GPU_METRICS").empty()) {
      Statement s = select("TARGET_INFO_GPU_METRICS", {"metricId", "metricName"});
      while (step(s) && names.size() < kMostTables) names.try_emplace(integer(s, 0), text(s, 1));
    }
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> counters;
    Statement s = select("GPU_METRICS", {"timestamp", "typeId", "metricId", "value"});
    while (step(s)) {
      const std::int64_t device = integer(s, 1) & 0xFF, metric = integer(s, 2);
      const auto [at, isNew] = counters.try_emplace({device, metric}, 0);
      if (isNew) {
        const auto named = names.find(metric);
        auto [name, unit] =
            nameAndUnit(named == names.end() ? fmt::format("metric {}", metric) : named->second);
        at->second = builder_.counter({.process = device,
                                       .processName = fmt::format("GPU {}", device),
                                       .name = fmt::format("{}, GPU {}", name, device),
                                       .unit = std::move(unit)});
      }
      builder_.addCount(at->second, time(s, 0), sqlite3_column_double(s.get(), 3));
    }
  }

  void readThreadNames() {
    Statement s = select("ThreadNames", {"globalTid", "nameId"});
    while (step(s)) {
      const std::int64_t global = integer(s, 0);
      if (hosts_.contains(global))
        builder_.lane({Lane::Kind::host, processOf(global), threadOf(global), "",
                       std::string(textOf(integer(s, 1)))});
    }
  }

  std::string path_;
  const TraceProgress& progress_;
  const DatabaseBudget budget_;
  TraceBuilder builder_;
  std::unique_ptr<sqlite3, CloseDatabase> database_;
  std::map<std::string, std::map<std::string, bool>> columns_;
  std::unordered_map<std::int64_t, std::string> texts_;
  std::unordered_map<std::int64_t, LaneId> hosts_;
  struct Stream {
    LaneId lane = 0;
    std::int64_t thread = 0;  ///< its number, unless another process has a stream of that number
  };
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Stream> streams_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> contexts_;  ///< their devices
  std::set<std::pair<std::int64_t, std::int64_t>> taken_;
  std::set<std::int64_t> processes_;  ///< that use devices
  std::string partial_;
  std::uint64_t steps_ = 0, looks_ = 0;
  bool canceled_ = false, exhausted_ = false;
  double share_ = 0;
};

}  // namespace

std::shared_ptr<const Trace> importNsysTrace(const std::string& path, const TraceProgress& progress,
                                             const DatabaseBudget& budget) {
  return NsysReader(path, progress, budget).read();
}

}  // namespace fusebench
