// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "engine/run/reference.h"

namespace fusebench::test {

struct PastedRead {
  Program program;
  std::vector<ReferenceTensor> values;  ///< those of its inputs, weights included
};

/// Reads a text as the command line does, and gives its inputs values: the same for the same text.
/// Throws ProgramError where the text cannot be read, or an input has more than `mostElements`.
PastedRead readWithValues(std::string_view text, std::int64_t mostElements = 1 << 24);

}  // namespace fusebench::test
