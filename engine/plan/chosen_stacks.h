// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/language/program.h"

namespace fusebench {

/// The program with stacks that kernels read as choices among their pieces. torch.stack(), and
/// torch.cat() of a few parts of one size, copy each piece to its place in the result; a choice by
/// the place, where(place <= 0, a, b), can be part of the kernel that reads the result instead.
/// Stacks that are only returned, or that a library call reads, keep their copies: the kernel that
/// computes a piece writes it to its place. Nothing if no stack changes.
std::optional<Program> withChosenStacks(const Program& program);

}  // namespace fusebench
