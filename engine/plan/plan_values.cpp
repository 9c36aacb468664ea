// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_values.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "engine/language/program_errors.h"
#include "engine/plan/overwritten.h"
#include "engine/plan/plan_sizes.h"
#include "engine/plan/write_checks.h"

namespace fusebench {
namespace {

/// Computes the layouts of the ops' results, in order. The result of an element-wise op gets the
/// dimension order of its operands. This order is chosen, not required: it is the same in every
/// call that passes the guards.
class LayoutWalk {
 public:
  LayoutWalk(const Program& program, std::span<const Shape> shapes, bool views, PlanValues& values,
             Guards& guards)
      : program_(program), shapes_(shapes), views_(views), values_(values), guards_(guards) {
    if (values.symbolicSizes)
      sizes_.emplace(program.sizes, guards, [this](ValueId value) {
        return hinted(values_.extents(values_.space(value)), shapeOf(value));
      });
  }

  void run(Forms inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      strides_.push_back(inputs[i].contiguous ? rowMajorStrides(inputs[i].shape)
                                              : inputs[i].strides);
    if (program_.writesInto) {
      values_.names.resize(values_.count());
      std::iota(values_.names.begin(), values_.names.end(), 0);
    }
    if (views_) {
      offsets_.assign(values_.count(), 0);
      settled_.assign(shapes_.size(), false);
      for (std::size_t v = 0; v < values_.count(); ++v)
        values_.places.push_back({static_cast<ValueId>(v), SymbolicSize(0)});
      for (std::size_t i = 0; i < inputs.size(); ++i)
        settled_[static_cast<std::size_t>(values_.space(static_cast<ValueId>(i)))] = true;
    }
    for (std::size_t i = 0; i < inputs.size(); ++i)
      setMemory(static_cast<ValueId>(i), inputs[i].memory);
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      const Op& op = program_.ops[i];
      checkWork(op.place, 2);
      try {
        set(op, program_.result(static_cast<int>(i)));
      } catch (const SizeOverflow&) {
        failOverflow(op);
      }
    }
    if (!sizes_) return;
    for (const SizeCheck& check : program_.checks)
      if (!check.ofValue()) sizes_->hold(check.condition, check.place);
    findOverwritten(program_, values_, shapes_, offsets_, guards_);
  }

 private:
  /// Finds where one op's result is stored.
  void set(const Op& op, ValueId value) {
    const Shape& shape = shapeOf(value);
    if (sizes_) sizes_->holdNumbers(op, /*ofResult=*/!hasSymbolicResult(op));
    if (op.writesInto()) return setWritten(op, value);
    strides_.push_back(rowMajorStrides(shape));
    if (op.row->kind == OpKind::view) return setView(op, value);
    if (op.row->kind == OpKind::copy) return setCopy(op, value);
    checkMemory(op);
    if (views_) setExtents(op, value);
    const bool sized = op.row->kind == OpKind::make && !op.sizeNumbers.empty();
    const bool follows = op.row->kind == OpKind::pointwise || op.row->kind == OpKind::scan ||
                         (op.row->kind == OpKind::make && !sized);
    if (follows) setOrder(op, value, shape);
    if (op.row->kind == OpKind::contract) setContractOrder(op, value, shape);
  }

  const Shape& shapeOf(ValueId value) const {
    return shapes_[static_cast<std::size_t>(values_.space(value))];
  }
  const Strides& stridesOf(ValueId value) const {
    return strides_[static_cast<std::size_t>(value)];
  }

  /// Whether the result of an op with sizes has extents that follow from them as symbols.
  static bool hasSymbolicResult(const Op& op) {
    return !op.writesInto() && (op.row->kind == OpKind::view || op.row->kind == OpKind::make);
  }

  /// The sizes of a view or of a made tensor.
  std::vector<HintedSize> sizesOf(const Op& op) {
    std::vector<HintedSize> sizes(op.sizeNumbers.begin(), op.sizeNumbers.end());
    if (sizes_)
      for (std::size_t i = 0; i < op.sizes.size(); ++i)
        if (op.sizes[i] >= 0) sizes[i] = sizes_->at(op.sizes[i], op.place);
    return sizes;
  }

  void setOrder(const Op& op, ValueId value, const Shape& shape) {
    std::vector<Strides> operands;
    for (const Operand& operand : op.operands)
      if (!operand.isNumber())
        operands.push_back(broadcastTo(shape, shapeOf(operand.value), stridesOf(operand.value)));
    setOrder(value, shape, resultOrder(shape, operands));
  }

  /// A convolution or pooling keeps the position of the channels in the dimension order.
  void setContractOrder(const Op& op, ValueId value, const Shape& shape) {
    std::vector<int> ranks;
    std::vector<Shape> shapes;
    std::vector<Strides> strides;
    for (const Operand& operand : op.operands) {
      shapes.push_back(shapeOf(operand.value));
      strides.push_back(stridesOf(operand.value));
      ranks.push_back(shapes.back().rank());
    }
    setOrder(value, shape, contractOrder(contractFormOf(op, ranks), shapes, strides));
  }

  void setOrder(ValueId value, const Shape& shape, const DimOrder& order) {
    if (order.isRowMajor()) return;
    const SizeList<std::int64_t> dense = denseStrides(SizeList<std::int64_t>(shape), order);
    for (int d = 0; d < shape.rank(); ++d) strides_.back()[d] = dense[static_cast<std::size_t>(d)];
    int& own = values_.layoutOf[static_cast<std::size_t>(value)];
    for (const auto& [space, layout] : made_)
      if (space == values_.space(value) &&
          values_.layouts[static_cast<std::size_t>(layout)].order == order) {
        own = layout;
        return;
      }
    own = static_cast<int>(values_.layouts.size());
    values_.layouts.push_back({denseStrides(values_.extents(values_.space(value)), order), order});
    made_.emplace_back(values_.space(value), own);
  }

  static SizeList<HintedSize> hinted(const SizeList<SymbolicSize>& sizes, const Dims& now) {
    SizeList<HintedSize> result;
    for (std::size_t d = 0; d < sizes.size(); ++d)
      result.push_back({sizes[d], now[static_cast<int>(d)]});
    return result;
  }

  void setView(const Op& op, ValueId value) {
    const ValueId of = op.operands.front().value;
    ViewLayout<HintedSize> layout{hinted(values_.extents(values_.space(of)), shapeOf(of)),
                                  hinted(values_.strides(of), stridesOf(of)),
                                  {values_.offset(of), offsets_[static_cast<std::size_t>(of)]}};
    const bool is = viewOf(op, layout, sizesOf(op), guards_);
    SizeList<SymbolicSize> extents;
    for (std::size_t d = 0; d < layout.extents.size(); ++d) {
      HintedSize& extent = layout.extents[d];
      settleExtent(extent);
      extents.push_back(extent.size);
    }
    meet(value, extents);
    if (!is) {
      if (!op.row->copies)
        failImpossibleView(op, Form{values_.dtype(of), false, shapeOf(of), stridesOf(of)});
      checkSize(op, {shapeOf(value), values_.dtype(value)}, /*view=*/false);
      checkMemory(op);
      return;  // a row-major copy
    }
    setMemory(value, values_.memory(of));
    values_.places[static_cast<std::size_t>(value)] = {values_.root(of), layout.offset.size};
    offsets_[static_cast<std::size_t>(value)] = layout.offset.hint;
    SizeList<SymbolicSize> strides;
    for (std::size_t d = 0; d < layout.strides.size(); ++d) {
      strides.push_back(layout.strides[d].size);
      strides_.back()[static_cast<int>(d)] = layout.strides[d].hint;
    }
    if (isRowMajor(values_.extents(values_.space(value)), strides)) return;
    values_.layoutOf[static_cast<std::size_t>(value)] = static_cast<int>(values_.layouts.size());
    values_.layouts.push_back({strides, DimOrder(static_cast<int>(strides.size()))});
  }

  /// A result that is written in place has the layout of the tensor that it is written to. Loops
  /// that write follow its memory order.
  void setWritten(const Op& op, ValueId value) {
    const ValueId into = op.into;
    strides_.push_back(stridesOf(into));
    values_.names[static_cast<std::size_t>(value)] = values_.named(into);
    values_.places[static_cast<std::size_t>(value)] = {values_.root(into), values_.offset(into)};
    offsets_[static_cast<std::size_t>(value)] = offsets_[static_cast<std::size_t>(into)];
    checkMemory(op);
    if (values_.ownMemory && values_.memory(into) != Memory::device)
      failElsewhere(program_, op, Operand::ofValue(into));
    const Shape& shape = shapeOf(value);
    checkWritten(op, shape, stridesOf(into));
    const bool scatters = op.row->kind == OpKind::scatter;
    if (scatters && views_) relyOnScattered(op);
    for (const Operand& operand : op.operands) {
      if (!reads(op, operand)) continue;
      if (scatters && &operand != &op.operands.front()) {
        // Elements are written to other positions than they are read from, so that no element may
        // be both read and written.
        if (values_.root(operand.value) == values_.root(into))
          checkApart(op, {shape, stridesOf(into), offsets_[static_cast<std::size_t>(into)]},
                     {shapeOf(operand.value), stridesOf(operand.value),
                      offsets_[static_cast<std::size_t>(operand.value)]});
        continue;
      }
      fit(operand.value, into);
      if (values_.root(operand.value) == values_.root(into) &&
          values_.named(operand.value) != values_.named(into))
        checkOverlap(op, {shape, stridesOf(into), offsets_[static_cast<std::size_t>(into)]},
                     {shapeOf(operand.value), stridesOf(operand.value),
                      offsets_[static_cast<std::size_t>(operand.value)]});
    }
    const int layout = values_.layoutOf[static_cast<std::size_t>(into)];
    if (layout < 0) return;
    const std::vector<Strides> alone{stridesOf(into)};
    PlanValues::ValueLayout own{values_.layouts[static_cast<std::size_t>(layout)].strides,
                                resultOrder(shape, alone)};
    values_.layoutOf[static_cast<std::size_t>(value)] = static_cast<int>(values_.layouts.size());
    values_.layouts.push_back(std::move(own));
  }

  /// Requires in every call that an operand has the extents of `whole` or is broadcast to them.
  void fit(ValueId value, ValueId whole) {
    const SizeList<SymbolicSize>& own = values_.extents(values_.space(value));
    const SizeList<SymbolicSize>& all = values_.extents(values_.space(whole));
    const std::size_t missing = all.size() - own.size();
    for (std::size_t d = 0; d < own.size(); ++d) {
      if (isOne(own[d])) continue;
      const std::int64_t now = shapeOf(whole)[static_cast<int>(missing + d)];
      SizeMath<HintedSize>(guards_).equal({all[missing + d], now}, {own[d], now});
    }
  }

  void setMemory(ValueId value, Memory memory) {
    if (values_.memories.empty()) {
      if (memory == Memory::device) return;
      values_.memories.assign(values_.count(), Memory::device);
    }
    values_.memories[static_cast<std::size_t>(value)] = memory;
  }

  /// Checks that operands are in device memory, because ops compute there.
  void checkMemory(const Op& op) const {
    if (!values_.ownMemory) return;
    checkMaking(op, values_.ownMemory);
    for (const Operand& operand : op.operands)
      if (reads(op, operand) && values_.memory(operand.value) != Memory::device)
        failElsewhere(program_, op, operand);
  }

  /// A copy to the memory of its operand is a view, and so is a number that is fetched.
  void setCopy(const Op& op, ValueId value) {
    const ValueId of = op.operands.front().value;
    const Move move = moveOf(*op.row);
    const Memory from = values_.memory(of);
    checkPinned(op, from, values_.ownMemory);
    if (move == Move::fetch) {
      meet(value, {});
      return setSame(value, of);
    }
    const std::optional<Memory> to = destination(op, from, values_.ownMemory);
    if (!to) {
      meet(value, values_.extents(values_.space(of)));
      strides_.back() = stridesOf(of);
      values_.layoutOf[static_cast<std::size_t>(value)] =
          values_.layoutOf[static_cast<std::size_t>(of)];
      return setSame(value, of);
    }
    setExtents(op, value);
    setMemory(value, *to);
    if (!values_.layout(of)) return;
    if (!isDense(of)) failGaps(op);
    strides_.back() = stridesOf(of);
    values_.layoutOf[static_cast<std::size_t>(value)] =
        values_.layoutOf[static_cast<std::size_t>(of)];
  }

  void setSame(ValueId value, ValueId of) {
    values_.places[static_cast<std::size_t>(value)] = {values_.root(of), values_.offset(of)};
    offsets_[static_cast<std::size_t>(value)] = offsets_[static_cast<std::size_t>(of)];
    setMemory(value, values_.memory(of));
  }

  /// Whether its elements have no gaps in every call, as is always true of computed values.
  bool isDense(ValueId value) const {
    if (static_cast<std::size_t>(value) >= program_.inputs.size() && !values_.isView(value))
      return true;
    const auto known = [](const SizeList<SymbolicSize>& sizes) {
      return std::ranges::all_of(sizes, [](const SymbolicSize& each) { return each.isConstant(); });
    };
    return known(values_.extents(values_.space(value))) && known(values_.strides(value)) &&
           isGapless(shapeOf(value), stridesOf(value));
  }

  /// A plan is made for extents of 0 and 1 specifically; other extents are 2 or more in every call.
  void settleExtent(HintedSize& extent) {
    if (extent.size.isConstant() || guards_.isMany(extent.size)) return;
    if (extent.hint > 1) return guards_.rely(extent.size, SizeRelation::notLess, SymbolicSize(2));
    guards_.rely(extent.size, SizeRelation::equal, SymbolicSize(extent.hint));
    extent.size = SymbolicSize(extent.hint);
  }

  static bool isRowMajor(const SizeList<SymbolicSize>& extents,
                         const SizeList<SymbolicSize>& strides) {
    SymbolicSize reach(1);
    for (std::size_t d = extents.size(); d-- > 0;) {
      if (!isOne(extents[d]) && !(strides[d] == reach)) return false;
      reach = reach * extents[d];
    }
    return true;
  }

  /// Sets the extents of an op's result, in terms of the extents of its operands.
  void setExtents(const Op& op, ValueId value) {
    const Shape& shape = shapeOf(value);
    SizeList<SymbolicSize> extents(static_cast<std::size_t>(shape.rank()), SymbolicSize(1));
    if (op.row->kind == OpKind::make && !op.sizeNumbers.empty()) {
      const std::vector<HintedSize> sizes = sizesOf(op);
      for (std::size_t d = 0; d < extents.size(); ++d) {
        HintedSize extent = sizes[d];
        settleExtent(extent);
        extents[d] = extent.size;
      }
      return meet(value, extents);
    }
    if (op.row->kind == OpKind::reduce) {
      const ValueId of = op.operands.front().value;
      const SizeList<SymbolicSize>& before = values_.extents(values_.space(of));
      const std::uint32_t mask = reducedMask(op, static_cast<int>(before.size()));
      std::size_t next = 0;
      for (std::size_t d = 0; d < before.size(); ++d) {
        const bool reduced = (mask >> d) & 1u;
        if (!reduced) extents[next] = before[d];
        if (!reduced || op.keepDims) ++next;
      }
      return meet(value, extents);
    }
    if (op.row->kind == OpKind::contract) return setContracted(op, value);
    if (op.row->kind == OpKind::gather) return setGathered(op, value);
    if (op.row->kind == OpKind::scatter) return setScattered(op, value);
    if (op.row->kind == OpKind::order) return setOrdered(op, value);
    for (const Operand& operand : op.operands) {
      if (operand.isNumber()) continue;
      // The results of ranks have the extents of the first operand; the second has no influence.
      if (op.row->kind == OpKind::collective &&
          (isFence(*op.row) || &operand != &op.operands.front()))
        break;
      const SizeList<SymbolicSize>& own = values_.extents(values_.space(operand.value));
      const std::size_t missing = extents.size() - own.size();
      for (std::size_t d = 0; d < own.size(); ++d) {
        if (isOne(own[d])) continue;
        SymbolicSize& extent = extents[missing + d];
        const std::int64_t now = shape[static_cast<int>(missing + d)];
        if (isOne(extent))
          extent = own[d];
        else
          SizeMath<HintedSize>(guards_).equal({extent, now}, {own[d], now});
      }
    }
    meet(value, extents);
  }

  /// Requires in every call that one extent is at most another.
  void relyOnRoom(const SymbolicSize& room, const SymbolicSize& taken) {
    if (!(room == taken)) guards_.rely(room, SizeRelation::notLess, taken);
  }

  void setGathered(const Op& op, ValueId value) {
    const IndexRule& rule = op.row->indexing;
    const ValueId source = op.operands[rule.source].value;
    const SizeList<SymbolicSize>& from = values_.extents(values_.space(source));
    const SizeList<SymbolicSize>& index =
        values_.extents(values_.space(op.operands[rule.index].value));
    const auto dim = static_cast<std::size_t>(indexedDim(op, static_cast<int>(from.size())));
    if (!rule.replaces) {
      for (std::size_t d = 0; d < index.size(); ++d)
        if (d != dim) relyOnRoom(from[d], index[d]);
      return meet(value, index);
    }
    SizeList<SymbolicSize> extents;
    for (std::size_t d = 0; d < dim; ++d) extents.push_back(from[d]);
    for (const SymbolicSize& extent : index) extents.push_back(extent);
    if (rule.flat && index.size() == 0) extents.push_back(SymbolicSize(1));
    for (std::size_t d = dim + 1; d < from.size(); ++d) extents.push_back(from[d]);
    meet(value, extents);
  }

  void setOrdered(const Op& op, ValueId value) {
    SizeList<SymbolicSize> extents = values_.extents(values_.space(op.operands.front().value));
    const Ordering ordering = orderingOf(op, static_cast<int>(extents.size()));
    if (ordering.first >= 0 && extents.size() > 0) {
      SymbolicSize& along = extents[static_cast<std::size_t>(ordering.dim)];
      relyOnRoom(along, SymbolicSize(ordering.first));
      along = SymbolicSize(ordering.first);
    }
    meet(value, extents);
  }

  void setScattered(const Op& op, ValueId value) {
    relyOnScattered(op);
    meet(value, values_.extents(values_.space(op.operands[op.row->indexing.source].value)));
  }

  /// Requires in every call that the added elements fit, or can be broadcast to the result's
  /// extents.
  void relyOnScattered(const Op& op) {
    const IndexRule& rule = op.row->indexing;
    const SizeList<SymbolicSize>& own =
        values_.extents(values_.space(op.operands[rule.source].value));
    const SizeList<SymbolicSize>& index =
        values_.extents(values_.space(op.operands[rule.index].value));
    const SizeList<SymbolicSize>& added = values_.extents(values_.space(op.operands[2].value));
    const auto dim = static_cast<std::size_t>(indexedDim(op, static_cast<int>(own.size())));
    const auto alike = [&](const SymbolicSize& a, const SymbolicSize& b) {
      if (!(a == b)) guards_.rely(a, SizeRelation::equal, b);
    };
    if (rule.spreads) {
      const auto over = static_cast<std::size_t>(indexedOver(op));
      SizeList<SymbolicSize> room;
      for (std::size_t d = 0; d < dim; ++d) room.push_back(own[d]);
      for (const SymbolicSize& extent : index) room.push_back(extent);
      for (std::size_t d = dim + over; d < own.size(); ++d) room.push_back(own[d]);
      for (std::size_t d = 0; d < added.size(); ++d)
        if (!isOne(added[d])) alike(room[d + room.size() - added.size()], added[d]);
    } else if (rule.replaces) {
      std::size_t at = 0;
      for (std::size_t d = 0; d < dim; ++d) alike(own[d], added[at++]);
      for (const SymbolicSize& extent : index) alike(extent, added[at++]);
      if (rule.flat && index.size() == 0) ++at;
      for (std::size_t d = dim + 1; d < own.size(); ++d) alike(own[d], added[at++]);
    } else {
      for (std::size_t d = 0; d < own.size(); ++d) {
        relyOnRoom(added[d], index[d]);
        if (d != dim) relyOnRoom(own[d], index[d]);
      }
    }
  }

  void setContracted(const Op& op, ValueId value) {
    std::vector<int> ranks;
    std::vector<SizeList<HintedSize>> operands;
    for (const Operand& operand : op.operands) {
      ranks.push_back(shapeOf(operand.value).rank());
      operands.push_back(
          hinted(values_.extents(values_.space(operand.value)), shapeOf(operand.value)));
    }
    const ContractForm form = contractFormOf(op, ranks);
    const std::vector<HintedSize> loops = contractLoopsOf(op, form, operands, guards_);
    SizeList<SymbolicSize> extents;
    for (HintedSize extent : contractResult(form, loops, SizeMath<HintedSize>(guards_))) {
      settleExtent(extent);
      extents.push_back(extent.size);
    }
    meet(value, extents);
  }

  /// Values of equal extents share a space. The first value sets its extents; the guards require in
  /// every call that the others are equal.
  void meet(ValueId value, const SizeList<SymbolicSize>& extents) {
    const auto space = static_cast<std::size_t>(values_.space(value));
    if (!settled_[space]) {
      settled_[space] = true;
      values_.spaces[space] = extents;
      return;
    }
    const Shape& shape = shapes_[space];
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const std::int64_t now = shape[static_cast<int>(d)];
      SizeMath<HintedSize>(guards_).equal({values_.spaces[space][d], now}, {extents[d], now});
    }
  }

  const Program& program_;
  std::span<const Shape> shapes_;  ///< the extents of each space, for these inputs
  bool views_;
  PlanValues& values_;
  Guards& guards_;
  std::optional<PlanSizes> sizes_;         ///< if they are symbols
  std::vector<Strides> strides_;           ///< per value, for these inputs
  std::vector<std::int64_t> offsets_;      ///< per view, for these inputs
  std::vector<bool> settled_;              ///< spaces whose extents are set
  std::vector<std::pair<int, int>> made_;  ///< spaces, and layouts of results over them
};

}  // namespace

std::optional<Memory> destination(const Op& op, Memory from, bool ownMemory) {
  const Move move = moveOf(*op.row);
  if (move == Move::again) return from;
  if (!ownMemory) return std::nullopt;
  const bool onDevice = from == Memory::device;
  switch (move) {
    case Move::toDevice:
      return onDevice ? std::nullopt : std::optional(Memory::device);
    case Move::toHost:
      // Without a wait by the host, the device itself has to be able to write to this memory.
      return !onDevice   ? std::nullopt
             : waits(op) ? std::optional(Memory::host)
                         : std::optional(Memory::pinned);
    case Move::pin:
      return from == Memory::pinned ? std::nullopt : std::optional(Memory::pinned);
    case Move::fetch:
    case Move::again:
      break;
  }
  return std::nullopt;
}

void checkMaking(const Op& op, bool ownMemory) {
  if (ownMemory && op.madeIn.value_or(Memory::device) != Memory::device)
    failProgram(op.place, std::string(op.row->name) +
                              " would create its tensor in host memory, where programs do not "
                              "compute; leave device='cpu' and pin_memory out");
}

void failElsewhere(const Program& program, const Op& op, const Operand& operand) {
  const auto value = static_cast<std::size_t>(operand.value);
  const std::string name = value < program.inputs.size() ? program.inputs[value] : "what it reads";
  failProgram(op.place, std::string(op.row->name) + " computes on the device, and " + name +
                            " is in host memory; copy it there first, as in x.cuda()");
}

void checkPinned(const Op& op, Memory from, bool ownMemory) {
  if (ownMemory && moveOf(*op.row) == Move::pin && from == Memory::device)
    failProgram(op.place,
                "pin_memory needs a tensor in host memory, and this one is on the device");
}

void failGaps(const Op& op) {
  failProgram(op.place, std::string(op.row->name) +
                            " copies tensors without gaps in memory, and this one has gaps; write "
                            ".contiguous() before it");
}

PlanValues planValues(const Program& program, Forms inputs, Guards& guards, bool ownMemory) {
  SharedTypes types = inferSharedTypes(program, inputs);
  PlanValues result;
  result.types = std::move(types.values);
  result.leading = types.leading;
  result.ownMemory = ownMemory;
  result.spaces.reserve(types.shapes.size());
  for (const Shape& shape : types.shapes) {
    SizeList<SymbolicSize>& extents = result.spaces.emplace_back();
    for (const std::int64_t extent : shape) extents.push_back(guards.size(extent));
  }
  bool allContiguous = true;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    allContiguous &= inputs[i].contiguous && inputs[i].memory == Memory::device;
  result.symbolicSizes = guards.isSymbolic() && !program.sizes.empty();
  const bool walks = types.views || result.symbolicSizes;
  if (allContiguous && !walks) return result;
  result.layoutOf.assign(result.count(), -1);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].contiguous) continue;
    result.layoutOf[i] = static_cast<int>(result.layouts.size());
    result.layouts.push_back({guards.strides(i), DimOrder(inputs[i].shape.rank())});
  }
  LayoutWalk(program, types.shapes, walks, result, guards).run(inputs);
  return result;
}

OpTypes opTypesIn(const Op& op, const PlanValues& values) {
  return opTypesOf(op, [&](ValueId value) {
    return std::pair(values.dtype(value), values.extents(values.space(value)).size());
  });
}

ValueId addPartTo(PlanValues& values, ValueId root, ValueId like,
                  const SizeList<SymbolicSize>& strides, const SymbolicSize& offset) {
  const auto added = static_cast<ValueId>(values.count());
  for (ValueId value = 0; value < added && values.places.size() < values.count(); ++value)
    values.places.push_back({value, SymbolicSize(0)});
  if (values.layoutOf.empty()) values.layoutOf.assign(values.count(), -1);
  if (values.names.empty()) {
    values.names.resize(values.count());
    std::iota(values.names.begin(), values.names.end(), 0);
  }
  const SharedTypes::Value type = values.types[static_cast<std::size_t>(like)];
  values.types.push_back(type);
  values.layoutOf.push_back(static_cast<int>(values.layouts.size()));
  values.layouts.push_back({strides, DimOrder(static_cast<int>(strides.size()))});
  values.places.push_back({root, offset});
  values.names.push_back(added);
  if (!values.memories.empty()) values.memories.push_back(values.memory(root));
  return added;
}

}  // namespace fusebench
