// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fusebench {

/// Names of the header's parameters with a number as default, in order: `k` and
/// `low` of `def program(x, k=2, low: float = -0.5):`. An axis of such a name
/// sweeps it, and with it every parameter of an op that is written in terms of
/// it.
std::vector<std::string> numberParameters(std::string_view program);

/// The text with another default for such a parameter; unchanged if there is
/// none of that name.
std::string withParameter(std::string_view program, std::string_view name, std::int64_t value);

}  // namespace fusebench
