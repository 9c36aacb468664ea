// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/saved_values.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace fusebench {
namespace {

/// Edges with capacities; the search is for the smallest set that separates two nodes.
class FlowGraph {
 public:
  using Node = std::int32_t;
  static constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max() / 4;

  explicit FlowGraph(std::size_t nodes) : first_(nodes, -1) {}

  Node add() {
    first_.push_back(-1);
    return static_cast<Node>(first_.size()) - 1;
  }
  void join(Node from, Node to, std::int64_t capacity) {
    edges_.push_back({to, first_[at(from)], capacity});
    first_[at(from)] = static_cast<std::int32_t>(edges_.size()) - 1;
    edges_.push_back({from, first_[at(to)], 0});  // flow that can be reversed
    first_[at(to)] = static_cast<std::int32_t>(edges_.size()) - 1;
  }

  void fill(Node source, Node sink) {
    while (const std::int64_t flow = reach(source, sink))
      for (Node node = sink; node != source; node = edges_[at(by_[at(node)] ^ 1)].to) {
        edges_[at(by_[at(node)])].left -= flow;
        edges_[at(by_[at(node)] ^ 1)].left += flow;
      }
  }

  /// The nodes from which more could flow to the sink.
  std::vector<bool> beforeSink(Node sink) const {
    std::vector<bool> found(first_.size(), false);
    std::vector<Node> open{sink};
    found[at(sink)] = true;
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      for (std::int32_t e = first_[at(node)]; e >= 0; e = edges_[at(e)].next) {
        const Node from = edges_[at(e)].to;
        if (edges_[at(e ^ 1)].left == 0 || found[at(from)]) continue;
        found[at(from)] = true;
        open.push_back(from);
      }
    }
    return found;
  }

 private:
  struct Edge {
    Node to;
    std::int32_t next;  ///< next edge of the same node; -1: none
    std::int64_t left;
  };
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

  /// Finds a shortest path on which more can flow. Returns how much.
  std::int64_t reach(Node source, Node sink) {
    by_.assign(first_.size(), -1);
    std::vector<std::int64_t> flow(first_.size(), 0);
    std::vector<Node> open{source};
    flow[at(source)] = kUnbounded;
    for (std::size_t next = 0; next < open.size() && flow[at(sink)] == 0; ++next) {
      const Node node = open[next];
      for (std::int32_t e = first_[at(node)]; e >= 0; e = edges_[at(e)].next) {
        const Edge& edge = edges_[at(e)];
        if (edge.left == 0 || flow[at(edge.to)] > 0) continue;
        flow[at(edge.to)] = std::min(flow[at(node)], edge.left);
        by_[at(edge.to)] = e;
        open.push_back(edge.to);
      }
    }
    return flow[at(sink)];
  }

  std::vector<std::int32_t> first_;  ///< per node: its first edge
  std::vector<Edge> edges_;          ///< each next to its opposite
  std::vector<std::int32_t> by_;     ///< per node: the edge that it was reached by
};

}  // namespace

bool isCheapAnew(const Op& op) {
  return op.row->kind == OpKind::pointwise && op.segment < 0;
}

std::vector<bool> savedValues(const GradientOps& ops, std::size_t inputs,
                              const std::set<ValueId>& needed, const std::vector<bool>& free) {
  using Node = FlowGraph::Node;
  const std::vector<Op>& all = ops.program().ops;
  const std::size_t count = all.size();
  FlowGraph graph(2 * count + 2);
  const auto source = static_cast<Node>(2 * count), sink = source + 1;
  const auto before = [](std::size_t op) { return static_cast<Node>(2 * op); };
  const auto after = [](std::size_t op) { return static_cast<Node>(2 * op + 1); };
  const auto bytes = [&](std::size_t op) -> std::int64_t {
    // A view is kept together with everything that it is a view of.
    std::size_t value = inputs + op;
    while (value >= inputs && all[value - inputs].row->kind == OpKind::view)
      value = static_cast<std::size_t>(all[value - inputs].operands[0].value);
    if (value < inputs) return 0;
    if (value < free.size() && free[value]) return 0;
    const ValueType& type = ops.type(static_cast<ValueId>(value));
    return checkedMultiply(elementCount(type.shape),
                           static_cast<std::int64_t>(info(type.dtype).size));
  };
  std::set<ValueId> written;  // tensors that hold something else later
  for (const Op& op : all)
    if (op.writesInto()) written.insert(writtenRoot(ops.program(), op.into));
  const auto isWritten = [&](ValueId value) {
    return !written.empty() && written.contains(writtenRoot(ops.program(), value));
  };
  const auto isAnew = [&](std::size_t i) {
    return isCheapAnew(all[i]) && !isWritten(static_cast<ValueId>(inputs + i)) &&
           std::ranges::none_of(all[i].operands, [&](const Operand& operand) {
             return !operand.isNumber() && isWritten(operand.value);
           });
  };
  for (std::size_t i = 0; i < count; ++i) {
    graph.join(before(i), after(i), bytes(i));
    if (needed.contains(static_cast<ValueId>(inputs + i)))
      graph.join(after(i), sink, FlowGraph::kUnbounded);
    if (!isAnew(i)) {
      graph.join(source, before(i), FlowGraph::kUnbounded);
      continue;
    }
    const Shape& shape = ops.type(static_cast<ValueId>(inputs + i)).shape;
    for (const Operand& operand : all[i].operands) {
      if (operand.isNumber() || operand.value < static_cast<ValueId>(inputs)) continue;
      const std::size_t made = static_cast<std::size_t>(operand.value) - inputs;
      if (ops.type(operand.value).shape == shape) {
        graph.join(after(made), before(i), FlowGraph::kUnbounded);
        continue;
      }
      // A value that is repeated along a dimension is read instead of being recomputed for each
      // repetition.
      const Node read = graph.add();
      graph.join(source, read, bytes(made));
      graph.join(read, before(i), FlowGraph::kUnbounded);
    }
  }
  graph.fill(source, sink);
  const std::vector<bool> cut = graph.beforeSink(sink);
  std::vector<bool> saved(inputs + count, false);
  for (std::size_t i = 0; i < count; ++i)
    saved[inputs + i] =
        cut[static_cast<std::size_t>(after(i))] && !cut[static_cast<std::size_t>(before(i))];
  return saved;
}

}  // namespace fusebench
