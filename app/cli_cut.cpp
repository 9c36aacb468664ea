// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_cut.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli_commands.h"
#include "app/cli_execution_trace.h"
#include "app/cli_format.h"
#include "engine/base/saying.h"
#include "profiler/experiment/cut_module.h"
#include "profiler/experiment/weights_along.h"

namespace fusebench::cli {
namespace {

namespace fs = std::filesystem;

struct CutArguments {
  std::string model, module, out;
  std::string operators, op;  ///< for an execution trace
  bool json = false;
};

/// "layers.0.attn" becomes layers_0_attn.json in the current folder.
std::string usualCutOutput(const std::string& module) {
  std::string name = module;
  for (char& c : name)
    if (c == '.' || c == '/') c = '_';
  return name + ".json";
}

int listModules(const CutArguments& given, const Experiment& whole) {
  if (!whole.capture) cutModule(whole, {});  // which says so
  const std::vector<ModuleSize> modules = modulesOf(*whole.capture);
  if (given.json) {
    auto list = nlohmann::ordered_json::array();
    for (const ModuleSize& each : modules)
      list.push_back({{"module", each.path}, {"operations", each.operations}});
    printJson({{"fusebench", "modules"}, {"version", 1}, {"modules", list}});
    return kDone;
  }
  Table table({head("operations"), head("module")});
  table.leftFrom(1);
  for (const ModuleSize& each : modules) table.add({std::to_string(each.operations), each.path});
  printOut(table.text());
  return kDone;
}

int cutCommand(const CutArguments& given) {
  std::error_code ignored;
  if (fs::exists(given.model, ignored) && isTraceToCut(given.model))
    return cutTraceCommand({.trace = given.model,
                            .out = given.out,
                            .range = given.module,
                            .operators = given.operators,
                            .op = given.op,
                            .json = given.json});
  if (!given.operators.empty() || !given.op.empty())
    throw InputError(
        saying("{}: --operators and --operator are for traces; name a "
               "module of the model",
               given.model));
  const Experiment whole = findExperiment(given.model);
  if (given.module.empty()) return listModules(given, whole);
  Experiment part = cutModule(whole, given.module);
  const std::string out = given.out.empty() ? usualCutOutput(given.module) : given.out;
  if (!out.ends_with(".json"))
    throw InputError(saying("--out {}: an experiment's name ends in .json", out));
  std::error_code error;
  if (fs::equivalent(out, given.model, error))
    throw InputError(saying("--out {}: that is the model itself; give another name", out));
  takeWeightsAlong(part, out);
  saveExperiment(part, out);
  const auto operations = static_cast<int>(part.capture->nodes.size());
  if (given.json)
    printJson({{"fusebench", "cut"},
               {"version", 1},
               {"out", out},
               {"title", part.title},
               {"operations", operations},
               {"inputs", part.inputSets.front().inputs.size()}});
  else
    printOut(saying("{}: {} operations, {} inputs\nmeasure it: fusebench-cli run {}\n", out,
                    operations, part.inputSets.front().inputs.size(), out));
  return kDone;
}

}  // namespace

void addCutCommand(CLI::App& app, int& code) {
  auto given = std::make_shared<CutArguments>();
  CLI::App* command =
      app.add_subcommand("cut", saying("Make an experiment from one module of a captured model, or "
                                       "from operators of a trace"));
  command
      ->add_option("MODEL.json", given->model,
                   saying("An experiment that capture wrote, or a trace of PyTorch: an execution "
                          "trace, or one with shapes"))
      ->required();
  command->add_option("MODULE", given->module,
                      saying("The module's path, as in layers.0.attn, or a trace's range (default: "
                             "list all)"));
  command
      ->add_option("--operators", given->operators,
                   saying("For a trace: the operators with these numbers, as in 12..80"))
      ->type_name("A..B");
  command
      ->add_option("--operator", given->op,
                   saying("For a trace: one operator by number or name, with all that it calls"))
      ->type_name("ID");
  command
      ->add_option("--out", given->out,
                   saying("The experiment to write (default: MODULE.json in the current folder)"))
      ->type_name("PART.json");
  command->add_flag("--json", given->json, saying("Print one JSON object"));
  command->callback([given, &code] { code = cutCommand(*given); });
}

}  // namespace fusebench::cli
