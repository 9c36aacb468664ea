// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/query_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/base/saying.h"
#include "profiler/trace/kernel_names.h"
#include "profiler/trace/recorded_tensors.h"
#include "profiler/trace/trace_classes.h"
#include "profiler/trace/trace_steps.h"

namespace fusebench {
namespace {

constexpr const char *kInteger = "INTEGER", *kText = "TEXT";

constexpr QueryColumn kEventColumns[] = {
    {"event", kInteger, toBeSaid("the number of the event, which all tables share")},
    {"name", kText, toBeSaid("the name")},
    {"kind", kText,
     toBeSaid("kernel, copy, fill, graph, cpu op, runtime, driver, annotation, ...")},
    {"track", kInteger, toBeSaid("the track that it is on; joins tracks")},
    {"depth", kInteger, toBeSaid("how deep it nests in its track, from 0")},
    {"start_ns", kInteger, toBeSaid("start, from the begin of the trace")},
    {"dur_ns", kInteger, toBeSaid("duration")},
    {"end_ns", kInteger, toBeSaid("end")},
    {"link", kInteger,
     toBeSaid("for a kernel: the call that launched it; for a call: its first kernel")},
};
constexpr QueryColumn kLaneColumns[] = {
    {"track", kInteger, toBeSaid("the number of the track")},
    {"kind", kText, toBeSaid("host or device")},
    {"process", kInteger, toBeSaid("the system's number, or the number of the device")},
    {"thread", kInteger, toBeSaid("the system's number, or the number of the stream")},
    {"process_name", kText, toBeSaid("the name of the process or device")},
    {"name", kText, toBeSaid("the name of the thread or stream")},
};
constexpr QueryColumn kKernelColumns[] = {
    {"event", kInteger, toBeSaid("the event of the execution")},
    {"name", kText, toBeSaid("the whole name")},
    {"short_name", kText, toBeSaid("the name without namespaces and arguments")},
    {"kind", kText, toBeSaid("kernel, copy, fill or graph")},
    {"class", kText, toBeSaid("matmul, pointwise, reduction, ...; unknown")},
    {"library", kText, toBeSaid("the library or vendor, where the name tells it")},
    {"operator", kText, toBeSaid("the operator that launched it")},
    {"call", kInteger, toBeSaid("the event of the call that launched it")},
    {"track", kInteger, toBeSaid("the stream; joins tracks")},
    {"start_ns", kInteger, toBeSaid("start, from the begin of the trace")},
    {"dur_ns", kInteger, toBeSaid("duration")},
    {"delay_ns", kInteger, toBeSaid("from the begin of the call to the start")},
    {"device", kInteger, toBeSaid("the number of the device")},
    {"blocks", kInteger, toBeSaid("blocks of the grid")},
    {"threads", kInteger, toBeSaid("threads per block")},
    {"registers", kInteger, toBeSaid("registers per thread")},
    {"shared_bytes", kInteger, toBeSaid("shared memory per block")},
    {"bytes_read", kInteger, toBeSaid("bytes that it reads, where they are recorded")},
    {"bytes_written", kInteger, toBeSaid("bytes that it writes, where they are recorded")},
    {"correlation", kInteger, toBeSaid("the number that joins it with its call")},
    {"graph", kInteger, toBeSaid("the graph that it belongs to; 0: none")},
    {"step", kText, toBeSaid("the step in which its call began")},
};
constexpr QueryColumn kOperatorColumns[] = {
    {"call", kInteger, toBeSaid("the number of the call of an operator, module or range")},
    {"parent", kInteger, toBeSaid("the call around it; joins operators.call")},
    {"event", kInteger, toBeSaid("its event; NULL: work whose operator was not recorded")},
    {"kind", kText, toBeSaid("operator, module or range")},
    {"name", kText, toBeSaid("the name")},
    {"module", kText, toBeSaid("the path of the modules around it")},
    {"shapes", kText, toBeSaid("the shapes of its tensors")},
    {"dtypes", kText, toBeSaid("the dtypes of its tensors, each once")},
    {"track", kInteger, toBeSaid("the track that it is on; joins tracks")},
    {"start_ns", kInteger, toBeSaid("start, from the begin of the trace")},
    {"host_total_ns", kInteger, toBeSaid("time on the host")},
    {"host_self_ns", kInteger, toBeSaid("the same without the calls inside")},
    {"device_total_ns", kInteger, toBeSaid("time of the kernels that it launched")},
    {"device_self_ns", kInteger, toBeSaid("the same without the calls inside")},
    {"kernels", kInteger, toBeSaid("kernels that it launched by itself")},
};

constexpr QueryColumn kCollectiveColumns[] = {
    {"event", kInteger, toBeSaid("the event of the kernel or of the range around its call")},
    {"name", kText, toBeSaid("the collective")},
    {"dtype", kText, toBeSaid("dtype of its elements")},
    {"process_group", kText, toBeSaid("the process group")},
    {"ranks", kInteger, toBeSaid("ranks of the group")},
    {"elements_in", kInteger, toBeSaid("elements that a rank gives")},
    {"elements_out", kInteger, toBeSaid("elements that a rank gets")},
    {"start_ns", kInteger, toBeSaid("start, from the begin of the trace")},
    {"dur_ns", kInteger, toBeSaid("duration")},
    {"on_device", kInteger, toBeSaid("1: a kernel; 0: a range of the host")},
};

constexpr std::array<QuerySchema, 5> kSchemas = {{
    {"events", toBeSaid("Everything that the timeline shows"), kEventColumns},
    {"tracks", toBeSaid("The tracks of the timeline: threads and streams"), kLaneColumns},
    {"kernels", toBeSaid("Work of devices: kernels, copies, fills and graphs"), kKernelColumns},
    {"operators", toBeSaid("Calls of operators, modules and named ranges"), kOperatorColumns},
    {"collectives", toBeSaid("Collectives whose arguments are recorded"), kCollectiveColumns},
}};

QueryValue orNull(std::int64_t number, std::int64_t unknown) {
  return number == unknown ? QueryValue() : QueryValue(number);
}
QueryValue orNull(std::string_view text) {
  return text.empty() ? QueryValue() : QueryValue(std::string(text));
}
QueryValue number(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

class EventTable : public QueryTable {
 public:
  EventTable(const QuerySchema& schema, std::shared_ptr<const Trace> trace)
      : QueryTable(schema), trace_(std::move(trace)) {}
  std::size_t rows() const override { return trace_->size(); }
  std::optional<std::size_t> find(std::int64_t key) const override {
    if (key < 0 || static_cast<std::uint64_t>(key) >= trace_->size()) return std::nullopt;
    return static_cast<std::size_t>(key);
  }
  QueryValue value(std::size_t row, int column) const override {
    const auto event = static_cast<EventId>(row);
    switch (column) {
      case 0:
        return number(event);
      case 1:
        return std::string(trace_->name(event));
      case 2:
        return std::string(nameOf(trace_->kind(event)));
      case 3:
        return number(trace_->rows()[trace_->rowOf(event)].lane);
      case 4: {
        const std::size_t at = trace_->rowOf(event);
        return number(at - static_cast<std::size_t>(trace_->rowsOf(trace_->rows()[at].lane).data() -
                                                    trace_->rows().data()));
      }
      case 5:
        return trace_->start(event);
      case 6:
        return trace_->duration(event);
      case 7:
        return trace_->end(event);
      default:
        return orNull(trace_->link(event), kNoEvent);
    }
  }

 private:
  std::shared_ptr<const Trace> trace_;
};

class LaneTable : public QueryTable {
 public:
  LaneTable(const QuerySchema& schema, std::shared_ptr<const Trace> trace)
      : QueryTable(schema), trace_(std::move(trace)) {}
  std::size_t rows() const override { return trace_->lanes().size(); }
  std::optional<std::size_t> find(std::int64_t key) const override {
    if (key < 0 || static_cast<std::uint64_t>(key) >= rows()) return std::nullopt;
    return static_cast<std::size_t>(key);
  }
  QueryValue value(std::size_t row, int column) const override {
    const Lane& lane = trace_->lanes()[row];
    switch (column) {
      case 0:
        return number(row);
      case 1:
        return std::string(lane.kind == Lane::Kind::host ? "host" : "device");
      case 2:
        return lane.process;
      case 3:
        return lane.thread;
      case 4:
        return lane.processName;
      default:
        return lane.name;
    }
  }

 private:
  std::shared_ptr<const Trace> trace_;
};

/// Finds the row of an event in a sorted list.
std::optional<std::size_t> placeIn(const std::vector<EventId>& events, std::int64_t key) {
  const auto found = std::ranges::lower_bound(
      events, key, {}, [](EventId event) { return static_cast<std::int64_t>(event); });
  if (found == events.end() || static_cast<std::int64_t>(*found) != key) return std::nullopt;
  return static_cast<std::size_t>(found - events.begin());
}

class KernelQueryTable : public QueryTable {
 public:
  KernelQueryTable(const QuerySchema& schema, std::shared_ptr<const Trace> trace)
      : QueryTable(schema), trace_(std::move(trace)), classes_(*trace_), steps_(*trace_) {
    for (EventId e = 0; e < trace_->size(); ++e)
      if (isDeviceWork(trace_->kind(e))) events_.push_back(e);
  }
  std::size_t rows() const override { return events_.size(); }
  std::optional<std::size_t> find(std::int64_t key) const override { return placeIn(events_, key); }
  QueryValue value(std::size_t row, int column) const override {
    const EventId event = events_[row];
    static const LaunchDetails kUnknown;
    const LaunchDetails* const known = trace_->details(event);
    const LaunchDetails& details = known ? *known : kUnknown;
    switch (column) {
      case 0:
        return number(event);
      case 1:
        return std::string(trace_->name(event));
      case 2:
        return shortName(event);
      case 3:
        return std::string(nameOf(trace_->kind(event)));
      case 4:
        return std::string(nameOf(classes_.of(event).kind));
      case 5:
        return orNull(classes_.of(event).library);
      case 6:
        return orNull(trace_->nameText(operatorOf(event, details)));
      case 7:
        return orNull(trace_->link(event), kNoEvent);
      case 8:
        return number(trace_->rows()[trace_->rowOf(event)].lane);
      case 9:
        return trace_->start(event);
      case 10:
        return trace_->duration(event);
      case 11:
        return trace_->link(event) == kNoEvent
                   ? QueryValue()
                   : QueryValue(trace_->start(event) - trace_->start(trace_->link(event)));
      case 12:
        return orNull(details.device, -1);
      case 13:
        return product(details.grid);
      case 14:
        return product(details.block);
      case 15:
        return orNull(details.registers, 0);
      case 16:
        return number(std::uint64_t{details.staticShared} + details.dynamicShared);
      case 17:
        return orNull(details.bytesRead, -1);
      case 18:
        return orNull(details.bytesWritten, -1);
      case 19:
        return number(details.correlation);
      case 20:
        return number(details.graph);
      default: {
        const EventId call = trace_->link(event) == kNoEvent ? event : trace_->link(event);
        return std::string(
            steps_.at(trace_->start(call), trace_->rows()[trace_->rowOf(call)].lane));
      }
    }
  }

 private:
  std::string shortName(EventId event) const {
    const auto [found, isNew] = shortNames_.try_emplace(trace_->nameId(event));
    if (isNew) found->second = shortKernelName(trace_->name(event));
    return found->second;
  }
  NameId operatorOf(EventId event, const LaunchDetails& details) const {
    return details.op != 0 ? details.op : classes_.operatorOf(event);
  }
  static QueryValue product(const std::array<std::uint32_t, 3>& of) {
    // Three numbers of 32 bits: a hostile one may not fit.
    const double whole = double(of[0]) * of[1] * of[2];
    if (whole == 0 || whole > 9e18) return {};
    return static_cast<std::int64_t>(std::uint64_t{of[0]} * of[1] * of[2]);
  }

  std::shared_ptr<const Trace> trace_;
  mutable KernelClassifier classes_;
  TraceSteps steps_;
  std::vector<EventId> events_;
  mutable std::unordered_map<NameId, std::string> shortNames_;
};

class OperatorQueryTable : public QueryTable {
 public:
  OperatorQueryTable(const QuerySchema& schema, std::shared_ptr<const Trace> trace)
      : QueryTable(schema), trace_(std::move(trace)) {}
  std::size_t rows() const override { return all().frames.size(); }
  std::optional<std::size_t> find(std::int64_t key) const override {
    if (key < 0 || static_cast<std::uint64_t>(key) >= rows()) return std::nullopt;
    return static_cast<std::size_t>(key);
  }
  QueryValue value(std::size_t row, int column) const override {
    constexpr std::array<const char*, 3> kKinds = {"module", "range", "operator"};
    const OperatorFrame& frame = all().frames[row];
    switch (column) {
      case 0:
        return number(row);
      case 1:
        return orNull(frame.parent, kNoFrame);
      case 2:
        return orNull(frame.event, kNoEvent);
      case 3:
        return std::string(kKinds.at(static_cast<std::size_t>(frame.kind)));
      case 4:
        return orNull(trace_->nameText(frame.name));
      case 5:
        return orNull(all().modules[frame.module]);
      case 6:
        return orNull(shapesText(tensorsOf(frame)));
      case 7:
        return orNull(dtypesText(tensorsOf(frame)));
      case 8:
        return number(frame.lane);
      case 9:
        return frame.start;
      case 10:
        return frame.hostTotal;
      case 11:
        return frame.hostSelf;
      case 12:
        return frame.deviceTotal;
      case 13:
        return frame.deviceSelf;
      default:
        return number(frame.kernels);
    }
  }

 private:
  /// Made when it is first asked for: most queries ask for kernels alone.
  const OperatorFrames& all() const {
    if (!frames_) frames_ = operatorFrames(*trace_, recordedOf(*trace_));
    return *frames_;
  }
  const std::vector<RecordedTensor>& tensorsOf(const OperatorFrame& frame) const {
    static const std::vector<RecordedTensor> kNone;
    const OperatorArguments* known =
        frame.event == kNoEvent ? nullptr : trace_->operatorArguments(frame.event);
    if (!known) return kNone;
    const std::uint64_t pair = std::uint64_t{known->shapes} << 32U | known->types;
    const auto [found, isNew] = tensors_.try_emplace(pair);
    if (isNew)
      found->second =
          recordedTensors(trace_->nameText(known->shapes), trace_->nameText(known->types));
    return found->second;
  }

  std::shared_ptr<const Trace> trace_;
  mutable std::optional<OperatorFrames> frames_;
  mutable std::unordered_map<std::uint64_t, std::vector<RecordedTensor>> tensors_;
};

class CollectiveQueryTable : public QueryTable {
 public:
  CollectiveQueryTable(const QuerySchema& schema, std::shared_ptr<const Trace> trace)
      : QueryTable(schema), trace_(std::move(trace)) {
    if (trace_->hasCollectiveArguments())
      for (EventId e = 0; e < trace_->size(); ++e)
        if (trace_->collectiveArguments(e)) events_.push_back(e);
  }
  std::size_t rows() const override { return events_.size(); }
  std::optional<std::size_t> find(std::int64_t key) const override { return placeIn(events_, key); }
  QueryValue value(std::size_t row, int column) const override {
    const EventId event = events_[row];
    const CollectiveArguments& known = *trace_->collectiveArguments(event);
    switch (column) {
      case 0:
        return number(event);
      case 1:
        return std::string(trace_->nameText(known.name));
      case 2:
        return orNull(dtypeRecordedAs(trace_->nameText(known.dtype)));
      case 3:
        return orNull(trace_->nameText(known.group));
      case 4:
        return orNull(known.ranks, 0);
      case 5:
        return orNull(known.elementsIn, -1);
      case 6:
        return orNull(known.elementsOut, -1);
      case 7:
        return trace_->start(event);
      case 8:
        return trace_->duration(event);
      default:
        return number(isDeviceWork(trace_->kind(event)) ? 1 : 0);
    }
  }

 private:
  std::shared_ptr<const Trace> trace_;
  std::vector<EventId> events_;
};

}  // namespace

std::span<const QuerySchema> querySchemas() {
  return kSchemas;
}

std::vector<std::unique_ptr<QueryTable>> queryTables(std::shared_ptr<const Trace> trace) {
  std::vector<std::unique_ptr<QueryTable>> tables;
  tables.push_back(std::make_unique<EventTable>(kSchemas[0], trace));
  tables.push_back(std::make_unique<LaneTable>(kSchemas[1], trace));
  tables.push_back(std::make_unique<KernelQueryTable>(kSchemas[2], trace));
  tables.push_back(std::make_unique<OperatorQueryTable>(kSchemas[3], trace));
  tables.push_back(std::make_unique<CollectiveQueryTable>(kSchemas[4], trace));
  return tables;
}

}  // namespace fusebench
