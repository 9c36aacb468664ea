// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/shipped/shipped_code.h"

#include <algorithm>
#include <cmath>

#include "engine/cpu/math/slow_paths.h"
#include "engine/cpu/shipping/shipment.h"

// Under the name that generated code calls it by; a JIT defines it otherwise.
extern "C" double fusebench_power(double base, double exponent);
double fusebench_power(double base, double exponent) {
  return std::pow(base, exponent);
}

namespace fusebench::cpu {
namespace {

bool runsHere(std::string_view level) {
#if defined(__x86_64__)
  if (level == "x86-64-v4") return __builtin_cpu_supports("x86-64-v4") != 0;
  if (level == "x86-64-v3") return __builtin_cpu_supports("x86-64-v3") != 0;
#elif defined(__aarch64__)
  if (level == "aarch64") return true;
#endif
  return false;
}

/// Whether code for one computes bit for bit what code for the other does: the order of sums
/// follows from the width, and from how many registers there are.
bool computesAlike(const Target& a, const Target& b) {
  return a.vector.width == b.vector.width && a.vector.fma == b.vector.fma &&
         a.vector.roundInstruction == b.vector.roundInstruction &&
         a.vectorRegisters == b.vectorRegisters;
}

}  // namespace

const ShippedCode* ShippedCode::fitting(const Target& target) {
  for (const ShippedCode& code : all())
    for (const ShippedLevel& level : shippedLevels())
      if (level.name == code.level() && runsHere(level.name) &&
          computesAlike(targetOf(level), target))
        return &code;
  return nullptr;
}

const void* ShippedCode::find(const ShippedKey& key) const {
  const ShippedKey* const end = table_.keys + table_.count;
  const ShippedKey* const found = std::lower_bound(table_.keys, end, key);
  if (found == end || *found != key) return nullptr;
  return reinterpret_cast<const char*>(table_.places) + table_.places[found - table_.keys];
}

KernelFunction ShippedCode::kernel(std::string_view canonicalText) const {
  return reinterpret_cast<KernelFunction>(const_cast<void*>(find(shippedKey(canonicalText))));
}

const void* ShippedCode::stencil(const Stencil& stencil, const std::string& text) const {
  if (const void* const code = find(shippedKey(text))) return code;
  if (std::ranges::all_of(stencil.known, [](RangeClass known) { return known == 0; }))
    return nullptr;
  Stencil knowingNothing = stencil;
  knowingNothing.known = {};
  return find(shippedKey(knowingNothing.text()));
}

}  // namespace fusebench::cpu
