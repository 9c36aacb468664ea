// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <span>
#include <vector>

#include "engine/base/short_list.h"
#include "engine/device/tensor.h"
#include "engine/language/program.h"

namespace fusebench {

/// The tape that eager records for each call, as a framework does, and reads back: a node for each
/// op that a gradient may pass through, created when the op runs, with the nodes of its operands
/// and the tensors that its derivative reads. The backward pass takes the most recent node that no
/// other node is waiting for.
class Tape {
 public:
  struct Node {
    int op = -1;                 ///< op of the program that runs
    std::uint64_t sequence = 0;  ///< increases as nodes are created
    ShortList<Node*, 3> edges;   ///< nodes of its operands; null: no node
    std::vector<Tensor> saved;   ///< in the order of Differentiated::Entry
    int waitsFor = 0;            ///< nodes whose gradients come through here before
  };

  /// Clears a call. `values`: number of the program's values.
  void begin(std::size_t values);
  /// Records an op. `result`: the value that it created.
  Node& record(int op, const Op& written, ValueId result);
  /// Starts the backward pass at the node that created a value; determines the dependencies.
  void goBack(ValueId from);
  /// The next node in the backward pass; null: there is none left.
  Node* next();
  std::size_t nodes() const { return nodes_.size(); }

 private:
  struct Earlier {
    bool operator()(const Node* a, const Node* b) const { return a->sequence < b->sequence; }
  };

  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<Node*> madeBy_;  ///< per value
  std::priority_queue<Node*, std::vector<Node*>, Earlier> ready_;
};

}  // namespace fusebench
