// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/cpu/codegen/codegen.h"
#include "engine/cpu/codegen/stencil.h"
#include "engine/cpu/codegen/target.h"
#include "engine/cpu/shipping/shipped_table.h"

namespace fusebench::cpu {

/// Code for one level of processors that is part of this program: eager's kernels and the pieces of
/// op lists, generated when the program was built.
class ShippedCode {
 public:
  explicit ShippedCode(const ShippedTable& table) : table_(table) {}

  /// The code that serves the target: its processor can run it, and it computes bit for bit what
  /// code compiled for the target would, since vectors have the same width. Null if there is none.
  static const ShippedCode* fitting(const Target& target);
  /// The levels that are in this program, the most demanding one first.
  static std::span<const ShippedCode> all();

  std::string_view level() const { return table_.level; }
  std::size_t size() const { return table_.count; }

  /// The code of a kernel; null if it does not ship.
  KernelFunction kernel(std::string_view canonicalText) const;
  /// The code of a piece; if the one that depends on what is known about its operands does not
  /// ship, the one that assumes nothing and returns the same bits. Null if neither ships.
  const void* stencil(const Stencil& stencil, const std::string& text) const;

 private:
  const void* find(const ShippedKey& key) const;

  ShippedTable table_;
};

}  // namespace fusebench::cpu
