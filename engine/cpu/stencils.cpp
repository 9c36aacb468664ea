// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/stencils.h"

namespace fusebench::cpu {
namespace {

constexpr int kKnownBits = 12;  ///< of the table of those looked up of late

/// A number that no other stencil has; 0 for one that has no such number.
std::uint64_t keyOf(const Stencil& stencil) {
  if (!stencil.structural.empty()) return 0;
  std::uint64_t key = 1;
  const auto append = [&key](int bits, auto value) {
    key = key << bits | static_cast<std::uint64_t>(value);
  };
  append(4, stencil.kind);
  append(12, stencil.row ? opIndex(*stencil.row) + 1 : 0);
  append(4, stencil.dtype);
  append(4, stencil.accumulate);
  append(1, stencil.masked);
  append(1, stencil.lanes);
  for (std::size_t o = 0; o < stencil.forms.size(); ++o) {
    append(7, stencil.forms[o]);
    append(1, stencil.truths[o]);
    append(3, stencil.known[o]);
  }
  return key;
}

}  // namespace

Stencils::Stencils(Jit& jit) : jit_(jit), known_(std::size_t{1} << kKnownBits) {}

const void* Stencils::code(const Stencil& stencil, ObjectCache* cache, CompileTimes& times) {
  ++times.kernels;
  const std::uint64_t key = keyOf(stencil);
  if (key == 0) return make(stencil, cache, times);
  Known& known = known_[key * 0x9e3779b97f4a7c15u >> (64 - kKnownBits)];
  if (known.key == key)
    ++times.fromMemory;
  else
    known = {key, make(stencil, cache, times)};
  return known.code;
}

const void* Stencils::make(const Stencil& stencil, ObjectCache* cache, CompileTimes& times) {
  std::string text = stencil.text();
  const auto found = made_.find(text);
  if (found != made_.end()) {
    ++times.fromMemory;
    return reinterpret_cast<const void*>(found->second->function());
  }
  auto code = jit_.compile(
      text,
      [&](const llvm::DataLayout& layout) { return generate(stencil, jit_.target(), layout); },
      cache, times);
  const void* address = reinterpret_cast<const void*>(code->function());
  made_.emplace(std::move(text), std::move(code));
  return address;
}

std::size_t Stencils::accumulatorBytes(Accumulate kind, bool lanes) {
  const int key = 2 * static_cast<int>(kind) + (lanes ? 1 : 0);
  const auto found = accumulatorBytes_.find(key);
  if (found != accumulatorBytes_.end()) return found->second;
  return accumulatorBytes_[key] = cpu::accumulatorBytes(kind, lanes, jit_.target());
}

}  // namespace fusebench::cpu
