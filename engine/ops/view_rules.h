// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/shape.h"
#include "engine/ops/view_rule.h"

namespace fusebench {

/// The rules of PyTorch's views, each for sizes that are known and for symbols; see ViewRule. Dims
/// and sizes come in the order of the row's parameters.

namespace view_rules {

inline std::string text(std::int64_t number) {
  return std::to_string(number);
}

template <class Size>
int rankOf(const ViewLayout<Size>& layout) {
  return static_cast<int>(layout.extents.size());
}

template <class Size>
std::string shapeText(const SizeList<Size>& extents, const SizeMath<Size>& math) {
  Shape shape;
  for (const Size& extent : extents) shape.push(math.now(extent));
  return toString(shape);
}

template <class Size>
Size product(std::span<const Size> sizes, const SizeMath<Size>& math) {
  Size result(1);
  for (const Size& size : sizes) result = math.multiply(result, size);
  return result;
}

/// The dimensions of `layout` that `order` names, in that order.
template <class Size>
void reorder(ViewLayout<Size>& layout, std::span<const int> order) {
  const ViewLayout<Size> before = layout;
  layout.extents.truncate(0);
  layout.strides.truncate(0);
  for (const int dim : order) {
    layout.extents.push_back(before.extents[static_cast<std::size_t>(dim)]);
    layout.strides.push_back(before.strides[static_cast<std::size_t>(dim)]);
  }
}

/// Swaps two dimensions that are counted from the first; a scalar stays as it is.
template <class Size>
void swapDims(ViewLayout<Size>& layout, int a, int b) {
  if (layout.extents.empty()) return;
  std::vector<int> order(layout.extents.size());
  for (std::size_t d = 0; d < order.size(); ++d) order[d] = static_cast<int>(d);
  std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
  reorder<Size>(layout, order);
}

/// The requested extents, with a -1 among them computed so that there are `elements`.
template <class Size>
SizeList<Size> wholeExtents(std::span<const Size> asked, const Size& elements,
                            const SizeMath<Size>& math) {
  SizeList<Size> extents;
  int open = -1;
  Size others(1);
  if (asked.size() > static_cast<std::size_t>(kMaxRank))
    throw ViewError("a tensor has at most " + text(kMaxRank) + " dimensions");
  for (std::size_t d = 0; d < asked.size(); ++d) {
    extents.push_back(asked[d]);
    const std::int64_t now = math.now(asked[d]);
    if (now < -1) throw ViewError("an extent cannot be " + text(now));
    if (now >= 0) {
      others = math.multiply(others, asked[d]);
      continue;
    }
    if (open >= 0) throw ViewError("only one extent can be -1");
    open = static_cast<int>(d);
  }
  if (open < 0) return extents;
  const auto fail = [&](const char* why) {
    SizeList<Size> shown = extents;
    throw ViewError("shape " + shapeText(shown, math) + " " + why + " " + text(math.now(elements)) +
                    " elements");
  };
  if (math.now(others) == 0) fail("leaves open what -1 is for");
  extents[static_cast<std::size_t>(open)] = math.floorDivide(elements, others);
  const Size whole = math.multiply(extents[static_cast<std::size_t>(open)], others);
  if (!math.equal(whole, elements)) {
    extents[static_cast<std::size_t>(open)] = Size(-1);
    fail("does not fit");
  }
  return extents;
}

/// Gives the elements another shape by strides alone, if that is possible. Dimensions that walk
/// memory as one are a run; the new dimensions have to divide the runs among them (PyTorch's rule
/// of views).
template <class Size>
bool reshape(ViewLayout<Size>& layout, const SizeList<Size>& extents, const SizeMath<Size>& math) {
  const std::int64_t elements =
      math.now(product<Size>({layout.extents.begin(), layout.extents.size()}, math));
  SizeList<Size> strides(extents.size(), Size(1));
  if (elements == 0 || layout.extents.empty()) {
    for (std::size_t d = extents.size(); d-- > 1;)
      strides[d - 1] =
          math.now(extents[d]) == 0 ? strides[d] : math.multiply(strides[d], extents[d]);
    layout.extents = extents;
    layout.strides = strides;
    return true;
  }
  std::size_t left = extents.size();  // number of new dimensions left, counted from the last
  Size run(1);                        // elements of the run so far
  Size step = layout.strides[layout.strides.size() - 1];
  for (std::size_t d = layout.extents.size(); d-- > 0;) {
    run = math.multiply(run, layout.extents[d]);
    const bool goesOn = d > 0 && (math.equal(layout.extents[d - 1], Size(1)) ||
                                  math.equal(layout.strides[d - 1], math.multiply(run, step)));
    if (goesOn) continue;
    Size taken(1);
    while (left > 0 &&
           (math.now(taken) < math.now(run) || math.equal(extents[left - 1], Size(1)))) {
      --left;
      strides[left] = math.multiply(taken, step);
      taken = math.multiply(taken, extents[left]);
    }
    if (!math.equal(taken, run)) return false;
    if (d > 0) step = layout.strides[d - 1];
    run = Size(1);
  }
  layout.extents = extents;
  layout.strides = strides;
  return left == 0;
}

/// A place of a dimension; negative ones count from the last.
template <class Size>
Size countedPlace(const Size& place, const Size& extent, const SizeMath<Size>& math) {
  return math.now(place) < 0 ? math.add(extent, place) : place;
}

/// The places from `start` to before `end`, `step` apart, as Python's slices take them.
template <class Size>
void slice(ViewLayout<Size>& layout, std::size_t dim, Size start, Size end, const Size& step,
           const SizeMath<Size>& math) {
  const Size extent = layout.extents[dim];
  const auto kept = [&](const Size& place) {
    if (math.now(place) == kToTheEnd) return extent;
    const Size counted = countedPlace(place, extent, math);
    if (math.now(counted) < 0) return Size(0);
    return math.less(extent, counted) ? extent : counted;
  };
  start = kept(start);
  end = kept(end);
  layout.offset = math.add(layout.offset, math.multiply(start, layout.strides[dim]));
  const Size length = math.less(start, end) ? math.subtract(end, start) : Size(0);
  const Size reach = math.add(length, math.subtract(step, Size(1)));
  layout.extents[dim] = math.floorDivide(reach, step);
  layout.strides[dim] = math.multiply(layout.strides[dim], step);
}

}  // namespace view_rules

struct ReshapeRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>& math) {
    const Size elements =
        view_rules::product<Size>({layout.extents.begin(), layout.extents.size()}, math);
    const SizeList<Size> extents = view_rules::wholeExtents<Size>(arguments.sizes, elements, math);
    if (!math.equal(view_rules::product<Size>({extents.begin(), extents.size()}, math), elements))
      throw ViewError("shape " + view_rules::shapeText(extents, math) + " does not fit " +
                      view_rules::text(math.now(elements)) + " elements");
    if (view_rules::reshape(layout, extents, math)) return true;
    layout.extents = extents;
    return false;
  }
};

/// Dims: the first and the last that become one; not given: all.
struct FlattenRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>& math) {
    const int rank = view_rules::rankOf(layout);
    const int first = arguments.hasDims ? countedDim(arguments.dims[0], rank) : 0;
    const int last = arguments.hasDims ? countedDim(arguments.dims[1], rank) : rank - 1;
    SizeList<Size> extents;
    if (rank == 0) {
      extents.push_back(Size(1));
    } else {
      if (first > last) throw ViewError("the first dimension comes after the last");
      Size joined(1);
      for (int d = 0; d < rank; ++d) {
        const Size& extent = layout.extents[static_cast<std::size_t>(d)];
        if (d < first || d > last) {
          extents.push_back(extent);
          continue;
        }
        joined = math.multiply(joined, extent);
        if (d == last) extents.push_back(joined);
      }
    }
    if (view_rules::reshape(layout, extents, math)) return true;
    layout.extents = extents;
    return false;
  }
};

struct UnflattenRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>& math) {
    const auto dim =
        static_cast<std::size_t>(countedDim(arguments.dims[0], view_rules::rankOf(layout)));
    if (layout.extents.empty()) throw ViewError("a scalar has no dimension to divide");
    const Size whole = layout.extents[dim], step = layout.strides[dim];
    const SizeList<Size> parts = view_rules::wholeExtents<Size>(arguments.sizes, whole, math);
    if (!math.equal(view_rules::product<Size>({parts.begin(), parts.size()}, math), whole))
      throw ViewError("extents " + view_rules::shapeText(parts, math) + " do not make " +
                      view_rules::text(math.now(whole)));
    const ViewLayout<Size> before = layout;
    layout.extents.truncate(dim);
    layout.strides.truncate(dim);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      layout.extents.push_back(parts[p]);
      layout.strides.push_back(math.multiply(
          step, view_rules::product<Size>({parts.begin() + p + 1, parts.size() - p - 1}, math)));
    }
    for (std::size_t d = dim + 1; d < before.extents.size(); ++d) {
      layout.extents.push_back(before.extents[d]);
      layout.strides.push_back(before.strides[d]);
    }
    return true;
  }
};

struct TransposeRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>&) {
    const int rank = view_rules::rankOf(layout);
    view_rules::swapDims(layout, countedDim(arguments.dims[0], rank),
                         countedDim(arguments.dims[1], rank));
    return true;
  }
};

struct FlipMatrixRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>&, const SizeMath<Size>&) {
    if (layout.extents.size() > 2)
      throw ViewError("a tensor of " + view_rules::text(view_rules::rankOf(layout)) +
                      " dimensions is not a matrix; write .mT or .transpose(dim0, dim1)");
    if (layout.extents.size() == 2) view_rules::swapDims(layout, 0, 1);
    return true;
  }
};

struct SwapLastDimsRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>&, const SizeMath<Size>&) {
    const int rank = view_rules::rankOf(layout);
    if (rank < 2) throw ViewError("a tensor of fewer than two dimensions is not a matrix");
    view_rules::swapDims(layout, rank - 2, rank - 1);
    return true;
  }
};

struct ReverseDimsRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>&, const SizeMath<Size>&) {
    std::vector<int> order;
    for (int d = view_rules::rankOf(layout); d-- > 0;) order.push_back(d);
    view_rules::reorder<Size>(layout, order);
    return true;
  }
};

struct PermuteRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>&) {
    const int rank = view_rules::rankOf(layout);
    if (static_cast<int>(arguments.dims.size()) != rank)
      throw ViewError(view_rules::text(static_cast<std::int64_t>(arguments.dims.size())) +
                      " dimensions are named, but there are " + view_rules::text(rank));
    std::vector<int> order;
    std::uint32_t seen = 0;
    for (const int dim : arguments.dims) {
      order.push_back(countedDim(dim, rank));
      if ((seen >> order.back()) & 1u)
        throw ViewError("dimension " + view_rules::text(dim) + " is named twice");
      seen |= 1u << order.back();
    }
    view_rules::reorder<Size>(layout, order);
    return true;
  }
};

/// Dims: those to move, then where they go.
struct MoveDimsRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>&) {
    const int rank = view_rules::rankOf(layout);
    const std::size_t count = arguments.dims.size() / 2;
    if (arguments.dims.size() % 2 != 0)
      throw ViewError("name as many positions as dimensions to move");
    std::vector<int> order(static_cast<std::size_t>(rank), -1);
    std::uint32_t moved = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const int from = countedDim(arguments.dims[i], rank);
      const int to = countedDim(arguments.dims[count + i], rank);
      if (rank == 0) continue;
      if (((moved >> from) & 1u) || order[static_cast<std::size_t>(to)] >= 0)
        throw ViewError("a dimension is named twice");
      moved |= 1u << from;
      order[static_cast<std::size_t>(to)] = from;
    }
    int next = 0;
    for (int& place : order) {
      if (place >= 0) continue;
      while ((moved >> next) & 1u) ++next;
      place = next++;
    }
    view_rules::reorder<Size>(layout, order);
    return true;
  }
};

struct UnsqueezeRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>& math) {
    const int rank = view_rules::rankOf(layout);
    if (rank == kMaxRank)
      throw ViewError("a tensor has at most " + view_rules::text(kMaxRank) + " dimensions");
    const auto dim = static_cast<std::size_t>(countedDim(arguments.dims[0], rank + 1));
    const ViewLayout<Size> before = layout;
    layout.extents.truncate(dim);
    layout.strides.truncate(dim);
    layout.extents.push_back(Size(1));
    layout.strides.push_back(dim < before.extents.size()
                                 ? math.multiply(before.extents[dim], before.strides[dim])
                                 : Size(1));
    for (std::size_t d = dim; d < before.extents.size(); ++d) {
      layout.extents.push_back(before.extents[d]);
      layout.strides.push_back(before.strides[d]);
    }
    return true;
  }
};

/// Dims: those to drop if their extent is 1; not given: all such.
struct SqueezeRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>& math) {
    const int rank = view_rules::rankOf(layout);
    std::uint32_t named = arguments.hasDims ? 0 : ~0u;
    for (const int dim : arguments.dims) named |= 1u << countedDim(dim, rank);
    std::vector<int> kept;
    for (int d = 0; d < rank; ++d)
      if (!((named >> d) & 1u) || !math.equal(layout.extents[static_cast<std::size_t>(d)], Size(1)))
        kept.push_back(d);
    view_rules::reorder<Size>(layout, kept);
    return true;
  }
};

struct ExpandRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>& math) {
    const std::size_t rank = layout.extents.size(), wanted = arguments.sizes.size();
    if (wanted < rank)
      throw ViewError("a tensor of " + view_rules::text(static_cast<std::int64_t>(rank)) +
                      " dimensions does not become one of " +
                      view_rules::text(static_cast<std::int64_t>(wanted)));
    if (wanted > static_cast<std::size_t>(kMaxRank))
      throw ViewError("a tensor has at most " + view_rules::text(kMaxRank) + " dimensions");
    const ViewLayout<Size> before = layout;
    layout.extents.truncate(0);
    layout.strides.truncate(0);
    for (std::size_t d = 0; d < wanted; ++d) {
      const Size& asked = arguments.sizes[d];
      const bool fresh = d < wanted - rank;
      if (fresh && math.now(asked) < 0)
        throw ViewError("-1 cannot be the extent of a new dimension");
      const Size extent = fresh ? Size(1) : before.extents[d - (wanted - rank)];
      const Size stride = fresh ? Size(0) : before.strides[d - (wanted - rank)];
      const bool kept = !fresh && (math.now(asked) == -1 || math.equal(asked, extent));
      if (!kept && !math.equal(extent, Size(1)))
        throw ViewError("size " + view_rules::text(math.now(extent)) + " cannot be expanded to " +
                        view_rules::text(math.now(asked)) + "; only size 1 can");
      layout.extents.push_back(kept ? extent : asked);
      layout.strides.push_back(kept ? stride : Size(0));
    }
    return true;
  }
};

/// Sizes: the place.
struct SelectRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>& math) {
    const int rank = view_rules::rankOf(layout);
    if (rank == 0) throw ViewError("a scalar has no elements to index");
    const int dim = countedDim(arguments.dims[0], rank);
    const Size extent = layout.extents[static_cast<std::size_t>(dim)];
    const Size place = view_rules::countedPlace(arguments.sizes[0], extent, math);
    if (math.now(place) < 0 || !math.less(place, extent))
      throw ViewError("index " + view_rules::text(math.now(arguments.sizes[0])) +
                      " is out of range: there are " + view_rules::text(math.now(extent)) +
                      " in dimension " + view_rules::text(dim));
    layout.offset = math.add(layout.offset,
                             math.multiply(place, layout.strides[static_cast<std::size_t>(dim)]));
    std::vector<int> kept;
    for (int d = 0; d < rank; ++d)
      if (d != dim) kept.push_back(d);
    view_rules::reorder<Size>(layout, kept);
    return true;
  }
};

/// Dimensions in reverse order.
struct FlipRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>& math) {
    std::uint32_t seen = 0;
    for (const int dim : arguments.dims) {
      const auto d = static_cast<std::size_t>(countedDim(dim, view_rules::rankOf(layout)));
      if ((seen >> d) & 1u) throw ViewError("dimension " + std::to_string(d) + " is named twice");
      seen |= 1u << d;
      if (layout.extents.empty() || math.now(layout.extents[d]) < 2) continue;
      const Size last = math.subtract(layout.extents[d], Size(1));
      layout.offset = math.add(layout.offset, math.multiply(last, layout.strides[d]));
      layout.strides[d] = math.multiply(layout.strides[d], Size(-1));
    }
    return true;
  }
};

/// Sizes: start, end, step.
struct SliceRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>& math) {
    if (layout.extents.empty()) throw ViewError("a scalar has no elements to index");
    const int dim = countedDim(arguments.dims[0], view_rules::rankOf(layout));
    if (math.now(arguments.sizes[2]) < 1)
      throw ViewError("a step of " + view_rules::text(math.now(arguments.sizes[2])) +
                      " is not a view; PyTorch's slices go forward: torch.flip reverses them");
    view_rules::slice(layout, static_cast<std::size_t>(dim), arguments.sizes[0], arguments.sizes[1],
                      arguments.sizes[2], math);
    return true;
  }
};

/// Sizes: start, length.
struct NarrowRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>& math) {
    if (layout.extents.empty()) throw ViewError("a scalar has no elements to index");
    const int dim = countedDim(arguments.dims[0], view_rules::rankOf(layout));
    const Size extent = layout.extents[static_cast<std::size_t>(dim)];
    const Size start = view_rules::countedPlace(arguments.sizes[0], extent, math);
    const Size end = math.add(start, arguments.sizes[1]);
    if (math.now(arguments.sizes[1]) < 0)
      throw ViewError("a length cannot be " + view_rules::text(math.now(arguments.sizes[1])));
    if (math.now(start) < 0 || math.less(extent, end))
      throw ViewError("indices " + view_rules::text(math.now(start)) + " to " +
                      view_rules::text(math.now(end) - 1) + " are out of range: there are " +
                      view_rules::text(math.now(extent)) + " in dimension " +
                      view_rules::text(dim));
    view_rules::slice(layout, static_cast<std::size_t>(dim), start, end, Size(1), math);
    return true;
  }
};

/// Dims: the two; sizes: how far over the main diagonal.
struct DiagonalRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>& arguments,
                    const SizeMath<Size>& math) {
    const int rank = view_rules::rankOf(layout);
    if (rank < 2) throw ViewError("a tensor of fewer than two dimensions has no diagonal");
    const int a = countedDim(arguments.dims[0], rank), b = countedDim(arguments.dims[1], rank);
    if (a == b) throw ViewError("the two dimensions are the same one");
    const auto rows = static_cast<std::size_t>(a), columns = static_cast<std::size_t>(b);
    const std::int64_t over = math.now(arguments.sizes[0]);
    Size height = layout.extents[rows], width = layout.extents[columns];
    const Size zero(0);
    const Size shift = over < 0 ? math.subtract(zero, arguments.sizes[0]) : arguments.sizes[0];
    Size& shortened = over < 0 ? height : width;
    shortened = math.less(shift, shortened) ? math.subtract(shortened, shift) : zero;
    const Size length = math.less(height, width) ? height : width;
    if (math.now(length) > 0)
      layout.offset =
          math.add(layout.offset, math.multiply(shift, layout.strides[over < 0 ? rows : columns]));
    const Size step = math.add(layout.strides[rows], layout.strides[columns]);
    std::vector<int> kept;
    for (int d = 0; d < rank; ++d)
      if (d != a && d != b) kept.push_back(d);
    view_rules::reorder<Size>(layout, kept);
    layout.extents.push_back(length);
    layout.strides.push_back(step);
    return true;
  }
};

/// All of it, with its layout.
struct AsItIsRule {
  template <class Size>
  static bool apply(ViewLayout<Size>&, const ViewArguments<Size>&, const SizeMath<Size>&) {
    return true;
  }
};

/// A view of a tensor that is row-major already.
struct ContiguousRule {
  template <class Size>
  static bool apply(ViewLayout<Size>& layout, const ViewArguments<Size>&,
                    const SizeMath<Size>& math) {
    Size reach(1);
    for (std::size_t d = layout.extents.size(); d-- > 0;) {
      if (math.equal(layout.extents[d], Size(1))) continue;
      if (math.now(layout.extents[d]) == 0) return true;
      if (!math.equal(layout.strides[d], reach)) return false;
      reach = math.multiply(reach, layout.extents[d]);
    }
    return true;
  }
};

}  // namespace fusebench
