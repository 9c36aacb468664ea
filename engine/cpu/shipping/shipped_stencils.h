// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cpu/codegen/stencil.h"

namespace fusebench::cpu {

/// The pieces of op lists that ship with the program: every one that an op list of the op table's
/// rows can ask for, but for operands of which something is known in rows of several operands,
/// where the piece that knows nothing serves (see ShippedCode), and settings of structural
/// parameters other than the usual ones.
std::vector<Stencil> shippedStencils();

}  // namespace fusebench::cpu
