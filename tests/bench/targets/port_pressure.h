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
  double cycles = 0;  ///< per iteration of each innermost loop; 0: not known
  std::string why;    ///< why it is not known
};
/// The pressure of assembly's innermost loops (AT&T syntax) that end in a conditional jump back.
PortPressure pressureOfLoops(const std::string& assembly);

/// Cycles per element of the kernel that `static` makes of a program for this input.
PortPressure pressureOfStatic(Backend& backend, const Program& program, const Tensor& input);

/// Instructions with a known time, to be measured together with others: a chain of additions that
/// each wait for the one before, one per cycle, and multiply-adds that wait for none. `run` is
/// empty if this processor does not have these instructions.
Contender additionsInTurn();
inline constexpr int kAdditions = 4096;  ///< additions per call
Contender independentMultiplyAdds();
inline constexpr int kTurns = 512;        ///< iterations of the loop below per call
inline constexpr int kMultiplyAdds = 12;  ///< multiply-adds per iteration
/// The loop of the multiply-adds.
std::string multiplyAddLoop();

}  // namespace fusebench::targets
