// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/analysis/crossings.h"
#include "profiler/run/run.h"

namespace fusebench::course {

/// A value that a run determines, as a lesson names it: "launch cost of eager", "speed-up of static
/// over replay at 30", "fastest at 30, 1024".
struct Quantity {
  enum class Kind : std::uint8_t {
    latency,      ///< ns per call
    speedUp,      ///< speedup over `over`, or over the variant's baseline
    launchCost,   ///< ns per launch, by the straight line through time over launches
    launches,     ///< per call
    breakEven,    ///< value on the first axis
    payback,      ///< calls
    memory,       ///< peak memory
    memoryShare,  ///< peak memory relative to that of `over`, or of the variant's baseline
    compile,      ///< ns that the very first call spends before it runs: compiling, searching
    error,        ///< largest relative error against the reference in double precision
    growth,       ///< time at the first axis' last value over that at its first
    gap,  ///< distance from its baseline, relative to the distance of another variant from its own
    launchSaved,  ///< ns saved per avoided launch, compared with `over` or the variant's baseline
    fastest,      ///< name of a variant
    slowest,      ///< name of a variant
    leastMemory,  ///< name of a variant
  };
  Kind kind = Kind::latency;
  std::string variant, over;     ///< names; empty where the kind has none
  std::vector<std::int64_t> at;  ///< a value of each axis; empty where the kind has none
  bool isName() const { return kind >= Kind::fastest; }
};

/// The word of the unit that its figures are in; empty where they have none, or an axis'.
std::string_view unitOf(const Quantity& quantity);
/// Throws InputError with the problem, without a position.
Quantity parseQuantity(std::string_view text);
/// Why an experiment's runs can never have it; empty if they can.
std::string problemOf(const Quantity& quantity, const Experiment& experiment);

/// A run with everything derived from it, computed once for all questions about it.
struct Facts {
  const Run& run;
  std::vector<Crossing> crossings;
  std::vector<LaunchModel> launches;
};
Facts factsOf(const Run& run);

/// Its value in a run.
struct Measured {
  Estimate estimate;    ///< kind `none` where it is a word, or missing
  std::string word;     ///< a variant's name, or "always", "never" of a crossing
  std::string missing;  ///< why there is neither, one sentence; empty if there is one
  std::vector<std::string> alike = {};  ///< variants that the data do not tell apart from `word`
};
Measured measure(const Quantity& quantity, const Facts& facts);

}  // namespace fusebench::course
