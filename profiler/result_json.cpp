// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/result_json.h"

#include <cmath>

#include "profiler/anatomy_json.h"
#include "profiler/bootstrap.h"

namespace fusebench {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// A whole number where it is one, so that 8 calls read as 8.
Json place(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  return number(value);
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
  CellKey key = cell.key;
  key.variant = run.experiment.baselineIndex();
  const Cell* baseline = run.find(key);
  if (!baseline || baseline == &cell) return nullptr;
  const PairedSamples paired = pairByRound(*baseline, cell);
  if (paired.first.empty()) return nullptr;
  const Estimate ratio = pairedRatio(paired.first, paired.second);
  const bool interval = ratio.kind == Estimate::Kind::interval;
  return {{"value", number(ratio.value)},
          {"ci_low", interval ? number(ratio.low) : Json(nullptr)},
          {"ci_high", interval ? number(ratio.high) : Json(nullptr)}};
}

Json relativeError(const Cell& cell) {
  if (!cell.relativeError) return nullptr;
  if (std::isfinite(*cell.relativeError)) return *cell.relativeError;
  return std::isnan(*cell.relativeError) ? "nan" : "inf";
}

Json cellJson(const Run& run, const Cell& cell) {
  const Estimate latency = cell.latency();
  const bool measured = latency.kind != Estimate::Kind::none,
             interval = latency.kind == Estimate::Kind::interval;
  Json json;
  json["variant"] = run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name;
  json["at"] = cell.key.at;
  json["latency_ns"] = measured ? number(latency.value) : Json(nullptr);
  json["ci_low_ns"] = interval ? number(latency.low) : Json(nullptr);
  json["ci_high_ns"] = interval ? number(latency.high) : Json(nullptr);
  json["samples"] = cell.samples.size();
  json["stop"] = name(cell.stop);
  json["drifted"] = cell.driftedDuring();
  json["launches"] = cell.launches ? Json{{"min", cell.launches->minimum},
                                          {"mean", cell.launches->mean},
                                          {"max", cell.launches->maximum}}
                                   : Json(nullptr);
  for (const char* device : {"enqueue_ns", "event_ns", "single_ns"}) json[device] = nullptr;
  const double kernel = cell.anatomy ? cell.anatomy->of(CallPart::kernel) : 0;
  json["kernel_ns"] = cell.anatomy ? number(kernel) : Json(nullptr);
  json["gap_ns"] = cell.anatomy ? number(cell.anatomy->total() - kernel) : Json(nullptr);
  json["anatomy"] = cell.anatomy ? Json(toJson(*cell.anatomy)) : Json(nullptr);
  json["peak_bytes"] = orNull(cell.peakBytes);
  json["compile_first_ns"] = medianCompile(cell);
  json["compile_first_all_ns"] = firstCompiles(cell);
  json["compile_disk_ns"] = compileTotal(cell.diskCompile);
  json["compile_memory_ns"] = compileTotal(cell.memoryCompile);
  json["recompiles"] = orNull(cell.recompiles);
  json["recompile_reasons"] = cell.recompileReasons;
  json["eager_share"] = orNull(cell.eagerShare);
  json["rel_error"] = relativeError(cell);
  json["check_note"] = cell.checkNote.empty() ? Json(nullptr) : Json(cell.checkNote);
  json["inputs"] = cell.inputsUsed;
  json["speedup"] = speedUp(run, cell);
  json["error"] = orNull(cell.error);
  return json;
}

Json crossingJson(const Crossing& crossing) {
  const bool found = crossing.status == CrossingStatus::found;
  const bool payback = crossing.kind == Crossing::Kind::payback;
  Json json = {{"variant", crossing.variant},
               {"baseline", crossing.baseline},
               {"kind", payback ? "payback" : "break-even"},
               {"along", crossing.along}};
  if (payback || !crossing.cell.empty()) json["cell"] = crossing.cell;
  json["status"] = name(crossing.status);
  json["at"] = found ? place(crossing.at) : Json(nullptr);
  json["ci_low"] = found ? place(crossing.low) : Json(nullptr);
  json["ci_high"] = found ? place(crossing.high) : Json(nullptr);
  json["ratio_at_start"] =
      crossing.ratioAtStart > 0 ? number(crossing.ratioAtStart) : Json(nullptr);
  if (found && !payback) json["direction"] = crossing.backwards ? "falls behind" : "gets ahead";
  return json;
}

Json estimateJson(const Estimate& estimate) {
  const bool interval = estimate.kind == Estimate::Kind::interval;
  return {{"value", number(estimate.value)},
          {"ci_low", interval ? number(estimate.low) : Json(nullptr)},
          {"ci_high", interval ? number(estimate.high) : Json(nullptr)}};
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

}  // namespace

Json resultJson(const Run& run, const std::vector<Crossing>& crossings) {
  const Experiment& experiment = run.experiment;
  Json json = {{"fusebench", "result"},
               {"version", 1},
               {"title", experiment.title},
               {"device", run.device},
               {"baseline", experiment.baseline}};
  json["note"] = experiment.note.empty() ? Json(nullptr) : Json(experiment.note);
  json["started_at"] = run.startedAt;
  json["quick"] = run.quick;
  json["interrupted"] = run.interrupted;
  json["axes"] = Json::array();
  for (const Axis& axis : experiment.axes)
    json["axes"].push_back({{"name", axis.name}, {"unit", axis.unit}, {"values", axis.values}});
  json["cells"] = Json::array();
  for (const Cell& cell : run.cells) json["cells"].push_back(cellJson(run, cell));
  json["crossings"] = crossingsJson(crossings);
  json["launch_models"] = modelsJson(launchModels(run), "per_launch_ns");
  json["environment"] = run.environment;
  return json;
}

Json resultJson(const Reference& reference, const std::vector<Crossing>& crossings) {
  Json json = {{"fusebench", "result"},          {"version", 1},
               {"title", reference.title},       {"device", reference.device},
               {"baseline", reference.baseline}, {"source", reference.source},
               {"metric", reference.metric},     {"note", reference.note}};
  Json values = Json::array();
  if (!reference.curves.empty())
    for (const double x : reference.curves.front().x) values.push_back(place(x));
  json["axes"] =
      Json::array({{{"name", reference.axis}, {"unit", reference.unit}, {"values", values}}});
  json["cells"] = Json::array();
  const bool events = reference.metric == "E";
  for (const ReferenceCurve& curve : reference.curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      Json cell = {{"variant", curve.variant}, {"at", Json::array({place(curve.x[i])})}};
      cell["latency_ns"] = events ? Json(nullptr) : number(curve.nanoseconds[i]);
      cell["event_ns"] = events ? number(curve.nanoseconds[i]) : Json(nullptr);
      for (const char* unknown :
           {"ci_low_ns", "ci_high_ns", "samples", "stop", "launches", "enqueue_ns", "single_ns",
            "kernel_ns", "gap_ns", "peak_bytes", "compile_first_ns", "compile_disk_ns",
            "compile_memory_ns", "recompiles", "eager_share", "rel_error", "error"})
        cell[unknown] = nullptr;
      json["cells"].push_back(std::move(cell));
    }
  json["crossings"] = crossingsJson(crossings);
  json["stated_break_even"] = orNull(reference.statedBreakEven);
  json["launch_models"] = modelsJson(launchModels(reference), "per_step_ns");
  return json;
}

}  // namespace fusebench
