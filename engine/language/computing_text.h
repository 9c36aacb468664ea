// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "engine/language/program.h"

namespace fusebench {

/// Longest text that computingText() gives.
inline constexpr std::size_t kLongestComputing = 20000;

/// The call that makes a tensor's values, such as "torch.rand((4, 8))"; nothing: no short call
/// makes them.
std::optional<std::string> makingCall(const InitialValues& initial);

/// The part of a program that computes one value, with the calls that make
/// its held tensors: lines of Python, the last of which is the value's expression, such as
/// "torch.rand(4, 8) * 2.0 - 1.0". `unfinished`: a program that is being read, whose results are
/// numbered starting at kFirstResult. Empty: the text would be too long, or the value depends on an
/// input, on a gradient or on a choice between branches.
std::string computingText(const Program& unfinished, ValueId value);

}  // namespace fusebench
