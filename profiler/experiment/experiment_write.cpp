// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <nlohmann/json.hpp>

#include "profiler/experiment/captured_model_json.h"
#include "profiler/experiment/experiment.h"
#include "profiler/experiment/fill_json.h"
#include "profiler/files/files.h"

namespace fusebench {
namespace {

using Json = nlohmann::ordered_json;

Json lines(const std::string& text) {
  Json list = Json::array();
  std::size_t start = 0;
  while (true) {
    const std::size_t end = text.find('\n', start);
    list.push_back(text.substr(start, end - start));
    if (end == std::string::npos) return list;
    start = end + 1;
  }
}

Json extent(const std::string& expression) {
  std::int64_t number = 0;
  const char* end = expression.data() + expression.size();
  const auto [rest, error] = std::from_chars(expression.data(), end, number);
  if (error == std::errc() && rest == end && number >= 0 && std::to_string(number) == expression)
    return number;
  return expression;
}

Json tensorJson(const InputSpec& spec) {
  Json object = {{"name", spec.name}, {"extents", Json::array()}};
  for (const std::string& expression : spec.extents)
    object["extents"].push_back(extent(expression));
  object["fill"] = fillOf(spec);
  if (spec.layout != "contiguous") object["layout"] = spec.layout;
  if (spec.dtype != InputSpec().dtype) object["dtype"] = spec.dtype;
  if (spec.onHost) object["device"] = "host";
  if (spec.pinned) object["pinned"] = true;
  if (spec.held) object["held"] = true;
  putCapturedValues(object, spec);
  return object;
}

Json inputSetJson(const InputSet& set) {
  Json object = {{"name", set.name}, {"count", set.count}, {"tensors", Json::array()}};
  for (const InputSpec& spec : set.inputs)
    if (!spec.initial) object["tensors"].push_back(tensorJson(spec));
  return object;
}

Json variantJson(const Variant& v) {
  const ExecutorOptions usual;
  Json object = {
      {"name", v.name}, {"executor", v.executor}, {"inputs", v.inputs}, {"threads", v.threads}};
  if (!v.program.empty()) object["program"] = v.program;
  if (!v.against.empty()) object["against"] = v.against;
  if (v.series != 0) object["series"] = v.series;
  if (!v.dtype.empty()) object["dtype"] = v.dtype;
  if (v.gradients == "all")
    object["gradients"] = true;
  else if (!v.gradients.empty())
    object["gradients"] = v.gradients;
  if (!v.quantize.empty()) object["quantise"] = v.quantize;
  if (!v.calibration.empty()) object["calibration"] = v.calibration;
  if (!v.checkpoint.empty()) object["checkpoint"] = v.checkpoint;
  if (!v.autocast.empty()) object["autocast"] = v.autocast;
  if (v.lossScale != 1) object["lossScale"] = v.lossScale;
  if (v.ranks != 1) object["ranks"] = v.ranks;
  if (v.weak) object["scaling"] = "weak";
  if (v.buckets != Variant().buckets) object["buckets"] = v.buckets;
  if (v.options.recompileLimit != usual.recompileLimit)
    object["recompileLimit"] = v.options.recompileLimit;
  if (v.options.contract != usual.contract) object["contract"] = v.options.contract;
  if (v.options.search != usual.search) object["tune"] = "search";
  if (v.options.fastMath != usual.fastMath) object["fastMath"] = v.options.fastMath;
  if (v.options.overlap) object["overlap"] = true;
  if (v.options.graphBreaks) object["graphBreaks"] = true;
  if (v.options.pages != Pages::kept)
    object["pages"] = kPagesNames[static_cast<std::size_t>(v.options.pages)];
  const Delivery& delivery = v.options.delivery;
  if (delivery.from != Delivery::From::device)
    object["from"] = kDeliveryNames[static_cast<std::size_t>(delivery.from)];
  if (delivery.gathers) object["batches"] = "gather";
  if (delivery.workers > 0) object["workers"] = delivery.workers;
  if (delivery.prefetch > 0) object["prefetch"] = delivery.prefetch;
  if (delivery.results) object["results"] = "host";
  return object;
}

/// Like dump(2), but lists of plain values and small objects stay on one line,
/// as a person would write.
void print(std::string& out, const Json& value, std::size_t indent) {
  const std::string flat = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  const bool nested = value.is_structured() && !value.empty();
  const bool text = value.is_array() && !value.empty() && value[0].is_string() && value.size() > 1;
  if (!nested || (flat.size() + indent <= 90 && indent > 2 && !text) ||
      (value.is_array() && flat.size() + indent <= 90 && value[0].is_number())) {
    bool quoted = false, escaped = false;
    for (const char c : flat) {
      out += c;
      if (c == '"' && !escaped) quoted = !quoted;
      escaped = c == '\\' && !escaped;
      if (!quoted && (c == ',' || c == ':')) out += ' ';
    }
    return;
  }
  const std::string pad(indent + 2, ' ');
  out += value.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& item : value.items()) {
    if (!first) out += ',';
    out.append(1, '\n').append(pad);
    first = false;
    if (value.is_object()) out.append(Json(item.key()).dump()).append(": ");
    print(out, item.value(), indent + 2);
  }
  out.append(1, '\n').append(indent, ' ').append(value.is_object() ? "}" : "]");
}

}  // namespace

std::string toJson(const Experiment& experiment) {
  const bool several = !experiment.programName.empty();
  Json object = {
      {"fusebench", "experiment"}, {"version", several ? 2 : 1}, {"title", experiment.title}};
  if (!experiment.question.empty()) object["question"] = experiment.question;
  if (!experiment.note.empty()) object["note"] = experiment.note;
  if (!experiment.lesson.empty()) object["lesson"] = experiment.lesson;
  if (!experiment.reference.empty()) object["reference"] = experiment.reference;
  if (experiment.shown != Experiment::Shown::latency) object["metric"] = name(experiment.shown);
  if (several) {
    object["programs"] = {{experiment.programName, lines(experiment.programText)}};
    for (const NamedProgram& each : experiment.morePrograms)
      object["programs"][each.name] = lines(each.text);
  } else {
    object["program"] = lines(experiment.programText);
  }
  object["inputs"] = Json::array();
  for (const InputSet& set : experiment.inputSets) object["inputs"].push_back(inputSetJson(set));
  object["variants"] = Json::array();
  for (const Variant& entry : experiment.variants) object["variants"].push_back(variantJson(entry));
  object["baseline"] = experiment.baseline;
  object["axes"] = Json::array();
  for (const Axis& axis : experiment.axes)
    object["axes"].push_back({{"name", axis.name}, {"unit", axis.unit}, {"values", axis.values}});
  for (const Claim& claim : experiment.claims) {
    Json entry = {{"text", claim.text}, {"variant", claim.variant}, {"against", claim.against}};
    entry[figureKey(claim.metric)] = claim.ratio;
    if (!claim.source.empty()) entry["source"] = claim.source;
    if (claim.device != Claim().device) entry["device"] = name(claim.device);
    if (claim.metric != Claim().metric) entry["metric"] = name(claim.metric);
    if (claim.relation != Claim().relation) entry["relation"] = name(claim.relation);
    if (claim.tolerance != Claim().tolerance) entry["tolerance"] = claim.tolerance;
    if (claim.than)
      entry["than"] = {{"variant", claim.than->variant}, {"against", claim.than->against}};
    for (const auto& [axis, value] : claim.at) entry["at"][axis] = value;
    object["claims"].push_back(std::move(entry));
  }
  const MeasureSettings& measure = experiment.measure;
  object["measure"] = {
      {"budgetSeconds", measure.budgetSeconds},   {"minimumSamples", measure.minimumSamples},
      {"maximumSamples", measure.maximumSamples}, {"precision", measure.precision},
      {"compileRepeats", measure.compileRepeats}, {"seed", measure.seed}};
  if (measure.sessions != MeasureSettings().sessions)
    object["measure"]["sessions"] = measure.sessions;
  if (measure.cache != MeasureSettings().cache) object["measure"]["cache"] = measure.cache;
  if (measure.reset != MeasureSettings().reset) object["measure"]["reset"] = measure.reset;
  if (!experiment.weights.empty()) object["weights"] = experiment.weights;
  if (experiment.capture) object["capture"] = toJson(*experiment.capture);
  std::string text;
  print(text, object, 0);
  return text + "\n";
}

namespace {

/// The "$schema" of a file that is to be replaced: editors check the file by it. Empty: it has
/// none.
std::string schemaKeptOf(const std::string& path) {
  const Json file = Json::parse(textToReplace(path), nullptr, /*allow_exceptions=*/false);
  if (!file.is_object() || !file.contains("$schema") || !file["$schema"].is_string()) return {};
  return file["$schema"].get<std::string>();
}

}  // namespace

void saveExperiment(const Experiment& experiment, const std::string& path) {
  std::string text = toJson(experiment);
  if (const std::string schema = schemaKeptOf(path); !schema.empty())
    text.insert(text.find('\n') + 1, "  \"$schema\": " + Json(schema).dump() + ",\n");
  writeFile(path, text);
}

}  // namespace fusebench
