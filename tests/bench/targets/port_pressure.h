// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/device/backend.h"
#include "engine/language/program.h"
#include "tests/bench/targets/interleave.h"

namespace fusebench::targets {

/// What a processor needs at least for some instructions: how busy they keep its busiest execution
/// port, by llvm-mca's model of this processor ("Block RThroughput"). Waiting for memory and for
/// results is not in it.
struct PortPressure {
  double cycles = 0;  ///< of one turn of each innermost loop; 0: not known
  std::string why;    ///< it is not known
};
/// Of the innermost loops of assembly in AT&T syntax that end in a conditional jump back.
PortPressure pressureOfLoops(const std::string& assembly);

/// Cycles an element of the kernel that `static` makes of a program for this input.
PortPressure pressureOfStatic(Backend& backend, const Program& program, const Tensor& input);

/// Instructions whose time is known, to be measured beside others: a chain of additions that each
/// wait for the one before, one a cycle, and multiply-adds that wait for none. `run` is empty where
/// this processor has none of them.
Contender additionsInTurn();
inline constexpr int kAdditions = 4096;  ///< of a call
Contender independentMultiplyAdds();
inline constexpr int kTurns = 512;        ///< of a call, of the loop below
inline constexpr int kMultiplyAdds = 12;  ///< in it
/// The loop of the multiply-adds.
std::string multiplyAddLoop();

}  // namespace fusebench::targets
