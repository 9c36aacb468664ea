// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/language/program.h"
#include "engine/plan/fusion.h"

namespace fusebench {

/// Moves kernels later, into the first step that needs them. fuse() puts an op into a group that is
/// there already and never delays a group, so that a kernel stays alone if a library call or a
/// kernel over other elements is between it and the kernel that reads it. Here it becomes part of
/// that kernel:
///
/// - if both go over the same index space, and the reader reads each result where its own loop is;
/// - if nothing between the two needs the kernel, or writes to what it reads;
/// - if the two read no more than kMostReads tensors together, and are on one side of every copy,
///   collective and choice by what a tensor holds;
/// - if this keeps no more bytes in memory between the two than it takes out of memory.
///
/// Results that other steps read, too, stay outputs of the joined kernel. Kernels that write in
/// place are not moved; the reader may write in place to what it joins with. Groups are those of
/// fuse() before fuseRows(); joined groups take the reader's place, and the order stays.
void sinkKernels(const Program& program, const PlanValues& values,
                 std::vector<FusionGroup>& groups);

}  // namespace fusebench
