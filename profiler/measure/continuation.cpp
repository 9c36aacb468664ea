// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/continuation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/saying.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/measure/prediction.h"

namespace fusebench {
namespace {

/// The most calls of each cell's list that are simulated: their costs repeat.
constexpr std::size_t kContinuedCalls = 40;

}  // namespace

std::string Agreement::sentence() const {
  if (points.empty()) return saying("no simulated data point was measured");
  return saying("at the {} measured point{} the median error is {:.1f}%, the largest {:.1f}%",
                points.size(), points.size() == 1 ? "" : "s", 100 * median, 100 * worst);
}

Agreement agreementOf(const Run& measured, const Run& simulated) {
  Agreement made;
  std::vector<double> errors;
  for (const Cell& cell : measured.cells) {
    const Cell* const model = simulated.find(cell.key);
    if (cell.samples.empty() || !model || model->samples.empty()) continue;
    Agreement::Point point;
    point.key = cell.key;
    point.ranks = ranksOf(measured.experiment, cell.key);
    point.measured = cell.latency().value;
    point.simulated = model->latency().value;
    errors.push_back(std::abs(point.off()));
    made.points.push_back(std::move(point));
  }
  if (!errors.empty()) {
    std::ranges::sort(errors);
    const std::size_t count = errors.size();
    made.median = (errors[(count - 1) / 2] + errors[count / 2]) / 2;
    made.worst = errors.back();
  }
  return made;
}

Continuation continued(const Run& measured, const SimDevice& device, int most) {
  Continuation made;
  made.run = Prediction(withRanks(measured.experiment, most))
                 .on(device.parameters, "sim:" + device.name, kContinuedCalls);
  made.agreement = agreementOf(measured, made.run);
  const std::string truth =
      fmt::format("{}, {}; {}", device.title, device.truth(), made.agreement.sentence());
  made.run.environment = {{"backend", "simulated " + truth}, {"simulated", truth}};
  return made;
}

std::string fitsFrom(const Run& run) {
  return run.device == "cpu" ? "one-core" : "h100";
}

}  // namespace fusebench
