// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// An experiment with two variants, eager (the baseline) and fused, over these numbers of
/// statements, as its file's text.
std::string smallExperimentText(const std::string& values = "[1, 2, 3]");
Experiment smallExperiment(const std::vector<std::int64_t>& values = {1, 2, 3});

/// Room for inputs that is never short, bytes.
inline constexpr std::uint64_t kPlenty = std::uint64_t{1} << 33;

/// A run of it with nothing measured.
Run emptyRun(const Experiment& experiment);

/// Normal noise of this relative deviation around each cell's true time; rounds 0 to count - 1.
void fillSamples(Run& run, int count, double noise, std::uint64_t seed,
                 const std::function<double(const CellKey&)>& truth);

}  // namespace fusebench
