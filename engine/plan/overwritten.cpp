// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/overwritten.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fusebench {
namespace {

using Layout = ViewLayout<std::int64_t>;

/// A range of positions along a dimension of the whole tensor; -1: the whole tensor.
struct Slab {
  int dim = -1;
  std::int64_t begin = 0, end = 0;
};

/// The slab that a part covers; nothing if it is not a slab. `whole` is row-major.
std::optional<Slab> slabOf(const Layout& whole, const Layout& part) {
  std::int64_t rest = part.offset;
  Slab slab;
  std::size_t next = 0;  // dimension of the part
  for (std::size_t d = 0; d < whole.extents.size(); ++d) {
    const std::int64_t stride = whole.strides[d], extent = whole.extents[d];
    const std::int64_t begin = rest / stride;
    rest %= stride;
    while (next < part.extents.size() && part.extents[next] == 1) ++next;
    std::int64_t count = 1;
    if (next < part.extents.size() && part.strides[next] == stride) count = part.extents[next++];
    if (begin == 0 && count == extent) continue;
    if (slab.dim >= 0 || begin + count > extent) return std::nullopt;
    slab = {static_cast<int>(d), begin, begin + count};
  }
  while (next < part.extents.size() && part.extents[next] == 1) ++next;
  if (rest != 0 || next < part.extents.size()) return std::nullopt;
  return slab;
}

bool covers(std::vector<Slab> slabs, const Layout& whole) {
  if (std::ranges::any_of(slabs, [](const Slab& slab) { return slab.dim < 0; })) return true;
  if (slabs.empty()) return false;
  std::ranges::sort(slabs, {}, &Slab::begin);
  std::int64_t covered = 0;
  for (const Slab& slab : slabs) {
    if (slab.dim != slabs.front().dim || slab.begin > covered) return false;
    covered = std::max(covered, slab.end);
  }
  return covered == whole.extents[static_cast<std::size_t>(slabs.front().dim)];
}

/// Whether an op that writes in place writes every element of its target.
bool writesAll(const Op& op) {
  const OpKind kind = op.row->kind;
  return kind == OpKind::pointwise || kind == OpKind::make || kind == OpKind::view;
}

/// The tensor that an op creates, row-major; nothing if its sizes are not numbers of its own.
std::optional<Layout> madeBy(const Op& op) {
  if (op.row->name != "empty" || op.writesInto() || op.sizeNumbers.empty()) return std::nullopt;
  Layout whole;
  std::int64_t stride = 1;
  for (const std::int64_t extent : op.sizeNumbers) {
    if (extent < 1) return std::nullopt;
    whole.extents.push_back(extent);
  }
  whole.strides = SizeList<std::int64_t>(whole.extents.size(), 1);
  for (std::size_t d = whole.extents.size(); d-- > 0;) {
    whole.strides[d] = stride;
    stride *= whole.extents[d];
  }
  return whole;
}

/// Used instead of an extent that expand() leaves unchanged.
constexpr std::int64_t kSameExtent = -1;

/// A tensor of which one extent is known: created as a tensor that was expanded along one
/// dimension, as torch.stack() does. Its other extents are arbitrary.
struct MadeStack {
  int dim = 0;
  std::int64_t count = 0;
};

std::optional<MadeStack> stackMadeBy(const Program& program, const Op& op) {
  if (op.row->name != "empty" || op.writesInto() || !op.sizeNumbers.empty() ||
      op.operands.size() != 1 || op.operands[0].isNumber())
    return std::nullopt;
  const auto made = op.operands[0].value - static_cast<ValueId>(program.inputs.size());
  if (made < 0) return std::nullopt;
  const Op& like = program.ops[static_cast<std::size_t>(made)];
  if (like.row->name != "expand") return std::nullopt;
  std::optional<MadeStack> stack;
  for (std::size_t d = 0; d < like.sizeNumbers.size(); ++d) {
    if (like.sizeNumbers[d] == kSameExtent) continue;
    if (stack || like.sizeNumbers[d] < 1) return std::nullopt;
    stack = {static_cast<int>(d), like.sizeNumbers[d]};
  }
  return stack;
}

/// Whether each position along the dimension of a stack is written before anything else is done
/// with the tensor. `places` receives the values that are one position of it.
bool isStackOverwritten(const Program& program, int op, const MadeStack& stack,
                        std::vector<std::pair<ValueId, std::int64_t>>& places) {
  const ValueId whole = program.result(op);
  std::vector<bool> written(static_cast<std::size_t>(stack.count), false);
  const auto all = [&written] { return std::ranges::find(written, false) == written.end(); };
  const auto placeOf = [&](ValueId value) -> std::optional<std::int64_t> {
    const auto found = std::ranges::find(places, value, &std::pair<ValueId, std::int64_t>::first);
    if (found == places.end()) return std::nullopt;
    return found->second;
  };
  for (int index = op + 1; index < static_cast<int>(program.ops.size()); ++index) {
    const Op& later = program.ops[static_cast<std::size_t>(index)];
    for (const Operand& operand : later.operands) {
      if (operand.isNumber() || later.row->kind == OpKind::make) continue;
      if (operand.value != whole && !placeOf(operand.value)) continue;
      const bool isPlace = operand.value == whole && later.row->name == "select" && later.dims &&
                           later.dims->front() == stack.dim;
      const std::int64_t place = isPlace ? later.sizeNumbers.front() : -1;
      if (place < 0 || place >= stack.count) return all();
      places.emplace_back(program.result(index), place);
    }
    if (!later.writesInto()) continue;
    if (later.into == whole) return all();
    const std::optional<std::int64_t> place = placeOf(later.into);
    if (!place) continue;
    if (!writesAll(later)) return all();
    written[static_cast<std::size_t>(*place)] = true;
    places.emplace_back(program.result(index), *place);
  }
  for (const SizeCheck& check : program.checks)
    if (check.ofValue() && (check.value == whole || placeOf(check.value))) return false;
  return all();
}

/// Whether a stack, or the selection of a position in it, depends on shapes.
bool dependsOnSizes(const Program& program, int op) {
  const Op& whole = program.ops[static_cast<std::size_t>(op)];
  const auto like = static_cast<std::size_t>(whole.operands[0].value) - program.inputs.size();
  if (program.ops[like].dependsOnSizes()) return true;
  return std::ranges::any_of(program.ops, [value = program.result(op)](const Op& each) {
    return each.dependsOnSizes() &&
           std::ranges::find(each.operands, value, &Operand::value) != each.operands.end();
  });
}

/// Tracks what is written to a tensor whose extents are symbolic.
class SymbolicCover {
 public:
  SymbolicCover(const Program& program, const PlanValues& values, std::span<const Shape> shapes,
                std::span<const std::int64_t> offsets, SizeFacts& facts, ValueId whole)
      : program_(program),
        values_(values),
        shapes_(shapes),
        offsets_(offsets),
        math_(facts),
        whole_(whole),
        extents_(values.extents(values.space(whole))),
        strides_(values.strides(whole)) {}

  /// Whether every element is written. In that case parts() are all different.
  bool isWhole(int op) {
    for (int index = op + 1; index < static_cast<int>(program_.ops.size()); ++index) {
      const Op& later = program_.ops[static_cast<std::size_t>(index)];
      for (const Operand& operand : later.operands)
        if (reads(later, operand) && values_.root(operand.value) == whole_ &&
            later.row->kind != OpKind::view)
          return covers();
      if (!later.writesInto() || values_.root(later.into) != whole_) continue;
      if (!writesAll(later) || !add(later.into)) return covers();
    }
    for (const SizeCheck& check : program_.checks)
      if (check.ofValue() && values_.root(check.value) == whole_) return false;
    return covers();
  }

  /// The values that are written to, one part after another.
  std::vector<ValueId> parts() const {
    std::vector<ValueId> all;
    for (const Slab& slab : slabs_) all.push_back(slab.part);
    return all;
  }

 private:
  struct Slab {
    ValueId part;
    std::size_t dim;
    HintedSize offset, extent;
  };

  const Shape& shapeOf(ValueId value) const {
    return shapes_[static_cast<std::size_t>(values_.space(value))];
  }

  /// A part that has the extents of the whole except along one dimension. False: it is another kind
  /// of part.
  bool add(ValueId part) {
    const auto& extents = values_.extents(values_.space(part));
    const SizeList<SymbolicSize> strides = values_.strides(part);
    if (extents.size() != extents_.size()) return false;
    std::size_t dim = extents.size();
    for (std::size_t d = 0; d < extents.size(); ++d) {
      if (!(strides[d] == strides_[d]) && !isOne(extents[d])) return false;
      if (extents[d] == extents_[d]) continue;
      if (dim < extents.size()) return false;
      dim = d;
    }
    if (dim == extents.size()) dim = 0;  // the whole
    if (extents.size() == 0) return false;
    slabs_.push_back({part,
                      dim,
                      {values_.offset(part), offsets_[static_cast<std::size_t>(part)]},
                      {extents[dim], shapeOf(part)[static_cast<int>(dim)]}});
    return true;
  }

  bool covers() {
    if (slabs_.empty()) return false;
    const std::size_t dim = slabs_.front().dim;
    std::ranges::sort(slabs_, {}, [](const Slab& slab) { return slab.offset.hint; });
    const Shape& shape = shapeOf(whole_);
    HintedSize stride = 1, begin = 0;
    for (std::size_t d = dim + 1; d < extents_.size(); ++d)
      stride = math_.multiply(stride, {extents_[d], shape[static_cast<int>(d)]});
    for (const Slab& slab : slabs_) {
      if (slab.dim != dim || !isAlways(slab.offset, math_.multiply(begin, stride))) return false;
      begin = math_.add(begin, slab.extent);
    }
    return isAlways(begin, {extents_[dim], shape[static_cast<int>(dim)]});
  }

  bool isAlways(const HintedSize& a, const HintedSize& b) {
    return a.hint == b.hint && math_.equal(a, b);
  }

  const Program& program_;
  const PlanValues& values_;
  std::span<const Shape> shapes_;
  std::span<const std::int64_t> offsets_;
  SizeMath<HintedSize> math_;
  ValueId whole_;
  const SizeList<SymbolicSize>& extents_;
  SizeList<SymbolicSize> strides_;
  std::vector<Slab> slabs_;
};

}  // namespace

bool isOverwritten(const Program& program, int op) {
  if (!program.branches.empty()) return false;
  std::vector<std::pair<ValueId, std::int64_t>> places;
  if (const auto stack = stackMadeBy(program, program.ops[static_cast<std::size_t>(op)]))
    return isStackOverwritten(program, op, *stack, places);
  const auto whole = madeBy(program.ops[static_cast<std::size_t>(op)]);
  if (!whole) return false;
  std::vector<std::pair<ValueId, Layout>> names{{program.result(op), *whole}};
  const auto named = [&](ValueId value) -> const Layout* {
    const auto found = std::ranges::find(names, value, &std::pair<ValueId, Layout>::first);
    return found == names.end() ? nullptr : &found->second;
  };
  std::vector<Slab> written;
  for (int index = op + 1; index < static_cast<int>(program.ops.size()); ++index) {
    const Op& later = program.ops[static_cast<std::size_t>(index)];
    for (const Operand& operand : later.operands) {
      // Only the form of its operand matters to an op that creates a tensor.
      if (operand.isNumber() || later.row->kind == OpKind::make) continue;
      const Layout* const seen = named(operand.value);
      if (!seen) continue;
      Layout part = *seen;
      if (later.row->kind != OpKind::view || !viewOf(later, part)) return covers(written, *whole);
      names.emplace_back(program.result(index), std::move(part));
    }
    if (!later.writesInto()) continue;
    const Layout* const target = named(later.into);
    if (!target) continue;
    const auto slab = writesAll(later) ? slabOf(*whole, *target) : std::nullopt;
    if (!slab) return covers(written, *whole);
    written.push_back(*slab);
    names.emplace_back(program.result(index), Layout(*target));
  }
  for (const SizeCheck& check : program.checks)
    if (check.ofValue() && named(check.value)) return false;
  return covers(written, *whole);
}

void findOverwritten(const Program& program, PlanValues& values, std::span<const Shape> shapes,
                     std::span<const std::int64_t> offsets, SizeFacts& facts) {
  values.overwritten.assign(program.ops.size(), false);
  values.partOf.assign(values.count(), -1);
  int next = 0;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const Op& made = program.ops[i];
    const int op = static_cast<int>(i);
    if (made.row->name != "empty" || made.writesInto() || !program.branches.empty()) continue;
    if (const auto stack = stackMadeBy(program, made)) {
      std::vector<std::pair<ValueId, std::int64_t>> places;
      if (dependsOnSizes(program, op) || !isStackOverwritten(program, op, *stack, places)) continue;
      for (const auto& [value, place] : places)
        values.partOf[static_cast<std::size_t>(value)] = next + static_cast<int>(place);
      next += static_cast<int>(stack->count);
    } else {
      if (made.sizeNumbers.empty()) continue;
      SymbolicCover cover(program, values, shapes, offsets, facts, program.result(op));
      if (!cover.isWhole(op)) continue;
      for (const ValueId part : cover.parts())
        values.partOf[static_cast<std::size_t>(part)] = next++;
    }
    values.overwritten[i] = true;
  }
}

}  // namespace fusebench
