// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/dim_order.h"
#include "engine/base/layout.h"
#include "engine/base/short_list.h"
#include "engine/base/tensor.h"
#include "engine/language/program.h"

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
  /// Holds for no inputs at all: to be assigned to.
  Guards() = default;
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
    std::int64_t value = 0;  ///< when compiled
    int symbol = -1;         ///< -1: it must be that
    bool binds = false;      ///< first occurrence of the symbol
  };
  struct InputGuard {
    InputGuard() {}  // NOLINT(modernize-use-equals-default): the lists' room would be set to 0
    DType dtype = DType::float32;
    bool contiguous = true;
    SizeList<Expected> extents;
    SizeList<Expected> strides;  ///< empty if contiguous
  };
  static bool meets(const Expected& expected, std::int64_t value, std::int64_t least,
                    std::int64_t* symbols);
  /// The symbol that extents of this value have; -1: none.
  int symbolOf(std::int64_t extent) const;

  std::vector<InputGuard> inputs_;
  int symbolCount_ = 0;
  Specialise specialise_ = Specialise::exact;
};

/// A program with the types that its inputs give it. Value numbers are the program's. Most values
/// share few shapes, and are row-major.
struct ProgramTrace {
  /// Of a value that is not row-major.
  struct ValueLayout {
    SizeList<SymbolicSize> strides;
    DimOrder order;  ///< of a result
  };

  Guards guards;
  ShortList<SharedTypes::Value, 64> types;      ///< per value
  int leading = 0;                              ///< see SharedTypes
  ShortList<SizeList<SymbolicSize>, 2> spaces;  ///< the extents that values have
  std::vector<ValueLayout> layouts;
  std::vector<int> layoutOf;  ///< per value, in `layouts`, or -1: row-major; empty: all are

  std::size_t valueCount() const { return types.size(); }
  DType dtype(ValueId value) const { return types[static_cast<std::size_t>(value)].dtype; }
  /// Values of equal extents have the same.
  int space(ValueId value) const { return types[static_cast<std::size_t>(value)].shape; }
  const SizeList<SymbolicSize>& extents(int space) const {
    return spaces[static_cast<std::size_t>(space)];
  }
  /// Null: row-major.
  const ValueLayout* layout(ValueId value) const {
    const int own = layoutOf.empty() ? -1 : layoutOf[static_cast<std::size_t>(value)];
    return own < 0 ? nullptr : &layouts[static_cast<std::size_t>(own)];
  }
  SizeList<SymbolicSize> strides(ValueId value) const {
    const ValueLayout* const own = layout(value);
    return own ? own->strides : outputStrides(extents(space(value)), 0);
  }
};

/// Throws ProgramError if the inputs do not fit the program.
ProgramTrace trace(const Program& program, std::span<const Tensor> inputs, Specialise specialise);

}  // namespace fusebench
