// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/program.h"
#include "engine/ops/expr.h"

namespace fusebench {

/// Appends ops to a program, each typed as soon as it is made: what a differentiated program is
/// written with. Operands may be numbers: what follows from numbers alone is never an op.
class GradientOps {
 public:
  /// What an input of a formula stands for.
  using Leaf = std::function<Operand(int)>;

  explicit GradientOps(std::span<const ValueType> inputs) : types_(inputs.begin(), inputs.end()) {
    inputs_ = inputs.size();
  }

  Program& program() { return program_; }
  const Program& program() const { return program_; }
  const ValueType& type(ValueId value) const { return types_[static_cast<std::size_t>(value)]; }
  /// Of a number: that of a scalar.
  Shape shape(const Operand& operand) const {
    return operand.isNumber() ? Shape() : type(operand.value).shape;
  }
  std::size_t count() const { return types_.size(); }

  /// Ops that follow belong to this op of the program: to its statement, and to its gradient.
  void follow(int op) { following_ = op; }

  ValueId append(Op op);
  /// The ops that compute formulas of a graph; nodes that several share are computed once.
  std::vector<Operand> emit(const ExprGraph& graph, std::span<const ExprId> nodes,
                            const Leaf& leaf);
  Operand emit(const ExprGraph& graph, ExprId node, const Leaf& leaf) {
    return emit(graph, {&node, 1}, leaf).front();
  }

  /// An op between ranks.
  ValueId called(const OpRow& row, std::vector<Operand> operands, std::vector<double> parameters);
  Operand add(const Operand& a, const Operand& b);
  Operand scaled(const Operand& a, double factor);
  Operand multiplied(const Operand& a, const Operand& b);
  /// Reductions; no dims: over all.
  Operand reduced(Accumulate by, const Operand& of, const std::optional<std::vector<int>>& dims,
                  bool keepDims);
  /// Sums of products of two tensors as an equation says, such as "ij,jk->ik".
  Operand contracted(const std::string& equation, const Operand& a, const Operand& b);
  /// The same over windows, of one operand or two; see windowGradientRow().
  Operand windowed(const OpRow& row, std::string equation, std::vector<Operand> operands,
                   ContractSettings settings);
  /// A tensor in which this one lies along a dimension at `start` and then `step` places apart,
  /// among zeros.
  Operand spread(const Operand& of, int dim, std::int64_t extent, std::int64_t start,
                 std::int64_t step);
  /// Of matrices one diagonal, counted from the main one, among zeros.
  Operand banded(const Operand& of, double diagonal);
  /// The value as one of this dtype.
  Operand cast(const Operand& of, DType dtype);
  /// The op that casts, which is not among the others yet.
  Op casting(const Operand& of, DType dtype) const;
  /// A tensor of its own of a value's shape, each element the operand's, which is broadcast.
  Operand filled(ValueId like, const Operand& with);
  Operand view(std::string_view row, const Operand& of, std::vector<int> dims,
               std::span<const std::int64_t> sizes = {});
  /// The same elements in a tensor of their own.
  Operand copied(const Operand& of);
  /// A tensor with all dimensions of `shape`, if only as strides of 0.
  Operand expanded(const Operand& of, const Shape& shape);
  /// The same of a number, too: with the shape and the dtype of a value.
  Operand asTensor(const Operand& of, ValueId like);
  /// Sums a gradient over what an operand of shape `to` was repeated along to become `whole`.
  Operand summedTo(const Operand& gradient, const Shape& to, const Shape& whole);

  /// What is in the program holds for these extents alone.
  bool exact() const { return exact_; }
  void makeExact() { exact_ = true; }

 private:
  Op start(const OpRow& row, std::vector<Operand> operands,
           std::vector<double> parameters = {}) const;

  Program program_;
  /// Ops are appended while callers hold on to types of earlier values: a deque moves none.
  std::deque<ValueType> types_;
  std::size_t inputs_ = 0;
  int following_ = -1;
  bool exact_ = false;
};

/// Throws ProgramError: no gradient goes through this op.
[[noreturn]] void failGradient(const Op& op);

}  // namespace fusebench
