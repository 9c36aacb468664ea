// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/fusion.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "engine/plan/made_values.h"
#include "engine/plan/overwritten.h"
#include "engine/plan/row_fusion.h"
#include "engine/plan/write_checks.h"

namespace fusebench {
namespace {

/// The part of a size that is a number, if the rest is these symbols or the size is 0.
std::optional<std::int64_t> factorOf(const SymbolicSize& size, const SymbolicSize& symbols) {
  if (size.isConstant() && size.constant() == 0) return 0;
  if (!std::ranges::equal(size.symbols(), symbols.symbols())) return std::nullopt;
  return size.factor();
}

/// Whether two values in one memory are blocks without gaps, of equal size, that begin at least
/// that size apart for all sizes.
bool areSeparateBlocks(const PlanValues& values, ValueId a, ValueId b) {
  if (values.space(a) != values.space(b)) return false;
  const SizeList<SymbolicSize>&extents = values.extents(values.space(a)), first = values.strides(a),
        second = values.strides(b);
  SymbolicSize size(1);
  for (std::size_t d = extents.size(); d-- > 0; size = size * extents[d])
    if (!(first[d] == size) || !(second[d] == size)) return false;
  const auto ofA = factorOf(values.offset(a), size), ofB = factorOf(values.offset(b), size);
  return ofA && ofB && std::abs(*ofA - *ofB) >= size.factor();
}

/// Whether two values in one memory share no element, if all sizes are known or the values are
/// parts of an overwritten tensor or separate blocks.
bool areApart(const PlanValues& values, ValueId a, ValueId b) {
  if (values.areDifferentParts(a, b) || areSeparateBlocks(values, a, b)) return true;
  const auto known = [](const SymbolicSize& size) { return size.isConstant(); };
  Extent seen[2];
  for (const ValueId value : {a, b}) {
    Extent& extent = seen[value == a ? 0 : 1];
    const SizeList<SymbolicSize>& extents = values.extents(values.space(value));
    const SizeList<SymbolicSize> strides = values.strides(value);
    if (!std::ranges::all_of(extents, known) || !std::ranges::all_of(strides, known) ||
        !known(values.offset(value)))
      return false;
    for (const SymbolicSize& size : extents) extent.shape.push(size.constant());
    for (const SymbolicSize& size : strides) extent.strides.push(size.constant());
    extent.offset = values.offset(value).constant();
  }
  return a != b && !mayOverlap(seen[0], seen[1]);
}

/// Assigns each op to a group.
class Grouping {
 public:
  Grouping(const Program& program, const PlanValues& values, bool forPieces = false,
           bool narrowPieces = false, bool rowsApart = false, std::span<const char> apart = {},
           std::span<const Attention> attentions = {})
      : program_(program),
        planned_(values),
        types_(values.types.data()),
        memory_(values.count()),
        values_(memory_.data()),
        forPieces_(forPieces),
        narrowPieces_(narrowPieces),
        rowsApart_(rowsApart),
        apart_(apart),
        attentions_(attentions) {
    for (std::size_t a = 0; a < attentions.size(); ++a) {
      attentionOf_.resize(program.ops.size(), -1);
      for (const int op : attentions[a].ops)
        attentionOf_[static_cast<std::size_t>(op)] = static_cast<int>(a);
    }
    if (program.writesInto) writes_.resize(values.count());
    groups_.reserve(1);  // enough for most; adding more can move this one
  }

  /// Assigns every op that something depends on to a group; in order.
  void placeLive() {
    if (!forPieces_) findMade();
    const bool all = findLive();
    const bool allFit = program_.inputs.size() <= kMostReads;
    const bool alike = !rowsApart_ || planned_.layoutOf.empty();
    const bool straight = program_.branches.empty();
    const bool joined = apart_.empty();
    const int leading =
        all && allFit && alike && joined && straight && writes_.empty() ? planned_.leading : 0;
    if (leading > 0) placeLeading(leading);
    const Value* result = values_ + program_.result(leading);
    auto branch = program_.branches.begin();
    for (int index = leading; index < static_cast<int>(program_.ops.size()); ++index) {
      // An op after a branch cannot join a step before it.
      for (; branch != program_.branches.end() && branch->beforeOp <= index; ++branch)
        fence_ = static_cast<int>(groups_.size());
      if (all || result->live) {
        if (copies(program_, planned_, index))
          copy(program_.ops[static_cast<std::size_t>(index)], index);
        else if (!writes(program_, planned_, index))
          see(index);
        else if (const Attention* const attention = attentionAt(index))
          placeAttention(*attention, index);
        else if (!isMadeWhereRead(program_.result(index)))
          place(program_.ops[static_cast<std::size_t>(index)], index);
      }
      ++result;
    }
  }

  /// Every op, each in a group of its own.
  void placeAlone() {
    keepsAll_ = true;
    int index = 0;
    for (const Op& op : program_.ops) {
      if (copies(program_, planned_, index)) {
        copy(op, index++);
        continue;
      }
      if (!writes(program_, planned_, index)) {
        see(index++);
        continue;
      }
      const bool reduces = op.row->kind == OpKind::reduce;
      const int space = spaceOf(op, index);
      const int group = open(space);
      groupAt(group).indexes = op.row->indexing.is;
      join(group, op, index, space, reduces, reduces ? maskOf(op, space) : 0);
      if (op.writesInto()) write(group, op, index);
      groupAt(group).kind = stepKindOf(*op.row);
      if (op.row->kind == OpKind::scan) groupAt(group).reducedMask = maskOf(op, space);
      ++index;
    }
  }

  std::vector<FusionGroup> finish() {
    for (const ValueId output : program_.outputs) escape(output);
    for (const SizeCheck& check : program_.checks)
      if (check.ofValue()) escape(check.value);
    for (const Branch& branch : program_.branches) {
      escape(branch.condition);
      for (const ValueId value : branch.live) escape(value);
    }
    // The caller sees what is written to its tensors.
    for (std::size_t input = 0; input < program_.inputs.size() && !writes_.empty(); ++input)
      escape(static_cast<ValueId>(input));
    // A call whose result nothing reads before it is overwritten.
    if (!keepsAll_)
      std::erase_if(groups_, [](const FusionGroup& group) {
        return group.outputs.size() == 0 &&
               (group.kind == StepKind::library || group.kind == StepKind::attention);
      });
    for (FusionGroup& group : groups_) {
      if (group.inputs.size() > 1) std::ranges::sort(group.inputs);
      if (group.outputs.size() > 1) std::ranges::sort(group.outputs);
    }
    return std::move(groups_);
  }

 private:
  struct Value {
    int group = -1;     ///< the group that computes it; -1: an input
    int space = -1;     ///< the space over which it is in registers there; -1: it is only in memory
    bool live = false;  ///< something depends on it, if findLive() says so
    bool escapes = false;  ///< it is among its group's outputs
    bool made = false;     ///< each group that reads it computes it
  };
  /// The accesses to a value's memory so far. They are recorded for the value that owns the memory.
  struct Touched {
    struct Read {
      int group;
      ValueId name;  ///< the name of the value that was read; see PlanValues::named
      bool apart;    ///< some element is read at indices other than those of the loop
    };
    ValueId last = -1;            ///< the result that was written there last
    ShortList<ValueId, 2> parts;  ///< what the group of `last` has written there, `last` included
    std::vector<Read> reads;      ///< since `last`
  };
  Value& at(ValueId value) { return values_[value]; }
  Touched& touchedOf(ValueId value) {
    return writes_[static_cast<std::size_t>(planned_.root(value))];
  }
  /// The value that now holds the contents of a value's memory: the last result that was written
  /// there, if it was written under the same name; otherwise the value itself.
  ValueId current(ValueId value) {
    if (writes_.empty()) return value;
    const ValueId last = touchedOf(value).last;
    return last >= 0 && planned_.named(last) == planned_.named(value) ? last : value;
  }
  /// The first group that can read a value over `space`: the group that computes it, if that group
  /// runs over the same space; otherwise the next one. If another result was written to its memory
  /// last, it is at the earliest the group after the one that wrote that result.
  int readableFrom(ValueId value, int space) {
    const Value& now = at(value);
    const int made = now.group + (now.space != space ? 1 : 0);
    if (writes_.empty()) return made;
    const ValueId last = touchedOf(value).last;
    return last < 0 || last == value ? made : std::max(made, at(last).group + 1);
  }

  void findMade() {
    const std::vector<bool> made = valuesMadeWhereRead(program_, planned_, attentions_);
    for (std::size_t value = 0; value < made.size(); ++value) values_[value].made = made[value];
  }
  bool isMadeWhereRead(ValueId value) const { return values_[value].made; }

  /// The attention that an op is part of, or null.
  const Attention* attentionAt(int op) const {
    const int found = attentionOf_.empty() ? -1 : attentionOf_[static_cast<std::size_t>(op)];
    return found < 0 ? nullptr : &attentions_[static_cast<std::size_t>(found)];
  }

  /// An attention is one group, placed where its last op is.
  void placeAttention(const Attention& attention, int index) {
    if (index != attention.ops.back()) return;
    const int group = open(types_[program_.result(index)].shape);
    groupAt(group).alone = true;
    groupAt(group).kind = StepKind::attention;
    for (const int op : attention.ops) groupAt(group).ops.push_back(op);
    at(program_.result(index)).group = group;
    for (const ValueId operand : attention.operands) read(group, current(operand));
  }

  /// Whether something depends on every op, that is, each one's result is read or returned.
  /// Otherwise marks the ops on which something depends.
  bool findLive() {
    for (const ValueId output : program_.outputs) at(output).live = true;
    for (const SizeCheck& check : program_.checks)
      if (check.ofValue()) at(check.value).live = true;
    for (const Branch& branch : program_.branches) {
      at(branch.condition).live = true;
      for (const ValueId value : branch.live) at(value).live = true;
    }
    // A copy is made even if nothing reads its result, because the program asks for it and may wait
    // for it. The same holds for ops that wait for other ranks.
    for (std::size_t op = 0; op < program_.ops.size(); ++op)
      if (isFence(*program_.ops[op].row) || copies(program_, planned_, static_cast<int>(op)))
        at(program_.result(static_cast<int>(op))).live = true;
    std::size_t value = program_.inputs.size();
    const std::size_t count = planned_.count();
    while (value < count && (types_[value].read || values_[value].live)) ++value;
    if (value == count && attentions_.empty()) return true;
    for (std::size_t op = program_.ops.size(); op-- > 0;) {
      if (const Attention* const attention = attentionAt(static_cast<int>(op))) {
        // Its last op represents all of them. A mask that follows from positions is not read.
        if (static_cast<int>(op) != attention->ops.back() ||
            !values_[program_.inputs.size() + op].live)
          continue;
        for (const ValueId operand : attention->operands) at(operand).live = true;
        continue;
      }
      if (program_.ops[op].writesInto()) {  // other names of this memory show it
        values_[program_.inputs.size() + op].live = true;
        at(program_.ops[op].into).live = true;
      }
      if (!values_[program_.inputs.size() + op].live) continue;
      for (const Operand& operand : program_.ops[op].operands)
        if (reads(program_.ops[op], operand)) at(operand.value).live = true;
    }
    return false;
  }

  /// The first ops, which are element-wise over one space: they are one group, whatever follows.
  void placeLeading(int count) {
    const auto inputs = static_cast<ValueId>(program_.inputs.size());
    const int space = types_[inputs].shape;
    FusionGroup& group = groupAt(open(space));
    group.ops.resize(static_cast<std::size_t>(count));
    std::iota(group.ops.begin(), group.ops.end(), 0);
    for (Value* value = values_ + inputs; value != values_ + inputs + count; ++value) {
      value->group = 0;
      value->space = space;
    }
    for (ValueId input = 0; input < inputs; ++input)
      if (types_[input].leading) group.inputs.push_back(input);
  }

  /// Assigns an op to the latest group that can take it, or else to a new one.
  void place(const Op& op, int index) {
    // Memory that is only allocated exists from the start, like an input: see isOverwritten().
    if (op.row->kind == OpKind::make && isOverwritten(program_, planned_, index)) return;
    const bool reduces = op.row->kind == OpKind::reduce;
    const int space = spaceOf(op, index);
    const int latest = static_cast<int>(groups_.size()) - 1;
    int earliest = fence_;  // every operand must exist by then
    bool computed = true;   // all of them, by the latest group
    for (const Operand& operand : op.operands) {
      if (!reads(op, operand)) continue;
      const ValueId now = current(operand.value);
      const Value& value = at(now);
      if (value.made) {
        computed = false;
        continue;
      }
      // The operand can be read in the group that computes it, if that group goes over the same
      // space; otherwise in the next group.
      const bool apart = readsApart(op, index, operand);
      earliest = std::max({earliest, readableFrom(now, space), apart ? value.group + 1 : 0});
      computed &= value.group == latest && !apart;
    }
    if (op.writesInto()) earliest = std::max(earliest, writableFrom(op));
    const std::uint32_t mask = reduces ? maskOf(op, space) : 0;
    if (op.after >= 0) {
      const Value& value = at(op.after);
      earliest = std::max(earliest, value.group + (value.space != space ? 1 : 0));
    }
    const SharedTypes::Value& type = types_[program_.result(index)];
    const bool called = isCalled(*op.row);
    const bool scans = op.row->kind == OpKind::scan;
    const TypeClass lanes = forPieces_ && narrowPieces_ ? type.lanes : TypeClass::float32;
    const bool noPieces = forPieces_ && type.unusual && !(narrowPieces_ && type.narrow) &&
                          lanes == TypeClass::float32;
    const bool hasNoList = called || scans || noPieces;
    const bool alone = hasNoList || (rowsApart_ && goesAlongRows(program_, planned_, index)) ||
                       (!apart_.empty() && apart_[static_cast<std::size_t>(index)]);
    int target = alone ? -1 : latest;
    while (target >= earliest && !(takes(groupAt(target), space, reduces, mask) &&
                                   groupAt(target).lanes == lanes && hasRoom(target, op) &&
                                   readsAlike(target, op, index) && fits(op, index, target, space)))
      --target;
    if (target < earliest) {
      target = open(space);
      groupAt(target).lanes = lanes;
    }
    if (isFence(*op.row)) fence_ = target + 1;
    groupAt(target).indexes |= op.row->indexing.is;
    if (computed && target == latest)
      add(target, index, space, reduces, mask);
    else
      join(target, op, index, space, reduces, mask);
    if (op.writesInto()) write(target, op, index);
    // The result is written even if nothing reads it: no part of a call can be left out.
    if (isFence(*op.row) || (hasNoList && op.writesInto())) escape(program_.result(index));
    if (!alone) return;
    if (scans) groupAt(target).reducedMask = maskOf(op, space);
    groupAt(target).alone = true;
    groupAt(target).kind = hasNoList ? stepKindOf(*op.row) : StepKind::opList;
    at(program_.result(index)).space = -1;  // nothing can join it there
  }

  /// Whether an op reads an operand at indices other than those of its own loops. Such an operand
  /// must be in memory before.
  bool readsApart(const Op& op, int index, const Operand& operand) const {
    if (op.row->kind != OpKind::gather) return false;
    const auto o = static_cast<std::size_t>(&operand - op.operands.data());
    // An index tensor of the result's shape is read like any other operand.
    return o == op.row->indexing.source ||
           types_[operand.value].shape != types_[program_.result(index)].shape;
  }

  /// Whether a group with this op would step through each tensor that it reads from memory in only
  /// one way.
  bool readsAlike(int target, const Op& op, int index) {
    const FusionGroup& group = groupAt(target);
    if (!group.indexes && op.row->kind != OpKind::gather) return true;
    for (const Operand& operand : op.operands) {
      if (!reads(op, operand)) continue;
      const ValueId now = current(operand.value);
      if (std::ranges::find(group.inputs, now) == group.inputs.end()) continue;
      const bool apart = readsApart(op, index, operand);
      for (const int other : group.ops) {
        const Op& reader = program_.ops[static_cast<std::size_t>(other)];
        for (const Operand& read : reader.operands) {
          if (!reads(reader, read) || current(read.value) != now) continue;
          const bool otherApart = readsApart(reader, other, read);
          if (!apart && !otherApart) continue;
          if (apart != otherApart || !sameWay(op, index, operand, reader, other, read))
            return false;
        }
      }
    }
    return true;
  }
  bool sameWay(const Op& a, int indexOfA, const Operand& of, const Op& b, int indexOfB,
               const Operand& read) const {
    const auto stepsOf = [this](const Op& op, int index, const Operand& operand) {
      return indexedStrides(program_, planned_, index,
                            static_cast<std::size_t>(&operand - op.operands.data()));
    };
    return stepsOf(a, indexOfA, of) == stepsOf(b, indexOfB, read);
  }

  /// The first group that may write to the memory that an op writes in place: not before a group
  /// that reads there, or that writes another part of it.
  int writableFrom(const Op& op) {
    const ValueId root = planned_.root(op.into), name = planned_.named(op.into);
    const Touched& memory = touchedOf(op.into);
    int earliest = std::max(0, at(root).group + (name == root ? 0 : 1));
    if (memory.last >= 0)
      earliest = std::max(earliest, at(memory.last).group + (writesTogether(memory, op) ? 0 : 1));
    for (const Touched::Read& read : memory.reads)
      earliest = std::max(earliest, read.group + (read.name == name && !read.apart ? 0 : 1));
    return earliest;
  }

  /// Whether an op may write to a memory in the group that wrote there last: either exactly the
  /// same part, or a part that does not overlap with anything that the group has written there.
  bool writesTogether(const Touched& memory, const Op& op) const {
    const ValueId name = planned_.named(op.into);
    const bool again = planned_.named(memory.last) == name;
    if (again || forPieces_ || memory.parts.size() == kMostParts) return again;
    return std::ranges::all_of(
        memory.parts, [&](ValueId part) { return areApart(planned_, planned_.named(part), name); });
  }

  /// Whether an op may join a group with respect to in-place writes: if a group writes to memory
  /// that it reads, each element is read and written in one step of a loop.
  bool fits(const Op& op, int index, int group, int space) {
    if (writes_.empty()) return true;
    const FusionGroup& into = groupAt(group);
    const bool elementwise = op.row->kind == OpKind::pointwise || op.row->kind == OpKind::make;
    if (into.rewrites && !elementwise) return false;
    if (!op.writesInto()) return true;
    const bool rewrites =
        std::ranges::any_of(touchedOf(op.into).reads,
                            [&](const Touched::Read& read) { return read.group == group; }) ||
        std::ranges::any_of(op.operands, [&](const Operand& operand) {
          return reads(op, operand) && at(current(operand.value)).group != group &&
                 planned_.root(operand.value) == planned_.root(op.into);
        });
    // The result has the group's space. Otherwise its elements would be written several times.
    return types_[program_.result(index)].shape == space &&
           (!rewrites || (!into.reduces && std::ranges::all_of(into.ops, [&](int each) {
             const OpKind kind = program_.ops[static_cast<std::size_t>(each)].row->kind;
             return kind == OpKind::pointwise || kind == OpKind::make;
           })));
  }

  /// Notes that a group writes an op's result in place.
  void write(int group, const Op& op, int index) {
    Touched& memory = touchedOf(op.into);
    const ValueId root = planned_.root(op.into), name = planned_.named(op.into);
    groupAt(group).rewrites |= std::ranges::any_of(
        memory.reads, [&](const Touched::Read& read) { return read.group == group; });
    // If only a part is written, the older contents must be in memory as well.
    const bool whole = memory.last >= 0 ? planned_.named(memory.last) == name : root == name;
    if (!whole && (memory.last < 0 || root != name)) escapeAt(root, memory.last);
    if (memory.last < 0 || at(memory.last).group != group) memory.parts = {};
    if (whole && memory.parts.size() > 0) memory.parts.resize(memory.parts.size() - 1);
    memory.last = program_.result(index);
    memory.parts.push_back(memory.last);
    memory.reads.clear();
  }

  /// A copy is a step of its own. If the host waits for it, later ops of the program are launched
  /// after it.
  void copy(const Op& op, int index) {
    const int group = open(types_[program_.result(index)].shape);
    groupAt(group).alone = true;
    groupAt(group).kind = stepKindOf(*op.row);
    groupAt(group).ops.push_back(index);
    at(program_.result(index)).group = group;
    read(group, current(op.operands.front().value));
    const Memory from = planned_.memory(op.operands.front().value);
    if (waits(op) && !isBeside(op, from, planned_.overlap)) fence_ = group + 1;
  }

  /// A view is stored with its operand, once that is in memory.
  void see(int index) {
    at(program_.result(index)).group = at(planned_.root(program_.result(index))).group;
  }

  /// The space that an op runs over: that of its result; for a reduction or the copy of a view,
  /// that of its operand.
  int spaceOf(const Op& op, int index) const {
    return types_[goesOverOperand(*op.row) ? op.operands.front().value : program_.result(index)]
        .shape;
  }
  std::uint32_t maskOf(const Op& op, int space) const {
    return reducedMask(op, static_cast<int>(planned_.extents(space).size()));
  }
  FusionGroup& groupAt(int group) { return groups_[static_cast<std::size_t>(group)]; }

  static bool takes(const FusionGroup& group, int space, bool reduces, std::uint32_t mask) {
    return group.space == space && !group.alone &&
           (!reduces || !group.reduces || group.reducedMask == mask);
  }

  /// Whether an op's operands still go into what a kernel reads from memory.
  bool hasRoom(int target, const Op& op) {
    const FusionGroup& group = groupAt(target);
    if (group.inputs.size() + op.operands.size() <= kMostReads) return true;
    std::size_t more = 0;
    for (const Operand& operand : op.operands) {
      if (!reads(op, operand)) continue;
      const ValueId now = current(operand.value);
      more += !at(now).made && at(now).group != target &&
              std::ranges::find(group.inputs, now) == group.inputs.end();
    }
    return more == 0 || group.inputs.size() + more <= kMostReads;
  }

  int open(int space) {
    groups_.emplace_back().space = space;
    return static_cast<int>(groups_.size()) - 1;
  }

  /// Adds an op to a group that computes all its operands.
  void add(int target, int index, int space, bool reduces, std::uint32_t mask) {
    FusionGroup& group = groupAt(target);
    group.ops.push_back(index);
    Value& result = at(program_.result(index));
    result.group = target;
    if (reduces) {
      group.reduces = true;
      group.reducedMask = mask;
    } else if (!changesSpace(program_, planned_, index)) {
      result.space = space;
    }
  }

  /// Adds an op to a group that may read operands from memory.
  void join(int target, const Op& op, int index, int space, bool reduces, std::uint32_t mask) {
    add(target, index, space, reduces, mask);
    for (const Operand& operand : op.operands) {
      if (!reads(op, operand)) continue;
      const ValueId now = current(operand.value);
      if (at(now).made)
        make(groupAt(target), now);
      else if (at(now).group != target || at(now).space < 0)
        read(target, now, readsApart(op, index, operand));
    }
  }

  /// Something outside of its group reads a value, or a view of it.
  void escape(ValueId id) {
    const ValueId root = planned_.root(id);
    escapeAt(root, writes_.empty() ? -1 : touchedOf(root).last);
  }

  /// The same, where the last that was written to its memory is `last`, if anything was.
  void escapeAt(ValueId root, ValueId last) {
    const ValueId id = last >= 0 ? last : root;
    Value& value = at(id);
    if (value.escapes || value.group < 0) return;
    value.escapes = true;
    groupAt(value.group).outputs.push_back(id);
  }

  /// A group reads a value that it does not compute.
  void read(int target, ValueId value, bool apart = false) {
    FusionGroup& group = groupAt(target);
    escape(value);
    if (!writes_.empty())
      touchedOf(value).reads.push_back(
          {target, planned_.named(value),
           apart || planned_.space(value) != group.space || group.reduces || group.alone});
    if (std::ranges::find(group.inputs, value) == group.inputs.end()) group.inputs.push_back(value);
  }

  static void make(FusionGroup& group, ValueId value) {
    if (std::ranges::find(group.made, value) == group.made.end()) group.made.push_back(value);
  }

  const Program& program_;
  const PlanValues& planned_;
  const SharedTypes::Value* types_;
  std::vector<FusionGroup> groups_;
  ShortList<Value, 128> memory_;
  std::vector<Touched> writes_;  ///< per value; empty: nothing is written in place
  Value* values_;
  bool forPieces_, narrowPieces_, rowsApart_;
  bool keepsAll_ = false;        ///< ops whose result nobody reads, too
  std::span<const char> apart_;  ///< per op: it is alone in its group; empty: none is
  std::span<const Attention> attentions_;
  std::vector<int> attentionOf_;  ///< per op, which of them it is part of, or -1; empty: none
  int fence_ = 0;                 ///< nothing joins a group before this one
};

}  // namespace

SizeList<SymbolicSize> indexedStrides(const Program& program, const PlanValues& values, int op,
                                      std::size_t operand) {
  const Op& which = program.ops[static_cast<std::size_t>(op)];
  const IndexRule& rule = which.row->indexing;
  const ValueId source = which.operands[rule.source].value;
  const ValueId index = which.operands[rule.index].value;
  const SizeList<SymbolicSize> from = values.strides(source), places = values.strides(index);
  const auto dim = static_cast<std::size_t>(indexedDim(which, static_cast<int>(from.size())));
  const bool ofSource = operand == rule.source;
  const auto kept = [](const SizeList<SymbolicSize>& extents, const SizeList<SymbolicSize>& strides,
                       std::size_t d) { return isOne(extents[d]) ? SymbolicSize(0) : strides[d]; };
  const SizeList<SymbolicSize>& fromExtents = values.extents(values.space(source));
  const SizeList<SymbolicSize>& placesExtents = values.extents(values.space(index));
  SizeList<SymbolicSize> strides;
  const auto add = [&](bool own, const SymbolicSize& stride) {
    strides.push_back(own ? stride : SymbolicSize(0));
  };
  if (!rule.replaces) {
    for (std::size_t d = 0; d < places.size(); ++d)
      if (ofSource)
        add(d != dim, d != dim ? kept(fromExtents, from, d) : SymbolicSize(0));
      else
        add(true, kept(placesExtents, places, d));
    return strides;
  }
  for (std::size_t d = 0; d < dim; ++d) add(ofSource, kept(fromExtents, from, d));
  for (std::size_t d = 0; d < places.size(); ++d) add(!ofSource, kept(placesExtents, places, d));
  if (rule.flat && places.size() == 0) strides.push_back(SymbolicSize(0));
  for (std::size_t d = dim + 1; d < from.size(); ++d) add(ofSource, kept(fromExtents, from, d));
  return strides;
}

StepKind stepKindOf(const OpRow& row) {
  switch (row.kind) {
    case OpKind::contract:
    case OpKind::scatter:
    case OpKind::order:
      return StepKind::library;
    case OpKind::collective:
      return StepKind::collective;
    case OpKind::copy:
      return StepKind::copy;
    default:
      return StepKind::kernel;
  }
}

std::vector<FusionGroup> fuse(const Program& program, const PlanValues& values, bool forPieces,
                              bool narrowPieces, std::span<const Attention> attentions) {
  Grouping grouping(program, values, forPieces, narrowPieces, /*rowsApart=*/false, {}, attentions);
  grouping.placeLive();
  return grouping.finish();
}

std::vector<FusionGroup> fuseExceptRows(const Program& program, const PlanValues& values,
                                        bool narrowPieces) {
  Grouping grouping(program, values, /*forPieces=*/true, narrowPieces, /*rowsApart=*/true);
  grouping.placeLive();
  return grouping.finish();
}

std::vector<FusionGroup> fuseExcept(const Program& program, const PlanValues& values,
                                    bool narrowPieces, std::span<const char> apart) {
  Grouping grouping(program, values, /*forPieces=*/true, narrowPieces, /*rowsApart=*/false, apart);
  grouping.placeLive();
  return grouping.finish();
}

std::vector<FusionGroup> separate(const Program& program, const PlanValues& values) {
  Grouping grouping(program, values);
  grouping.placeAlone();
  std::vector<FusionGroup> groups = grouping.finish();
  // Eager computes what nobody reads, too.
  for (FusionGroup& group : groups)
    if (writes(program, values, group.ops.front()))
      group.outputs = {program.result(group.ops.front())};
  return groups;
}

}  // namespace fusebench
