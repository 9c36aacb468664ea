// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fusebench {

struct Run;

/// What a reader of a run has to know about results that cannot be compared with PyTorch's
/// directly: random numbers, state that calls leave behind, less precise arithmetic.
struct ComparisonNote {
  std::string headline;
  std::string text;  ///< a sentence or more
};

std::vector<ComparisonNote> comparisonNotes(const Run& run);

}  // namespace fusebench
