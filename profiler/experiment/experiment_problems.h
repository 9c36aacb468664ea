// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/experiment/experiment.h"
#include "profiler/experiment/experiment_rules.h"

namespace fusebench {

/// Gathers problems; each check adds one if its rule is broken. Paths point
/// into the file.
class ProblemList {
 public:
  void add(std::string path, std::string message) {
    found_.push_back({std::move(path), std::move(message)});
  }
  void name(const std::string& path, const std::string& text);
  void integer(const std::string& path, std::int64_t value, IntegerRange range);
  void number(const std::string& path, double value, NumberRange range);
  void list(const std::string& path, std::size_t size, ListRule rule);
  void oneOf(const std::string& path, std::string_view text,
             std::span<const std::string_view> known, std::string_view what);

  bool empty() const { return found_.empty(); }
  std::vector<ExperimentProblem> take() { return std::move(found_); }

 private:
  std::vector<ExperimentProblem> found_;
};

/// Checks that all extents can be computed, at the corners of the axes.
void checkExtents(const Experiment& experiment, ProblemList& problems);
/// Checks that the program accepts the axes' values and the shapes, at the corners of the axes and
/// for the first entries. A problem of the shapes has the path of its variant, "/variants/1". Only
/// for an experiment without other problems.
void checkShapes(const Experiment& experiment, ProblemList& problems);

}  // namespace fusebench
