// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/automatic_casts.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/plan/gradient_ops.h"

namespace fusebench {
namespace {

class Casting {
 public:
  Casting(const Program& from, std::span<const ValueType> inputs, SavePolicy policy)
      : from_(from), ops_(inputs), policy_(policy) {
    for (std::size_t i = 0; i < inputs.size(); ++i) values_.push_back(static_cast<ValueId>(i));
    trained_.resize(inputs.size());
    for (const HeldInput& held : from.held)
      if (held.parameter) train(held.input);
    for (const Op& op : from.ops)
      if (op.row->kind == OpKind::gradient) train(op.operands[1].value);
    for (const ValueId value : from.taped) train(value);
  }

  Program run() {
    Program& program = ops_.program();
    program = from_;
    program.ops.clear();
    program.sizes = {};
    program.autocasts = false;
    std::vector<int> starts;  // per op of `from_`: its index among the new ones
    for (const Op& op : from_.ops) {
      starts.push_back(static_cast<int>(program.ops.size()));
      add(op);
    }
    starts.push_back(static_cast<int>(program.ops.size()));
    // Checks of sizes hold already; otherwise the sizes would not be numbers.
    std::erase_if(program.checks, [](const SizeCheck& check) { return !check.ofValue(); });
    for (SizeCheck& check : program.checks) {
      check.value = now(check.value);
      check.beforeOp = starts[static_cast<std::size_t>(check.beforeOp)];
    }
    for (ValueId& output : program.outputs) output = now(output);
    for (ValueId& value : program.taped) value = now(value);
    for (Statement& statement : program.statements) {
      if (statement.value >= 0) statement.value = now(statement.value);
      const int first = starts[static_cast<std::size_t>(statement.firstOp)];
      const int end = starts[static_cast<std::size_t>(statement.firstOp + statement.opCount)];
      statement.firstOp = first;
      statement.opCount = end - first;
    }
    return std::move(program);
  }

 private:
  /// A value, the dtype it was cast to, and how long the cast result is kept.
  using Kept = std::tuple<ValueId, DType, int>;

  void train(ValueId value) {
    if (static_cast<std::size_t>(value) < trained_.size())
      trained_[static_cast<std::size_t>(value)] = true;
  }
  ValueId now(ValueId value) const { return values_[static_cast<std::size_t>(value)]; }

  void add(Op op) {
    std::array<DType, kMostOperands> dtypes{};
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      Operand& operand = op.operands[i];
      operand.size = -1;
      if (operand.isNumber()) continue;
      operand.value = now(operand.value);
      dtypes[i] = ops_.type(operand.value).dtype;
    }
    if (op.after >= 0) op.after = now(op.after);
    if (op.writesInto()) {
      op.into = now(op.into);
      kept_.clear();  // the cast value may be what is overwritten
    }
    op.parameterSizes.clear();
    op.sizes.assign(op.sizeNumbers.size(), -1);
    if (op.autocast.isOn()) {
      castOperands(op, {dtypes.data(), op.operands.size()});
      for (std::size_t i = 0; i < op.operands.size(); ++i)
        if (Operand& operand = op.operands[i];
            !operand.isNumber() && dtypes[i] != ops_.type(operand.value).dtype)
          operand.value = cast(op, operand.value, dtypes[i]);
    }
    op.autocast = {};
    values_.push_back(ops_.append(std::move(op)));
  }

  /// Called before an op that autocast applies to.
  ValueId cast(const Op& by, ValueId value, DType to) {
    const bool parameter = static_cast<std::size_t>(value) < trained_.size() &&
                           trained_[static_cast<std::size_t>(value)] && by.recorded &&
                           to == by.autocast.lower && by.autocast.caches &&
                           ops_.type(value).dtype == DType::float32;
    // An argument is cast once for all its uses in a function.
    const int lasts = policy_ == SavePolicy::fewest ? -1
                      : parameter                   ? by.autocast.context
                      : by.listed.call >= 0         ? -2 - by.listed.call
                                                    : -1;
    const bool keeps = policy_ == SavePolicy::fewest || parameter || by.listed.call >= 0;
    const Kept key{value, to, lasts};
    if (const auto found = kept_.find(key);
        keeps && found != kept_.end() && serves(found->second, by))
      return found->second;
    Op op = ops_.casting(Operand::ofValue(value), to);
    op.statement = by.statement;
    op.place = by.place;
    op.frame = by.frame;
    op.segment = by.segment;
    op.recorded = by.recorded;
    const ValueId made = ops_.append(std::move(op));
    if (keeps) kept_[key] = made;
    return made;
  }

  /// A cast within a segment is repeated there, and gradients flow as they do for the op.
  bool serves(ValueId cast, const Op& by) const {
    const Op& op = ops_.program().ops[static_cast<std::size_t>(cast) - trained_.size()];
    return op.recorded == by.recorded && (op.segment < 0 || op.segment == by.segment);
  }

  const Program& from_;
  GradientOps ops_;
  SavePolicy policy_;
  std::vector<ValueId> values_;  ///< per value of `from_`
  std::vector<bool> trained_;    ///< per input
  std::map<Kept, ValueId> kept_;
};

}  // namespace

Program withCasts(const Program& program, std::span<const ValueType> inputs, SavePolicy policy) {
  return Casting(program, inputs, policy).run();
}

}  // namespace fusebench
