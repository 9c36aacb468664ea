// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/kernel.h"

namespace fusebench {

// How the parts of a kernel are written, for its canonical and its readable text.

/// Numbers under which nodes are printed: only those that some output needs, in order; -1: others.
std::vector<int> numberNeeded(const Kernel& kernel);
/// One node's computation: "v3 = mul(v1, v2)".
std::string nodeText(const Kernel& kernel, std::size_t node, const std::vector<int>& numbers);
/// The finish formula: "div(acc, n)"; empty if there is none.
std::string finishText(const KernelOutput& output);

}  // namespace fusebench
