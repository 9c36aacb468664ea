// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/stencils.h"

namespace fusebench::cpu {

Stencils::Stencils(Jit& jit) : jit_(jit), known_(std::size_t{1} << kKnownBits) {}

const void* Stencils::find(const Stencil& stencil, std::uint64_t key, ObjectCache* cache,
                           CompileTimes& times) {
  ++times.kernels;
  const void* const code = make(stencil, cache, times);
  if (key != 0) placeOf(key) = {key, code};
  return code;
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
