// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// An input of integers that a program uses as an index, by itself or in a sum or a multiple with
/// constants, and the integers that are places of all that is indexed: from `low` up to, but not,
/// `end`. If none is, `end` is not above `low`.
struct IndexedInput {
  ValueId input = -1;
  std::int64_t low = 0, end = 0;
};

/// The index inputs of a program whose values have these types, as inferTypes() gives them.
std::vector<IndexedInput> indexedInputs(const Program& program, std::span<const ValueType> types);

}  // namespace fusebench
