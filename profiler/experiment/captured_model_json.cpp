// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/captured_model_json.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/base/saying.h"
#include "profiler/experiment/experiment_keys.h"
#include "profiler/experiment/experiment_rules.h"

namespace fusebench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostNodes = 1'000'000;
constexpr std::size_t kMostGiven = 1 << 20;
constexpr double kLargestGiven = std::numeric_limits<double>::max();

std::vector<std::string> readTexts(const JsonReader& object, std::string_view key) {
  std::vector<std::string> texts;
  if (!object.has(key)) return texts;
  const JsonReader list = object[key];
  list.expectArray(0, kMostNodes, "texts");
  for (std::size_t i = 0; i < list.size(); ++i) texts.push_back(list[i].string());
  return texts;
}

std::string readCapturedText(const JsonReader& object, std::string_view key) {
  return object.has(key) ? object[key].string() : std::string();
}

/// An index into a list of the file.
int readIndex(const JsonReader& value, std::size_t size) {
  return static_cast<int>(value.integer(0, static_cast<std::int64_t>(size) - 1));
}

/// JSON has no infinity: such a number is a text.
double readGiven(const JsonReader& value) {
  if (value.json().is_boolean()) return value.boolean() ? 1 : 0;
  if (!value.json().is_string()) return value.number(-kLargestGiven, kLargestGiven);
  const std::string text = value.string();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "inf") return kInfinity;
  if (text == "-inf") return -kInfinity;
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  value.fail(saying("must be a number, \"inf\", \"-inf\" or \"nan\""));
}

Json givenNumber(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  constexpr double kExact = 0x1p53;
  if (value == std::floor(value) && std::abs(value) < kExact)
    return static_cast<std::int64_t>(value);
  return value;
}

void readArguments(const JsonReader& arguments, CapturedModel& model) {
  arguments.expectArray(0, rules::kMostInDraft, "arguments");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const JsonReader entry = arguments[i];
    entry.expectArray(2, 2, "values");
    const JsonReader second = entry[std::size_t{1}];
    CapturedModel::Argument argument;
    argument.input = entry[std::size_t{0}].string();
    if (second.json().is_string())
      argument.state = second.string();
    else
      argument.leaf = static_cast<int>(second.integer(0, kMostNodes));
    model.arguments.push_back(std::move(argument));
  }
}

}  // namespace

CapturedModel readCapturedModel(const JsonReader& object) {
  expectKeys(object, FilePart::capture);
  CapturedModel model;
  model.file = readCapturedText(object, "file");
  model.sha256 = readCapturedText(object, "sha256");
  model.name = readCapturedText(object, "name");
  model.how = readCapturedText(object, "how");
  model.torch = readCapturedText(object, "torch");
  model.inputs = readTexts(object, "inputs");
  if (object.has("train")) model.train = object["train"].boolean();
  model.modules = readTexts(object, "modules");
  model.sources = readTexts(object, "sources");
  model.breaks = readTexts(object, "breaks");
  const JsonReader nodes = object["nodes"];
  nodes.expectArray(0, kMostNodes, "nodes");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const JsonReader node = nodes[i];
    node.expectArray(4, 4, "numbers");  // program, line, module, source
    model.nodes.push_back({readIndex(node[std::size_t{0}], rules::kMostPrograms),
                           static_cast<int>(node[std::size_t{1}].integer(1, kMostNodes)),
                           readIndex(node[std::size_t{2}], model.modules.size()),
                           readIndex(node[std::size_t{3}], model.sources.size())});
  }
  if (object.has("arguments")) readArguments(object["arguments"], model);
  return model;
}

Json toJson(const CapturedModel& model) {
  Json object = Json::object();
  if (!model.file.empty()) object["file"] = model.file;
  if (!model.sha256.empty()) object["sha256"] = model.sha256;
  if (!model.name.empty()) object["name"] = model.name;
  if (!model.how.empty()) object["how"] = model.how;
  if (!model.torch.empty()) object["torch"] = model.torch;
  if (!model.inputs.empty()) object["inputs"] = model.inputs;
  if (model.train) object["train"] = true;
  object["modules"] = model.modules;
  object["sources"] = model.sources;
  if (!model.breaks.empty()) object["breaks"] = model.breaks;
  object["nodes"] = Json::array();
  for (const CapturedModel::Node& node : model.nodes)
    object["nodes"].push_back({node.program, node.line, node.module, node.source});
  if (model.arguments.empty()) return object;
  object["arguments"] = Json::array();
  for (const CapturedModel::Argument& each : model.arguments)
    object["arguments"].push_back(each.state.empty() ? Json::array({each.input, each.leaf})
                                                     : Json::array({each.input, each.state}));
  return object;
}

void readCapturedValues(const JsonReader& tensor, InputSpec& spec) {
  if (tensor.has("parameter")) spec.parameter = tensor["parameter"].boolean();
  if (tensor.has("mean")) spec.mean = tensor["mean"].number(-kLargestGiven, kLargestGiven);
  if (tensor.has("deviation")) spec.deviation = tensor["deviation"].number(0, kLargestGiven);
  if (tensor.has("range")) {
    const JsonReader range = tensor["range"];
    range.expectArray(2, 2, "numbers");
    const double low = range[std::size_t{0}].number(-kLargestGiven, kLargestGiven);
    const double high = range[std::size_t{1}].number(-kLargestGiven, kLargestGiven);
    if (low > high) range.fail(saying("the range is empty; write the lower end first"));
    spec.range = {low, high};
  }
  if (tensor.has("data")) {
    const JsonReader data = tensor["data"];
    data.expectArray(1, kMostGiven, "numbers");
    spec.data.reserve(data.size());
    // Plain numbers are read as they are: a path for each of many would take long.
    for (std::size_t i = 0; i < data.size(); ++i)
      spec.data.push_back(data.json()[i].is_number() ? data.json()[i].get<double>()
                                                     : readGiven(data[i]));
  }
  spec.values = readCapturedText(tensor, "values");
}

void putCapturedValues(Json& tensor, const InputSpec& spec) {
  const InputSpec usual;
  if (spec.parameter) tensor["parameter"] = true;
  if (spec.mean != usual.mean) tensor["mean"] = spec.mean;
  if (spec.deviation != usual.deviation) tensor["deviation"] = spec.deviation;
  if (spec.range && !spec.rangeByDefault && !tensor["fill"].is_object())
    tensor["range"] = {givenNumber((*spec.range)[0]), givenNumber((*spec.range)[1])};
  if (!spec.values.empty()) tensor["values"] = spec.values;
  if (spec.data.empty()) return;
  tensor["data"] = Json::array();
  for (const double value : spec.data) tensor["data"].push_back(givenNumber(value));
}

}  // namespace fusebench
