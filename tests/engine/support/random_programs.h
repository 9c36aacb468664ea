// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace fusebench::test {

/// A random program's text over inputs x and y: statements of nested ops drawn from the whole
/// table, in every spelling that PyTorch knows for them. Any two tensors of one shape with two
/// dimensions fit.
std::string randomProgramText(std::uint32_t seed);

/// How many texts a test of random ones tries: FUSEBENCH_FUZZ sets another number.
int textsToTry(int usual);

}  // namespace fusebench::test
