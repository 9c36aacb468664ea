// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/tape.h"

namespace fusebench {

void Tape::begin(std::size_t values) {
  nodes_.clear();
  ready_ = {};
  madeBy_.assign(values, nullptr);
}

Tape::Node& Tape::record(int op, const Op& written, ValueId result) {
  nodes_.push_back(std::make_unique<Node>());
  Node& node = *nodes_.back();
  node.op = op;
  node.sequence = nodes_.size();
  for (const Operand& operand : written.operands)
    if (!operand.isNumber())
      node.edges.push_back(operand.detached ? nullptr
                                            : madeBy_[static_cast<std::size_t>(operand.value)]);
  madeBy_[static_cast<std::size_t>(result)] = &node;
  return node;
}

void Tape::goBack(ValueId from) {
  Node* const root = madeBy_[static_cast<std::size_t>(from)];
  if (!root) return;
  for (const auto& node : nodes_) node->waitsFor = -1;  // not on the path
  std::vector<Node*> open{root};
  root->waitsFor = 0;
  while (!open.empty()) {
    const Node* const node = open.back();
    open.pop_back();
    for (Node* const edge : node->edges) {
      if (!edge) continue;
      if (edge->waitsFor < 0) {
        edge->waitsFor = 0;
        open.push_back(edge);
      }
      ++edge->waitsFor;
    }
  }
  ready_.push(root);
}

Tape::Node* Tape::next() {
  if (ready_.empty()) return nullptr;
  Node* const node = ready_.top();
  ready_.pop();
  for (Node* const edge : node->edges)
    if (edge && --edge->waitsFor == 0) ready_.push(edge);
  return node;
}

}  // namespace fusebench
