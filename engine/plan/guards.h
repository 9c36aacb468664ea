// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/form.h"
#include "engine/base/index_space.h"
#include "engine/base/size_math.h"
#include "engine/base/symbolic.h"

namespace fusebench {

/// The properties of the inputs' forms that a plan relies on.
enum class Specialize : std::uint8_t {
  exact,    ///< static: every extent and stride
  symbolic  ///< dynamic: rank and layout; extents 0 and 1, as PyTorch does; equality of extents
            ///< that were equal
};

/// A check on the inputs that a compiled program makes at each call; it also binds the program's
/// symbols.
class Guards final : public SizeFacts {
 public:
  /// Never satisfied: only to be assigned to.
  Guards() = default;
  Guards(Forms inputs, Specialize specialize);

  /// Whether the inputs' extents are symbols, except extents of 0 and 1.
  bool isSymbolic() const { return specialize_ == Specialize::symbolic; }
  /// The symbols of the inputs' extents and strides, and those derived from them.
  int symbolCount() const { return symbolCount_; }

  SymbolicSize derive(SizeOperation operation, const SymbolicSize& a,
                      const SymbolicSize& b) override;
  void rely(const SymbolicSize& a, SizeRelation relation, const SymbolicSize& b) override;
  bool isMany(const SymbolicSize& size) const override;
  /// Whether the inputs are as expected when the plan was made. If so, fills `symbols`
  /// (symbolCount() of them).
  bool hold(Forms inputs, std::int64_t* symbols) const;
  /// A text that explains why the inputs do not match. `names` are the names of the inputs.
  std::string failure(Forms inputs, std::span<const std::string> names) const;

  /// The size that represents extents of this value: a symbol, or the number itself.
  SymbolicSize size(std::int64_t extent) const;
  /// Symbolic strides of input number `input`, which is not contiguous.
  SizeList<SymbolicSize> strides(std::size_t input) const;

 private:
  /// A required number, or a symbol that is bound or must match.
  struct Expected {
    std::int64_t value = 0;  ///< when compiled
    int symbol = -1;         ///< -1: it must be `value`
    bool binds = false;      ///< first occurrence of the symbol
  };
  struct InputGuard {
    InputGuard() {}  // NOLINT(modernize-use-equals-default): the lists' room would be set to 0
    DType dtype = DType::float32;
    bool contiguous = true;
    Memory memory = Memory::device;
    SizeList<Expected> extents;
    SizeList<Expected> strides;  ///< empty if contiguous
  };
  /// A symbol that is computed from sizes before it.
  struct Derived {
    SizeOperation operation;
    SymbolicSize a, b;
    int symbol;
  };
  /// A relation between two sizes that the plan relies on.
  struct Relied {
    SymbolicSize a;
    SizeRelation relation;
    SymbolicSize b;
  };
  /// The first violated relation; null: all are satisfied. Computes the derived symbols.
  const Relied* broken(std::int64_t* symbols) const;

  static bool meets(const Expected& expected, std::int64_t value, std::int64_t least,
                    std::int64_t* symbols);
  /// The symbol that extents of this value have; -1: none.
  int symbolOf(std::int64_t extent) const;

  std::vector<InputGuard> inputs_;
  std::vector<Derived> derived_;
  std::vector<Relied> relied_;
  int symbolCount_ = 0;
  Specialize specialize_ = Specialize::exact;
};

}  // namespace fusebench
