// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include <llvm/Target/TargetMachine.h>

#include "engine/cpu/math/vector_math.h"

namespace fusebench::cpu {

/// The machine that code is generated for.
struct Target {
  std::string triple;
  std::string cpu;       ///< LLVM's name: "znver3"
  std::string features;  ///< LLVM's feature string
  VectorTarget vector;
  int vectorRegisters = 16;

  std::string unit() const;  ///< "AVX2 with FMA, 8 lanes", for people
};

/// This machine; `width` lanes if not 0 (legalized by LLVM if the hardware has fewer).
Target hostTarget(int width = 0);

/// A named CPU of this machine's architecture, e.g. "x86-64-v2"; for tests of code selection.
Target namedTarget(const std::string& triple, const std::string& cpu, const std::string& features,
                   int width = 0);

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const Target& target);

}  // namespace fusebench::cpu
