// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/base/dim_order.h"
#include "engine/base/index_space.h"
#include "engine/base/size_math.h"

namespace fusebench {

/// How a contraction goes through its operands: one statement from which shapes, loops, costs and
/// derivatives follow. `indices` is written like an einsum equation, with one letter per loop. The
/// loops of the result's letters are kept; products are accumulated over the others.
///   m?     present only if the operand has that many dimensions
///   ...    dimensions before the others, broadcast together
///   [gc]   one dimension that is two loops, g times c; `groups` is the extent of g
///   (yk)   a window: y steps through the dimension, and k goes through the window at each step;
///          the windows of an operand are numbered from its first
///   <ik>   the reverse of a window: i is a position that element k of a window is at, and the
///          dimension counts the windows for which that is so
///   *      on the addend: dimensions that broadcast to the result
struct ContractRule {
  std::string_view indices;  ///< empty: the op specifies it
  int addend = -1;           ///< the operand that is added to the sums instead of being a factor

  bool hasWindows() const { return indices.find('(') != std::string_view::npos; }
};

/// How one dimension of a tensor is indexed by loops.
struct ContractDim {
  enum class Kind : std::uint8_t { loop, split, window, spread };
  Kind kind = Kind::loop;
  char outer =
      0;  ///< the loop; split, window: the loop with the larger steps; spread: the position
  char inner = 0;      ///< split or window: the other loop
  int window = -1;     ///< which window of its operand
  bool batch = false;  ///< one of the dimensions that broadcast
};

/// The loops of a contraction for operands with given numbers of dimensions.
struct ContractForm {
  std::string
      letters;  ///< the loops: those of the result in its order, then those that are summed over
  std::size_t kept = 0;                           ///< number of loops that the result has
  std::vector<std::vector<ContractDim>> tensors;  ///< per operand, then for the result
  int addend = -1;

  std::size_t operands() const { return tensors.size() - 1; }
  const std::vector<ContractDim>& result() const { return tensors.back(); }
  std::size_t loop(char letter) const { return letters.find(letter); }
  /// Whether it goes from windows back to their source: the windows are indexed by its first
  /// operand.
  bool spreads() const {
    for (const ContractDim& dim : tensors.front())
      if (dim.kind == ContractDim::Kind::spread) return true;
    return false;
  }
};

/// The settings of the loops that an op's parameters specify. For windows: one entry each.
struct ContractSettings {
  std::vector<std::int64_t> stride, padding, dilation;
  std::vector<std::int64_t> kernel;  ///< extents of windows where no operand specifies them
  std::vector<std::int64_t> places;  ///< for spread windows: the extents that they were spread over
  std::int64_t groups = 1;
  double alpha = 1, beta = 1;  ///< factor of the products, factor of the addend
  bool ceiling = false;        ///< a last window that extends past the end counts
  bool countsPadding = true;   ///< an average includes the positions outside as well
};

/// The operands do not fit. what() has the reason, without the op's name.
class ContractError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The loops of an equation for operands with these numbers of dimensions. Throws ContractError.
ContractForm contractForm(std::string_view indices, int addend, std::span<const int> ranks);

/// A tensor's part of an equation, as contractForm() reads it: "n[gc](yk)(xl)".
std::string termText(const std::vector<ContractDim>& dims);

/// The order of the result's dimensions: row-major, or channels last for windows over images where
/// the source or the weights are channels last, as in PyTorch (suggest_memory_format).
DimOrder contractOrder(const ContractForm& form, std::span<const Shape> shapes,
                       std::span<const Strides> strides);

/// The settings of one window.
struct WindowSettings {
  std::int64_t stride = 1, padding = 0, dilation = 1;

  WindowSettings(const ContractSettings& settings, int window)
      : stride(settings.stride[static_cast<std::size_t>(window)]),
        padding(settings.padding[static_cast<std::size_t>(window)]),
        dilation(settings.dilation[static_cast<std::size_t>(window)]) {}

  /// The position of element `inner` of window `at`; below 0: in the padding.
  std::int64_t place(std::int64_t at, std::int64_t inner) const {
    return at * stride - padding + inner * dilation;
  }
  /// The window that has its element `inner` at a position; -1: there is none.
  std::int64_t windowAt(std::int64_t place, std::int64_t inner) const {
    const std::int64_t from = place + padding - inner * dilation;
    return from < 0 || from % stride != 0 ? -1 : from / stride;
  }
  /// The number that an average over window `at` divides by in this dimension. The window covers
  /// `size` of `extent` elements.
  std::int64_t counted(std::int64_t at, std::int64_t size, std::int64_t extent,
                       bool countsPadding) const;
};

/// Describes what does not fit: "dimension 1 of input is 3, but dimension 0 of other is 4".
[[noreturn]] void failLoop(const ContractForm& form, char letter, std::int64_t one,
                           std::int64_t other);
[[noreturn]] void failWindow(std::int64_t extent, std::int64_t padding, std::int64_t window);
[[noreturn]] void failPadding(std::int64_t padding, std::int64_t window);
[[noreturn]] void failGroups(std::int64_t extent, std::int64_t groups);

/// The number of iterations of each loop, in the order of form.letters, for the operands' extents;
/// checks that they fit. Throws ContractError.
template <class Size>
std::vector<Size> contractLoops(const ContractForm& form, const ContractSettings& settings,
                                std::span<const SizeList<Size>> operands,
                                const SizeMath<Size>& math) {
  std::vector<Size> loops(form.letters.size(), Size(1));
  std::vector<bool> known(loops.size(), false);
  const auto isOneNow = [&](const Size& size) {
    if constexpr (std::is_same_v<Size, HintedSize>)
      return size.size.isConstant() && size.hint == 1;
    else
      return size == 1;
  };
  const auto meet = [&](char letter, const Size& extent, bool batch) {
    const std::size_t at = form.loop(letter);
    if (batch && isOneNow(extent)) return;
    if (!known[at]) {
      known[at] = true;
      loops[at] = extent;
    } else if (!math.equal(loops[at], extent)) {
      failLoop(form, letter, math.now(loops[at]), math.now(extent));
    }
  };
  const auto each = [&](ContractDim::Kind kind, auto&& visit) {
    for (std::size_t o = 0; o < form.operands(); ++o) {
      if (static_cast<int>(o) == form.addend) continue;
      for (std::size_t d = 0; d < form.tensors[o].size(); ++d)
        if (form.tensors[o][d].kind == kind) visit(form.tensors[o][d], operands[o][d]);
    }
  };
  each(ContractDim::Kind::loop,
       [&](const ContractDim& dim, const Size& extent) { meet(dim.outer, extent, dim.batch); });
  each(ContractDim::Kind::split, [&](const ContractDim& dim, const Size& extent) {
    const Size groups(settings.groups);
    const Size inner = math.floorDivide(extent, groups);
    if (!math.equal(math.multiply(inner, groups), extent))
      failGroups(math.now(extent), settings.groups);
    meet(dim.outer, groups, false);
    meet(dim.inner, inner, false);
  });
  each(ContractDim::Kind::window, [&](const ContractDim& dim, const Size& extent) {
    const auto w = static_cast<std::size_t>(dim.window);
    if (w < settings.kernel.size()) {
      // A pooling window must not lie in padding only; that of a convolution may.
      if (form.operands() == 1 && settings.padding[w] > settings.kernel[w] / 2)
        failPadding(settings.padding[w], settings.kernel[w]);
      meet(dim.inner, Size(settings.kernel[w]), false);
    }
    // floor((extent + 2 padding - dilation (kernel - 1) - 1) / stride) + 1
    const Size reach = math.add(math.multiply(Size(settings.dilation[w]),
                                              math.subtract(loops[form.loop(dim.inner)], Size(1))),
                                Size(1));
    const Size room =
        math.subtract(math.add(extent, Size(checkedMultiply(2, settings.padding[w]))), reach);
    if (math.now(room) < 0) failWindow(math.now(extent), settings.padding[w], math.now(reach));
    const Size stride(settings.stride[w]);
    const Size more = settings.ceiling ? math.add(room, Size(settings.stride[w] - 1)) : room;
    Size count = math.add(math.floorDivide(more, stride), Size(1));
    // The last window begins in the tensor or in the padding before it.
    if (settings.ceiling && !math.less(math.multiply(math.subtract(count, Size(1)), stride),
                                       math.add(extent, Size(settings.padding[w]))))
      count = math.subtract(count, Size(1));
    meet(dim.outer, count, false);
  });
  each(ContractDim::Kind::spread, [&](const ContractDim& dim, const Size&) {
    const auto w = static_cast<std::size_t>(dim.window);
    meet(dim.outer, Size(settings.places[w]), false);
    if (w < settings.kernel.size()) meet(dim.inner, Size(settings.kernel[w]), false);
  });
  if (form.addend >= 0) {
    const auto a = static_cast<std::size_t>(form.addend);
    for (std::size_t d = 0; d < form.tensors[a].size(); ++d) {
      const ContractDim& dim = form.tensors[a][d];
      if (isOneNow(operands[a][d])) continue;
      Size extent = loops[form.loop(dim.outer)];
      if (dim.kind == ContractDim::Kind::split)
        extent = math.multiply(extent, loops[form.loop(dim.inner)]);
      if (!math.equal(extent, operands[a][d]))
        failLoop(form, dim.outer, math.now(extent), math.now(operands[a][d]));
    }
  }
  return loops;
}

/// The result's extents.
template <class Size>
SizeList<Size> contractResult(const ContractForm& form, const std::vector<Size>& loops,
                              const SizeMath<Size>& math) {
  SizeList<Size> extents;
  for (const ContractDim& dim : form.result()) {
    const Size& outer = loops[form.loop(dim.outer)];
    extents.push_back(dim.kind == ContractDim::Kind::split
                          ? math.multiply(outer, loops[form.loop(dim.inner)])
                          : outer);
  }
  return extents;
}

}  // namespace fusebench
