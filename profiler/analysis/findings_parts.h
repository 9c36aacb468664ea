// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "profiler/analysis/findings.h"
#include "profiler/analysis/findings_line.h"

/// The kinds of findings, each by a function of its own; findingsOf() puts them in order.
namespace fusebench::findings {

/// The data that all of them use.
struct Context {
  const Run& run;
  std::span<const Crossing> crossings;
  std::size_t slice = 0;
  bool measuring = false;  ///< samples are still coming
  int baseline = 0;
  std::vector<CurveCells> curves;  ///< one a variant

  const Axis& axis() const { return run.experiment.axes[0]; }
  const std::string& name(int variant) const {
    return run.experiment.variants[static_cast<std::size_t>(variant)].name;
  }
  int indexOf(const std::string& variant) const;
  /// " at elements = 4Ki", where a second axis is held; otherwise nothing.
  std::string held() const;
  /// " (1 – 2 us over 8 sessions)": an interval with its scope. Nothing of no interval.
  std::string inBrackets(const std::string& interval) const;
  /// Whether a cell has the value of the second axis that the findings are about.
  bool isOfSlice(const Cell& cell) const;
  /// The crossings of a kind that belong to the slice.
  std::vector<const Crossing*> of(Crossing::Kind kind) const;
};

using Findings = std::vector<Finding>;
Findings simulation(const Context& context);
Findings claims(const Context& context);
Findings breakEvens(const Context& context);
Findings speedUps(const Context& context);
Findings scaling(const Context& context);
Findings collectives(const Context& context);
Findings loaders(const Context& context);
Findings growth(const Context& context);
Findings breaks(const Context& context);
Findings anatomies(const Context& context);
Findings modules(const Context& context);
Findings paybacks(const Context& context);
Findings failures(const Context& context);
Findings fallbacks(const Context& context);
Findings accuracy(const Context& context);
Findings comparisons(const Context& context);
Findings quantizing(const Context& context);
Findings noise(const Context& context);
Findings comparability(const Context& context);
Findings oneMemory(const Context& context);

/// Findings of one kind are combined into one if there are this many or more.
inline constexpr std::size_t kMany = 3;

}  // namespace fusebench::findings
