// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/differentiate.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/language/program_gradients.h"
#include "engine/plan/backward.h"
#include "engine/plan/gradient_ops.h"
#include "engine/plan/saved_values.h"

namespace fusebench {
namespace {

/// Copies the program op by op and renumbers its values, because a gradient becomes several ops.
class Differentiation {
 public:
  /// `copied`: ops that work in place and receive a copy of what they overwrite.
  Differentiation(const Program& from, std::span<const ValueType> inputs, SavePolicy policy,
                  const std::set<std::size_t>& copyingViews, const std::set<std::size_t>& copied)
      : from_(from),
        copyingViews_(copyingViews),
        copied_(copied),
        ops_(inputs),
        inputs_(inputs.size()),
        policy_(policy) {
    for (const Op& op : from.ops)
      if (op.writesInto()) findWritten(op.into);
  }

  /// The op of `from_` that an op was created from.
  std::size_t origin(std::size_t op) const {
    const ValueId value = static_cast<ValueId>(inputs_ + op);
    return static_cast<std::size_t>(std::ranges::find(values_, value) - values_.begin()) - inputs_;
  }

  Differentiated run() {
    Differentiated made;
    Program& program = ops_.program();
    program = from_;
    program.ops.clear();
    program.sizes = {};
    program.checks.clear();
    program.asksGradients = false;
    for (std::size_t i = 0; i < inputs_; ++i) values_.push_back(static_cast<ValueId>(i));
    std::vector<int> starts;  // per op of `from_`: its index among the new ops
    for (std::size_t i = 0; i < from_.ops.size(); ++i) {
      const auto start = static_cast<int>(program.ops.size());
      std::size_t count = 1;
      if (from_.ops[i].row->kind != OpKind::gradient)
        append(i);
      else
        count = gradientsFrom(i);
      starts.insert(starts.end(), count, start);
      i += count - 1;
    }
    starts.push_back(static_cast<int>(program.ops.size()));
    // Checks of sizes hold already; otherwise the sizes would not be numbers.
    for (const SizeCheck& check : from_.checks) {
      if (!check.ofValue()) continue;
      program.checks.push_back(check);
      program.checks.back().value = now(check.value);
      program.checks.back().beforeOp = starts[static_cast<std::size_t>(check.beforeOp)];
    }
    for (ValueId& output : program.outputs) output = now(output);
    for (Statement& statement : program.statements) {
      if (statement.value >= 0) statement.value = now(statement.value);
      const auto first = inputs_ + static_cast<std::size_t>(statement.firstOp);
      if (statement.opCount > 0) statement.firstOp = values_[first] - static_cast<int>(inputs_);
    }
    if (policy_ == SavePolicy::named) workInPlace(program);
    made.exact = ops_.exact();
    made.program = std::move(program);
    made.tape = std::move(tape_);
    made.waysBack = std::move(waysBack_);
    return made;
  }

 private:
  /// Whether the new number of a value is known. The gradient of a gradient is handled after that.
  bool isMade(ValueId value) const { return static_cast<std::size_t>(value) < values_.size(); }
  ValueId now(ValueId value) const { return values_[static_cast<std::size_t>(value)]; }

  /// Finds the views created by copying that lead to a value that is written in place.
  void findWritten(ValueId value) {
    while (static_cast<std::size_t>(value) >= inputs_) {
      const std::size_t at = static_cast<std::size_t>(value) - inputs_;
      const Op& op = from_.ops[at];
      if (!op.writesInto() && op.row->kind != OpKind::view && op.row->kind != OpKind::copy) return;
      if (copyingViews_.contains(at)) writtenViews_.insert(at);
      value = op.writesInto() ? op.into : op.operands.front().value;
    }
  }

  /// Without fusion, a derivative takes several kernels where a framework has one. Each overwrites
  /// the intermediate result of the one before, so that it takes no more memory than in the
  /// framework.
  void workInPlace(Program& program) const {
    std::vector<int> uses(ops_.count(), 0);
    const auto use = [&](ValueId value) {
      if (value >= 0) ++uses[static_cast<std::size_t>(value)];
    };
    for (const ValueId output : program.outputs) use(output);
    for (const SizeCheck& check : program.checks)
      if (check.ofValue()) use(check.value);
    for (const Op& op : program.ops) {
      for (const Operand& operand : op.operands)
        if (!operand.isNumber()) use(operand.value);
      use(op.after);
      use(op.into);
    }
    // Values that are already written to, as in a recomputed segment, will also be written to
    // later.
    std::vector<bool> writes;
    for (const Op& op : program.ops) writes.push_back(op.writesInto());
    const auto inner = [&](const Op& op) {
      return op.derivativeOf >= 0 && op.row->kind == OpKind::pointwise &&
             op.row->places == IndexInputs::none;
    };
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
      Op& op = program.ops[i];
      if (!inner(op) || op.writesInto()) continue;
      const ValueType& type = ops_.type(static_cast<ValueId>(inputs_ + i));
      for (const Operand& operand : op.operands) {
        if (operand.isNumber() || static_cast<std::size_t>(operand.value) < inputs_) continue;
        const std::size_t by = static_cast<std::size_t>(operand.value) - inputs_;
        const Op& made = program.ops[by];
        const ValueType& own = ops_.type(operand.value);
        if (!inner(made) || writes[by] || made.derivativeOf != op.derivativeOf ||
            uses[static_cast<std::size_t>(operand.value)] != 1 || !(own.shape == type.shape) ||
            own.dtype != type.dtype)
          continue;
        op.into = operand.value;
        program.writesInto = true;
        break;
      }
    }
  }

  /// The value that gradients use for a tensor at this point: after the last write to its memory,
  /// the written tensor or the same view of it.
  ValueId current(ValueId value) {
    const ValueId known = now(value);
    if (written_.empty()) return known;
    const ValueId root = writtenRoot(ops_.program(), known);
    const auto found = written_.find(root);
    if (found == written_.end() || known >= found->second) return known;
    const ValueId whole = found->second, name = sameTensor(ops_.program(), known);
    if (name == root) return whole;
    ValueId& anew = seen_[{name, whole}];
    if (anew == 0) anew = seenAnew(known, whole);
    return anew;
  }

  /// The same view of the tensor as it is now. A view that was copied instead stays a copy.
  ValueId seenAnew(ValueId value, ValueId whole) {
    const std::vector<std::size_t> views = viewsOf(ops_.program(), value);
    for (const std::size_t view : views)
      if (ops_.program().ops[view].row->kind != OpKind::view || stay_.contains(view)) return value;
    ValueId seen = whole;
    for (const std::size_t view : views) {
      Op op = ops_.program().ops[view];
      op.segment = segment_;
      op.operands.front().value = seen;
      seen = ops_.append(std::move(op));
    }
    return seen;
  }

  /// Records after a write which value now is the written tensor.
  void wrote(ValueId made) {
    const ValueId root = writtenRoot(ops_.program(), made);
    if (sameTensor(ops_.program(), made) != root) {
      const auto found = written_.find(root);
      const Op& write = ops_.program().ops[static_cast<std::size_t>(made) - inputs_];
      Op whole;
      whole.row = &partWrittenRow();
      whole.statement = write.statement;
      whole.place = write.place;
      whole.frame = write.frame;
      whole.segment = write.segment;
      whole.operands = {Operand::ofValue(found == written_.end() ? root : found->second),
                        Operand::ofValue(made)};
      made = ops_.append(std::move(whole));
    }
    written_[root] = made;
  }

  void append(std::size_t i) {
    segment_ = from_.ops[i].segment;
    Op op = moved(from_.ops[i]);
    if (copied_.contains(i)) {
      for (Operand& operand : op.operands) {
        if (operand.isNumber() ||
            writtenRoot(ops_.program(), operand.value) != writtenRoot(ops_.program(), op.into))
          continue;
        Op copy = op;
        copy.row = &copyRow();
        copy.operands = {operand};
        copy.parameters.clear();
        copy.into = -1;
        operand.value = ops_.append(std::move(copy));
        operand.detached = false;
      }
    }
    const bool writes = op.writesInto() && op.recorded;
    if (copyingViews_.contains(i)) {
      // A write to a copy does not change the original: the copy is a separate tensor.
      if (writtenViews_.contains(i))
        op.operands.front().value = copyOf(op, op.operands.front());
      else
        stay_.insert(ops_.program().ops.size());
    }
    values_.push_back(ops_.append(std::move(op)));
    if (writes) wrote(values_.back());
  }

  /// A separate row-major tensor with the elements of an operand of `op`.
  ValueId copyOf(const Op& op, const Operand& of) {
    Op made;
    made.statement = op.statement;
    made.place = op.place;
    made.frame = op.frame;
    made.segment = op.segment;
    Op copy = made;
    made.row = &namedOp("empty");
    for (const Parameter& parameter : made.row->parameters)
      made.parameters.push_back(parameter.fallback);
    const Shape& shape = ops_.type(of.value).shape;
    made.sizeNumbers.assign(shape.begin(), shape.end());
    made.sizes.assign(made.sizeNumbers.size(), -1);
    made.operands = {Operand::ofValue(of.value)};
    copy.row = &copyRow();
    copy.operands = {of};
    copy.into = ops_.append(std::move(made));
    const ValueId copied = ops_.append(std::move(copy));
    wrote(copied);
    return copied;
  }

  Op moved(Op op) {
    for (Operand& operand : op.operands) {
      if (!operand.isNumber()) operand.value = current(operand.value);
      operand.size = -1;
    }
    if (op.writesInto()) op.into = now(op.into);
    op.parameterSizes.clear();
    op.sizes.assign(op.sizeNumbers.size(), -1);
    return op;
  }

  /// The values saved for a backward pass; empty if all that derivatives name are saved.
  std::vector<bool> savedFor(SavePolicy policy, ValueId of, std::span<const ValueId> by) const {
    if (policy == SavePolicy::named) return {};
    GradientOps trial = ops_;
    Backward backward(trial, inputs_, SavePolicy::named, {});
    backward.run(of, by, !waysBack_.empty());
    std::vector<bool> results(values_.size(), false);
    for (const ValueId output : from_.outputs)
      if (static_cast<std::size_t>(output) < values_.size())
        results[static_cast<std::size_t>(output)] = true;
    std::vector<bool> free(ops_.count(), false);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i]) free[static_cast<std::size_t>(values_[i])] = true;
    return savedValues(ops_, inputs_, backward.needed(), free);
  }

  /// Whether a later gradient is of something that depends on these: `count` of them from op
  /// `first`. That gradient cannot be taken with respect to values that this backward pass
  /// recomputes.
  bool isDifferentiatedAgain(std::size_t first, std::size_t count) const {
    std::vector<bool> depends(inputs_ + from_.ops.size(), false);
    for (std::size_t i = first; i < from_.ops.size(); ++i) {
      const Op& op = from_.ops[i];
      const auto does = [&](const Operand& operand) {
        return !operand.isNumber() && depends[static_cast<std::size_t>(operand.value)];
      };
      if (i < first + count) {
        depends[inputs_ + i] = true;
        continue;
      }
      if (op.row->kind == OpKind::gradient && does(op.operands[0])) return true;
      if (!std::ranges::any_of(op.operands, does)) continue;
      depends[inputs_ + i] = true;
      if (op.writesInto()) {
        const ValueId root = writtenRoot(from_, op.into);
        for (std::size_t v = 0; v < inputs_ + i; ++v)
          if (writtenRoot(from_, static_cast<ValueId>(v)) == root) depends[v] = true;
      }
    }
    return false;
  }

  /// Appends the gradients of one value from op `first`, in one backward pass. Returns the number
  /// of gradients.
  std::size_t gradientsFrom(std::size_t first) {
    segment_ = -1;
    const ValueId of = current(from_.ops[first].operands[0].value);
    std::vector<ValueId> by;
    for (std::size_t i = first; i < from_.ops.size(); ++i) {
      const Op& op = from_.ops[i];
      if (op.row->kind != OpKind::gradient || !isMade(op.operands[0].value) ||
          !isMade(op.operands[1].value) || current(op.operands[0].value) != of)
        break;
      by.push_back(current(op.operands[1].value));
    }
    const SavePolicy policy = isDifferentiatedAgain(first, by.size()) ? SavePolicy::named : policy_;
    Backward backward(ops_, inputs_, policy, savedFor(policy, of, by));
    const std::size_t before = ops_.program().ops.size();
    backward.run(of, by, !waysBack_.empty());
    for (const ValueId value : by) values_.push_back(backward.gradientOf(value));
    ops_.follow(-1);
    note(backward, before);
    waysBack_.push_back(
        {of, static_cast<int>(before), static_cast<int>(ops_.program().ops.size())});
    return by.size();
  }

  /// Notes which earlier values are read by the backward pass, whose ops start at index `before`.
  void note(const Backward& backward, std::size_t before) {
    std::vector<std::vector<ValueId>> saved(before);
    const auto& ops = ops_.program().ops;
    for (std::size_t i = before; i < ops.size(); ++i) {
      if (ops[i].derivativeOf < 0) continue;
      const auto own = static_cast<std::size_t>(ops[i].derivativeOf);
      for (const Operand& operand : ops[i].operands) {
        if (operand.isNumber() || operand.value >= static_cast<ValueId>(inputs_ + before)) continue;
        // A gradient can be a value that was computed after the op: then the op of that value saves
        // it.
        const auto made = static_cast<std::size_t>(operand.value) - inputs_;
        const bool later = operand.value >= static_cast<ValueId>(inputs_ + own + 1);
        std::vector<ValueId>& of = saved[later ? made : own];
        if (std::ranges::find(of, operand.value) == of.end()) of.push_back(operand.value);
      }
    }
    for (std::size_t i = 0; i < before; ++i)
      if (backward.passed(i)) tape_.push_back({static_cast<int>(i), std::move(saved[i])});
  }

  const Program& from_;
  const std::set<std::size_t>& copyingViews_;
  std::set<std::size_t> writtenViews_;  ///< those whose result is written in place
  std::set<std::size_t> stay_;          ///< the others: their indices among the new ops
  const std::set<std::size_t>& copied_;
  std::map<ValueId, ValueId> written_;  ///< per tensor that is written in place: its current value
  std::map<std::pair<ValueId, ValueId>, ValueId> seen_;  ///< its views of that value
  GradientOps ops_;
  std::size_t inputs_;
  SavePolicy policy_;
  int segment_ = -1;  ///< segment of the appended op
  std::vector<Differentiated::Entry> tape_;
  std::vector<Differentiated::WayBack> waysBack_;
  std::vector<ValueId> values_;  ///< per value of `from_`
};

}  // namespace

Differentiated taped(const Program& program, std::span<const ValueType> inputs, SavePolicy policy,
                     const std::set<std::size_t>& copyingViews) {
  Differentiated made =
      differentiate(withGradients(program, program.taped), inputs, policy, copyingViews);
  // The forward pass may have more ops than the program: copies of values that are overwritten.
  made.program.ops.resize(static_cast<std::size_t>(made.waysBack.front().first));
  made.waysBack.clear();
  made.program.outputs.resize(program.outputs.size());
  made.program.taped.clear();
  for (const Differentiated::Entry& entry : made.tape)
    for (const ValueId value : entry.saved)
      if (value >= static_cast<ValueId>(inputs.size()) &&
          std::ranges::find(made.program.outputs, value) == made.program.outputs.end())
        made.program.outputs.push_back(value);
  return made;
}

Differentiated differentiate(const Program& program, std::span<const ValueType> inputs,
                             SavePolicy policy, const std::set<std::size_t>& copyingViews) {
  std::set<std::size_t> copied;
  for (;;) {
    Differentiation differentiation(program, inputs, policy, copyingViews, copied);
    try {
      return differentiation.run();
    } catch (const WrittenOver& over) {
      copied.insert(differentiation.origin(over.op));
    }
  }
}

}  // namespace fusebench
