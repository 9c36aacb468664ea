// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/instant/stencils.h"

namespace fusebench::cpu {

Stencils::Stencils(Jit& jit, const ShippedCode* shipped)
    : jit_(jit), shipped_(shipped), known_(std::size_t{1} << kKnownBits) {}

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
  if (const void* const code = shipped_ ? shipped_->stencil(stencil, text) : nullptr) {
    ++times.shipped;
    made_.emplace(std::move(text), std::make_unique<LoadedCode>(
                                       reinterpret_cast<KernelFunction>(const_cast<void*>(code))));
    return code;
  }
  auto code = jit_.compile(
      text,
      [&](const llvm::DataLayout& layout) { return generate(stencil, jit_.target(), layout); },
      cache, times);
  const void* address = reinterpret_cast<const void*>(code->function());
  made_.emplace(std::move(text), std::move(code));
  return address;
}

const AccumulatorCode& Stencils::makeAccumulator(Accumulate kind, bool lanes, ObjectCache* cache,
                                                 CompileTimes& times) {
  MadeAccumulator made;
  Stencil stencil;
  stencil.accumulate = kind;
  stencil.lanes = lanes;
  const auto make = [&](Stencil::Kind what, bool masked = false) {
    stencil.kind = what;
    stencil.masked = masked;
    ++made.pieces;
    return code(stencil, cache, times);
  };
  using enum Stencil::Kind;
  made.code.accumulate = make(accumulate);
  if (!lanes) {
    made.code.masked = make(accumulate, /*masked=*/true);
    made.code.total = make(total);
  }
  made.code.reset = make(reset);
  made.code.flush = make(flush);
  made.code.finish = make(finish);
  made.code.bytes = accumulatorBytes(kind, lanes, jit_.target());
  MadeAccumulator& place = accumulators_[numberOf(kind, lanes)];
  place = made;
  return place.code;
}

}  // namespace fusebench::cpu
