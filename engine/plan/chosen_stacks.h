// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/language/program.h"

namespace fusebench {

/// The program with stacks that kernels read as selections among their pieces. torch.stack(), and
/// torch.cat() of a few parts of one size, copy each piece to its position in the result. A
/// selection by position, where(place <= 0, a, b), can instead be part of the kernel that reads the
/// result. Stacks that are only returned, or that a library call reads, keep their copies: the
/// kernel that computes a piece writes it to its position. Nothing if no stack changes.
std::optional<Program> withChosenStacks(const Program& program);

}  // namespace fusebench
