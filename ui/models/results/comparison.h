// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// How many times faster `variant` is than `baseline`, from the rounds in which both were sampled;
/// nothing without such a round.
std::optional<Estimate> speedUp(const Cell& baseline, const Cell& variant);

/// Index in run.cells of a variant's cell at the places on the axes (`second` is ignored with one
/// axis), or -1.
int cellIndex(const Run& run, int variant, std::size_t first, std::size_t second = 0);

/// Whether a cell of the run may still be measured further: stopped partway or never begun.
bool hasUnfinishedCells(const Run& run);

/// Samples of all cells.
std::size_t sampleCount(const Run& run);

}  // namespace fusebench
