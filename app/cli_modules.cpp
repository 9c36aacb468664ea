// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_modules.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "app/cli_commands.h"
#include "app/cli_format.h"
#include "app/cli_result_table.h"
#include "engine/base/saying.h"
#include "profiler/analysis/module_times.h"
#include "profiler/analysis/wording.h"
#include "profiler/study/launch_pass.h"

namespace fusebench::cli {
namespace {

constexpr std::size_t kTopModules = 40;

struct RecordedModules {
  const Cell* cell = nullptr;
  std::vector<ModuleTime> modules;  ///< the model first

  const std::string& variant(const Run& run) const {
    return run.experiment.variants[static_cast<std::size_t>(cell->key.variant)].name;
  }
  double share(const ModuleTime& module) const {
    const double whole = modules.front().nanoseconds;
    return whole > 0 ? module.nanoseconds / whole : 0;
  }
};

std::vector<RecordedModules> recordedModules(const Run& run) {
  std::vector<RecordedModules> recorded;
  for (const CellKey& key : cellsAtTheEnd(run.experiment)) {
    const Cell* const cell = run.find(key);
    if (!cell) continue;
    std::vector<ModuleTime> modules = modulesByTime(moduleCosts(run, *cell));
    if (!modules.empty()) recorded.push_back({cell, std::move(modules)});
  }
  return recorded;
}

std::string tableText(const Run& run, const RecordedModules& recorded) {
  Table table({head("module"), head("share"), head("time"), head("launches"), head("bytes"),
               head("FLOPs")});
  for (std::size_t i = 0; i < recorded.modules.size() && i < kTopModules; ++i) {
    const ModuleTime& one = recorded.modules[i];
    table.add({one.path.empty() ? std::string(saying("(the model)")) : one.path,
               fmt::format("{:.1f}%", 100 * recorded.share(one)), timeText(one.nanoseconds),
               digits(one.launches), one.bytes ? bytesText(*one.bytes) : "-",
               one.flops ? flopsText(*one.flops) : "-"});
  }
  std::string at;
  const std::vector<std::string> heads = axisHeads(run.experiment),
                                 texts = axisTexts(run.experiment, recorded.cell->key);
  for (std::size_t a = 0; a < heads.size(); ++a)
    at += fmt::format("{}{} {}", a == 0 ? "" : ", ", heads[a], texts[a]);
  const std::string& name = recorded.variant(run);
  std::string text =
      wrapped(at.empty() ? saying("Modules in a recorded call of {}", name)
                         : saying("Modules in a recorded call of {} at {}", name, at)) +
      table.text();
  if (recorded.modules.size() > kTopModules)
    text += saying("and {} more modules; --json has all\n", recorded.modules.size() - kTopModules);
  return text;
}

nlohmann::ordered_json modulesJson(const Run& run, const std::vector<RecordedModules>& recorded) {
  auto variants = nlohmann::ordered_json::array();
  const auto known = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  for (const RecordedModules& one : recorded) {
    auto modules = nlohmann::ordered_json::array();
    for (const ModuleTime& module : one.modules)
      modules.push_back({{"module", module.path},
                         {"share", one.share(module)},
                         {"time_ns", module.nanoseconds},
                         {"launches", module.launches},
                         {"bytes", known(module.bytes)},
                         {"flops", known(module.flops)}});
    variants.push_back(
        {{"variant", one.variant(run)}, {"at", one.cell->key.at}, {"modules", modules}});
  }
  return {{"fusebench", "modules"},
          {"version", 1},
          {"title", run.experiment.title},
          {"simulated", run.isSimulated()},
          {"variants", variants}};
}

}  // namespace

void printModules(const Run& run, const std::string& file, bool json) {
  const std::vector<RecordedModules> recorded = recordedModules(run);
  if (recorded.empty())
    throw InputError(file + saying(": no recorded call has modules; measure a captured model, or a "
                                   "program with modules, with fusebench-cli run"));
  if (json) return printJson(modulesJson(run, recorded));
  std::string text;
  if (const std::string simulated = wording::simulated(run); !simulated.empty())
    text += wrapped(simulated);
  for (const RecordedModules& one : recorded) text += tableText(run, one) + "\n";
  printOut(text + wrapped(saying(
                      "A module includes the modules within it. A kernel that computes operations "
                      "of several modules is divided among them, in equal parts per operation.")));
}

}  // namespace fusebench::cli
