// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/cpu/codegen/target.h"
#include "engine/ops/expr.h"

namespace fusebench::test {

/// One primitive compiled alone, as a loop over arrays: truth operands are read as "not 0", truth
/// results written as 1 or 0. No symbol but the host functions of slow_paths.h can be resolved, so
/// a call into libm makes the constructor throw.
class JitPrimitive {
 public:
  /// With `second`, that constant is the second operand.
  JitPrimitive(Primitive primitive, const cpu::Target& target, int interleave,
               std::optional<double> second = {});
  /// The chain of primitives applied one after the other to the first operand (all unary).
  JitPrimitive(std::span<const Primitive> chain, const cpu::Target& target, int interleave,
               std::optional<double> second = {});
  ~JitPrimitive();
  JitPrimitive(const JitPrimitive&) = delete;
  JitPrimitive& operator=(const JitPrimitive&) = delete;

  /// Elements that one pass of the loop does; array sizes must be multiples.
  int block() const { return block_; }
  void operator()(std::span<const float> a, std::span<float> result) const {
    function_(a.data(), a.data(), a.data(), result.data(), count(result));
  }
  void operator()(std::span<const float> a, std::span<const float> b,
                  std::span<float> result) const {
    function_(a.data(), b.data(), b.data(), result.data(), count(result));
  }
  void operator()(std::span<const float> a, std::span<const float> b, std::span<const float> c,
                  std::span<float> result) const {
    function_(a.data(), b.data(), c.data(), result.data(), count(result));
  }

 private:
  std::int64_t count(std::span<float> result) const {
    return static_cast<std::int64_t>(result.size()) / block_;
  }
  struct Jit;
  std::unique_ptr<Jit> jit_;
  using Function = void (*)(const float*, const float*, const float*, float*, std::int64_t);
  Function function_ = nullptr;
  int block_ = 0;
};

/// The assembly of that loop, for looking at; with `second`, that constant is the second operand.
std::string assembly(Primitive primitive, const cpu::Target& target, int interleave,
                     std::optional<double> second = {});

/// Host features taken away, for the paths that this machine would not take: "-fma", or
/// "-fma,-sse4.1".
cpu::Target hostWithout(const std::string& features, int width);

}  // namespace fusebench::test
