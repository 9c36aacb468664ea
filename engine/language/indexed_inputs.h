// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// An integer input that a program uses as an index, by itself or in a sum with or a multiple of
/// constants, and the integers that are valid positions in everything that it indexes: from `low`
/// up to, but not including, `end`. If there are none, `end` is not above `low`.
struct IndexedInput {
  ValueId input = -1;
  std::int64_t low = 0, end = 0;
};

/// The index inputs of a program whose values have these types, as inferTypes() gives them.
std::vector<IndexedInput> indexedInputs(const Program& program, std::span<const ValueType> types);

}  // namespace fusebench
