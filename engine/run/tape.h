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

/// What eager writes down of each call as a framework does, and how it goes back: a node for each
/// op that a gradient may go through, made when the op runs, with the nodes that its operands came
/// from and the tensors that its derivative reads. Going back takes the node that was made last of
/// those that nothing waits for any more.
class Tape {
 public:
  struct Node {
    int op = -1;                 ///< op of the program that runs
    std::uint64_t sequence = 0;  ///< counts up as nodes are made
    ShortList<Node*, 3> edges;   ///< where its operands came from; null: from no node
    std::vector<Tensor> saved;   ///< in the order of Differentiated::Entry
    int waitsFor = 0;            ///< nodes whose gradients come through here before
  };

  /// Forgets a call. `values`: number of the program's values.
  void begin(std::size_t values);
  /// Writes an op down. `result`: the value that it made.
  Node& record(int op, const Op& written, ValueId result);
  /// Starts to go back from the node that made a value; finds what waits for what.
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
