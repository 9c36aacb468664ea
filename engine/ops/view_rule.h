// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>

#include "engine/base/index_space.h"
#include "engine/base/size_math.h"

namespace fusebench {

/// The positions of a tensor's elements in a storage.
template <class Size>
struct ViewLayout {
  SizeList<Size> extents;
  SizeList<Size> strides;  ///< in elements
  Size offset = Size(0);   ///< of the first element, in elements
};

/// The arguments of a view, without the tensor.
template <class Size>
struct ViewArguments {
  bool hasDims = false;         ///< dimensions were given, even if only as an empty list
  std::span<const int> dims;    ///< as written: negative ones count from the last
  std::span<const Size> sizes;  ///< extents, indices or bounds
};

/// The tensor has no such view. what() has the reason, without the op's name.
class ViewError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How a view's extents, strides and offset follow from those of its base: one function for known
/// and for symbolic sizes. False: strides cannot express the view, so the elements have to be
/// copied. Throws ViewError where PyTorch raises for any strides.
struct ViewRule {
  template <class Size>
  using Function = bool (*)(ViewLayout<Size>&, const ViewArguments<Size>&, const SizeMath<Size>&);

  Function<std::int64_t> known = nullptr;
  Function<HintedSize> hinted = nullptr;

  explicit operator bool() const { return known != nullptr; }
};

/// The rule of a type's static function template `apply`.
template <class Rule>
inline constexpr ViewRule kViewRule{&Rule::template apply<std::int64_t>,
                                    &Rule::template apply<HintedSize>};

/// The end of a slice that extends to the last position.
inline constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();

/// A dimension counted from the first, out of `rank` (a scalar counts as having one). Throws
/// ViewError.
int countedDim(int dim, int rank);

}  // namespace fusebench
