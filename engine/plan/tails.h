// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/language/program.h"
#include "engine/plan/fusion.h"

namespace fusebench {

/// Lets products take the op that alone reads them, where its row has a tail (Tail) and it would be
/// a kernel of its own: the library does it as it writes the result, which spares a launch and the
/// product's way to memory and back. Products of float32, and with relu of 16-bit floats; tails
/// that lie as the product does; nothing that is written in place.
void joinTails(const Program& program, const PlanValues& values, std::vector<FusionGroup>& groups);

}  // namespace fusebench
