// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_capture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli_commands.h"
#include "app/cli_signals.h"
#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "engine/base/standard_streams.h"
#include "profiler/capture/capture.h"
#include "profiler/study/torch_worker.h"

namespace fusebench::cli {
namespace {

struct CaptureArguments {
  CaptureOptions options;
  std::string decompose = "none";
  bool json = false;
};

/// The current step, drawn over itself on a terminal.
class PhaseLine {
 public:
  ~PhaseLine() {
    if (drawn_) putError("\r\033[K");
  }
  void show(const std::string& phase) {
    if (isatty(STDERR_FILENO) == 0) return;
    putError(fmt::format("\r{}...\033[K", shownText(phase)));
    drawn_ = true;
  }

 private:
  bool drawn_ = false;
};

nlohmann::ordered_json captureJson(const CaptureResult& result) {
  nlohmann::ordered_json object = {{"fusebench", "capture"}, {"version", 1},
                                   {"out", result.out},      {"title", result.title},
                                   {"how", result.how},      {"programs", result.parts},
                                   {"nodes", result.nodes},  {"modules", result.modules}};
  object["weights"] =
      result.weights.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(result.weights);
  object["difference"] =
      result.difference ? nlohmann::ordered_json(*result.difference) : nlohmann::ordered_json();
  object["notes"] = result.notes;
  object["problem"] =
      result.problem.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(result.problem);
  return object;
}

std::string captureText(const CaptureResult& result) {
  std::string text = saying("{}: {} operations of {} modules, by {}\n", result.out, result.nodes,
                            result.modules, result.how);
  if (!result.weights.empty()) text += saying("weights: {}, next to it\n", result.weights);
  if (result.difference)
    text += saying("largest relative difference from the module, both in PyTorch: {:.2g}\n",
                   *result.difference);
  for (const std::string& note : result.notes) text += note + "\n";
  if (result.problem.empty()) text += saying("measure it: fusebench-cli run {}\n", result.out);
  return text;
}

int captureModelCommand(CaptureArguments& given) {
  CaptureOptions& options = given.options;
  options.core = given.decompose == "core";
  options.python = chosenPython(options.python);
  complain(saying("{} executes {} with your permissions", options.python, options.file));
  CaptureResult result;
  {
    const StopOnSignal signals;
    PhaseLine line;
    result = captureModel(
        options, [&](const std::string& phase) { line.show(phase); }, signals.token());
  }
  if (given.json)
    printJson(captureJson(result));
  else
    printOut(captureText(result));
  if (result.problem.empty()) return kDone;
  complain(saying("captured, but it cannot run yet: {}", result.problem));
  return kFailed;
}

}  // namespace

void addCaptureCommand(CLI::App& app, int& code) {
  auto given = std::make_shared<CaptureArguments>();
  CaptureOptions& options = given->options;
  CLI::App* command = app.add_subcommand(
      "capture", saying("Make an experiment from your own PyTorch model; this executes your file"));
  command
      ->add_option("MODEL.py", options.file,
                   saying("A Python file, or a file of torch.export.save (.pt2)"))
      ->required();
  command->add_option("NAME", options.name,
                      saying("The function that returns (model, args), or the module (default: "
                             "make, or the only module)"));
  command
      ->add_option("--python", options.python,
                   saying("Python interpreter that executes the file (default: FUSEBENCH_PYTHON, "
                          "or else python3)"))
      ->type_name("PATH");
  command
      ->add_option("--out", options.out,
                   saying("The experiment to write (default: MODEL.json in the current folder)"))
      ->type_name("MODEL.json");
  command->add_flag("--weights", options.weights,
                    saying("Keep the weights' values, in a .safetensors file next to it (default: "
                           "drawn with the same mean and deviation)"));
  command
      ->add_option("--decompose", given->decompose,
                   saying("Operations to break up: none, or all beyond the core ATen set (core)"))
      ->check(CLI::IsMember({"none", "core"}))
      ->capture_default_str();
  command->add_flag("--train", options.train,
                    saying("Training mode, with gradients of all parameters"));
  const auto list = [&](const char* name, std::vector<std::string>& to, const std::string& doc,
                        const char* type) {
    command->add_option(name, to, doc)
        ->type_name(type)
        ->expected(1, 1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  list("--input", options.inputs,
       saying("An input tensor, as in x=1,3,224,224:float32 or ids=1,16:int64:0..999"),
       "NAME=SIZES[:DTYPE[:LOW..HIGH]]");
  list("--dynamic", options.dynamic,
       saying("A size that becomes an axis, as in batch=0 (of every input) or length=ids.1"),
       "NAME=DIMENSION");
  command->add_flag("--json", given->json, saying("Print one JSON object"));
  command->callback([given, &code] { code = captureModelCommand(*given); });
}

}  // namespace fusebench::cli
