// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/comparison_notes.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/language/program_source.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/run/run.h"

namespace fusebench {
namespace {

bool isOfTorch(const Variant& variant) {
  return runsInTorch(variant.executor);
}

/// Notes of PyTorch's worker about its own calls. A data point's notes are separated by semicolons.
std::set<std::string> notesOfTorch(const Run& run) {
  std::set<std::string> notes;
  for (const Cell& cell : run.cells) {
    if (!isOfTorch(run.experiment.variants[static_cast<std::size_t>(cell.key.variant)])) continue;
    std::istringstream parts(cell.checkNote);
    for (std::string part; std::getline(parts, part, ';');) {
      part.erase(0, part.find_first_not_of(' '));
      if (part.starts_with("PyTorch")) notes.insert(part);
    }
  }
  return notes;
}

}  // namespace

std::vector<ComparisonNote> comparisonNotes(const Run& run) {
  std::vector<ComparisonNote> notes;
  const auto& variants = run.experiment.variants;
  const bool draws = std::ranges::any_of(variants, [&](const Variant& variant) {
    return drawsNumbers(run.experiment.programOf(variant));
  });
  if (draws)
    notes.push_back(
        {saying("Random numbers"),
         std::ranges::any_of(variants, isOfTorch)
             ? saying("The program draws random numbers. Fusebench draws the same numbers in each "
                      "call, so that its variants can be compared. PyTorch draws new ones, so its "
                      "results are not compared with them.")
             : saying("The program draws random numbers. Fusebench draws the same numbers in each "
                      "call, so that its variants can be compared.")});
  for (const std::string& note : notesOfTorch(run))
    notes.push_back({saying("PyTorch's results"), saidAgain(note) + saying(".")});
  return notes;
}

}  // namespace fusebench
