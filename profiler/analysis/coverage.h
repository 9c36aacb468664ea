// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// Coverage of the intervals by simulation. Studies of two variants with known true times are drawn
/// under the stopping rule, and the intervals that contain the true value are counted.

/// How the times of a simulated machine vary. A sample is its true time x exp of the sum of
///   session x normal      another one for each cell in each process
///   round x normal        the same for all cells of a round
///   drift x drift_i x deviation   drift_i = correlation drift_(i-1) + sqrt(1 - correlation^2)
///   normal; only
///                         where correlation > 0
///   shape x deviation     of its own
struct SimulatedNoise {
  enum class Shape : std::uint8_t {
    normal,
    twoPeaked,    ///< 65 of 100 near 0, the others near 3, both with standard deviation 0.3
    heavyTailed,  ///< normal; 12 of 100 are later by an exponential with mean 4
  };
  std::string name;
  Shape shape = Shape::normal;
  double correlation = 0;
  double round = 0;
  double session = 0;
  double variant = 1;  ///< factor that the variant's cells apply to the session effect and the
                       ///< standard deviation
  double drift =
      1;  ///< At a correlation of 0.7, with drift as large as the independent noise, successive
          ///< samples correlate by 0.35; with three times as much at 0.9, by 0.81.
};
std::span<const SimulatedNoise> simulatedNoises();

/// The quantity that an interval estimates.
enum class Covered : std::uint8_t { median, ratio, breakEven, payback };
inline constexpr std::size_t kCovered = 4;
std::string_view name(Covered what);

struct CoverageCount {
  int cases = 0, held = 0;
  double share() const { return cases > 0 ? static_cast<double>(held) / cases : 1; }
};

/// One kind of noise in studies with one number of sessions.
struct Coverage {
  std::string noise;
  int sessions = 1;
  /// By quantity, then by the reason why the cell stopped (of two cells, the variant's): converged,
  /// cap, budget, and last all of them.
  std::array<std::array<CoverageCount, 4>, kCovered> counts;

  void add(const Coverage& other);
};

struct CoverageSettings {
  int studies = 300;  ///< per kind of noise, noise level, and number of sessions
  std::uint64_t seed = 1;
};
/// Every kind of noise, with three noise levels pooled (0.5%, 2.5% and 6% of the time), in 1, 3 and
/// 8 sessions. With one session, the true value is that of the one process. Deterministic for a
/// seed.
std::vector<Coverage> simulateCoverage(const CoverageSettings& settings);
/// The rows of each number of sessions combined.
std::vector<Coverage> bySessions(const std::vector<Coverage>& rows);
/// A Markdown table.
std::string coverageText(const std::vector<Coverage>& rows);

}  // namespace fusebench
