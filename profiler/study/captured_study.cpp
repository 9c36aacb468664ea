// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/captured_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "engine/base/saying.h"
#include "engine/base/sha256.h"
#include "engine/base/shown_text.h"
#include "profiler/experiment/weights_file.h"
#include "profiler/files/files.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kGraphInstead =
    toBeSaid("{}: {}; PyTorch's variants run the captured graph instead");

}  // namespace

json loadingOf(const Experiment& experiment, const StudyOptions& options) {
  json body = {{"experiment", toJson(experiment)}};
  if (!options.weights.empty()) body["weights"] = options.weights;
  return body;
}

std::string moduleFile(const Experiment& experiment) {
  if (!experiment.capture || experiment.capture->file.empty()) return "";
  const fs::path file = experiment.capture->file;
  return (file.is_absolute() ? file : fs::path(experiment.folder) / file).string();
}

json moduleRequest(const Experiment& experiment, std::string& why) {
  why.clear();
  if (!experiment.capture) return nullptr;
  const CapturedModel& model = *experiment.capture;
  const std::string file = moduleFile(experiment);
  const std::string shown = shownName(file.empty() ? experiment.title : file);
  std::error_code ignored;
  if (model.arguments.empty())
    why = saying(kGraphInstead, shown, said("the model has graph breaks"));
  else if (file.empty() || !fs::is_regular_file(file, ignored))
    why = saying(kGraphInstead, shown, said("the model's file is missing"));
  else if (sha256(readFile(file)) != model.sha256)
    why = saying(kGraphInstead, shown, said("the model's file changed since it was captured"));
  if (!why.empty()) return nullptr;
  json request = {{"file", fs::absolute(file).string()},
                  {"sha256", model.sha256},
                  {"name", model.name},
                  {"inputs", model.inputs},
                  {"train", model.train},
                  {"arguments", json::object()}};
  for (const CapturedModel::Argument& each : model.arguments)
    request["arguments"][each.input] = each.state.empty() ? json(each.leaf) : json(each.state);
  return request;
}

json moduleOf(const json& request, const Program& program) {
  json module = request;
  json states = json::array(), leaves = json::array();
  for (const std::string& input : program.inputs) {
    const json argument = request["arguments"].value(input, json());
    states.push_back(argument.is_string() ? argument : json());
    leaves.push_back(argument.is_number() ? argument : json());
  }
  module.erase("arguments");
  module["states"] = std::move(states);
  module["leaves"] = std::move(leaves);
  return module;
}

WeightsCopy::WeightsCopy(const Experiment& experiment) {
  // A run that was read without its experiment's folder has its weights drawn.
  if (experiment.weights.empty() || experiment.folder.empty()) return;
  const fs::path source = fs::path(experiment.folder) / experiment.weights;
  std::error_code error;
  if (!fs::is_regular_file(source, error))
    throw InputError(fmt::format(
        "{}: {}", shownName(source.string()),
        saying("the weights of the experiment are missing; put the file there, or remove "
               "\"weights\" from the experiment, so that they are drawn")));
  const WeightsFile checked(source.string());
  folder_ = (fs::temp_directory_path() / "fusebench-weights-XXXXXX").string();
  if (!mkdtemp(folder_.data())) throw InputError(systemMessage(folder_, saying("cannot be made")));
  path_ = (fs::path(folder_) / experiment.weights).string();
  fs::copy_file(source, path_, error);
  if (error) throw InputError(fmt::format("{}: {}", path_, error.message()));
}

WeightsCopy::~WeightsCopy() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

}  // namespace fusebench
