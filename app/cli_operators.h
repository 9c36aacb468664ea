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
/// The traces of files and of directories of ranks, part by part.
std::vector<TitledTrace> titledTraces(const std::vector<std::string>& paths);

/// Prints the operators of traces: `by` names groupings with commas, or is "tree". `csv`: a
/// directory for the groups as a table; empty: none.
int analyzeOperators(const std::vector<std::string>& paths, const std::string& by, bool json,
                     const std::string& csv);

}  // namespace fusebench::cli
