// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/operator_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/base/saying.h"
#include "profiler/files/csv_text.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/recorded_tensors.h"
#include "profiler/trace/trace_steps.h"

namespace fusebench {
namespace {

constexpr std::string_view kUnknownOperator = toBeSaid("no operator recorded");
constexpr std::string_view kOutsideModules = toBeSaid("outside of modules");
constexpr std::string_view kNoStream = toBeSaid("no kernels of its own");
constexpr std::array<std::string_view, kOperatorKeys> kKeyNames = {"operator", "module", "shape",
                                                                   "step", "stream"};

/// Texts by number, the empty one first.
class NumberedTexts {
 public:
  std::uint32_t of(std::string_view text) {
    const auto [found, isNew] =
        numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
    if (isNew) texts_.emplace_back(text);
    return found->second;
  }
  const std::string& text(std::uint32_t number) const { return texts_[number]; }

 private:
  std::vector<std::string> texts_{std::string()};
  std::unordered_map<std::string, std::uint32_t> numbers_{{std::string(), 0}};
};

/// The parts that make a group.
struct GroupKey {
  std::uint32_t op = 0, module = 0, shapes = 0, dtypes = 0, step = 0, stream = 0;
  bool operator==(const GroupKey&) const = default;
};
struct HashOfKey {
  std::size_t operator()(const GroupKey& key) const {
    std::size_t hash = 0;
    for (const std::uint32_t part :
         {key.op, key.module, key.shapes, key.dtypes, key.step, key.stream})
      hash = (hash ^ part) * 0x9E3779B97F4A7C15U + (hash >> 29U);
    return hash;
  }
};

class Grouper {
 public:
  Grouper(const Trace& trace, const OperatorFrames& frames, std::span<const OperatorKey> keys)
      : trace_(trace), frames_(frames) {
    for (const OperatorKey key : keys) by_[static_cast<std::size_t>(key)] = true;
    if (has(OperatorKey::step)) steps_.emplace(trace);
    severalDevices_ = devicesOf(trace).size() > 1;
    unknown_ = texts_.of(said(kUnknownOperator));
  }

  std::vector<OperatorGroup> group(std::vector<std::uint32_t>* groupOfFrame) {
    if (groupOfFrame) groupOfFrame->assign(frames_.frames.size(), kNoGroup);
    std::size_t next = 0;  // for the executions, which are in order of frames
    struct Open {
      FrameId frame;
      std::size_t group;
    };
    std::vector<Open> open;
    const bool operatorsOnly = has(OperatorKey::op) || has(OperatorKey::shape);
    for (FrameId id = 0; id < frames_.frames.size(); ++id) {
      const OperatorFrame& frame = frames_.frames[id];
      const std::size_t first = next;
      while (next < frames_.executions.size() && frames_.executions[next].frame == id) ++next;
      const auto own = std::span(frames_.executions).subspan(first, next - first);
      whole_ += frames_.device ? frame.deviceSelf : frame.hostSelf;
      while (!open.empty() && open.back().frame != frame.parent) {
        --depth_[open.back().group];
        open.pop_back();
      }
      if (operatorsOnly && frame.kind != OperatorFrame::Kind::op) {
        // It belongs to no group, but its callees may belong to one that is open.
        open.push_back({id, place({})});
        ++depth_[open.back().group];
        continue;
      }
      const std::size_t at = place(keyOf(frame, own));
      add(frame, at, own);
      if (groupOfFrame) (*groupOfFrame)[id] = static_cast<std::uint32_t>(at);
      open.push_back({id, at});
      ++depth_[at];
    }
    return finish(groupOfFrame);
  }

 private:
  bool has(OperatorKey key) const { return by_[static_cast<std::size_t>(key)]; }

  GroupKey keyOf(const OperatorFrame& frame, std::span<const OperatorFrames::Execution> own) {
    GroupKey key;
    if (has(OperatorKey::op) || has(OperatorKey::shape))
      key.op = frame.name == 0 ? unknown_ : texts_.of(trace_.nameText(frame.name));
    if (has(OperatorKey::module))
      key.module = texts_.of(frame.module == 0 ? said(kOutsideModules)
                                               : std::string_view(frames_.modules[frame.module]));
    if (has(OperatorKey::shape)) std::tie(key.shapes, key.dtypes) = shapesOf(frame);
    if (has(OperatorKey::step)) key.step = texts_.of(steps_->at(frame.start, frame.lane));
    if (has(OperatorKey::stream))
      key.stream = own.empty() ? texts_.of(said(kNoStream)) : streamOf(own.front().event);
    return key;
  }

  std::pair<std::uint32_t, std::uint32_t> shapesOf(const OperatorFrame& frame) {
    const OperatorArguments* known =
        frame.event == kNoEvent ? nullptr : trace_.operatorArguments(frame.event);
    if (!known) return {0, 0};
    const std::uint64_t pair = std::uint64_t{known->shapes} << 32U | known->types;
    const auto [found, isNew] = shapes_.try_emplace(pair);
    if (isNew) {
      const auto tensors =
          recordedTensors(trace_.nameText(known->shapes), trace_.nameText(known->types));
      found->second = {texts_.of(shapesText(tensors)), texts_.of(dtypesText(tensors))};
    }
    return found->second;
  }

  std::uint32_t streamOf(EventId execution) {
    const LaneId lane = trace_.rows()[trace_.rowOf(execution)].lane;
    const auto [found, isNew] = streams_.try_emplace(lane, 0);
    if (isNew) {
      const Lane& of = trace_.lanes()[lane];
      found->second = texts_.of(
          severalDevices_ && !of.processName.empty() ? of.name + " · " + of.processName : of.name);
    }
    return found->second;
  }

  std::size_t place(const GroupKey& key) {
    const auto [found, isNew] = places_.try_emplace(key, groups_.size());
    if (isNew) {
      groups_.emplace_back();
      lengths_.push_back(-1);
      depth_.push_back(0);
    }
    return found->second;
  }

  void add(const OperatorFrame& frame, std::size_t at,
           std::span<const OperatorFrames::Execution> own) {
    OperatorGroup& group = groups_[at];
    const bool modules =
        has(OperatorKey::module) && !has(OperatorKey::op) && !has(OperatorKey::shape);
    using Kind = OperatorFrame::Kind;
    group.calls += frame.kind == (modules ? Kind::module : Kind::op);
    group.kernels += frame.kernels;
    group.hostSelf += frame.hostSelf;
    group.deviceSelf += frame.deviceSelf;
    if (depth_[at] == 0) {
      group.hostTotal += frame.hostTotal;
      group.deviceTotal += frame.deviceTotal;
    }
    const EventId shown = frame.event != kNoEvent ? frame.event
                          : own.empty()           ? kNoEvent
                                                  : own.front().event;
    const Nanoseconds length = frames_.device ? frame.deviceTotal : frame.hostTotal;
    if (shown == kNoEvent || length <= lengths_[at]) return;
    lengths_[at] = length;
    group.longest = shown;
  }

  std::vector<OperatorGroup> finish(std::vector<std::uint32_t>* groupOfFrame) {
    for (const auto& [key, at] : places_) {
      OperatorGroup& group = groups_[at];
      group.op = texts_.text(key.op);
      group.module = texts_.text(key.module);
      group.shapes = texts_.text(key.shapes);
      group.dtypes = texts_.text(key.dtypes);
      group.step = texts_.text(key.step);
      group.stream = texts_.text(key.stream);
      const Nanoseconds self = frames_.device ? group.deviceSelf : group.hostSelf;
      group.share = whole_ > 0 ? static_cast<double>(self) / static_cast<double>(whole_) : 0;
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t at = 0; at < groups_.size(); ++at)
      if (groups_[at].longest != kNoEvent) order.push_back(at);  // else: for what belongs to none
    std::ranges::sort(order, [this](std::uint32_t first, std::uint32_t second) {
      const OperatorGroup &a = groups_[first], &b = groups_[second];
      const auto times = [this](const OperatorGroup& of) {
        return frames_.device ? std::pair(of.deviceSelf, of.hostSelf)
                              : std::pair(of.hostSelf, of.hostTotal);
      };
      if (times(a) != times(b)) return times(a) > times(b);
      return titleOf(a) < titleOf(b);
    });
    std::vector<OperatorGroup> sorted;
    std::vector<std::uint32_t> places(groups_.size(), kNoGroup);
    for (const std::uint32_t at : order) {
      places[at] = static_cast<std::uint32_t>(sorted.size());
      sorted.push_back(std::move(groups_[at]));
    }
    if (groupOfFrame)
      for (std::uint32_t& group : *groupOfFrame)
        if (group != kNoGroup) group = places[group];
    return sorted;
  }

  const Trace& trace_;
  const OperatorFrames& frames_;
  std::array<bool, kOperatorKeys> by_{};
  std::optional<TraceSteps> steps_;
  bool severalDevices_ = false;
  NumberedTexts texts_;
  std::uint32_t unknown_ = 0;
  std::unordered_map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> shapes_;
  std::unordered_map<LaneId, std::uint32_t> streams_;
  std::unordered_map<GroupKey, std::size_t, HashOfKey> places_;
  std::vector<OperatorGroup> groups_;
  std::vector<Nanoseconds> lengths_;  ///< for the longest call of each
  std::vector<std::uint32_t> depth_;  ///< calls of each group that are open
  Nanoseconds whole_ = 0;
};

}  // namespace

std::string_view nameOf(OperatorKey key) {
  return kKeyNames[std::min(static_cast<std::size_t>(key), kOperatorKeys - 1)];
}

std::vector<OperatorKey> operatorKeysNamed(std::string_view list) {
  std::vector<OperatorKey> keys;
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    const auto found = std::ranges::find(kKeyNames, name);
    if (found == kKeyNames.end())
      throw InputError(
          saying("--by: \"{}\" is not a grouping; use operator, module, shape, step or "
                 "stream, or several of them with commas",
                 name));
    const auto key = static_cast<OperatorKey>(found - kKeyNames.begin());
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    if (comma == std::string_view::npos) return keys;
    list.remove_prefix(comma + 1);
  }
}

std::vector<OperatorGroup> operatorGroups(const Trace& trace, const OperatorFrames& frames,
                                          std::span<const OperatorKey> keys,
                                          std::vector<std::uint32_t>* groupOfFrame) {
  return Grouper(trace, frames, keys).group(groupOfFrame);
}

std::string titleOf(const OperatorGroup& group) {
  std::string title;
  for (const std::string* part :
       {&group.step, &group.stream, &group.module, &group.op, &group.shapes, &group.dtypes})
    if (!part->empty()) title += (title.empty() ? "" : " · ") + *part;
  return title;
}

std::string operatorsCsv(std::span<const OperatorReport> reports) {
  std::string text =
      "trace,operator,module,shapes,dtypes,step,stream,calls,kernels,host_total_ns,host_self_ns,"
      "device_total_ns,device_self_ns,share\n";
  for (const OperatorReport& report : reports)
    for (const OperatorGroup& one : report.groups)
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{:.6g}\n", csvField(report.title),
                          csvField(one.op), csvField(one.module), csvField(one.shapes),
                          csvField(one.dtypes), csvField(one.step), csvField(one.stream), one.calls,
                          one.kernels, one.hostTotal, one.hostSelf, one.deviceTotal, one.deviceSelf,
                          one.share);
  return text;
}

nlohmann::ordered_json operatorsJson(std::span<const OperatorReport> reports,
                                     std::span<const OperatorKey> keys) {
  using Json = nlohmann::ordered_json;
  Json object = {{"fusebench", "trace operators"}};
  object["by"] = Json::array();
  for (const OperatorKey key : keys) object["by"].push_back(nameOf(key));
  object["traces"] = Json::array();
  const auto known = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  for (const OperatorReport& report : reports) {
    Json groups = Json::array();
    for (const OperatorGroup& one : report.groups)
      groups.push_back({{"operator", known(one.op)},
                        {"module", known(one.module)},
                        {"shapes", known(one.shapes)},
                        {"dtypes", known(one.dtypes)},
                        {"step", known(one.step)},
                        {"stream", known(one.stream)},
                        {"calls", one.calls},
                        {"kernels", one.kernels},
                        {"host_total_ns", one.hostTotal},
                        {"host_self_ns", one.hostSelf},
                        {"device_total_ns", report.device ? Json(one.deviceTotal) : Json()},
                        {"device_self_ns", report.device ? Json(one.deviceSelf) : Json()},
                        {"share", one.share}});
    object["traces"].push_back({{"title", report.title}, {"groups", std::move(groups)}});
  }
  return object;
}

}  // namespace fusebench
