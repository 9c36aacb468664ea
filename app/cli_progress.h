// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/study/study.h"

namespace fusebench::cli {

/// A bar with the remaining time on standard error, if that is a terminal; otherwise nothing.
class ProgressBar {
 public:
  /// `lines`: prints JSON lines instead, whether or not standard error is a terminal, for programs
  /// that draw their own bar: {"phase": "measuring", "fraction": 0.25, "seconds_left": 12.5}.
  explicit ProgressBar(bool lines = false);
  ~ProgressBar() { clear(); }
  void show(const StudyProgress& progress);
  /// Removes the bar, so that other lines can be written.
  void clear();

 private:
  bool lines_;
  bool terminal_;
  bool shown_ = false;
};

/// The bar as text for a terminal of this many columns.
std::string barText(const StudyProgress& progress, int columns);

}  // namespace fusebench::cli
