// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/sinking.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/plan/overwritten.h"

namespace fusebench {
namespace {

/// Joins kernels with the kernels that first need their results.
class Sinking {
 public:
  Sinking(const Program& program, const PlanValues& values, std::vector<FusionGroup>& groups)
      : program_(program),
        values_(values),
        groups_(groups),
        maker_(values.count(), -1),
        stays_(values.count(), false),
        checked_(values.count(), false),
        users_(values.count()),
        writers_(program.writesInto ? values.count() : 0) {
    for (int g = 0; g < count(); ++g) note(g);
    findWanted();
  }

  void run() {
    bool any = false;
    // From the last one, so that a chain of kernels sinks one after the other. A kernel may
    // sink further with those that have joined it.
    for (int g = count() - 1; g-- > 0;)
      for (int at = g; at < count(); at = sink(at)) any |= at != g;
    if (any) std::erase_if(groups_, [](const FusionGroup& each) { return each.ops.empty(); });
  }

 private:
  int count() const { return static_cast<int>(groups_.size()); }
  FusionGroup& group(int g) { return groups_[static_cast<std::size_t>(g)]; }
  const FusionGroup& group(int g) const { return groups_[static_cast<std::size_t>(g)]; }
  const Op& op(int index) const { return program_.ops[static_cast<std::size_t>(index)]; }
  std::size_t rootOf(ValueId value) const { return static_cast<std::size_t>(values_.root(value)); }
  int makerOf(ValueId value) const { return maker_[rootOf(value)]; }

  /// Records which memory a group reads and writes.
  void note(int g) {
    const auto add = [g](std::vector<int>& list) {
      if (list.empty() || list.back() != g) list.push_back(g);
    };
    const FusionGroup& each = group(g);
    for (const ValueId value : each.inputs) add(users_[rootOf(value)]);
    for (const int index : each.ops) {
      maker_[static_cast<std::size_t>(program_.result(index))] = g;
      if (op(index).after >= 0) add(users_[rootOf(op(index).after)]);
      if (op(index).writesInto()) add(writers_[rootOf(op(index).into)]);
    }
    if (each.kind == StepKind::copy || each.kind == StepKind::collective) parting_.push_back(g);
  }

  /// Finds values that the program returns, writes to or branches on, and those that it checks.
  void findWanted() {
    for (const ValueId value : program_.outputs) stays_[rootOf(value)] = true;
    for (const Op& each : program_.ops)
      if (each.writesInto()) stays_[rootOf(each.into)] = true;
    for (const Branch& branch : program_.branches) {
      stays_[rootOf(branch.condition)] = true;
      for (const ValueId value : branch.live) stays_[rootOf(value)] = true;
    }
    for (const SizeCheck& check : program_.checks)
      if (check.ofValue()) stays_[rootOf(check.value)] = checked_[rootOf(check.value)] = true;
  }

  /// Whether a group is a kernel that may itself be run later: its assertions are checked where the
  /// text has them, and memory that is only allocated is allocated by its first writer.
  bool isMovable(const FusionGroup& each) const {
    if (each.alone || each.kind != StepKind::kernel || each.ops.empty()) return false;
    if (each.ops.size() == 1 && isOverwritten(program_, values_, each.ops.front())) return false;
    return std::ranges::none_of(each.ops, [&](int index) {
      return op(index).writesInto() || checked_[static_cast<std::size_t>(program_.result(index))];
    });
  }

  /// The first group of a list after `g`; count(): none.
  int firstAfter(const std::vector<int>& list, int g) const {
    const auto found = std::ranges::upper_bound(list, g);
    return found == list.end() ? count() : *found;
  }
  /// The first group that needs the results of a group, or that must run after it.
  int firstNeed(int g) const {
    int first = firstAfter(parting_, g);
    const auto meet = [&](const std::vector<int>& list) {
      first = std::min(first, firstAfter(list, g));
    };
    for (const int index : group(g).ops) {
      const auto made = static_cast<std::size_t>(program_.result(index));
      meet(users_[made]);
      if (!writers_.empty()) meet(writers_[made]);
    }
    if (writers_.empty()) return first;
    for (const ValueId value : group(g).inputs) meet(writers_[rootOf(value)]);
    return first;
  }

  /// The number of data-dependent branches before a group.
  auto partOf(const FusionGroup& each) const {
    return std::ranges::count_if(program_.branches, [&](const Branch& branch) {
      return branch.beforeOp <= each.ops.front();
    });
  }

  /// The group that a group has become part of; count(): none.
  int sink(int g) {
    if (!isMovable(group(g))) return count();
    const int to = firstNeed(g);
    if (to == count() || !joins(g, to)) return count();
    merge(g, to);
    return to;
  }

  bool joins(int from, int to) const {
    const FusionGroup &a = group(from), &b = group(to);
    return !b.alone && b.kind == StepKind::kernel && a.space == b.space && a.lanes == b.lanes &&
           (!a.reduces || !b.reduces || a.reducedMask == b.reducedMask) && partOf(a) == partOf(b) &&
           hasAtHand(from, b) && writesApart(from, b) && indexesApart(a, b) && haveRoom(from, to) &&
           savesMemory(from, to);
  }

  /// Whether a result can be read in registers by the ops of its group.
  bool isAtHand(ValueId value, int space) const {
    const int index = value - program_.result(0);
    const Op& maker = op(index);
    return values_.root(value) == value && maker.row->kind != OpKind::reduce &&
           !changesSpace(program_, values_, index) && values_.space(value) == space;
  }
  /// Whether a group reads some of the results of `from`, and all of these at the position of its
  /// own loop.
  bool hasAtHand(int from, const FusionGroup& reader) const {
    bool any = false;
    for (const int index : reader.ops) {
      if (op(index).after >= 0 && makerOf(op(index).after) == from) return false;
      for (const Operand& operand : op(index).operands) {
        if (!reads(op(index), operand) || makerOf(operand.value) != from) continue;
        if (op(index).row->kind == OpKind::gather || !isAtHand(operand.value, reader.space))
          return false;
        any = true;
      }
    }
    return any;
  }

  /// Whether what a group writes in place is nothing that `from` reads from memory, and, for the
  /// results of `from`, only whole results, element by element.
  bool writesApart(int from, const FusionGroup& writer) const {
    const FusionGroup& a = group(from);
    for (const int index : writer.ops) {
      if (!op(index).writesInto()) continue;
      const ValueId into = op(index).into;
      if (std::ranges::any_of(a.inputs,
                              [&](ValueId value) { return rootOf(value) == rootOf(into); }))
        return false;
      if (makerOf(into) == from && (values_.named(into) != values_.root(into) ||
                                    !isAtHand(values_.root(into), writer.space)))
        return false;
    }
    const auto isElementwise = [&](int index) {
      return op(index).row->kind == OpKind::pointwise || op(index).row->kind == OpKind::make;
    };
    return !writer.rewrites || (!a.reduces && std::ranges::all_of(a.ops, isElementwise));
  }

  /// A kernel with an index steps through each tensor in one way, so the two read none in common.
  bool indexesApart(const FusionGroup& a, const FusionGroup& b) const {
    if (!a.indexes && !b.indexes) return true;
    return std::ranges::none_of(a.inputs, [&](ValueId value) {
      return std::ranges::any_of(b.inputs,
                                 [&](ValueId other) { return rootOf(other) == rootOf(value); });
    });
  }

  /// The inputs of a group after joining with `from`.
  ShortList<ValueId, 4> inputsOf(int from, int to) const {
    ShortList<ValueId, 4> inputs = group(from).inputs;
    for (const ValueId value : group(to).inputs)
      if (makerOf(value) != from && std::ranges::find(inputs, value) == inputs.end())
        inputs.push_back(value);
    std::ranges::sort(inputs);
    return inputs;
  }
  bool haveRoom(int from, int to) const {
    const std::size_t most =
        std::max({kMostReads, group(from).inputs.size(), group(to).inputs.size()});
    return group(from).inputs.size() + group(to).inputs.size() <= most ||
           inputsOf(from, to).size() <= most;
  }

  /// The memory of a value's root, in bytes per element of a space; nothing if the sizes are not
  /// known. A value that is broadcast to the space counts as 0.
  std::optional<double> bytesOf(ValueId value, int space) const {
    const ValueId root = values_.root(value);
    const auto size = static_cast<double>(info(values_.dtype(root)).size);
    if (values_.space(root) == space) return size;
    if (root == value) return 0;
    double whole = size;
    for (const SymbolicSize& extent : values_.extents(values_.space(root))) {
      if (!extent.isConstant()) return std::nullopt;
      whole *= static_cast<double>(extent.constant());
    }
    for (const SymbolicSize& extent : values_.extents(space)) {
      if (!extent.isConstant()) return std::nullopt;
      whole /= static_cast<double>(std::max<std::int64_t>(extent.constant(), 1));
    }
    return whole;
  }
  /// Whether a value's memory is freed before `to` unless `from` reads it there.
  bool isFreedBefore(ValueId value, int to) const {
    const std::size_t root = rootOf(value);
    return root >= program_.inputs.size() && !stays_[root] && users_[root].back() < to;
  }
  bool savesMemory(int from, int to) const {
    const FusionGroup& a = group(from);
    double saved = 0, held = 0;
    for (const ValueId value : a.outputs) saved += bytesOf(value, a.space).value_or(0);
    std::vector<std::size_t> seen;
    for (const ValueId value : a.inputs) {
      if (!isFreedBefore(value, to) || std::ranges::find(seen, rootOf(value)) != seen.end())
        continue;
      seen.push_back(rootOf(value));
      const std::optional<double> bytes = bytesOf(value, a.space);
      if (!bytes) return false;
      held += *bytes;
    }
    return held <= saved;
  }

  /// Whether a result of `from` must still be stored after joining with `to`.
  bool isStored(ValueId value, int from, int to) const {
    const auto overwrites = [&](int index) {
      return op(index).writesInto() && values_.root(op(index).into) == value;
    };
    if (std::ranges::any_of(group(to).ops, overwrites)) return false;
    const std::size_t root = rootOf(value);
    return stays_[root] ||
           std::ranges::any_of(users_[root], [&](int g) { return g != from && g != to; });
  }

  void merge(int from, int to) {
    FusionGroup &a = group(from), &b = group(to);
    ShortList<ValueId, 4> inputs = inputsOf(from, to);
    for (const ValueId value : a.outputs)
      if (isStored(value, from, to)) b.outputs.push_back(value);
    std::ranges::sort(b.outputs);
    for (const ValueId value : a.inputs) replaceUser(users_[rootOf(value)], from, to);
    for (const int index : a.ops) {
      if (op(index).after >= 0) replaceUser(users_[rootOf(op(index).after)], from, to);
      maker_[static_cast<std::size_t>(program_.result(index))] = to;
      std::erase(users_[static_cast<std::size_t>(program_.result(index))], to);
    }
    b.inputs = std::move(inputs);
    for (const ValueId value : a.made)
      if (std::ranges::find(b.made, value) == b.made.end()) b.made.push_back(value);
    const auto own = static_cast<std::ptrdiff_t>(b.ops.size());
    for (const int index : a.ops) b.ops.push_back(index);
    std::inplace_merge(b.ops.begin(), b.ops.begin() + own, b.ops.end());
    if (a.reduces) b.reducedMask = a.reducedMask;
    b.reduces |= a.reduces;
    b.indexes |= a.indexes;
    a = FusionGroup();
  }

  static void replaceUser(std::vector<int>& users, int from, int to) {
    std::erase(users, from);
    const auto at = std::ranges::lower_bound(users, to);
    if (at == users.end() || *at != to) users.insert(at, to);
  }

  const Program& program_;
  const PlanValues& values_;
  std::vector<FusionGroup>& groups_;
  std::vector<int> maker_;     ///< per value: the group that makes it; -1: an input, or no group
  std::vector<bool> stays_;    ///< per value: its memory is wanted besides by groups
  std::vector<bool> checked_;  ///< per value: the program asserts something of it
  std::vector<std::vector<int>> users_;    ///< per value: groups that read its memory, in order
  std::vector<std::vector<int>> writers_;  ///< per value: groups that write to it in place
  std::vector<int> parting_;               ///< copies and collectives
};

}  // namespace

void sinkKernels(const Program& program, const PlanValues& values,
                 std::vector<FusionGroup>& groups) {
  if (groups.size() > 1) Sinking(program, values, groups).run();
}

}  // namespace fusebench
