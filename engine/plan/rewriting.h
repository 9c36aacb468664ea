// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/language/program.h"
#include "engine/plan/prepared.h"

namespace fusebench {

/// Copies a program op by op, with additional ops between them.
class Rewriting {
 public:
  explicit Rewriting(const Program& from) : made_(from) {
    made_.ops.clear();
    for (ValueId value = 0; value < static_cast<ValueId>(from.inputs.size()); ++value)
      now_.push_back(value);
  }

  /// Ops that follow belong to the statement of this one.
  void follow(const Op& op) { following_ = &op; }

  /// The current operand for an operand of the old program.
  Operand now(Operand operand) const {
    if (!operand.isNumber()) operand.value = now_[static_cast<std::size_t>(operand.value)];
    return operand;
  }
  /// The op with its current operands.
  Op moved(Op op) const {
    for (Operand& operand : op.operands) operand = now(operand);
    if (op.after >= 0) op.after = now_[static_cast<std::size_t>(op.after)];
    if (op.writesInto()) op.into = now_[static_cast<std::size_t>(op.into)];
    return op;
  }
  Operand append(Op op) {
    made_.ops.push_back(std::move(op));
    return Operand::ofValue(made_.result(static_cast<int>(made_.ops.size()) - 1));
  }
  /// The next op of the old program has become this one.
  void become(const Operand& result) {
    now_.push_back(result.value);
    ends_.push_back(static_cast<int>(made_.ops.size()));
  }

  Op start(const OpRow& row, std::vector<Operand> operands, std::vector<double> parameters = {}) {
    Op op;
    op.row = &row;
    op.operands = std::move(operands);
    op.parameters = std::move(parameters);
    op.parameters.resize(row.parameters.size());
    op.statement = following_->statement;
    op.place = following_->place;
    op.frame = following_->frame;
    return op;
  }
  Operand apply(const char* row, std::vector<Operand> operands,
                std::vector<double> parameters = {}) {
    return append(start(namedOp(row), std::move(operands), std::move(parameters)));
  }
  Operand reduced(const char* row, const Operand& of, std::optional<std::vector<int>> dims,
                  bool keep) {
    Op op = start(namedOp(row), {of});
    op.dims = std::move(dims);
    op.keepDims = keep;
    std::size_t p = 0;
    for (const Parameter& parameter : op.row->parameters) {
      if (parameter.kind == Parameter::Kind::flag) op.parameters[p] = keep;
      ++p;
    }
    return append(std::move(op));
  }
  Operand permuted(const Operand& of, const std::vector<int>& order) {
    Op op = start(namedOp("permute"), {of});
    op.dims = order;
    return append(std::move(op));
  }
  /// With one more dimension, of extent 1.
  Operand unsqueezed(const Operand& of, int dim) {
    Op op = start(namedOp("unsqueeze"), {of});
    op.dims = std::vector{dim};
    return append(std::move(op));
  }
  /// A view of the first `count` positions of a dimension.
  Operand begun(const Operand& of, int dim, std::int64_t count) {
    Op op = start(namedOp("narrow"), {of});
    op.dims = std::vector{dim};
    op.sizeNumbers = {0, count};
    op.sizes.assign(2, -1);
    return append(std::move(op));
  }
  /// 0, 1, ... below `count`.
  Operand counted(std::int64_t count) {
    Op op = start(namedOp("arange"), {}, {0, 0, static_cast<double>(count), 1});
    op.sizeNumbers = {count};
    op.sizes = {-1};
    op.made = DType::int64;
    return append(std::move(op));
  }
  /// Extends a dimension to `count` positions by repeating the last one.
  Operand filled(const Operand& of, int dim, const Operand& places) {
    Op op = start(namedOp("index_select"), {of, places});
    op.dims = std::vector{dim};
    return append(std::move(op));
  }
  Operand reshaped(const Operand& of, const std::vector<std::int64_t>& extents) {
    Op op = start(namedOp("reshape"), {of});
    op.sizeNumbers = extents;
    op.sizes.assign(extents.size(), -1);
    return append(std::move(op));
  }

  /// The copy; everything that refers to values or ops has the new numbers.
  Program finish() {
    renumber(made_, now_, ends_);
    return std::move(made_);
  }

 private:
  Program made_;
  const Op* following_ = nullptr;
  std::vector<ValueId> now_;  ///< by value of the old program
  std::vector<int> ends_;     ///< by its ops: how many there were after it
};

}  // namespace fusebench
