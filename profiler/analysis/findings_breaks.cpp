// SPDX-License-Identifier: GPL-3.0-or-later
// What a graph break costs: launches, guards, and the wait for a condition.
#include <fmt/format.h>

#include <optional>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/findings_parts.h"
#include "profiler/analysis/wording.h"

namespace fusebench::findings {
namespace {

/// The recorded time of its parts for checking inputs and for waiting; nothing for a call that was
/// not traced.
std::string partsText(const Cell& cell) {
  if (!cell.anatomy) return {};
  const auto of = [&](CallPart part) {
    return wording::time(cell.anatomy->nanoseconds[static_cast<std::size_t>(part)]);
  };
  return saying(" Each call spends {} on guards and {} waiting.", of(CallPart::guard),
                of(CallPart::wait));
}

std::optional<Finding> broken(const Context& context, int variant) {
  const Experiment& experiment = context.run.experiment;
  const auto& of = experiment.variants[static_cast<std::size_t>(variant)];
  const std::vector<Branch>& branches = experiment.programOf(of).branches;
  const auto against = experiment.baselineOf(variant);
  if (branches.empty() || !against || *against == variant) return std::nullopt;
  if (!experiment.programOf(experiment.variants[static_cast<std::size_t>(*against)])
           .branches.empty())
    return std::nullopt;
  const CurveCells& curve = context.curves[static_cast<std::size_t>(variant)];
  const CurveCells& other = context.curves[static_cast<std::size_t>(*against)];
  if (curve.empty() || other.empty() || curve.x.front() != other.x.front()) return std::nullopt;
  const Cell &cell = *curve.cells.front(), &plain = *other.cells.front();
  const double place = curve.x.front();
  const double more = curve.latency.front().value - other.latency.front().value;
  Finding finding{Finding::Kind::growth, variant, {}, {}, Metric::latency, place};
  finding.headline =
      saying("{}: split in line {}", context.name(variant), branches.front().place.line);
  finding.text = saying(
      "The 'if' in line {} splits {}: the host waits for its condition and computes only one "
      "branch. At {}{} a call takes {}, and a call of {} takes {}: {} {}.",
      branches.front().place.line, context.name(variant), wording::at(context.axis(), place),
      context.held(), wording::time(curve.latency.front().value), context.name(*against),
      wording::time(other.latency.front().value), wording::time(more < 0 ? -more : more),
      more < 0 ? saying("less") : saying("more"));
  if (cell.launches && plain.launches)
    finding.text +=
        saying(" It makes {} launches; the other makes {}.", wording::number(cell.launches->mean),
               wording::number(plain.launches->mean));
  if (cell.graphs.value_or(1) > 1)
    finding.text += saying(" It is compiled in {} pieces (graphs).", *cell.graphs);
  finding.text += partsText(cell);
  return finding;
}

}  // namespace

Findings breaks(const Context& context) {
  Findings findings;
  if (context.measuring) return findings;
  for (std::size_t v = 0; v < context.run.experiment.variants.size(); ++v)
    if (auto one = broken(context, static_cast<int>(v))) findings.push_back(std::move(*one));
  return findings;
}

}  // namespace fusebench::findings
