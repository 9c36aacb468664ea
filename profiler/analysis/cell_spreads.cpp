// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/cell_spreads.h"

#include <algorithm>

#include "profiler/statistics/sessions.h"

namespace fusebench {

CellSpreads::Known CellSpreads::know(const Cell& cell) {
  const std::vector<double> times = cell.times();
  const std::vector<int> sessions = cell.sessions();
  return {times.size(), spreadOf(times, sessions),
          serialCorrelation(times, sessions, median(times))};
}

/// Computed again only if there are a quarter more samples than last time: every cell that looks
/// precise asks for all of them.
const CellSpreads::Known& CellSpreads::known(const Cell& cell, std::size_t index) {
  Known& known = known_[index];
  const std::size_t count = cell.samples.size();
  if (known.samples == 0 || count > known.samples + known.samples / 4) known = know(cell);
  return known;
}

Verdict CellSpreads::judge(const StoppingRule& rule, std::vector<Cell>& cells, std::size_t index,
                           const SessionPlace& place) {
  const Cell& cell = cells[index];
  const Verdict alone = verdict(rule, cell.times(), cell.sessions(), place);
  if (alone != Verdict::converged || confirm(rule, cells, index)) return alone;
  // Several sessions are looked at in the end only.
  const bool last = rule.sessions > 1 || static_cast<int>(cell.samples.size()) >= rule.maximum;
  return last ? Verdict::cap : Verdict::goOn;
}

bool CellSpreads::suffice(const StoppingRule& rule, std::vector<Cell>& cells, std::size_t index) {
  return isPrecise(rule, cells[index].times(), cells[index].sessions()) &&
         confirm(rule, cells, index);
}

bool CellSpreads::confirm(const StoppingRule& rule, std::vector<Cell>& cells, std::size_t index) {
  const Known own = know(cells[index]);
  if (!own.spread) return true;  // nothing moves
  known_.resize(cells.size());
  std::vector<Spread> spreads = {*own.spread};
  std::vector<double> correlations = {own.correlation};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    // Cells take turns, so that some are a sample behind.
    if (i == index || static_cast<int>(cells[i].samples.size()) + 1 < rule.minimum) continue;
    const Known& other = known(cells[i], i);
    if (!other.spread) continue;
    spreads.push_back(*other.spread);
    correlations.push_back(other.correlation);
  }
  const double precision = own.spread->moderatedPrecision(typicalSpread(spreads));
  if (precision > rule.precision) return false;
  if (rule.sessions == 1) {  // with several, their spread shows how alike samples are
    const double count = static_cast<double>(own.samples),
                 alike = std::clamp(median(correlations), 0.0, 1.0);
    if (count * (1 - alike) < static_cast<double>(rule.minimum) * (1 + alike)) return false;
  }
  cells[index].leastPrecision = precision;
  return true;
}

}  // namespace fusebench
