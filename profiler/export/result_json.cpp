// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export/result_json.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "profiler/analysis/bandwidth.h"
#include "profiler/analysis/collective_model.h"
#include "profiler/analysis/findings.h"
#include "profiler/analysis/loader_figures.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/scaling.h"
#include "profiler/analysis/wording.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/run/anatomy_json.h"
#include "profiler/run/cell_json.h"

namespace fusebench {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kGiga = 1e-9;

Json numberOrNull(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// A whole number where it is one, so that 8 calls read as 8.
Json place(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  return numberOrNull(value);
}

template <typename Value>
Json orNull(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json compileTotal(const std::optional<CompileTimes>& times) {
  return times ? Json(times->total()) : Json(nullptr);
}

Json firstCompiles(const Cell& cell) {
  Json all = Json::array();
  for (const CompileTimes& times : cell.firstCompiles) all.push_back(times.total());
  return all;
}

Json medianCompile(const Cell& cell) {
  std::vector<double> totals;
  for (const CompileTimes& times : cell.firstCompiles)
    totals.push_back(static_cast<double>(times.total()));
  return totals.empty() ? Json(nullptr) : place(std::round(median(totals)));
}

Json speedUp(const Run& run, const Cell& cell) {
  const auto ratio = speedUpOf(run, cell);
  if (lacksModel(run, cell)) return {{"value", nullptr}, {"not_modeled", true}};
  if (!ratio) return nullptr;
  const auto against = static_cast<std::size_t>(*run.experiment.baselineOf(cell.key.variant));
  const bool interval = ratio->kind == Estimate::Kind::interval;
  return {{"value", numberOrNull(ratio->value)},
          {"ci_low", interval ? numberOrNull(ratio->low) : Json(nullptr)},
          {"ci_high", interval ? numberOrNull(ratio->high) : Json(nullptr)},
          {"against", run.experiment.variants[against].name}};
}

Json orWord(const std::optional<double>& error) {
  if (!error) return nullptr;
  if (std::isfinite(*error)) return *error;
  return std::isnan(*error) ? "nan" : "inf";
}

/// "event_ci_ns" for "event_ns".
std::string intervalKey(std::string key) {
  return key.insert(key.rfind('_'), "_ci");
}

/// With several ranks the median of each one's times, in order of ranks.
Json ranksJson(const Cell& cell) {
  if (cell.samples.empty() || cell.samples.front().ranks.empty()) return nullptr;
  Json all = Json::array();
  for (std::size_t rank = 0; rank < cell.samples.front().ranks.size(); ++rank) {
    std::vector<double> times;
    for (const Sample& sample : cell.samples)
      if (rank < sample.ranks.size()) times.push_back(sample.ranks[rank]);
    all.push_back(numberOrNull(median(times)));
  }
  return all;
}

Json cellJson(const Run& run, const Cell& cell) {
  const Estimate latency = cell.latency();
  const bool measured = latency.kind != Estimate::Kind::none,
             interval = latency.kind == Estimate::Kind::interval;
  Json object;
  object["variant"] = run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name;
  object["at"] = cell.key.at;
  object["latency_ns"] = measured ? numberOrNull(latency.value) : Json(nullptr);
  object["ci_low_ns"] = interval ? numberOrNull(latency.low) : Json(nullptr);
  object["ci_high_ns"] = interval ? numberOrNull(latency.high) : Json(nullptr);
  object["samples"] = cell.samples.size();
  object["sessions"] = cell.sessionCount();
  object["stop"] = name(cell.stop);
  object["drifted"] = cell.driftedDuring();
  object["launches"] = cell.launches ? Json{{"min", cell.launches->minimum},
                                            {"mean", cell.launches->mean},
                                            {"max", cell.launches->maximum}}
                                     : Json(nullptr);
  for (const DeviceTimeField& field : kDeviceTimeFields) {
    const Estimate time = cell.deviceTime(field.member);
    object[field.key] =
        time.kind == Estimate::Kind::none ? Json(nullptr) : numberOrNull(time.value);
  }
  for (const DeviceTimeField& field : kDeviceTimeFields) {
    const Estimate time = cell.deviceTime(field.member);
    object[intervalKey(field.key)] = time.kind == Estimate::Kind::interval
                                         ? Json{numberOrNull(time.low), numberOrNull(time.high)}
                                         : Json(nullptr);
  }
  const Estimate clock = cell.clockMegahertz();
  object["clock_mhz"] =
      clock.kind == Estimate::Kind::none
          ? Json(nullptr)
          : Json{{"median", clock.value}, {"min", clock.low}, {"max", clock.high}};
  object["dropped"] = cell.dropped;
  object["dropped_why"] = cell.dropped > 0 ? Json(cell.droppedWhy) : Json(nullptr);
  // Marks are the host's: they do not see the kernels of a device that works on its own.
  const bool seen = cell.anatomy && !cell.hasDeviceTimes();
  const double kernel = seen ? cell.anatomy->of(CallPart::kernel) : 0;
  const auto* const device =
      cell.anatomy && cell.anatomy->device ? &*cell.anatomy->device : nullptr;
  object["kernel_ns"] = device ? numberOrNull(device->of(DevicePart::kernels))
                        : seen ? numberOrNull(kernel)
                               : Json(nullptr);
  object["gap_ns"] = device ? numberOrNull(device->of(DevicePart::gaps))
                     : seen ? numberOrNull(cell.anatomy->total() - kernel)
                            : Json(nullptr);
  object["anatomy"] = cell.anatomy ? Json(toJson(*cell.anatomy)) : Json(nullptr);
  object["peak_bytes"] = orNull(cell.peakBytes);
  object["peak_block_bytes"] = orNull(cell.peakBlockBytes);
  object["compile_first_ns"] = medianCompile(cell);
  object["compile_first_all_ns"] = firstCompiles(cell);
  object["compile_disk_ns"] = compileTotal(cell.diskCompile);
  object["compile_memory_ns"] = compileTotal(cell.memoryCompile);
  object["recompiles"] = orNull(cell.recompiles);
  object["recompile_reasons"] = cell.recompileReasons;
  object["eager_share"] = orNull(cell.eagerShare);
  object["graphs"] = orNull(cell.graphs);
  object["activation_memory_budget"] = orNull(cell.memoryShare);
  object["rel_error"] = orWord(cell.relativeError);
  object["rounding_error"] = orWord(cell.roundingError);
  object["accuracy"] = cell.accuracy ? Json(toJson(*cell.accuracy)) : Json(nullptr);
  object["torch_difference"] = orWord(cell.torchDifference);
  object["check_note"] = cell.checkNote.empty() ? Json(nullptr) : Json(cell.checkNote);
  object["inputs"] = cell.inputsUsed;
  object["hand_over_ns"] = cell.handOver ? Json(*cell.handOver) : Json(nullptr);
  object["speedup"] = speedUp(run, cell);
  object["error"] = orNull(cell.error);
  object["ranks"] = ranksOf(run.experiment, cell.key);
  object["ranks_ns"] = ranksJson(cell);
  const auto loader = loaderFigureOf(run, cell);
  object["throughput"] = loader ? numberOrNull(1e9 * loader->throughput()) : Json(nullptr);
  object["throughput_ci"] =
      loader && loader->bandwidth.kind == Estimate::Kind::interval
          ? Json{numberOrNull(loader->bandwidth.low), numberOrNull(loader->bandwidth.high)}
          : Json(nullptr);
  object["device_waits"] = loader ? orNull(loader->waits) : Json(nullptr);
  object["bytes_moved"] = orNull(movedBytesOf(run, cell));
  const auto bandwidth = bandwidthOf(run, cell);
  const bool bounded = bandwidth && bandwidth->kind == Estimate::Kind::interval;
  object["bandwidth_gbps"] = bandwidth ? numberOrNull(kGiga * bandwidth->value) : Json(nullptr);
  object["bandwidth_gbps_ci"] =
      bounded ? Json{numberOrNull(kGiga * bandwidth->low), numberOrNull(kGiga * bandwidth->high)}
              : Json(nullptr);
  return object;
}

Json estimateJson(const Estimate& estimate) {
  const bool interval = estimate.kind == Estimate::Kind::interval;
  return {{"value", numberOrNull(estimate.value)},
          {"ci_low", interval ? numberOrNull(estimate.low) : Json(nullptr)},
          {"ci_high", interval ? numberOrNull(estimate.high) : Json(nullptr)}};
}

Json scalingJson(const Run& run) {
  Json all = Json::array();
  for (const ScalingPoint& point : scalingOf(run))
    all.push_back(
        {{"variant", run.experiment.variants[static_cast<std::size_t>(point.key.variant)].name},
         {"at", point.key.at},
         {"ranks", point.ranks},
         {"from", point.from},
         {"scaling", point.weak ? "weak" : "strong"},
         {"speedup", estimateJson(point.speedUp)},
         {"efficiency", estimateJson(point.efficiency)}});
  return all;
}

Json collectivesJson(const Run& run) {
  Json all = Json::array();
  for (const CollectiveModel& model : collectiveModels(run)) {
    Json points = Json::array();
    for (const CollectiveModel::Point& point : model.points)
      points.push_back({{"at", point.key.at},
                        {"bytes", point.bytes},
                        {"latency_ns", numberOrNull(point.measured)},
                        {"model_ns", numberOrNull(point.modeled)}});
    all.push_back(
        {{"variant", run.experiment.variants[static_cast<std::size_t>(model.variant)].name},
         {"collective", model.collective},
         {"ranks", model.ranks},
         {"alpha_ns", estimateJson(model.alpha)},
         {"beta_ns_per_byte", estimateJson(model.beta)},
         {"worst", numberOrNull(model.worst())},
         {"points", std::move(points)}});
  }
  return all;
}

Json crossingJson(const Crossing& crossing) {
  const bool found = crossing.status == CrossingStatus::found;
  const bool payback = crossing.kind == Crossing::Kind::payback;
  Json object = {{"variant", crossing.variant},
                 {"baseline", crossing.baseline},
                 {"kind", payback ? "payback" : "break-even"},
                 {"metric", crossing.ofBandwidth ? "bandwidth" : "latency"},
                 {"along", crossing.along}};
  if (payback || !crossing.cell.empty()) object["cell"] = crossing.cell;
  object["status"] = name(crossing.status);
  object["at"] = found ? place(crossing.at) : Json(nullptr);
  const bool interval = found && crossing.hasInterval;
  object["ci_low"] = interval ? place(crossing.low) : Json(nullptr);
  object["ci_high"] = !interval                   ? Json(nullptr)
                      : std::isinf(crossing.high) ? Json("never")
                                                  : place(crossing.high);
  if (payback) object["compiles"] = crossing.compiles;
  if (crossing.baselineCompileTime > 0) {
    object["compile_ns"] = crossing.compileTime;
    object["baseline_compile_ns"] = crossing.baselineCompileTime;
  }
  object["ratio_at_start"] =
      crossing.ratioAtStart > 0 ? numberOrNull(crossing.ratioAtStart) : Json(nullptr);
  if (found && !payback) object["direction"] = crossing.backwards ? "falls behind" : "gets ahead";
  return object;
}

Json modelsJson(const std::vector<LaunchModel>& models, const char* slope) {
  Json all = Json::array();
  for (const LaunchModel& model : models)
    all.push_back({{"variant", model.variant},
                   {"intercept_ns", estimateJson(model.fit.intercept)},
                   {slope, estimateJson(model.fit.slope)}});
  return all;
}

Json crossingsJson(const std::vector<Crossing>& crossings) {
  Json all = Json::array();
  for (const Crossing& crossing : crossings) all.push_back(crossingJson(crossing));
  return all;
}

/// The result of the run for each claim, by slice of a second axis.
Json claimsJson(const Run& run, const std::vector<Crossing>& crossings) {
  Json all = Json::array();
  if (run.experiment.claims.empty()) return all;
  const std::vector<Axis>& axes = run.experiment.axes;
  const std::size_t slices = axes.size() > 1 ? axes[1].values.size() : 1;
  for (std::size_t slice = 0; slice < slices; ++slice)
    for (const Finding& finding : findingsOf(run, crossings, slice)) {
      if (finding.claim < 0) continue;
      const Claim& claim = run.experiment.claims[static_cast<std::size_t>(finding.claim)];
      Json entry = {{"text", claim.text},       {"variant", claim.variant},
                    {"against", claim.against}, {"metric", name(claim.metric)},
                    {"claimed", claim.ratio},   {"verdict", finding.verdict},
                    {"finding", finding.text}};
      entry["source"] = claim.source.empty() ? Json(nullptr) : Json(claim.source);
      if (axes.size() > 1) entry["at"] = {{axes[1].name, axes[1].values[slice]}};
      all.push_back(std::move(entry));
    }
  return all;
}

}  // namespace

Json resultJson(const Run& run, const std::vector<Crossing>& crossings) {
  const Experiment& experiment = run.experiment;
  Json object = {{"fusebench", "result"},          {"version", 1},
                 {"title", experiment.title},      {"device", run.device},
                 {"simulated", run.isSimulated()}, {"baseline", experiment.baseline}};
  object["note"] = experiment.note.empty() ? Json(nullptr) : Json(experiment.note);
  object["started_at"] = run.startedAt;
  object["quick"] = run.quick;
  object["interrupted"] = run.interrupted;
  object["cache"] = experiment.measure.cache;
  object["reset"] = experiment.measure.reset;
  const std::string sessions = wording::sessions(run);
  object["intervals_hold"] = sessions.empty() ? Json(nullptr) : Json(sessions);
  if (run.isSimulated())
    object["model_error"] = run.modelError() ? Json(*run.modelError()) : Json(nullptr);
  object["axes"] = Json::array();
  for (const Axis& axis : experiment.axes)
    object["axes"].push_back({{"name", axis.name}, {"unit", axis.unit}, {"values", axis.values}});
  object["cells"] = Json::array();
  for (const Cell& cell : run.cells) object["cells"].push_back(cellJson(run, cell));
  object["crossings"] = crossingsJson(crossings);
  object["bandwidth_crossings"] = crossingsJson(bandwidthCrossings(timesPerByte(run)));
  object["claims"] = claimsJson(run, crossings);
  object["scaling"] = scalingJson(run);
  object["collectives"] = collectivesJson(run);
  object["launch_models"] = modelsJson(launchModels(run), "per_launch_ns");
  object["environment"] = run.environment;
  return object;
}

Json resultJson(const Reference& reference, const std::vector<Crossing>& crossings) {
  Json object = {{"fusebench", "result"},          {"version", 1},
                 {"title", reference.title},       {"device", reference.device},
                 {"baseline", reference.baseline}, {"source", reference.source},
                 {"metric", reference.metric},     {"note", reference.note}};
  Json values = Json::array();
  if (!reference.curves.empty())
    for (const double x : reference.curves.front().x) values.push_back(place(x));
  object["axes"] =
      Json::array({{{"name", reference.axis}, {"unit", reference.unit}, {"values", values}}});
  object["cells"] = Json::array();
  const bool events = reference.metric == "E";
  for (const ReferenceCurve& curve : reference.curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      Json cell = {{"variant", curve.variant}, {"at", Json::array({place(curve.x[i])})}};
      cell["latency_ns"] = events ? Json(nullptr) : numberOrNull(curve.nanoseconds[i]);
      cell["event_ns"] = events ? numberOrNull(curve.nanoseconds[i]) : Json(nullptr);
      for (const char* unknown :
           {"ci_low_ns", "ci_high_ns", "samples", "sessions", "stop", "launches", "enqueue_ns",
            "single_ns", "device_ns", "kernel_ns", "gap_ns", "peak_bytes", "compile_first_ns",
            "compile_disk_ns", "compile_memory_ns", "recompiles", "eager_share", "rel_error",
            "error"})
        cell[unknown] = nullptr;
      object["cells"].push_back(std::move(cell));
    }
  object["crossings"] = crossingsJson(crossings);
  object["stated_break_even"] = orNull(reference.statedBreakEven);
  object["launch_models"] = modelsJson(launchModels(reference), "per_step_ns");
  return object;
}

}  // namespace fusebench
