// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <nlohmann/json.hpp>

#include "profiler/experiment.h"
#include "profiler/files.h"

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

Json tensor(const InputSpec& spec) {
  Json json = {{"name", spec.name}, {"extents", Json::array()}};
  for (const std::string& expression : spec.extents) json["extents"].push_back(extent(expression));
  json["fill"] = spec.fill;
  if (spec.layout != "contiguous") json["layout"] = spec.layout;
  return json;
}

Json inputSet(const InputSet& set) {
  Json json = {{"name", set.name}, {"count", set.count}, {"tensors", Json::array()}};
  for (const InputSpec& spec : set.inputs) json["tensors"].push_back(tensor(spec));
  return json;
}

Json variant(const Variant& v) {
  const ExecutorOptions usual;
  Json json = {
      {"name", v.name}, {"executor", v.executor}, {"inputs", v.inputs}, {"threads", v.threads}};
  if (v.series != 0) json["series"] = v.series;
  if (v.options.recompileLimit != usual.recompileLimit)
    json["recompileLimit"] = v.options.recompileLimit;
  if (v.options.contract != usual.contract) json["contract"] = v.options.contract;
  return json;
}

/// Like dump(2), but lists of plain values and small objects stay on one line,
/// as a person would write.
void print(std::string& out, const Json& json, std::size_t indent) {
  const std::string flat = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const bool nested = json.is_structured() && !json.empty();
  const bool text = json.is_array() && !json.empty() && json[0].is_string() && json.size() > 1;
  if (!nested || (flat.size() + indent <= 90 && indent > 2 && !text) ||
      (json.is_array() && flat.size() + indent <= 90 && json[0].is_number())) {
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
  out += json.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& item : json.items()) {
    if (!first) out += ',';
    out.append(1, '\n').append(pad);
    first = false;
    if (json.is_object()) out.append(Json(item.key()).dump()).append(": ");
    print(out, item.value(), indent + 2);
  }
  out.append(1, '\n').append(indent, ' ').append(json.is_object() ? "}" : "]");
}

}  // namespace

std::string toJson(const Experiment& experiment) {
  Json json = {{"fusebench", "experiment"}, {"version", 1}, {"title", experiment.title}};
  if (!experiment.question.empty()) json["question"] = experiment.question;
  if (!experiment.note.empty()) json["note"] = experiment.note;
  if (!experiment.lesson.empty()) json["lesson"] = experiment.lesson;
  if (!experiment.reference.empty()) json["reference"] = experiment.reference;
  json["program"] = lines(experiment.programText);
  json["inputs"] = Json::array();
  for (const InputSet& set : experiment.inputSets) json["inputs"].push_back(inputSet(set));
  json["variants"] = Json::array();
  for (const Variant& entry : experiment.variants) json["variants"].push_back(variant(entry));
  json["baseline"] = experiment.baseline;
  json["axes"] = Json::array();
  for (const Axis& axis : experiment.axes)
    json["axes"].push_back({{"name", axis.name}, {"unit", axis.unit}, {"values", axis.values}});
  const MeasureSettings& measure = experiment.measure;
  json["measure"] = {
      {"budgetSeconds", measure.budgetSeconds},   {"minimumSamples", measure.minimumSamples},
      {"maximumSamples", measure.maximumSamples}, {"precision", measure.precision},
      {"compileRepeats", measure.compileRepeats}, {"seed", measure.seed}};
  std::string text;
  print(text, json, 0);
  return text + "\n";
}

void saveExperiment(const Experiment& experiment, const std::string& path) {
  writeFile(path, toJson(experiment));
}

}  // namespace fusebench
