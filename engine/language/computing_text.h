// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "engine/language/program.h"

namespace fusebench {

/// Length of the longest text that computingText() returns.
inline constexpr std::size_t kLongestComputing = 20000;

/// The call that produces a tensor's values, such as "torch.rand((4, 8))"; nothing: no short call
/// produces them.
std::optional<std::string> makingCall(const InitialValues& initial);

/// The part of a program that computes one value, with the calls that create its held tensors:
/// lines of Python, the last of which is the value's expression, such as "torch.rand(4, 8) * 2.0 -
/// 1.0". `unfinished`: a program that is still being read, whose results are numbered starting at
/// kFirstResult. Empty: the text would be too long, or the value depends on an input, on a gradient
/// or on a data-dependent branch.
std::string computingText(const Program& unfinished, ValueId value);

}  // namespace fusebench
