// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace fusebench {
class Trace;
}

namespace fusebench::cli {

struct TitledTrace {
  std::string title;
  std::shared_ptr<const Trace> trace;
};
/// The traces of files and of directories of ranks, part by part. `range`: only events
/// inside the ranges of that name; empty: all of them.
std::vector<TitledTrace> titledTraces(const std::vector<std::string>& paths,
                                      const std::string& range);
/// The trace, limited to the ranges of that name if it is not empty.
std::shared_ptr<const Trace> limitedTrace(std::shared_ptr<const Trace> trace,
                                          const std::string& range);

/// Prints the operators of traces: `by` names groupings with commas, or is "tree". `csv`: a
/// directory for the groups as a table; empty: none.
int analyzeOperators(const std::vector<std::string>& paths, const std::string& by, bool json,
                     const std::string& csv, const std::string& range);

}  // namespace fusebench::cli
