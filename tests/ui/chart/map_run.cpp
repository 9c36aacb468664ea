// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/chart/map_run.h"

#include <nlohmann/json.hpp>

#include <vector>

#include "tests/ui/synthetic.h"

namespace fusebench::test {

Run mapRun(const std::vector<std::int64_t>& statements, const std::vector<std::int64_t>& elements,
           const std::function<double(double, double)>& ratio, int samples, double noise) {
  Run run;
  run.experiment = syntheticExperiment();
  run.experiment.variants[1].name = "fused";
  run.experiment.variants[2].name = "same";
  run.experiment.axes = {{"statements", "statements", statements},
                         {"elements", "elements", elements}};
  run.startedAt = "2025-01-01T00:00:00Z";
  run.environment = nlohmann::json::object();
  for (const CellKey& key : cells(run.experiment)) {
    Cell cell;
    cell.key = key;
    const double x = static_cast<double>(key.at[0]), y = static_cast<double>(key.at[1]);
    const double truth = key.variant == 1 ? 1000 / ratio(x, y) : 1000;
    for (int round = 0; round < samples; ++round) {
      const double off = key.variant == 0 ? 0 : noise * (round % 7 - 3) / 3;
      cell.samples.push_back({round, truth * (1 + off)});
    }
    cell.stop = samples > 0 ? Stop::converged : Stop::running;
    run.cells.push_back(cell);
  }
  return run;
}

}  // namespace fusebench::test
