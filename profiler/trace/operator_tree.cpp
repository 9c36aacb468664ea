// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/operator_tree.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "engine/base/saying.h"
#include "profiler/trace/trace_steps.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostNodes = 200'000;
constexpr std::size_t kMostCallers = 64;  // for what took the time, in the tree of callers
constexpr std::string_view kNameless = toBeSaid("no operator recorded");
constexpr std::string_view kAllCalls = toBeSaid("all");

/// Finds or makes the children of nodes.
class TreeMaker {
 public:
  TreeMaker() { tree.nodes.emplace_back(); }

  /// The parent itself where there are nodes enough.
  std::uint32_t child(std::uint32_t parent, OperatorNode::Kind kind, NameId name) {
    const Key key{parent, static_cast<std::uint32_t>(kind), name};
    if (const auto found = places_.find(key); found != places_.end()) return found->second;
    if (tree.nodes.size() >= kMostNodes) {
      tree.complete = false;
      return parent;
    }
    const auto node = static_cast<std::uint32_t>(tree.nodes.size());
    OperatorNode& made = tree.nodes.emplace_back();
    made.kind = kind;
    made.name = name;
    made.parent = parent;
    tree.nodes[parent].children.push_back(node);
    places_.emplace(key, node);
    return node;
  }

  OperatorTree finish() {
    for (OperatorNode& node : tree.nodes)
      std::ranges::stable_sort(node.children, [this](std::uint32_t a, std::uint32_t b) {
        return tree.timeOf(a) > tree.timeOf(b);
      });
    return std::move(tree);
  }

  OperatorTree tree;

 private:
  struct Key {
    std::uint32_t parent, kind, name;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return (std::size_t{key.parent} << 32U ^ key.name) * 0x9E3779B97F4A7C15U + key.kind;
    }
  };
  std::unordered_map<Key, std::uint32_t, Hash> places_;
};

OperatorNode::Kind nodeKind(OperatorFrame::Kind kind) {
  return kind == OperatorFrame::Kind::module  ? OperatorNode::Kind::module
         : kind == OperatorFrame::Kind::range ? OperatorNode::Kind::range
                                              : OperatorNode::Kind::op;
}

}  // namespace

OperatorTree operatorTree(const Trace& trace, const OperatorFrames& frames) {
  TreeMaker maker;
  maker.tree.device = frames.device;
  std::vector<std::uint32_t> nodeOf(frames.frames.size());
  std::vector<Nanoseconds> lengths(1, -1);  // for the longest call of each node
  const auto note = [&](std::uint32_t node, EventId event, Nanoseconds length) {
    lengths.resize(maker.tree.nodes.size(), -1);
    if (event == kNoEvent || length <= lengths[node]) return;
    lengths[node] = length;
    maker.tree.nodes[node].longest = event;
  };
  std::size_t next = 0;
  for (FrameId id = 0; id < frames.frames.size(); ++id) {
    const OperatorFrame& frame = frames.frames[id];
    const std::uint32_t parent = frame.parent == kNoFrame ? 0 : nodeOf[frame.parent];
    const std::uint32_t at = maker.child(parent, nodeKind(frame.kind), frame.name);
    nodeOf[id] = at;
    OperatorNode& node = maker.tree.nodes[at];
    if (at != parent) {
      ++node.calls;
      node.hostTotal += frame.hostTotal;
    }
    node.hostSelf += frame.hostSelf;
    note(at, frame.event, frames.device ? frame.deviceTotal : frame.hostTotal);
    for (; next < frames.executions.size() && frames.executions[next].frame == id; ++next) {
      const OperatorFrames::Execution& one = frames.executions[next];
      const std::uint32_t kernel =
          maker.child(at, OperatorNode::Kind::kernel, trace.nameId(one.event));
      OperatorNode& of = maker.tree.nodes[kernel];
      of.calls += kernel != at;
      of.deviceSelf += one.time;
      note(kernel, one.event, one.time);
    }
  }
  std::vector<OperatorNode>& nodes = maker.tree.nodes;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    nodes[i].deviceTotal += nodes[i].deviceSelf;
    if (i == 0) break;
    nodes[nodes[i].parent].deviceTotal += nodes[i].deviceTotal;
    if (nodes[i].parent == 0) nodes[0].hostTotal += nodes[i].hostTotal;
  }
  return maker.finish();
}

OperatorTree callersTree(const OperatorTree& tree) {
  TreeMaker maker;
  maker.tree.device = tree.device;
  maker.tree.complete = tree.complete;
  for (std::uint32_t node = 1; node < tree.nodes.size(); ++node) {
    const OperatorNode& top = tree.nodes[node];
    if ((tree.device ? top.deviceSelf : top.hostSelf) == 0) continue;
    std::uint32_t at = 0;
    std::size_t depth = 0;
    for (std::uint32_t caller = node; caller != 0 && depth < kMostCallers;
         caller = tree.nodes[caller].parent, ++depth) {
      const std::uint32_t child = maker.child(at, tree.nodes[caller].kind, tree.nodes[caller].name);
      if (child == at) break;  // there are nodes enough
      at = child;
      OperatorNode& made = maker.tree.nodes[at];
      made.calls += top.calls;
      made.hostTotal += top.hostSelf;
      made.deviceTotal += top.deviceSelf;
      if (depth == 0) {
        made.hostSelf += top.hostSelf;
        made.deviceSelf += top.deviceSelf;
      }
      if (made.longest == kNoEvent) made.longest = top.longest;
    }
    maker.tree.nodes[0].hostTotal += top.hostSelf;
    maker.tree.nodes[0].deviceTotal += top.deviceSelf;
  }
  return maker.finish();
}

std::uint32_t nodeOf(const Trace& trace, const OperatorTree& tree, EventId event) {
  const auto childOf = [&](std::uint32_t node, OperatorNode::Kind kind, NameId name) {
    for (const std::uint32_t child : tree.nodes[node].children)
      if (tree.nodes[child].kind == kind && tree.nodes[child].name == name) return child;
    return std::uint32_t{0};
  };
  const bool execution = isDeviceWork(trace.kind(event));
  const EventId call = execution ? trace.link(event) : event;
  std::uint32_t node = 0;
  if (call != kNoEvent) {
    std::size_t looked = 0;
    for (const TraceRow& row : trace.rowsOf(trace.rows()[trace.rowOf(call)].lane)) {
      if (++looked > kMostRowsAround) break;
      const EventId around = trace.firstEndingAfter(row, trace.start(call));
      if (around == row.last || trace.start(around) > trace.start(call)) continue;
      const auto kind = frameKindOf(trace, around);
      if (!kind) continue;
      const std::uint32_t inner = childOf(node, nodeKind(*kind), trace.nameId(around));
      if (inner == 0) break;
      node = inner;
      if (around == call) return node;
    }
  }
  if (!execution) return frameKindOf(trace, event) ? 0 : node;
  const LaunchDetails* details = trace.details(event);
  const NameId op = details ? details->op : 0;
  if (tree.nodes[node].kind != OperatorNode::Kind::op || op != 0)
    node = childOf(node, OperatorNode::Kind::op, op);
  return node == 0 ? 0 : childOf(node, OperatorNode::Kind::kernel, trace.nameId(event));
}

std::string_view nodeName(const Trace& trace, const OperatorNode& node) {
  if (node.kind == OperatorNode::Kind::root) return said(kAllCalls);
  if (node.name == 0) return said(kNameless);
  const std::string_view name = trace.nameText(node.name);
  return node.kind == OperatorNode::Kind::module ? moduleNamed(name) : name;
}

}  // namespace fusebench
