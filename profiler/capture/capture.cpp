// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/capture/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/experiment/experiment.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"
#include "profiler/files/output_file.h"
#include "profiler/protocol/process.h"
#include "profiler/study/torch_worker.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kLookSeconds = 0.1;  // between two looks at a stop
constexpr std::string_view kUnfinished = ".part";

/// The steps that the process reports; others are shown as they are.
constexpr std::array<const char*, 7> kPhases = {toBeSaid("importing PyTorch"),
                                                toBeSaid("running the file"),
                                                toBeSaid("exporting"),
                                                toBeSaid("exporting with Dynamo"),
                                                toBeSaid("looking for graph breaks"),
                                                toBeSaid("writing"),
                                                toBeSaid("checking")};

std::string phaseText(const std::string& phase) {
  const auto known = std::ranges::find_if(
      kPhases, [&](const char* each) { return phase == std::string_view(each); });
  return known == kPhases.end() ? shownName(phase) : std::string(said(*known));
}

std::string weightsPath(const std::string& out) {
  return fs::path(out).replace_extension(".safetensors").string();
}

/// Removes the unfinished files of a process that was terminated.
void removeUnfinished(const std::string& out) {
  std::error_code ignored;
  fs::remove(out + std::string(kUnfinished), ignored);
  fs::remove(weightsPath(out) + std::string(kUnfinished), ignored);
}

std::string memberText(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int memberCount(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<int>() : 0;
}

/// Reads the experiment as every reader will. A program that cannot run is kept and reported.
void readBack(CaptureResult& result) {
  const std::string text = textToReplace(result.out);
  try {
    saveExperiment(parseExperiment(text, result.out), result.out);
  } catch (const InputError& problem) {
    const Experiment draft = parseDraft(text, result.out);  // wrong in form: not ours to keep
    result.problem = problem.what();
    saveExperiment(draft, result.out);
  }
}

CaptureResult resultOf(const json& done, const std::string& out) {
  CaptureResult result;
  result.title = memberText(done, "title");
  result.how = memberText(done, "how");
  result.weights = memberText(done, "weights");
  result.nodes = memberCount(done, "nodes");
  result.modules = memberCount(done, "modules");
  result.parts = memberCount(done, "parts");
  if (const auto found = done.find("difference"); found != done.end() && found->is_number())
    result.difference = found->get<double>();
  if (const auto found = done.find("notes"); found != done.end() && found->is_array())
    for (const json& note : *found)
      if (note.is_string()) result.notes.push_back(note.get<std::string>());
  result.out = out;
  return result;
}

}  // namespace

std::string defaultCapture(const CaptureOptions& options) {
  std::string stem = fs::path(options.file).stem().string();
  if (!options.name.empty()) stem += "-" + options.name;
  return (fs::path(options.folder) / (stem + ".json")).string();
}

std::string captureOutput(const CaptureOptions& options) {
  if (!options.out.empty()) {
    if (!options.out.ends_with(".json"))
      throw InputError(
          saying("--out {}: must end in .json, as experiments do", shownName(options.out)));
    return options.out;
  }
  std::string out = defaultCapture(options);
  std::error_code ignored;
  if (!fs::exists(out, ignored)) return out;
  const json there = jsonOf(textToReplace(out));
  if (!there.is_object() || !there.contains("capture"))
    throw InputError(saying("{}: another file has this name; choose one with --out", out));
  return out;
}

std::vector<std::string> captureCommand(const CaptureOptions& options) {
  std::vector<std::string> command = {options.python, "-B",
                                      torchScript("torch/fusebench_capture.py"), options.file};
  if (!options.name.empty()) command.push_back(options.name);
  command.insert(command.end(), {"--out", captureOutput(options)});
  if (options.weights) command.emplace_back("--weights");
  if (options.core) command.insert(command.end(), {"--decompose", "core"});
  if (options.train) command.emplace_back("--train");
  // One argument each, so that a value that begins with a dash is not taken for an option.
  for (const std::string& input : options.inputs) command.push_back("--input=" + input);
  for (const std::string& size : options.dynamic) command.push_back("--dynamic=" + size);
  return command;
}

CaptureResult captureModel(const CaptureOptions& options,
                           const std::function<void(const std::string&)>& progress,
                           const std::stop_token& stop) {
  std::error_code ignored;
  if (!fs::is_regular_file(options.file, ignored))
    throw InputError(
        saying("{}: no such file; name a Python file or a .pt2 file", shownName(options.file)));
  const std::vector<std::string> command = captureCommand(options);
  const std::string out = captureOutput(options);
  demandWritable(out);
  const auto connection = options.connect ? options.connect(command) : startWorker(command);
  while (true) {
    if (stop.stop_requested()) {
      connection->kill();
      removeUnfinished(out);
      throw std::runtime_error(saying("the capture was stopped; nothing was written"));
    }
    const WorkerConnection::Received received = connection->receive(kLookSeconds);
    using enum WorkerConnection::Event;
    if (received.event == timeout || received.event == oversized) continue;
    if (received.event == ended) {
      removeUnfinished(out);
      throw InputError(
          saying("{}: {} {} while it captured the model; run the file with Python to "
                 "see why",
                 shownName(options.file), shownName(options.python), connection->epitaph()));
    }
    const json told = jsonOf(received.line);
    if (!told.is_object()) continue;
    if (told.contains("progress") && progress) progress(phaseText(memberText(told, "progress")));
    if (told.contains("error")) {
      removeUnfinished(out);
      throw InputError(saidAgain(memberText(told["error"], "message")));
    }
    if (!told.contains("done")) continue;
    CaptureResult result = resultOf(told["done"], out);
    readBack(result);
    return result;
  }
}

}  // namespace fusebench
