// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/row_fusion.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/plan/kernel.h"
#include "engine/plan/made_values.h"

namespace fusebench {
namespace {

using Sizes = SizeList<SymbolicSize>;

/// The reductions whose results a kernel carries from phase to phase. More would compile slowly,
/// and LoopNest numbers its totals starting at kFirstTotal.
constexpr std::ptrdiff_t kMostReductions = 256;
static_assert(kMostReductions < LoopNest::kFirstTotal);

/// The number of kept dimensions of a space, if the reduced dimensions are the last ones.
std::optional<std::size_t> keptDims(const Rows& rows, std::size_t rank) {
  if (rows.reducedMask == 0) return std::nullopt;
  const auto reduced = static_cast<std::size_t>(std::popcount(rows.reducedMask));
  const std::uint32_t all = (1u << rank) - 1;
  if (rows.reducedMask != (all & ~((1u << (rank - reduced)) - 1))) return std::nullopt;
  return rank - reduced;
}

/// Whether two lists of strides address the same elements of a space.
bool walksAlike(const Sizes& a, const Sizes& b, const Sizes& extents) {
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (!isOne(extents[d]) && !(a[d] == b[d])) return false;
  return true;
}

/// Finds groups to join, two at a time.
class RowFusion {
 public:
  RowFusion(const Program& program, const PlanValues& values, std::vector<FusionGroup> groups,
            RowSizes& sizes)
      : program_(program), values_(values), groups_(std::move(groups)), sizes_(sizes) {
    maker_.assign(values.count(), -1);
    elements_.assign(groups_.size(), false);
    merged_.resize(groups_.size());
    std::iota(merged_.begin(), merged_.end(), 0);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const int op : groups_[g].ops) maker(program.result(op)) = static_cast<int>(g);
    if (program.writesInto) findWritten();
    met_.assign(groups_.size(), 0);
    listed_.assign(values.count(), 0);
    findOrder();
  }

  std::vector<FusionGroup> run(bool totals) {
    bool joined = false;
    for (int later = 0; later < count(); ++later)
      for (bool again = true; again;) {
        again = false;
        for (const int earlier : sources(later))
          if (!again && joins(earlier, later)) {
            join(earlier, later);
            again = joined = true;
          }
      }
    // Where rows are reduced by several launches, element-wise ops remain on both sides of a
    // reduction.
    if (std::ranges::any_of(sizes_.choices, &RowSizes::Choice::fewAndLong))
      for (int later = 0; later < count(); ++later)
        for (bool again = true; again;) {
          again = false;
          for (const int earlier : sources(later))
            if (!again && joinsElements(earlier, later)) {
              merge(earlier, later);
              elements_[static_cast<std::size_t>(later)] = true;
              again = joined = true;
            }
        }
    for (int later = 0; totals && later < count(); ++later)
      for (const int earlier : sources(later))
        if (addsUp(later, earlier)) {
          join(earlier, later);
          group(later).totals = joined = true;
          break;
        }
    return joined ? finish() : std::move(groups_);
  }

 private:
  int count() const { return static_cast<int>(groups_.size()); }
  const FusionGroup& group(int g) const { return groups_[static_cast<std::size_t>(g)]; }
  FusionGroup& group(int g) { return groups_[static_cast<std::size_t>(g)]; }
  int& maker(ValueId value) { return maker_[static_cast<std::size_t>(value)]; }
  /// The group that makes the memory of a value; -1: it is an input, or its readers make it.
  int makerOf(ValueId value) const { return maker_[static_cast<std::size_t>(values_.root(value))]; }
  const Op& op(int index) const { return program_.ops[static_cast<std::size_t>(index)]; }
  const Sizes& extents(int space) const { return values_.extents(space); }

  /// Records the order of reads and writes of memory that is written in place: a group comes after
  /// the last writer, and a writer also comes after all readers since then. Orders that follow from
  /// these are left out, because a long program has too many pairs of groups.
  void findWritten() {
    for (const Op& each : program_.ops)
      if (each.writesInto()) written_.push_back(values_.root(each.into));
    std::ranges::sort(written_);
    written_.erase(std::unique(written_.begin(), written_.end()), written_.end());
    struct Uses {
      int writer = -1;
      std::vector<int> readers;  ///< groups that read it since the last write
    };
    std::vector<Uses> uses(written_.size());
    before_.resize(groups_.size());
    for (int g = 0; g < count(); ++g) {
      std::vector<std::pair<std::size_t, bool>> touched;  // and whether it is written
      const auto note = [&](ValueId value, bool writes) {
        const auto at = std::ranges::lower_bound(written_, values_.root(value));
        if (at != written_.end() && *at == values_.root(value))
          touched.emplace_back(static_cast<std::size_t>(at - written_.begin()), !writes);
      };
      for (const int index : group(g).ops)
        if (op(index).writesInto()) note(op(index).into, true);
      for (const ValueId value : group(g).inputs) note(value, false);
      for (const ValueId value : group(g).outputs) note(value, false);
      std::ranges::sort(touched);  // the writing one of each comes first
      const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
      touched.erase(std::unique(touched.begin(), touched.end(), same), touched.end());
      for (const auto& [root, reads] : touched) {
        Uses& use = uses[root];
        std::vector<int>& before = before_[static_cast<std::size_t>(g)];
        if (use.writer >= 0) before.push_back(use.writer);
        if (reads) {
          use.readers.push_back(g);
        } else {
          before.insert(before.end(), use.readers.begin(), use.readers.end());
          use = {g, {}};
        }
      }
    }
  }

  /// The groups that have to run before this one.
  std::vector<int> sources(int g) const {
    std::vector<int> found;
    ++meeting_;
    const auto add = [&](int source) {
      if (source < 0 || source == g ||
          std::exchange(met_[static_cast<std::size_t>(source)], meeting_) == meeting_)
        return;
      found.push_back(source);
    };
    for (const ValueId input : group(g).inputs) add(makerOf(input));
    for (const int index : group(g).ops)
      if (op(index).after >= 0) add(makerOf(op(index).after));
    if (before_.empty()) return found;
    for (const int earlier : before_[static_cast<std::size_t>(g)]) add(nowIn(earlier));
    return found;
  }
  /// The group that a group was merged into.
  int nowIn(int g) const {
    while (merged_[static_cast<std::size_t>(g)] != g) g = merged_[static_cast<std::size_t>(g)];
    return g;
  }

  /// Finds an order in which each group comes after its sources.
  void findOrder() {
    position_.assign(groups_.size(), -1);
    std::vector<int> open;
    for (int last = 0; last < count(); ++last) {
      open.push_back(last);
      while (!open.empty()) {
        const int g = open.back();
        if (position(g) < 0) {
          const std::vector<int> needed = sources(g);
          const auto missing =
              std::ranges::find_if(needed, [&](int source) { return position(source) < 0; });
          if (missing != needed.end()) {
            open.push_back(*missing);
            continue;
          }
          position(g) = static_cast<int>(sorted_.size());
          sorted_.push_back(g);
        }
        open.pop_back();
      }
    }
  }
  int& position(int g) { return position_[static_cast<std::size_t>(g)]; }
  int position(int g) const { return position_[static_cast<std::size_t>(g)]; }

  /// Updates the order when `earlier` is about to be merged into `later`: groups between them that
  /// need `earlier` are moved behind `later`.
  void reorder(int earlier, int later) {
    if (position(earlier) > position(later)) return;  // nothing between them needs either
    std::vector<int> first, behind;
    std::vector<bool> moves(groups_.size(), false);
    moves[static_cast<std::size_t>(earlier)] = true;
    for (int at = position(earlier) + 1; at < position(later); ++at) {
      const int g = sorted_[static_cast<std::size_t>(at)];
      const bool needs = std::ranges::any_of(
          sources(g), [&](int source) { return moves[static_cast<std::size_t>(source)]; });
      moves[static_cast<std::size_t>(g)] = needs;
      (needs ? behind : first).push_back(g);
    }
    int at = position(earlier);
    const auto place = [&](int g) {
      position(g) = at;
      sorted_[static_cast<std::size_t>(at++)] = g;
    };
    place(earlier);
    for (const int g : first) place(g);
    place(later);
    for (const int g : behind) place(g);
  }

  /// Whether some group has to run after `earlier` and before `later`.
  bool isBetween(int earlier, int later) const {
    std::vector<int> seen, open = sources(later);
    std::erase(open, earlier);
    while (!open.empty()) {
      const int g = open.back();
      open.pop_back();
      if (g == earlier) return true;
      // Groups before `earlier` do not need it.
      if (position(g) < position(earlier) || std::ranges::find(seen, g) != seen.end()) continue;
      seen.push_back(g);
      for (const int source : sources(g)) open.push_back(source);
    }
    return false;
  }

  /// A group that writes in place is not plain, because a second loop over its rows would read
  /// changed elements. See writesRowsLast().
  bool isPlain(const FusionGroup& group) const {
    return !group.alone && group.kind == StepKind::kernel &&
           std::ranges::none_of(group.ops, [&](int index) { return op(index).writesInto(); });
  }
  /// Whether together they read no more tensors than a kernel can, or than one of them does alone.
  bool haveRoom(int a, int b) const {
    std::vector<ValueId> read;
    for (const int g : {a, b})
      for (const ValueId value : group(g).inputs)
        if (makerOf(value) != a && makerOf(value) != b) read.push_back(value);
    std::ranges::sort(read);
    read.erase(std::unique(read.begin(), read.end()), read.end());
    return read.size() <= std::max({kMostReads, group(a).inputs.size(), group(b).inputs.size()});
  }
  /// Whether a copy or a collective comes between the two. Results are not moved across it, because
  /// the host or other ranks may wait for them. Collectives keep their order.
  bool areParted(int earlier, int later) const {
    for (int g = std::min(earlier, later); g < std::max(earlier, later); ++g)
      if (group(g).kind == StepKind::copy || group(g).kind == StepKind::collective) return true;
    return false;
  }

  /// The rows of one of the two groups; nothing if neither has rows.
  std::optional<Rows> rowsOf(const FusionGroup& a, const FusionGroup& b) const {
    for (const FusionGroup* each : {&a, &b})
      if (each->reduces) return Rows{each->space, each->reducedMask};
    return std::nullopt;
  }

  /// Whether a space has one element for each of the rows.
  bool isOfRows(int space, const Rows& rows, std::size_t kept) const {
    const Sizes &own = extents(space), &whole = extents(rows.space);
    if (own.size() != kept && own.size() != whole.size()) return false;
    for (std::size_t d = 0; d < own.size(); ++d)
      if (d < kept ? !(own[d] == whole[d]) : !isOne(own[d])) return false;
    return true;
  }

  /// Whether a group runs over the rows, or computes one element per row.
  bool fits(const FusionGroup& group, const Rows& rows, std::size_t kept) const {
    if (!isPlain(group)) return false;
    if (group.space == rows.space) return !group.reduces || group.reducedMask == rows.reducedMask;
    if (group.reduces || !isOfRows(group.space, rows, kept)) return false;
    const auto asksNothing = [&](const Op& each) { return each.row->places == IndexInputs::none; };
    return std::ranges::all_of(group.ops,
                               [&](int index) {
                                 return asksNothing(op(index)) &&
                                        op(index).row->kind == OpKind::pointwise;
                               }) &&
           std::ranges::none_of(group.made,
                                [&](ValueId value) { return asksWhere(program_, values_, value); });
  }

  /// Whether fusing along these rows is faster, which it is not if more threads could share a row.
  bool isWorthIt(const Rows& rows, std::size_t kept) {
    const bool no = areFewAndLong(values_, sizes_.limits, rows.space, kept, sizes_.symbols);
    sizes_.choices.push_back({rows.space, kept, no});
    return !no;
  }

  /// Whether with these strides the elements of a row are contiguous in memory, or are one element.
  bool liesInRows(const Rows& rows, std::size_t kept, const Sizes& strides) const {
    for (std::size_t d = strides.size(); d-- > kept;) {
      if (isOne(extents(rows.space)[d])) continue;
      const SymbolicSize& stride = strides[d];
      return stride.isConstant() && (stride.constant() == 0 || stride.constant() == 1);
    }
    return true;
  }

  /// Whether an op of one group has a value of the other group available when it reads it.
  bool isAtHand(const Rows& rows, int opSpace, ValueId value) const {
    const ValueId root = values_.root(value);
    const Op& maker = op(root - program_.result(0));
    const int own = spaceOf(program_, values_, root - program_.result(0));
    if (own == rows.space && maker.row->kind != OpKind::reduce)
      return value == root && opSpace == rows.space && values_.space(root) == rows.space;
    if (!(values_.offset(value) == SymbolicSize(0))) return false;
    return walksAlike(stridesInRows(values_, rows, opSpace, value),
                      outputStrides(extents(rows.space), rows.reducedMask), extents(rows.space));
  }

  /// The strides with which the ops of two groups read a value.
  struct Steps {
    Sizes strides;
    bool alike = true;  ///< whether all of them use these strides
  };
  using StepsOfAll = std::map<ValueId, Steps>;
  void addSteps(const FusionGroup& group, const Rows& rows, StepsOfAll& all) const {
    for (const int index : group.ops)
      for (const Operand& operand : op(index).operands) {
        if (!reads(op(index), operand)) continue;
        const Sizes strides =
            stridesInRows(values_, rows, spaceOf(program_, values_, index), operand.value);
        const auto [found, first] = all.try_emplace(values_.named(operand.value), Steps{strides});
        if (!first && found->second.alike)
          found->second.alike = walksAlike(strides, found->second.strides, extents(rows.space));
      }
  }

  /// Whether everything that the two groups read is available, or can be read row by row.
  bool readsSuit(const FusionGroup& reader, const FusionGroup& other, const Rows& rows,
                 std::size_t kept, const StepsOfAll& steps) const {
    for (const int index : reader.ops) {
      const int space = spaceOf(program_, values_, index);
      for (const Operand& operand : op(index).operands) {
        if (!reads(op(index), operand)) continue;
        const ValueId value = operand.value;
        if (std::ranges::find(reader.made, value) != reader.made.end()) continue;
        const int source = makerOf(value);
        if (source >= 0 && (&group(source) == &other || &group(source) == &reader)) {
          if (!isAtHand(rows, space, value)) return false;
        } else if (!liesInRows(rows, kept, stridesInRows(values_, rows, space, value)) ||
                   !steps.at(values_.named(value)).alike) {
          return false;
        }
      }
    }
    return true;
  }
  bool readSuit(const FusionGroup& a, const FusionGroup& b, const Rows& rows,
                std::size_t kept) const {
    StepsOfAll steps;
    addSteps(a, rows, steps);
    addSteps(b, rows, steps);
    return readsSuit(a, b, rows, kept, steps) && readsSuit(b, a, rows, kept, steps);
  }

  /// Whether one kernel can carry the results of all reductions of both groups.
  bool canCarry(const FusionGroup& a, const FusionGroup& b) const {
    const auto reduces = [&](int index) { return op(index).row->kind == OpKind::reduce; };
    return std::ranges::count_if(a.ops, reduces) + std::ranges::count_if(b.ops, reduces) <=
           kMostReductions;
  }

  /// Whether the row is read again together with the result of its reduction.
  bool readsBack(const FusionGroup& a, const FusionGroup& b, const Rows& rows) const {
    for (const FusionGroup* reader : {&a, &b})
      for (const int index : reader->ops) {
        if (spaceOf(program_, values_, index) != rows.space) continue;
        for (const Operand& operand : op(index).operands) {
          if (!reads(op(index), operand)) continue;
          const int source = makerOf(operand.value);
          if (source < 0 || (&group(source) != &a && &group(source) != &b)) continue;
          const int maker = values_.root(operand.value) - program_.result(0);
          if (op(maker).row->kind == OpKind::reduce ||
              spaceOf(program_, values_, maker) != rows.space)
            return true;
        }
      }
    return false;
  }

  /// Whether the results are also stored row by row.
  bool writesSuit(const FusionGroup& group) const {
    return std::ranges::all_of(group.outputs,
                               [&](ValueId output) { return !values_.layout(output); });
  }

  /// Whether `b` only writes rows in place, element by element, after `a` has read them for the
  /// last time: it needs all reductions of `a`, and both read only these rows of that memory.
  bool writesRowsLast(const FusionGroup& a, const FusionGroup& b, const Rows& rows) const {
    if (b.alone || b.kind != StepKind::kernel || b.reduces || b.space != rows.space ||
        b.outputs.size() != 1 || !b.made.empty())
      return false;
    const ValueId written = b.outputs.front(), memory = values_.root(written);
    if (memory == written) return false;
    for (const int index : b.ops) {
      const Op& each = op(index);
      if (each.row->kind != OpKind::pointwise || each.row->places != IndexInputs::none ||
          spaceOf(program_, values_, index) != rows.space ||
          (each.writesInto() && values_.named(each.into) != values_.named(written)))
        return false;
    }
    for (const ValueId output : a.outputs)
      if (op(output - program_.result(0)).row->kind != OpKind::reduce &&
          values_.space(output) == rows.space)
        return false;
    for (const FusionGroup* reader : {&a, &b})
      for (const int index : reader->ops)
        for (const Operand& operand : op(index).operands)
          if (reads(op(index), operand) && values_.root(operand.value) == memory &&
              values_.named(operand.value) != values_.named(written))
            return false;
    // In-place results are read under their old name, so all of these ops contribute to the last
    // one.
    std::vector<int> needed, open;
    for (const int index : b.ops) open.push_back(index);
    while (!open.empty()) {
      const int index = open.back();
      open.pop_back();
      if (std::ranges::find(needed, index) != needed.end()) continue;
      needed.push_back(index);
      for (const Operand& operand : op(index).operands) {
        if (!reads(op(index), operand)) continue;
        for (const ValueId made : {operand.value, values_.root(operand.value)})
          for (const FusionGroup* of : {&a, &b})
            if (const int maker = made - program_.result(0);
                std::ranges::find(of->ops, maker) != of->ops.end())
              open.push_back(maker);
      }
    }
    return std::ranges::all_of(a.ops, [&](int index) {
      return op(index).row->kind != OpKind::reduce ||
             std::ranges::find(needed, index) != needed.end();
    });
  }

  /// The number of data-dependent branches before a group.
  int partOf(const FusionGroup& group) const {
    int part = 0;
    for (const Branch& branch : program_.branches)
      part += branch.beforeOp <= group.ops.front() ? 1 : 0;
    return part;
  }

  bool joins(int earlier, int later) {
    const FusionGroup &a = group(earlier), &b = group(later);
    if (a.indexes || b.indexes || partOf(a) != partOf(b)) return false;
    const std::optional<Rows> rows = rowsOf(a, b);
    if (!rows) return false;
    const std::optional<std::size_t> kept = keptDims(*rows, extents(rows->space).size());
    // Room is checked first, so that a large group without room is not compared with many others.
    return kept && haveRoom(earlier, later) && fits(a, *rows, *kept) &&
           (fits(b, *rows, *kept) || writesRowsLast(a, b, *rows)) && canCarry(a, b) &&
           writesSuit(a) && writesSuit(b) && readSuit(a, b, *rows, *kept) &&
           !areParted(earlier, later) && !isBetween(earlier, later) &&
           (!readsBack(a, b, *rows) || isWorthIt(*rows, *kept));
  }

  /// Whether an op sums results of rows: it adds floats, in any order.
  bool isTotal(const Op& each, ValueId value) const {
    const DType dtype = values_.dtype(each.operands.front().value);
    return each.row->kind == OpKind::reduce && each.row->accumulate == Accumulate::sum &&
           !each.row->meaning && (dtype == DType::float32 || dtype == DType::float64) &&
           values_.dtype(value) == dtype;
  }

  /// Whether a group does nothing but sum another group's results of rows and compute with these
  /// sums.
  bool addsUp(int g, int of) const {
    const FusionGroup &sums = group(g), &rows = group(of);
    if (!rows.phased || rows.totals || !sums.reduces || sums.space == rows.space ||
        !isPlain(sums) || !sums.made.empty() || partOf(sums) != partOf(rows))
      return false;
    const Rows whole{rows.space, rows.reducedMask};
    const std::size_t rank = extents(sums.space).size();
    const std::optional<std::size_t> kept = keptDims(whole, extents(whole.space).size());
    if (!kept || *kept == 0 || !isOfRows(sums.space, whole, *kept) ||
        sums.reducedMask != (1u << rank) - 1 || isBetween(of, g) || areParted(of, g))
      return false;
    const auto isOne = [&](int space) {
      return std::ranges::all_of(
          extents(space), [](const SymbolicSize& extent) { return fusebench::isOne(extent); });
    };
    if (isOne(sums.space)) return false;  // a single row has nothing to add up
    std::vector<ValueId> ofAll;           // sums, and what is computed of them
    const auto isOfAll = [&](ValueId value) {
      return std::ranges::find(ofAll, values_.root(value)) != ofAll.end();
    };
    for (const int index : sums.ops) {
      const Op& each = op(index);
      const int space = spaceOf(program_, values_, index);
      bool takesSums = false, takesRows = false;
      for (const Operand& operand : each.operands) {
        if (!reads(each, operand)) continue;
        const int source = makerOf(operand.value);
        if (source != g && (source != of || !isAtHand(whole, space, operand.value))) return false;
        (isOfAll(operand.value) ? takesSums : takesRows) = true;
      }
      const bool adds = space == sums.space && isTotal(each, program_.result(index));
      const bool computes = each.row->kind == OpKind::pointwise &&
                            each.row->places == IndexInputs::none &&
                            (takesSums ? isOne(space) : space == sums.space);
      if ((takesSums && takesRows) || (adds && takesSums) || !(adds || computes)) return false;
      if (adds || takesSums) ofAll.push_back(program_.result(index));
    }
    return writesSuit(sums);
  }

  /// Whether two groups run over the same elements, and the later one reads only what is available.
  bool joinsElements(int earlier, int later) const {
    const FusionGroup &a = group(earlier), &b = group(later);
    const auto isElementwise = [&](const FusionGroup& each) {
      return isPlain(each) && !each.reduces && !each.indexes && each.made.empty() &&
             writesSuit(each) && std::ranges::all_of(each.ops, [&](int index) {
               return op(index).row->kind == OpKind::pointwise &&
                      spaceOf(program_, values_, index) == each.space;
             });
    };
    if (a.space != b.space || !isElementwise(a) || !isElementwise(b) || partOf(a) != partOf(b) ||
        !haveRoom(earlier, later) || areParted(earlier, later) || isBetween(earlier, later))
      return false;
    return std::ranges::all_of(b.ops, [&](int index) {
      return std::ranges::all_of(op(index).operands, [&](const Operand& operand) {
        return !reads(op(index), operand) || makerOf(operand.value) != earlier ||
               (values_.root(operand.value) == operand.value &&
                values_.space(operand.value) == a.space);
      });
    });
  }

  void join(int earlier, int later) {
    FusionGroup& to = group(later);
    const Rows rows = *rowsOf(group(earlier), to);
    to.space = rows.space;
    to.reducedMask = rows.reducedMask;
    to.reduces = to.phased = true;
    merge(earlier, later);
  }

  void merge(int earlier, int later) {
    reorder(earlier, later);
    FusionGroup &from = group(earlier), &to = group(later);
    const auto own = static_cast<std::ptrdiff_t>(to.ops.size());
    for (const int index : from.ops) to.ops.push_back(index);
    std::inplace_merge(to.ops.begin(), to.ops.begin() + own, to.ops.end());
    for (const int index : from.ops) maker(program_.result(index)) = later;
    const auto addTo = [this](auto& list, const auto& more) {
      ++listing_;
      const auto isNew = [this](ValueId value) {
        return std::exchange(listed_[static_cast<std::size_t>(value)], listing_) != listing_;
      };
      for (const ValueId value : list) isNew(value);
      for (const ValueId value : more)
        if (isNew(value)) list.push_back(value);
    };
    addTo(to.inputs, from.inputs);
    addTo(to.made, from.made);
    addTo(to.outputs, from.outputs);
    ShortList<ValueId, 4> inputs;
    for (const ValueId value : to.inputs)
      if (makerOf(value) != later) inputs.push_back(value);
    to.inputs = inputs;
    merged_[static_cast<std::size_t>(earlier)] = later;
    if (!before_.empty()) {
      std::vector<int>& before = before_[static_cast<std::size_t>(later)];
      const std::vector<int> more = std::exchange(before_[static_cast<std::size_t>(earlier)], {});
      before.insert(before.end(), more.begin(), more.end());
    }
    from = FusionGroup();
  }

  /// Whether any group other than the one that computes a value reads it.
  bool escapes(ValueId value) const {
    if (values_.root(value) != value) return true;  // written in place, where others see it
    const auto is = [&](ValueId read) { return values_.root(read) == value; };
    if (std::ranges::any_of(program_.outputs, is) || std::ranges::any_of(written_, is)) return true;
    for (const Branch& branch : program_.branches)
      if (is(branch.condition) || std::ranges::any_of(branch.live, is)) return true;
    for (const SizeCheck& check : program_.checks)
      if (check.ofValue() && is(check.value)) return true;
    return std::ranges::any_of(
        groups_, [&](const FusionGroup& each) { return std::ranges::any_of(each.inputs, is); });
  }

  /// Returns the remaining groups, each after those whose results it reads.
  std::vector<FusionGroup> finish() {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      FusionGroup& each = groups_[g];
      if (!each.phased && !elements_[g]) continue;
      ShortList<ValueId, 4> outputs;
      for (const ValueId value : each.outputs)
        if (escapes(value)) outputs.push_back(value);
      each.outputs = outputs;
      std::ranges::sort(each.inputs);
      std::ranges::sort(each.outputs);
    }
    std::vector<FusionGroup> ordered;
    std::vector<bool> done(groups_.size(), false);
    for (std::size_t g = 0; g < groups_.size(); ++g) done[g] = groups_[g].ops.empty();
    const auto isReady = [&](int g) {
      return std::ranges::all_of(sources(g),
                                 [&](int s) { return done[static_cast<std::size_t>(s)]; });
    };
    for (bool any = true; any;) {
      any = false;
      for (int g = 0; g < count() && !any; ++g) {
        if (done[static_cast<std::size_t>(g)] || !isReady(g)) continue;
        any = done[static_cast<std::size_t>(g)] = true;
        order_.push_back(g);
      }
    }
    for (const int g : order_) ordered.push_back(std::move(group(g)));
    return ordered;
  }

  const Program& program_;
  const PlanValues& values_;
  std::vector<FusionGroup> groups_;
  std::vector<int> maker_;                ///< per value: the group that makes it, or -1
  std::vector<ValueId> written_;          ///< values whose memory is written to in place
  std::vector<std::vector<int>> before_;  ///< per group: those that written memory orders before it
  std::vector<int> merged_;               ///< per group: itself, or the one it was merged into
  std::vector<int> order_;
  std::vector<int> sorted_, position_;  ///< sorted groups, and the position of each in that order
  mutable std::vector<unsigned> met_;   ///< per group: the last search of sources that met it
  mutable unsigned meeting_ = 0;
  std::vector<unsigned> listed_;  ///< per value: the last list that has it
  unsigned listing_ = 0;
  std::vector<bool> elements_;  ///< per group: it was joined element by element
  RowSizes& sizes_;
};

}  // namespace

int spaceOf(const Program& program, const PlanValues& values, int op) {
  const Op& which = program.ops[static_cast<std::size_t>(op)];
  return values.space(goesOverOperand(*which.row) ? which.operands.front().value
                                                  : program.result(op));
}

bool goesAlongRows(const Program& program, const PlanValues& values, int op) {
  const Op& which = program.ops[static_cast<std::size_t>(op)];
  const int space = spaceOf(program, values, op);
  if (which.row->kind == OpKind::reduce) {
    const auto rank = static_cast<int>(values.extents(space).size());
    if (reducedMask(which, rank) != (1u << rank) - 1) return true;
  } else if (which.row->kind != OpKind::pointwise) {
    return false;
  }
  // Elements in another order than row-major are contiguous, too, if all tensors have that order.
  const bool any = which.row->kind == OpKind::pointwise && !which.writesInto();
  const PlanValues::ValueLayout* const usual = any ? values.layout(program.result(op)) : nullptr;
  const auto liesOtherwise = [&](ValueId value) {
    const PlanValues::ValueLayout* const own = values.layout(value);
    return values.space(value) != space || !usual != !own ||
           (own && !(own->strides == usual->strides));
  };
  const auto isOneElement = [&](ValueId value) {
    const Sizes& extents = values.extents(values.space(value));
    return std::ranges::all_of(extents, [](const SymbolicSize& extent) { return isOne(extent); });
  };
  return (which.writesInto() && liesOtherwise(which.into)) ||
         std::ranges::any_of(which.operands, [&](const Operand& operand) {
           return reads(which, operand) && !isOneElement(operand.value) &&
                  liesOtherwise(operand.value);
         });
}

bool goesAlongRows(const Program& program, const PlanValues& values) {
  // The leading ops run over one shape.
  for (int op = values.layoutOf.empty() ? values.leading : 0;
       op < static_cast<int>(program.ops.size()); ++op)
    if (goesAlongRows(program, values, op)) return true;
  return false;
}

bool winsAlongRows(const PlanValues& values, std::span<const std::int64_t> symbols) {
  constexpr std::int64_t kLong = 512;
  constexpr std::int64_t kBeyondCaches = std::int64_t{1} << 22;
  bool any = false;
  for (const Sizes& extents : values.spaces) {
    std::int64_t count = 1, last = 1;
    for (const SymbolicSize& extent : extents) count *= last = extent.evaluate(symbols);
    if (count < kBeyondCaches) continue;
    if (last < kLong) return false;  // rows of these are traversed, too
    any = true;
  }
  return any;
}

Sizes stridesInRows(const PlanValues& values, const Rows& rows, int opSpace, ValueId value) {
  const Sizes& whole = values.extents(rows.space);
  const Sizes& own = values.extents(opSpace);
  const Sizes strides =
      broadcastStrides(values.extents(values.space(value)), values.strides(value), own);
  if (own.size() == whole.size()) return strides;
  // One element per row: a stride of 0 along the dimensions that are reduced.
  Sizes spread(whole.size(), SymbolicSize(0));
  for (std::size_t d = 0; d < own.size(); ++d) spread[d] = strides[d];
  return spread;
}

std::vector<FusionGroup> fuseRows(const Program& program, const PlanValues& values,
                                  std::vector<FusionGroup> groups, RowSizes& sizes, bool totals) {
  return RowFusion(program, values, std::move(groups), sizes).run(totals);
}

bool areFewAndLong(const PlanValues& values, const RowLimits& limits, int space, std::size_t kept,
                   std::span<const std::int64_t> symbols) {
  SymbolicSize count(1), length(1);
  const Sizes& extents = values.extents(space);
  for (std::size_t d = 0; d < extents.size(); ++d)
    (d < kept ? count : length) = (d < kept ? count : length) * extents[d];
  if (limits.ofCall)
    return count.evaluate(symbols) < limits.few && length.evaluate(symbols) > limits.length;
  return count.isConstant() && count.constant() < limits.few &&
         !(length.isConstant() && length.constant() <= limits.length);
}

bool chooseAlike(const PlanValues& values, const RowSizes& sizes,
                 std::span<const std::int64_t> symbols) {
  return std::ranges::all_of(sizes.choices, [&](const RowSizes::Choice& choice) {
    return areFewAndLong(values, sizes.limits, choice.space, choice.kept, symbols) ==
           choice.fewAndLong;
  });
}

}  // namespace fusebench
