// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/dim_order.h"
#include "engine/layout.h"
#include "engine/program.h"
#include "engine/tensor.h"

namespace fusebench {

/// What of the inputs a compiled program relies on.
enum class Specialise : std::uint8_t {
  exact,    ///< static: every extent and stride
  symbolic  ///< dynamic: rank and layout; extents 0 and 1, as PyTorch does; equality of extents
            ///< that were equal
};

/// A check on the inputs that a compiled program makes at each call, and what binds its symbols.
class Guards {
 public:
  Guards(std::span<const Tensor> inputs, Specialise specialise);

  int symbolCount() const { return symbolCount_; }
  /// Whether the inputs are such as compiled for; fills `symbols` (symbolCount() of them) if so.
  bool hold(std::span<const Tensor> inputs, std::int64_t* symbols) const;
  /// Why they do not, in words; `names` are the inputs'.
  std::string failure(std::span<const Tensor> inputs, std::span<const std::string> names) const;

  /// The size standing for extents of this value: a symbol, or the number itself.
  SymbolicSize size(std::int64_t extent) const;
  /// Symbolic strides of input number `input`, which is not contiguous.
  SizeList<SymbolicSize> strides(std::size_t input) const;

 private:
  /// A number that must be met, or a symbol that is bound or must match.
  struct Expected {
    std::int64_t exact = 0;
    int symbol = -1;        ///< -1: exact
    bool binds = false;     ///< first occurrence of the symbol
    std::int64_t seen = 0;  ///< value when compiled
  };
  struct InputGuard {
    DType dtype = DType::float32;
    bool contiguous = true;
    std::vector<Expected> extents;
    std::vector<Expected> strides;  ///< empty if contiguous
  };
  static bool meets(const Expected& expected, std::int64_t value, std::int64_t least,
                    std::int64_t* symbols);
  Expected expect(std::int64_t value, bool symbolic, bool shared);

  std::vector<InputGuard> inputs_;
  std::vector<std::pair<std::int64_t, int>> symbolOfExtent_;
  int symbolCount_ = 0;
  Specialise specialise_;
};

/// The sizes of a tensor as compiled for certain inputs.
struct TracedLayout {
  SizeList<SymbolicSize> extents;
  SizeList<SymbolicSize> strides;
  DimOrder order;  ///< of a result
};

/// A value of a program as compiled for certain inputs.
struct TracedValue {
  DType dtype = DType::float32;
  int space = 0;   ///< values of equal extents have the same: the row-major one of these layouts
  int layout = 0;  ///< its own
};

/// A program with the types that its inputs give it. Value numbers are the program's. Most values
/// share few layouts.
struct ProgramTrace {
  Guards guards;
  std::vector<TracedValue> values;
  std::vector<TracedLayout> layouts;

  const TracedValue& operator[](ValueId value) const {
    return values[static_cast<std::size_t>(value)];
  }
  const TracedLayout& layout(ValueId value) const {
    return layouts[static_cast<std::size_t>((*this)[value].layout)];
  }
  /// The extents of a space.
  const SizeList<SymbolicSize>& extents(int space) const {
    return layouts[static_cast<std::size_t>(space)].extents;
  }
};

/// Throws ProgramError if the inputs do not fit the program.
ProgramTrace trace(const Program& program, std::span<const Tensor> inputs, Specialise specialise);

}  // namespace fusebench
