// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/made_values.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "engine/plan/row_fusion.h"

namespace fusebench {
namespace {

/// The most operations that a reader performs for an element instead of reading it.
constexpr int kMostMade = 16;

/// For each dimension of a value, the dimension of another tensor along which it runs; -1: none.
using Along = std::vector<int>;

const Op& opOf(const Program& program, int index) {
  return program.ops[static_cast<std::size_t>(index)];
}

bool isCheap(Primitive primitive) {
  return !info(primitive).routine && primitive != Primitive::div && primitive != Primitive::sqrt &&
         primitive != Primitive::fmod;
}

bool isLeaf(Primitive primitive) {
  return primitive == Primitive::input || primitive == Primitive::constant;
}

/// The number of operations of an element-wise op; nothing: some are expensive.
std::optional<int> operationsOf(const PlanValues& values, const Op& op) {
  const OpTypes types = opTypesIn(op, values);
  const TypeClass type = classOf(types) == TypeClass::truth ? TypeClass::float32 : classOf(types);
  ExprGraph graph;
  std::vector<Expr> operands, parameters;
  const auto input = [&](TypeClass of) {
    operands.push_back({&graph, graph.input(static_cast<int>(operands.size()), of)});
  };
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (op.operands[i].isNumber()) {
      input(type);
      continue;
    }
    const DType own = values.dtype(op.operands[i].value);
    const bool kept = ((op.row->truthOperands >> i) & 1u) != 0 ||
                      (own == DType::boolean && type == TypeClass::float32);
    input(kept ? classOf(own) : classOf(types));
  }
  for (int o = 0; o < count(op.row->places); ++o) input(TypeClass::int64);
  std::size_t next = 0;
  for (const Parameter& parameter : op.row->parameters) {
    const bool number = parameter.kind == Parameter::Kind::number;
    parameters.push_back(
        {&graph, graph.constant(op.parameters[next++], number ? type : TypeClass::float32)});
  }
  op.row->meaning(Args(operands, parameters));
  int operations = 0;
  for (const ExprNode& node : graph.nodes()) {
    if (!isCheap(node.primitive)) return std::nullopt;
    operations += isLeaf(node.primitive) ? 0 : 1;
  }
  return operations;
}

/// For each dimension of `root`, the dimension of its view `seen` that runs along it; nothing if
/// the view traverses it in another way.
std::optional<Along> dimsThrough(const PlanValues& values, ValueId seen, ValueId root) {
  const auto &own = values.extents(values.space(root)),
             &extents = values.extents(values.space(seen));
  Along along(own.size(), -1);
  if (seen == root) {
    for (std::size_t d = 0; d < along.size(); ++d) along[d] = static_cast<int>(d);
    return along;
  }
  if (!(values.offset(seen) == SymbolicSize(0))) return std::nullopt;
  const auto steps = values.strides(root), strides = values.strides(seen);
  const auto fits = [&](const SymbolicSize& extent, const SymbolicSize& whole) {
    return extent == whole ||
           (extent.isConstant() && whole.isConstant() && extent.constant() <= whole.constant());
  };
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (isOne(extents[d]) || strides[d] == SymbolicSize(0)) continue;
    std::size_t k = 0;
    while (k < own.size() && (isOne(own[k]) || along[k] >= 0 || !(steps[k] == strides[d]))) ++k;
    if (k == own.size() || !fits(extents[d], own[k])) return std::nullopt;
    along[k] = static_cast<int>(d);
  }
  return along;
}

/// Finds the values that their readers compute.
class MadeValues {
 public:
  MadeValues(const Program& program, const PlanValues& values,
             std::span<const Attention> attentions)
      : program_(program),
        values_(values),
        attentions_(attentions),
        stored_(values.count(), false),
        made_(values.count(), false),
        operations_(values.count(), 0) {}

  std::vector<bool> find() {
    const auto isMade = [](const Op& op) { return op.row->madeWhereRead; };
    if (std::ranges::none_of(program_.ops, isMade)) return std::move(made_);
    findStored();
    findLikeViews();
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      const ValueId value = program_.result(static_cast<int>(i));
      if (values_.root(value) != value)
        made_[at(value)] = made_[at(values_.root(value))];
      else if (!stored_[at(value)])
        made_[at(value)] =
            program_.ops[i].row->madeWhereRead || isMadeOfSuch(program_.ops[i], value);
    }
    return std::move(made_);
  }

 private:
  static std::size_t at(ValueId value) { return static_cast<std::size_t>(value); }

  void store(ValueId seen) { stored_[at(values_.root(seen))] = true; }
  void findStored() {
    for (const ValueId output : program_.outputs) store(output);
    for (const SizeCheck& check : program_.checks)
      if (check.ofValue()) store(check.value);
    for (const Attention& attention : attentions_)
      for (const ValueId operand : attention.operands) store(operand);
    for (const Branch& branch : program_.branches) {
      store(branch.condition);
      for (const ValueId value : branch.live) store(value);
    }
    for (const Op& op : program_.ops) {
      if (op.writesInto()) store(op.into);
      // These only read memory; collects what they read by an index, and the index.
      const OpKind kind = op.row->kind;
      if (kind != OpKind::scan && kind != OpKind::gather && !isCalled(*op.row)) continue;
      for (const Operand& operand : op.operands)
        if (kind == OpKind::gather || reads(op, operand)) store(operand.value);
    }
  }

  /// Stores values that are read through a view that does not keep dimensions separate, if an
  /// element-wise op computes them: the position of an element in its operands is not known then.
  void findLikeViews() {
    if (values_.places.empty()) return;
    for (ValueId value = program_.result(0); value < static_cast<ValueId>(values_.count());
         ++value) {
      const ValueId root = values_.root(value);
      if (root == value || root < program_.result(0) || stored_[at(root)]) continue;
      if (opOf(program_, root - program_.result(0)).row->kind == OpKind::pointwise &&
          !dimsThrough(values_, value, root))
        store(root);
    }
  }

  bool isMadeOfSuch(const Op& op, ValueId value) {
    if (op.row->kind != OpKind::pointwise || op.writesInto() || op.after >= 0 ||
        areOfSource(op.row->places) || op.row->places == IndexInputs::flat)
      return false;
    int operations = 0;
    for (const Operand& operand : op.operands) {
      if (operand.isNumber()) continue;
      if (!made_[at(operand.value)]) return false;
      operations += operations_[at(values_.root(operand.value))];
    }
    if (operations > kMostMade) return false;
    const std::optional<int> own = operationsOf(values_, op);
    if (!own || operations + *own > kMostMade) return false;
    operations_[at(value)] = operations + *own;
    return true;
  }

  const Program& program_;
  const PlanValues& values_;
  std::span<const Attention> attentions_;
  std::vector<bool> stored_;  ///< by root
  std::vector<bool> made_;
  std::vector<int> operations_;  ///< for each computed root: how many
};

/// Lists how a group computes values.
class MadeOpsOf {
 public:
  MadeOpsOf(const Program& program, const PlanValues& values, const FusionGroup& group)
      : program_(program), values_(values), group_(group) {}

  MadeOps list() {
    for (const ValueId value : group_.made) made_.makers.push_back(make(value, alongSpace(value)));
    return std::move(made_);
  }

 private:
  const SizeList<SymbolicSize>& extentsOf(ValueId value) const {
    return values_.extents(values_.space(value));
  }

  /// The dimensions, out of `rank`, to which the dimensions of a broadcast operand correspond.
  Along broadcast(ValueId value, std::size_t rank) const {
    const auto& extents = extentsOf(value);
    Along along(extents.size(), -1);
    for (std::size_t d = 0; d < extents.size(); ++d)
      if (!isOne(extents[d])) along[d] = static_cast<int>(rank - extents.size() + d);
    return along;
  }
  /// In a group with phases, an op of the row runs only over the first dimensions.
  Along alongSpace(ValueId value) const {
    for (const int index : group_.ops)
      for (const Operand& operand : opOf(program_, index).operands)
        if (reads(opOf(program_, index), operand) && operand.value == value)
          return broadcast(value, group_.phased
                                      ? values_.extents(spaceOf(program_, values_, index)).size()
                                      : values_.extents(group_.space).size());
    return broadcast(value, values_.extents(group_.space).size());
  }

  /// The op that computes a value as it is viewed, with its dimensions along these of the space.
  int make(ValueId seen, const Along& along) {
    const auto known = std::ranges::find(known_, std::pair(seen, along));
    if (known != known_.end()) return static_cast<int>(known - known_.begin());
    const ValueId root = values_.root(seen);
    const int index = root - program_.result(0);
    const Op& op = opOf(program_, index);
    MadeOps::MadeOp made{index, {}, {}};
    if (op.row->kind == OpKind::make) {
      if (op.row->places != IndexInputs::none) made.counted.push_back(countFlat(seen, along));
    } else {
      const Along own = through(seen, root, along);
      for (const Operand& operand : op.operands)
        made.operands.push_back(
            operand.isNumber() ? -1 : make(operand.value, operandAlong(operand.value, own)));
      if (op.row->places == IndexInputs::rowColumn)
        for (std::size_t fromLast = 2; fromLast > 0; --fromLast)
          made.counted.push_back(
              countAlong(own.size() < fromLast ? -1 : own[own.size() - fromLast]));
    }
    made_.ops.push_back(std::move(made));
    known_.emplace_back(seen, along);
    return static_cast<int>(made_.ops.size()) - 1;
  }

  Along through(ValueId seen, ValueId root, const Along& along) const {
    Along own = *dimsThrough(values_, seen, root);
    for (int& dim : own)
      if (dim >= 0) dim = along[static_cast<std::size_t>(dim)];
    return own;
  }
  Along operandAlong(ValueId operand, const Along& own) const {
    Along along = broadcast(operand, own.size());
    for (int& dim : along)
      if (dim >= 0) dim = own[static_cast<std::size_t>(dim)];
    return along;
  }

  SizeList<SymbolicSize> noSteps() const {
    return {values_.extents(group_.space).size(), SymbolicSize(0)};
  }
  /// Counts row-major, in the order of the root's elements.
  int countFlat(ValueId seen, const Along& along) {
    SizeList<SymbolicSize> strides = noSteps();
    const SizeList<SymbolicSize> own = values_.strides(seen);
    for (std::size_t d = 0; d < along.size(); ++d)
      if (along[d] >= 0) strides[static_cast<std::size_t>(along[d])] = own[d];
    return count({strides, values_.offset(seen)});
  }
  int countAlong(int dim) {
    SizeList<SymbolicSize> strides = noSteps();
    if (dim >= 0) strides[static_cast<std::size_t>(dim)] = SymbolicSize(1);
    return count({strides, SymbolicSize(0)});
  }
  int count(const MadeOps::Count& wanted) {
    const auto found = std::ranges::find_if(made_.counts, [&](const MadeOps::Count& each) {
      return each.strides == wanted.strides && each.from == wanted.from;
    });
    const auto at = static_cast<int>(found - made_.counts.begin());
    if (found == made_.counts.end()) made_.counts.push_back(wanted);
    return at;
  }

  const Program& program_;
  const PlanValues& values_;
  const FusionGroup& group_;
  MadeOps made_;
  std::vector<std::pair<ValueId, Along>> known_;  ///< for each op of the list, what it computes
};

}  // namespace

std::vector<bool> valuesMadeWhereRead(const Program& program, const PlanValues& values,
                                      std::span<const Attention> attentions) {
  return MadeValues(program, values, attentions).find();
}

bool asksWhere(const Program& program, const PlanValues& values, ValueId made) {
  const Op& op = opOf(program, values.root(made) - program.result(0));
  return op.row->places != IndexInputs::none ||
         (op.row->kind != OpKind::make &&
          std::ranges::any_of(op.operands, [&](const Operand& operand) {
            return !operand.isNumber() && asksWhere(program, values, operand.value);
          }));
}

MadeOps madeOpsOf(const Program& program, const PlanValues& values, const FusionGroup& group) {
  return MadeOpsOf(program, values, group).list();
}

}  // namespace fusebench
