// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profiler/run/sample_data.h"

#include <nlohmann/json.hpp>

#include <vector>

#include "profiler/statistics/random.h"

namespace fusebench {

std::string smallExperimentText(const std::string& values) {
  return R"json({
  "fusebench": "experiment",
  "version": 1,
  "title": "A small study",
  "program": [
    "def program(x):",
    "    x = x + 1",
    "    x = torch.sin(x)",
    "    return x.sum()"
  ],
  "inputs": [
    {"name": "all", "count": 3, "tensors": [{"name": "x", "extents": ["i % 2 + 4", 16]}]}
  ],
  "variants": [
    {"name": "eager", "executor": "eager", "inputs": "all"},
    {"name": "fused", "executor": "static", "inputs": "all"}
  ],
  "baseline": "eager",
  "axes": [{"name": "statements", "values": )json" +
         values + R"json(}],
  "measure": {"budgetSeconds": 10, "sessions": 1, "compileRepeats": 2}
}
)json";
}

Experiment smallExperiment(const std::vector<std::int64_t>& values) {
  return parseExperiment(smallExperimentText(nlohmann::json(values).dump()), "small.json");
}

Run emptyRun(const Experiment& experiment) {
  Run run;
  run.experiment = experiment;
  for (const CellKey& key : cells(experiment)) {
    run.cells.emplace_back();
    run.cells.back().key = key;
  }
  return run;
}

void fillSamples(Run& run, int count, double noise, std::uint64_t seed,
                 const std::function<double(const CellKey&)>& truth) {
  for (std::size_t c = 0; c < run.cells.size(); ++c)
    for (int round = 0; round < count; ++round)
      run.cells[c].samples.push_back(
          {round, truth(run.cells[c].key) *
                      (1 + noise * normalAt(seed, c, static_cast<std::uint64_t>(round)))});
}

}  // namespace fusebench
