// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/view_gradients.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/differentiate.h"

namespace fusebench {
namespace {

/// The position of a view's elements along one dimension of its base: at `start`, plus `step` for
/// each step along one of the view's dimensions.
struct SeenAlong {
  std::int64_t start = 0;
  int dim = -1;  ///< dimension of the view; -1: none, it is one position
  std::int64_t step = 0;
};

/// For each dimension of the base. A view's rule is linear in the strides: with a stride of 1 along
/// one dimension and 0 along the others, it shows the effect of that dimension alone. Empty: it is
/// not linear.
std::vector<SeenAlong> seenBy(const Op& op, const Shape& from) {
  std::vector<SeenAlong> seen;
  for (int s = 0; s < from.rank(); ++s) {
    SizeList<std::int64_t> strides(static_cast<std::size_t>(from.rank()), 0);
    strides[static_cast<std::size_t>(s)] = 1;
    ViewLayout<std::int64_t> layout{SizeList<std::int64_t>(from), strides};
    if (!viewOf(op, layout)) return {};
    SeenAlong along{layout.offset, -1, 0};
    for (std::size_t d = 0; d < layout.strides.size(); ++d) {
      if (layout.strides[d] == 0) continue;
      if (along.dim >= 0) return {};
      along.dim = static_cast<int>(d);
      along.step = layout.strides[d];
    }
    seen.push_back(along);
  }
  return seen;
}

/// A gradient that is propagated through one view, with the dimension of the base that each of its
/// own belongs to.
class ViewBack {
 public:
  ViewBack(GradientOps& ops, const Op& op, const Shape& from, std::vector<SeenAlong> seen,
           Operand gradient)
      : ops_(ops), op_(op), from_(from), seen_(std::move(seen)), gradient_(std::move(gradient)) {}

  Operand run() {
    addUpWhatIsSeenAgain();
    for (int s = 0; s < from_.rank(); ++s) bringAlong(s);
    std::vector<int> places(owners_.size());
    for (std::size_t d = 0; d < owners_.size(); ++d)
      places[static_cast<std::size_t>(owners_[d])] = static_cast<int>(d);
    if (std::ranges::is_sorted(places)) return gradient_;
    return ops_.view("permute", gradient_, places);
  }

 private:
  SeenAlong& seen(int s) { return seen_[static_cast<std::size_t>(s)]; }

  /// The view's dimensions on which no element's position depends.
  void addUpWhatIsSeenAgain() {
    const int rank = ops_.shape(gradient_).rank();
    std::vector<int> again, now(static_cast<std::size_t>(rank), -1);
    for (int d = 0; d < rank; ++d) {
      const auto owner = std::ranges::find(seen_, d, &SeenAlong::dim);
      if (owner == seen_.end()) {
        again.push_back(d);
      } else {
        now[static_cast<std::size_t>(d)] = static_cast<int>(owners_.size());
        owners_.push_back(static_cast<int>(owner - seen_.begin()));
      }
    }
    if (again.empty()) return;
    for (SeenAlong& along : seen_)
      if (along.dim >= 0) along.dim = now[static_cast<std::size_t>(along.dim)];
    gradient_ = ops_.reduced(Accumulate::sum, gradient_, again, false);
  }

  void bringAlong(int s) {
    const int dim = seen(s).dim;
    if (dim >= 0 && owners_[static_cast<std::size_t>(dim)] != s) return bringDiagonal(s, dim);
    if (dim < 0) {
      seen(s) = {seen(s).start, appended(s), 1};
    } else if (seen(s).step < 0) {
      const std::int64_t last = ops_.shape(gradient_)[dim] - 1;
      // Others now follow the dimension in the opposite direction.
      for (SeenAlong& along : seen_)
        if (along.dim == dim) along = {along.start + last * along.step, dim, -along.step};
      gradient_ = ops_.view("contiguous", ops_.view("flip", gradient_, {dim}), {});
    }
    gradient_ = ops_.spread(gradient_, seen(s).dim, from_[s], seen(s).start, seen(s).step);
  }

  /// Handles a dimension that the view walks through together with an earlier one, along which the
  /// gradient has been propagated already: it is nonzero where both have the same position.
  void bringDiagonal(int s, int dim) {
    const int first = owners_[static_cast<std::size_t>(dim)];
    const bool slopes =
        seen(s).step == 1 && seen(first).step == 1 && dim + 1 == static_cast<int>(owners_.size());
    if (!slopes) failGradient(op_);
    const int last = appended(s);
    Shape whole = ops_.shape(gradient_);
    whole[last] = from_[s];
    const auto above = static_cast<double>(seen(s).start - seen(first).start);
    gradient_ = ops_.banded(ops_.expanded(gradient_, whole), above);
    seen(s).dim = last;
  }

  /// A dimension of extent 1 after the others.
  int appended(int s) {
    gradient_ = ops_.view("unsqueeze", gradient_, {-1});
    owners_.push_back(s);
    return static_cast<int>(owners_.size()) - 1;
  }

  GradientOps& ops_;
  const Op& op_;
  Shape from_;
  std::vector<SeenAlong> seen_;  ///< with the present gradient's dims
  Operand gradient_;
  std::vector<int> owners_;  ///< per dimension of the gradient
};

}  // namespace

std::optional<Operand> throughView(GradientOps& ops, const Op& op, ValueId result,
                                   const Operand& gradient) {
  const Shape from = ops.shape(op.operands[0]), to = ops.type(result).shape;
  ViewLayout<std::int64_t> layout{SizeList<std::int64_t>(from),
                                  SizeList<std::int64_t>(contiguousStrides(from))};
  const bool byStrides = viewOf(op, layout);
  const bool inOrder =
      !byStrides || (layout.offset == 0 && elementCount(from) == elementCount(to) &&
                     isContiguous(to, Strides({layout.strides.begin(), layout.strides.size()})));
  if (gradient.isNumber() && elementCount(from) == elementCount(to)) return gradient;
  if (inOrder) {
    if (from == to) return gradient;
    return ops.view("reshape", ops.expanded(gradient, to), {}, {from.begin(), from.end()});
  }
  if (elementCount(to) == 0) return std::nullopt;
  const std::vector<SeenAlong> seen = seenBy(op, from);
  if (seen.empty()) failGradient(op);
  bool repeats = true;  // along dimensions of extent 1, and does nothing else
  const int more = to.rank() - from.rank();
  for (int s = 0; s < from.rank(); ++s) {
    const SeenAlong& along = seen[static_cast<std::size_t>(s)];
    const bool whole = along.dim == s + more && along.step == 1 && from[s] == to[s + more];
    repeats &= more >= 0 && along.start == 0 && (whole || from[s] == 1);
  }
  if (repeats) return ops.summedTo(gradient, from, to);
  return ViewBack(ops, op, from, seen, ops.asTensor(gradient, result)).run();
}

Operand throughSliceGradient(GradientOps& ops, const Op& op, const Shape& result,
                             const Operand& gradient) {
  if (gradient.isNumber()) return gradient;
  const Shape from = ops.shape(op.operands[0]);
  const auto dim = static_cast<int>(op.equation.find('<'));
  const std::int64_t start = -op.settings->padding[0], step = op.settings->stride[0];
  return ops.view("slice", ops.expanded(gradient, result), {dim},
                  std::vector{start, start + (from[dim] - 1) * step + 1, step});
}

}  // namespace fusebench
