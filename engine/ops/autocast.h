// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/dtype.h"

namespace fusebench {

/// What torch.autocast makes of an op's operands that are floats, float64 left out, before the op
/// computes.
enum class Autocast : std::uint8_t {
  none,              ///< they stay as they are
  lower,             ///< the type given to autocast
  lowerWhereSummed,  ///< the same where there is a sum, because einsum then calls a product
  single,            ///< float32
  widest             ///< float32 if one of them is
};

/// The rule of a row, or of a function that is several rows, by the device that autocast is for:
/// the lists differ. As PyTorch 2.15 registers them (AutocastCPU, AutocastCUDA).
struct AutocastRule {
  Autocast cpu = Autocast::none, cuda = Autocast::none;
};

inline constexpr AutocastRule kLowered{Autocast::lower, Autocast::lower};
inline constexpr AutocastRule kSingle{Autocast::single, Autocast::single};
inline constexpr AutocastRule kSingleOnCuda{Autocast::none, Autocast::single};
inline constexpr AutocastRule kLoweredOnCuda{Autocast::none, Autocast::lower};
inline constexpr AutocastRule kWidestOnCuda{Autocast::none, Autocast::widest};

/// Within which torch.autocast an op was made.
struct AutocastMode {
  enum class List : std::uint8_t { cpu, cuda };

  DType lower = DType::float32;  ///< bfloat16 or float16; float32: within none, or it is off
  List list = List::cpu;
  bool caches = true;         ///< casts of parameters are kept for as long as it lasts
  std::int32_t context = -1;  ///< which one: casts are kept within one of them

  bool isOn() const { return lower != DType::float32; }
  Autocast of(const AutocastRule& rule) const { return list == List::cpu ? rule.cpu : rule.cuda; }
  bool operator==(const AutocastMode&) const = default;
};

}  // namespace fusebench
