// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "profiler/run/run.h"
#include "profiler/statistics/moderation.h"

namespace fusebench {

/// How much the cells of a run scatter, kept while they are measured.
///
/// A cell whose few sessions or blocks happened to be close together looks precise, and too many of
/// the cells that stop because they look precise are such accidents. The run's other cells tell
/// them apart: a cell is called converged only if its spread, combined with theirs, is narrow
/// enough, see typicalSpread(). Successive samples of one process resemble each other about equally
/// in all cells, and a few dozen samples of one cell are a poor estimate of this: the median over
/// the cells is used.
class CellSpreads {
 public:
  /// Like verdict(), after the cell's latest sample. The cells are always those of one run, in the
  /// same order. A cell that converges keeps the best precision that it can claim.
  Verdict judge(const StoppingRule& rule, std::vector<Cell>& cells, std::size_t index,
                const SessionPlace& place);
  /// Whether the cell's samples suffice for the required precision, under the same conditions.
  bool suffice(const StoppingRule& rule, std::vector<Cell>& cells, std::size_t index);

 private:
  bool confirm(const StoppingRule& rule, std::vector<Cell>& cells, std::size_t index);
  struct Known {
    std::size_t samples = 0;
    std::optional<Spread> spread;
    double correlation = 0;  ///< serialCorrelation()
  };
  static Known know(const Cell& cell);
  const Known& known(const Cell& cell, std::size_t index);

  std::vector<Known> known_;
};

}  // namespace fusebench
