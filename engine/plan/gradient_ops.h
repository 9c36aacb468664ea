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

/// Appends the ops of a differentiated program and infers the type of each at once. Operands can be
/// numbers: an expression of numbers alone never becomes an op.
class GradientOps {
 public:
  /// Gives the operand for an input of a formula.
  using Leaf = std::function<Operand(int)>;

  explicit GradientOps(std::span<const ValueType> inputs) : types_(inputs.begin(), inputs.end()) {
    inputs_ = inputs.size();
  }

  Program& program() { return program_; }
  const Program& program() const { return program_; }
  const ValueType& type(ValueId value) const { return types_[static_cast<std::size_t>(value)]; }
  /// The shape of a number is that of a scalar.
  Shape shape(const Operand& operand) const {
    return operand.isNumber() ? Shape() : type(operand.value).shape;
  }
  std::size_t count() const { return types_.size(); }

  /// Assigns the ops that follow to this op of the program: to its statement and its gradient.
  void follow(int op) { following_ = op; }

  ValueId append(Op op);
  /// Appends the ops that compute formulas of a graph. Nodes that several formulas share are
  /// computed once.
  std::vector<Operand> emit(const ExprGraph& graph, std::span<const ExprId> nodes,
                            const Leaf& leaf);
  Operand emit(const ExprGraph& graph, ExprId node, const Leaf& leaf) {
    return emit(graph, {&node, 1}, leaf).front();
  }

  /// Appends an op between ranks.
  ValueId called(const OpRow& row, std::vector<Operand> operands, std::vector<double> parameters);
  Operand add(const Operand& a, const Operand& b);
  Operand scaled(const Operand& a, double factor);
  Operand multiplied(const Operand& a, const Operand& b);
  /// Appends a reduction, over all dimensions if `dims` is empty.
  Operand reduced(Accumulate by, const Operand& of, const std::optional<std::vector<int>>& dims,
                  bool keepDims);
  /// Appends a contraction of two tensors with an equation such as "ij,jk->ik".
  Operand contracted(const std::string& equation, const Operand& a, const Operand& b);
  /// The same over windows, with one operand or two; see windowGradientRow().
  Operand windowed(const OpRow& row, std::string equation, std::vector<Operand> operands,
                   ContractSettings settings);
  /// Appends a tensor of zeros that contains `of` along a dimension, starting at `start` with a
  /// distance of `step`.
  Operand spread(const Operand& of, int dim, std::int64_t extent, std::int64_t start,
                 std::int64_t step);
  /// Appends matrices of zeros with `of` as one diagonal, counted from the main one.
  Operand banded(const Operand& of, double diagonal);
  /// Converts a value to this dtype.
  Operand cast(const Operand& of, DType dtype);
  /// The op that converts, without appending it.
  Op casting(const Operand& of, DType dtype) const;
  /// Appends a new tensor with the shape of a value, filled with the broadcast operand.
  Operand filled(ValueId like, const Operand& with);
  Operand view(std::string_view row, const Operand& of, std::vector<int> dims,
               std::span<const std::int64_t> sizes = {});
  /// Copies the elements to a new tensor.
  Operand copied(const Operand& of);
  /// Expands to all dimensions of `shape`, with strides of 0 where needed.
  Operand expanded(const Operand& of, const Shape& shape);
  /// The same, also for a number: the result has the shape and the dtype of a value.
  Operand asTensor(const Operand& of, ValueId like);
  /// Sums a gradient over the dimensions along which an operand of shape `to` was broadcast to
  /// `whole`.
  Operand summedTo(const Operand& gradient, const Shape& to, const Shape& whole);

  /// Whether the program holds for these extents only.
  bool exact() const { return exact_; }
  void makeExact() { exact_ = true; }

 private:
  Op start(const OpRow& row, std::vector<Operand> operands,
           std::vector<double> parameters = {}) const;

  Program program_;
  /// Callers keep references to types of earlier values while ops are appended; a deque moves none.
  std::deque<ValueType> types_;
  std::size_t inputs_ = 0;
  int following_ = -1;
  bool exact_ = false;
};

/// Throws ProgramError because the op has no gradient.
[[noreturn]] void failGradient(const Op& op);

}  // namespace fusebench
