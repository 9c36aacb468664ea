// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "engine/base/saying.h"
#include "profiler/files/csv_text.h"
#include "profiler/trace/operator_costs.h"
#include "profiler/trace/recorded_tensors.h"

namespace fusebench {
namespace {

constexpr std::array<std::string_view, 4> kBoundNames = {"unknown", "launch", "memory", "compute"};
constexpr double kTera = 1000;  // FLOPs per nanosecond are GFLOP/s

/// The parts of one point.
struct Gathered {
  RooflinePoint point;
  OperatorCost cost;
  Nanoseconds kernels = 0, calls = 0;  ///< time of its kernels and of the calls that launched them
  bool callsKnown = true;
  Nanoseconds hostLink = 0;  ///< part of the kernels' time: copies between the host and a device
  Nanoseconds longest = -1;
  std::string dtype;  ///< for its first tensor
  std::uint32_t place = kNoPoint;
};

/// Between the memory of the host and that of a device, by the name that CUPTI or ROCm gave a copy.
bool crossesHostLink(std::string_view copy) {
  constexpr std::array<std::string_view, 4> kWays = {"HtoD", "DtoH", "HostToDevice",
                                                     "DeviceToHost"};
  return std::ranges::any_of(
      kWays, [copy](std::string_view way) { return copy.find(way) != std::string_view::npos; });
}

void judge(Gathered& of, const DevicePeak* peak) {
  RooflinePoint& point = of.point;
  const auto calls = static_cast<double>(point.calls);
  point.flops = of.cost.flops * calls;
  point.bytes = of.cost.bytes * calls;
  const auto time = static_cast<double>(point.whole);
  if (time > 0) {
    point.tflops = point.flops / time / kTera;
    point.bandwidth = point.bytes / time;
  }
  if (point.bytes > 0) point.intensity = point.flops / point.bytes;
  if (peak) {
    point.peak = peakFor(*peak, of.dtype);
    // PyTorch may compute float32 matmuls in TF32; beyond the rate of float32 it did.
    if (of.dtype == "float32" && point.tflops > point.peak && peak->tf32 > 0)
      point.peak = peak->tf32;
  }
  // The memory of the device does not bound these, and their calls wait for them.
  if (2 * of.hostLink > of.kernels) return;
  if (peak && point.bytes > 0) {
    const double byMemory = point.intensity * peak->bandwidth / kTera;
    const bool computes = point.peak > 0 && byMemory >= point.peak;
    point.bound = computes ? Bound::compute : Bound::memory;
    // Without arithmetic to speak of, bytes are compared.
    point.reached = computes ? point.tflops / point.peak : point.bandwidth / peak->bandwidth;
  }
  if (of.callsKnown && point.kernels > 0 && of.kernels < of.calls) point.bound = Bound::launch;
}

}  // namespace

std::string_view nameOf(Bound bound) {
  return kBoundNames[std::min(static_cast<std::size_t>(bound), kBoundNames.size() - 1)];
}

Roofline rooflineOf(const Trace& trace, const OperatorFrames& frames,
                    std::vector<std::uint32_t>* pointOfFrame) {
  Roofline made;
  made.device = frames.device;
  if (frames.device) made.peak = peakOf(trace.device());
  using Key = std::tuple<NameId, NameId, NameId, NameId>;
  std::map<Key, Gathered> kinds;
  std::vector<Gathered*> ofFrame(pointOfFrame ? frames.frames.size() : 0, nullptr);
  const auto kindOf = [&](const OperatorFrame& frame) -> Gathered& {
    const OperatorArguments* known =
        frame.event == kNoEvent ? nullptr : trace.operatorArguments(frame.event);
    const OperatorArguments arguments = known ? *known : OperatorArguments();
    const auto [at, isNew] = kinds.try_emplace(
        Key(frame.name, arguments.shapes, arguments.types, arguments.values), Gathered());
    Gathered& kind = at->second;
    if (!isNew) return kind;
    const auto tensors =
        recordedTensors(trace.nameText(arguments.shapes), trace.nameText(arguments.types));
    kind.point.op = frame.name == 0 ? std::string(said("no operator recorded"))
                                    : std::string(trace.nameText(frame.name));
    kind.point.shapes = shapesText(tensors);
    kind.point.dtypes = dtypesText(tensors);
    if (!tensors.empty()) kind.dtype = tensors[0].dtype;
    kind.cost = costOf(kind.point.op, tensors, trace.nameText(arguments.values));
    return kind;
  };
  // On a host, an operator that computes may call others that allocate: the innermost one with a
  // known cost counts. Without any, those that call no others count.
  std::vector<bool> callsOthers(frames.frames.size(), false), computes(callsOthers);
  for (FrameId id = static_cast<FrameId>(frames.frames.size()); !frames.device && id-- > 0;) {
    const OperatorFrame& frame = frames.frames[id];
    if (frame.kind != OperatorFrame::Kind::op) continue;
    const bool known = computes[id] || kindOf(frame).cost.bytes > 0;
    if (frame.parent == kNoFrame) continue;
    callsOthers[frame.parent] = true;
    if (known) computes[frame.parent] = true;
  }
  std::size_t next = 0;
  for (FrameId id = 0; id < frames.frames.size(); ++id) {
    const OperatorFrame& frame = frames.frames[id];
    const std::size_t first = next;
    while (next < frames.executions.size() && frames.executions[next].frame == id) ++next;
    if (frame.kind != OperatorFrame::Kind::op) continue;
    Gathered& kind = kindOf(frame);
    const bool taken = frames.device         ? frame.kernels > 0
                       : kind.cost.bytes > 0 ? !computes[id]
                                             : !callsOthers[id];
    if (!taken) continue;
    if (pointOfFrame) ofFrame[id] = &kind;
    if (kind.point.calls == 0)
      kind.point.kind = meaningOfKernel(first < next ? trace.name(frames.executions[first].event)
                                                     : std::string_view(),
                                        trace.nameText(frame.name))
                            .kind;
    ++kind.point.calls;
    const Nanoseconds time = frames.device ? frame.deviceSelf : frame.hostSelf;
    kind.point.time += time;
    kind.point.whole += frames.device ? frame.deviceSelfWhole : frame.hostSelfWhole;
    kind.point.kernels += frame.kernels;
    EventId before = kNoEvent;
    for (std::size_t i = first; i < next; ++i) {
      const EventId execution = frames.executions[i].event;
      kind.kernels += trace.duration(execution);
      if (trace.kind(execution) == SpanKind::copy && crossesHostLink(trace.name(execution)))
        kind.hostLink += trace.duration(execution);
      const EventId call = trace.link(execution);
      if (call == kNoEvent)
        kind.callsKnown = false;
      else if (call != before)  // a graph's kernels share one call
        kind.calls += trace.duration(call);
      before = call;
    }
    if (time > kind.longest) {
      kind.longest = time;
      kind.point.longest = frame.event != kNoEvent ? frame.event
                           : first < next          ? frames.executions[first].event
                                                   : kNoEvent;
    }
  }
  std::vector<Gathered*> order;
  for (auto& [key, kind] : kinds)
    if (kind.point.calls > 0) order.push_back(&kind);
  std::ranges::stable_sort(
      order, [](const Gathered* a, const Gathered* b) { return a->point.time > b->point.time; });
  for (Gathered* one : order) {
    judge(*one, made.peak);
    one->place = static_cast<std::uint32_t>(made.points.size());
    made.points.push_back(std::move(one->point));
  }
  if (pointOfFrame) {
    pointOfFrame->clear();
    for (const Gathered* one : ofFrame) pointOfFrame->push_back(one ? one->place : kNoPoint);
  }
  return made;
}

std::string rooflineCsv(std::span<const RooflineReport> reports) {
  std::string text =
      "trace,operator,shapes,dtypes,calls,kernels,time_ns,flops,bytes,tflops,gb_per_s,"
      "flops_per_byte,peak_tflops,reached,bound,class\n";
  for (const RooflineReport& report : reports)
    for (const RooflinePoint& one : report.roofline.points)
      text += fmt::format(
          "{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{},{}\n",
          csvField(report.title), csvField(one.op), csvField(one.shapes), csvField(one.dtypes),
          one.calls, one.kernels, one.time, one.flops, one.bytes, one.tflops, one.bandwidth,
          one.intensity, one.peak, one.reached, nameOf(one.bound), nameOf(one.kind));
  return text;
}

nlohmann::ordered_json rooflineJson(std::span<const RooflineReport> reports) {
  using Json = nlohmann::ordered_json;
  Json object = {{"fusebench", "trace roofline"}};
  object["traces"] = Json::array();
  const auto known = [](double value) { return value > 0 ? Json(value) : Json(); };
  for (const RooflineReport& report : reports) {
    Json points = Json::array();
    for (const RooflinePoint& one : report.roofline.points)
      points.push_back({{"operator", one.op},
                        {"shapes", one.shapes},
                        {"dtypes", one.dtypes},
                        {"calls", one.calls},
                        {"kernels", one.kernels},
                        {"time_ns", one.time},
                        {"flops", known(one.flops)},
                        {"bytes", known(one.bytes)},
                        {"tflops", known(one.tflops)},
                        {"gb_per_s", known(one.bandwidth)},
                        {"flops_per_byte", known(one.intensity)},
                        {"peak_tflops", known(one.peak)},
                        {"reached", known(one.reached)},
                        {"bound", nameOf(one.bound)},
                        {"class", nameOf(one.kind)}});
    const DevicePeak* const peak = report.roofline.peak;
    object["traces"].push_back({{"title", report.title},
                                {"device", report.device},
                                {"peak_gb_per_s", peak ? Json(peak->bandwidth) : Json()},
                                {"peak_source", peak ? Json(peak->source) : Json()},
                                {"points", std::move(points)}});
  }
  return object;
}

}  // namespace fusebench
