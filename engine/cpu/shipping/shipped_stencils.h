// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cpu/codegen/stencil.h"

namespace fusebench::cpu {

/// The pieces of op lists that ship with the program: every one that an op list of the op table's
/// rows can need, except those that depend on what is known about the operands of a row with
/// several operands, where the piece that assumes nothing serves (see ShippedCode), and those for
/// unusual settings of structural parameters.
std::vector<Stencil> shippedStencils();

}  // namespace fusebench::cpu
