// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli_commands.h"
#include "engine/base/saying.h"
#include "profiler/analysis/coverage.h"

namespace fusebench::cli {

int checkStatisticsCommand(int studies) {
  CoverageSettings settings;
  settings.studies = studies;
  std::vector<Coverage> rows = simulateCoverage(settings);
  const std::vector<Coverage> sums = bySessions(rows);
  rows.insert(rows.end(), sums.begin(), sums.end());
  printOut(coverageText(rows));
  constexpr double kWanted = 0.93;
  bool held = true;
  for (const Coverage& sum : sums)
    for (const auto& reasons : sum.counts)
      for (const CoverageCount& count : reasons)
        held = held && (count.cases < 50 || count.share() >= kWanted);
  if (!held) complain(saying("fewer than 93% of intervals contain the true value"));
  return held ? kDone : kFailed;
}

}  // namespace fusebench::cli
