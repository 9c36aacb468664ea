// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// Marks after a latency in a table, for facts that a reader must know: "*" stopped before its
/// interval was narrow enough, "~" drifted while measured, "!" some calls fell back to eager. A
/// mark that every latency of the run would have is left out of the cells and is only in a note.
class CellMarks {
 public:
  explicit CellMarks(const Run& run);
  std::string of(const Cell& cell) const;
  /// The meanings of the marks that occur, one sentence each.
  std::vector<std::string> notes() const;

 private:
  std::string some_;  ///< marks of some latencies
  std::string all_;   ///< marks of all of them
};

}  // namespace fusebench
