// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export/cell_marks.h"

#include <algorithm>

#include "engine/base/saying.h"

namespace fusebench {
namespace {

struct MarkOfCells {
  char letter;
  bool (*has)(const Cell&);
  const char* some;  ///< after the letter
  const char* all;
};

/// As of a simulated device: more samples would tell nothing more.
bool samplesAreAlike(const Cell& cell) {
  constexpr double kAlike = 1e-3;
  if (cell.samples.size() < 2) return false;
  const auto [least, most] = std::ranges::minmax(cell.samples, {}, &Sample::nanoseconds);
  return most.nanoseconds - least.nanoseconds <= kAlike * least.nanoseconds;
}

constexpr MarkOfCells kCellMarks[] = {
    {'*',
     [](const Cell& cell) {
       return (cell.stop == Stop::budget || cell.stop == Stop::cap ||
               cell.stop == Stop::interrupted) &&
              !samplesAreAlike(cell);
     },
     toBeSaid("stopped before the interval was narrow enough"),
     toBeSaid("every measurement stopped before its interval was narrow enough")},
    {'~', [](const Cell& cell) { return cell.driftedDuring(); }, toBeSaid("drifted while measured"),
     toBeSaid("everything drifted while measured")},
    {'!',
     [](const Cell& cell) {
       return cell.eagerShare.value_or(0) > 0 && cell.recompiles.value_or(0) > 0;
     },
     toBeSaid("some calls fell back to eager"),
     toBeSaid("some calls of all variants fell back to eager")}};

}  // namespace

CellMarks::CellMarks(const Run& run) {
  std::vector<const Cell*> measured;
  for (const Cell& cell : run.cells)
    if (!cell.samples.empty()) measured.push_back(&cell);
  for (const MarkOfCells& mark : kCellMarks) {
    const auto marked =
        std::ranges::count_if(measured, [&](const Cell* cell) { return mark.has(*cell); });
    if (marked == 0) continue;
    // With a single latency the mark on it is as short.
    const bool all = measured.size() > 1 && marked == std::ranges::ssize(measured);
    (all ? all_ : some_) += mark.letter;
  }
}

std::string CellMarks::of(const Cell& cell) const {
  std::string text;
  for (const MarkOfCells& mark : kCellMarks)
    if (some_.find(mark.letter) != std::string::npos && mark.has(cell)) text += mark.letter;
  return text;
}

std::vector<std::string> CellMarks::notes() const {
  std::vector<std::string> notes;
  for (const MarkOfCells& mark : kCellMarks) {
    if (all_.find(mark.letter) != std::string::npos) notes.emplace_back(said(mark.all));
    if (some_.find(mark.letter) != std::string::npos)
      notes.push_back(fmt::format("{} {}", mark.letter, said(mark.some)));
  }
  return notes;
}

}  // namespace fusebench
