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

/// A run of places along a dimension of the whole tensor; -1: the whole tensor.
struct Slab {
  int dim = -1;
  std::int64_t begin = 0, end = 0;
};

/// The slab that a part is; nothing if it is none. `whole` is row-major.
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

/// Whether an op that writes in place writes every element of what it writes to.
bool writesAll(const Op& op) {
  const OpKind kind = op.row->kind;
  return kind == OpKind::pointwise || kind == OpKind::make || kind == OpKind::view;
}

/// The tensor that an op makes, row-major; nothing if its sizes are not numbers of its own.
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

}  // namespace

bool isOverwritten(const Program& program, int op) {
  const auto whole = madeBy(program.ops[static_cast<std::size_t>(op)]);
  if (!whole || !program.branches.empty()) return false;
  std::vector<std::pair<ValueId, Layout>> names{{program.result(op), *whole}};
  const auto named = [&](ValueId value) -> const Layout* {
    const auto found = std::ranges::find(names, value, &std::pair<ValueId, Layout>::first);
    return found == names.end() ? nullptr : &found->second;
  };
  std::vector<Slab> written;
  for (int index = op + 1; index < static_cast<int>(program.ops.size()); ++index) {
    const Op& later = program.ops[static_cast<std::size_t>(index)];
    for (const Operand& operand : later.operands) {
      // Only the form of its operand matters to an op that makes a tensor.
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

}  // namespace fusebench
