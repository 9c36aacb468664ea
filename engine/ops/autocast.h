// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/dtype.h"

namespace fusebench {

/// What torch.autocast does to an op's floating-point operands, except float64, before the op
/// computes.
enum class Autocast : std::uint8_t {
  none,              ///< they are left unchanged
  lower,             ///< cast to the type given to autocast
  lowerWhereSummed,  ///< the same if there is a sum, because einsum then calls a product
  single,            ///< float32
  widest             ///< cast to float32 if one of them is float32
};

/// The rule of a row, or of a function that consists of several rows, by the device that autocast
/// applies to: the lists differ. As PyTorch 2.15 registers them (AutocastCPU, AutocastCUDA).
struct AutocastRule {
  Autocast cpu = Autocast::none, cuda = Autocast::none;
};

inline constexpr AutocastRule kLowered{Autocast::lower, Autocast::lower};
inline constexpr AutocastRule kSingle{Autocast::single, Autocast::single};
inline constexpr AutocastRule kSingleOnCuda{Autocast::none, Autocast::single};
inline constexpr AutocastRule kLoweredOnCuda{Autocast::none, Autocast::lower};
inline constexpr AutocastRule kWidestOnCuda{Autocast::none, Autocast::widest};

/// The torch.autocast context in which an op was created.
struct AutocastMode {
  enum class List : std::uint8_t { cpu, cuda };

  DType lower =
      DType::float32;  ///< bfloat16 or float16; float32: no context, or autocast is disabled
  List list = List::cpu;
  bool caches = true;         ///< casts of parameters are cached for as long as the context lasts
  std::int32_t context = -1;  ///< which context: casts are cached within one of them

  bool isOn() const { return lower != DType::float32; }
  Autocast of(const AutocastRule& rule) const { return list == List::cpu ? rule.cpu : rule.cuda; }
  bool operator==(const AutocastMode&) const = default;
};

}  // namespace fusebench
