// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export/export_python.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/said_again.h"
#include "engine/language/program_source.h"
#include "profiler/analysis/wording.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/gradient_options.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/export/export_python_inputs.h"
#include "profiler/files/resources.h"
#include "profiler/measure/cell_runner.h"
#include "profiler/measure/checkpoint_budget.h"

namespace fusebench {
namespace {

/// The line of the script that the study replaces.
constexpr std::string_view kPlace = "# ==== the study ====\n";

const Axis* statementsAxis(const Experiment& experiment) {
  for (const Axis& axis : experiment.axes)
    if (axis.name == "statements") return &axis;
  return nullptr;
}

/// A comment or docstring line: nothing in it may end it.
std::string oneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '"', '\'');
  std::replace(text.begin(), text.end(), '\\', '/');
  return text;
}

std::vector<const Variant*> measured(const Experiment& experiment);

/// The program as PyTorch runs it. Throws InputError if it has no such text.
std::string textOf(const Program& program) {
  try {
    return torchText(program);
  } catch (const ProgramError& error) {
    throw InputError(saidAgain(error.what()));
  }
}

/// A function that creates the program and returns it with the names of its inputs. The text is
/// inside the function, so that programs do not share names.
std::string maker(const Program& program, const std::string& name) {
  std::string text = "def " + name + "():\n", line, names;
  for (std::stringstream lines(textOf(program)); std::getline(lines, line);) {
    if (line.starts_with("_held = {"))
      names = line;
    else if (!line.empty())
      text += "    " + line + "\n";
  }
  const ScriptState state(program, names);
  std::string taken;
  for (std::size_t i = 0; i < program.inputs.size(); ++i)
    if (!state.holds(i)) taken += pythonLiteral(program.inputs[i]) + ", ";
  return text + state.text() +
         fmt::format("    return program, ({}), {}, {}\n", taken, state.isEmpty() ? "{}" : "_held",
                     program.differentiates() ? "True" : "False");
}

/// The budget that a variant keeps by torch.compile's own option. The script has our executors that
/// compile compiled by that, too.
std::optional<std::int64_t> budgetOfCompiled(const Variant& variant) {
  if (variant.executor == "eager" || variant.executor == kTorchEager) return std::nullopt;
  return checkpointBudgetOf(variant.checkpoint);
}

/// What another variant that has a budget is given instead: PyTorch's switches count no bytes.
std::string budgetComment(const Experiment& experiment) {
  std::string text;
  for (const Variant* variant : measured(experiment))
    if (checkpointBudgetOf(variant->checkpoint) && !budgetOfCompiled(*variant))
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", oneLine(variant->name),
                          oneLine(variant->checkpoint));
  if (text.empty()) return text;
  return "# A budget of memory is kept to by checkpoints: the first statements are in segments, of "
         "which as little is made\n# anew as lets a call, its inputs included, take no more. " +
         text + "\n\n\n";
}

/// The key of what a variant has at a place of the axes.
std::string placeKey(const Variant& variant, const std::vector<std::int64_t>& at) {
  std::string place;
  for (const std::int64_t value : at) place += fmt::format("{}, ", value);
  return fmt::format("({}, ({}))", pythonLiteral(variant.name), place);
}

/// Whether places of the axes differ in what is kept for gradients.
bool sweepsCheckpoints(const Experiment& experiment) {
  return std::ranges::any_of(experiment.axes, [&](const Axis& axis) {
    return checkpointAxisOf(experiment, axis.name).has_value();
  });
}

/// A line of the table of programs: its key, whose it is, and the program or why there is none.
struct ProgramLine {
  std::string key;
  const Variant* variant = nullptr;
  std::variant<Program, std::string> program;
};

/// For each variant at each place, of `axis` or of all axes.
std::vector<ProgramLine> programLines(const Experiment& experiment, const Axis* axis,
                                      bool everyPlace) {
  std::vector<ProgramLine> lines;
  for (const Variant* variant : measured(experiment)) {
    const std::string name = pythonLiteral(variant->name);
    const auto switched = [&](const Program& program) { return withSwitches(*variant, program); };
    const Program& whole = experiment.programOf(*variant);
    if (everyPlace) {
      for (const CellKey& key : cells(experiment)) {
        if (&experiment.variants[static_cast<std::size_t>(key.variant)] != variant) continue;
        ProgramLine line{placeKey(*variant, key.at), variant, std::string()};
        const Variant here = placed(experiment, *variant, key.at);
        try {
          line.program =
              withSwitches(here, budgetOfCompiled(here) ? forwardAt(experiment, *variant, key.at)
                                                        : forwardWithinBudget(experiment, key));
        } catch (const Unavailable& none) {
          line.program = std::string(none.what());
        }
        lines.push_back(std::move(line));
      }
    } else if (!axis) {
      lines.push_back({name, variant, switched(whole)});
    } else {
      for (const std::int64_t n : axis->values)
        lines.push_back({fmt::format("({}, {})", name, n), variant,
                         switched(firstStatements(whole, static_cast<int>(n)))});
    }
  }
  return lines;
}

/// For several programs: a function for each that a variant runs, and a table that selects one.
std::string severalPrograms(const Experiment& experiment) {
  const Axis* axis = statementsAxis(experiment);
  const std::string budgets = budgetComment(experiment);
  std::string text, table = "\n# The program of each variant.\nPROGRAM_OF = {\n";
  text += budgets;
  std::map<std::string, std::string> made;  // names by text
  const bool everyPlace = !budgets.empty() || sweepsCheckpoints(experiment);
  for (const auto& [key, variant, program] : programLines(experiment, axis, everyPlace)) {
    if (const auto* none = std::get_if<std::string>(&program)) {
      table += fmt::format("    {}: {},\n", key, pythonLiteral(*none));
      continue;
    }
    std::string written;
    try {
      written = maker(std::get<Program>(program), "{}");
    } catch (const InputError& none) {
      table += fmt::format("    {}: {},\n", key, pythonLiteral(none.what()));
      continue;
    }
    const auto [entry, fresh] =
        made.try_emplace(written, fmt::format("program_{}", made.size() + 1));
    if (fresh) text += "def " + entry->second + written.substr(written.find('(')) + "\n\n";
    table += fmt::format("    {}: {},\n", key, entry->second);
  }
  const char* const key = everyPlace ? "variant, at"
                          : axis     ? "variant, at[AXES.index(\"statements\")]"
                                     : "variant";
  return text + table +
         fmt::format("}}\n\n\ndef program_of(variant, at):\n    return PROGRAM_OF[{}]\n", key);
}

std::string programs(const Experiment& experiment) {
  const bool switches = std::ranges::any_of(experiment.variants, [](const Variant& each) {
    return !each.checkpoint.empty() || !each.autocast.empty();
  });
  if (!experiment.programName.empty() || switches) return severalPrograms(experiment);
  const Axis* axis = statementsAxis(experiment);
  if (!axis)
    return maker(experiment.program, "program") +
           "\n\ndef program_of(variant, at):\n    return program\n";
  std::string text, table = "\n# How many statements: the program that has them.\nPROGRAMS = {\n";
  for (const std::int64_t n : axis->values) {
    const std::string name = fmt::format("program_{}", n);
    text += maker(firstStatements(experiment.program, static_cast<int>(n)), name) + "\n\n";
    table += fmt::format("    {}: {},\n", n, name);
  }
  return text + table +
         "}\n\n\ndef program_of(variant, at):\n"
         "    return PROGRAMS[at[AXES.index(\"statements\")]]\n";
}

/// The variants that the script measures. Where PyTorch's own executors are among the variants,
/// ours are left to Fusebench: their counterparts are there already.
std::vector<const Variant*> measured(const Experiment& experiment) {
  std::vector<const Variant*> all, torch;
  for (const Variant& variant : experiment.variants) {
    // Copies from host memory, and ahead of the calls, are Fusebench's own.
    if (variant.options.delivery.delivers()) continue;
    // The script is one process.
    if (variant.ranks > 1) continue;
    // So are quantized layers: the script has the program's functions, and no modules.
    if (!variant.quantize.empty()) continue;
    all.push_back(&variant);
    if (runsInTorch(variant.executor)) torch.push_back(&variant);
  }
  return torch.empty() ? all : torch;
}

/// By which of its arguments a variant's first result is differentiated, and whether it goes back.
std::string gradients(const Experiment& experiment) {
  std::string text;
  for (const Variant* variant : measured(experiment)) {
    if (variant->gradients.empty()) continue;
    std::string by;
    for (const ValueId value :
         differentiatedBy(experiment, *variant, experiment.programOf(*variant)))
      by += fmt::format("{}{}", by.empty() ? "" : ", ", value);
    text +=
        fmt::format("{}{}: ([{}], {}, {})", text.empty() ? "" : ", ", pythonLiteral(variant->name),
                    by, variant->gradients == "all" ? "True" : "False", variant->lossScale);
  }
  return fmt::format(
      "# The arguments that the first result is differentiated by in a variant, whether gradients "
      "are computed\n# or only what they need is kept, and what the result is multiplied by "
      "before.\nGRADIENTS = {{{}}}\n",
      text);
}

/// Bytes that a compiled variant may take, everywhere or at each place.
std::string budgets(const Experiment& experiment) {
  std::string text;
  const auto add = [&](const std::string& key, const Variant& variant) {
    if (const auto budget = budgetOfCompiled(variant))
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", key, *budget);
  };
  for (const Variant* variant : measured(experiment)) {
    if (!sweepsCheckpoints(experiment)) add(pythonLiteral(variant->name), *variant);
    for (const CellKey& key : cells(experiment))
      if (sweepsCheckpoints(experiment) &&
          &experiment.variants[static_cast<std::size_t>(key.variant)] == variant)
        add(placeKey(*variant, key.at), placed(experiment, *variant, key.at));
  }
  return fmt::format(
      "# Bytes that a call of a compiled variant may take, its inputs included: as much is kept "
      "for the\n# gradients (torch._functorch.config.activation_memory_budget) as that allows.\n"
      "BUDGETS = {{{}}}\n",
      text);
}

std::string variants(const Experiment& experiment) {
  const auto chosen = measured(experiment);
  std::string left;
  for (const Variant& variant : experiment.variants)
    if (std::find(chosen.begin(), chosen.end(), &variant) == chosen.end())
      left += (left.empty() ? "" : ", ") + oneLine(variant.name);
  std::string text;
  if (!left.empty()) text = fmt::format("# Left out, since Fusebench alone runs them: {}.\n", left);
  text += "VARIANTS = [\n";
  for (const Variant* variant : chosen)
    text += fmt::format("    ({}, {}, {}, {}, {}),\n", pythonLiteral(variant->name),
                        pythonLiteral(variant->executor), pythonLiteral(variant->inputs),
                        variant->threads, variant->options.recompileLimit);
  std::string floats;
  for (const Variant* variant : chosen)
    if (!variant->dtype.empty())
      floats += fmt::format("{}{}: torch.{}", floats.empty() ? "" : ", ",
                            pythonLiteral(variant->name), variant->dtype);
  return text +
         fmt::format(
             "]\n# What inputs that are floats are in a variant, if not as below.\nFLOATS = "
             "{{{}}}\n",
             floats) +
         gradients(experiment) + budgets(experiment);
}

/// The baseline if the script measures it; else the first of those that it does.
std::string baseline(const Experiment& experiment) {
  const auto chosen = measured(experiment);
  for (const Variant* variant : chosen)
    if (variant->name == experiment.baseline) return experiment.baseline;
  return chosen.empty() ? experiment.baseline : chosen.front()->name;
}

}  // namespace

std::string toPython(const Experiment& experiment) {
  if (experiment.program.outputs.empty())
    throw InputError("the program is empty: there is nothing to write a script of");
  if (std::ranges::any_of(experiment.axes, [](const Axis& axis) {
        return axis.name == "ranks" || axis.name == "bucket";
      }))
    throw InputError(
        "the script is one process: an experiment whose axis is ranks or bucket has none");
  if (std::ranges::all_of(experiment.variants,
                          [](const Variant& variant) { return variant.ranks > 1; }))
    throw InputError("the script is one process: an experiment of several ranks alone has none");
  const MeasureSettings& measure = experiment.measure;
  const std::string script = resourceText("script/study.py");
  const std::size_t imports = script.find("import "), place = script.find(kPlace);
  std::string text = fmt::format("#!/usr/bin/env python3\n\"\"\"{}\n", oneLine(experiment.title));
  if (!experiment.question.empty()) text += fmt::format("\n{}\n", oneLine(experiment.question));
  text +=
      "\nWritten by Fusebench. Needs torch and nothing else: python3 THIS_FILE --help\n\"\"\"\n";
  text += script.substr(imports, place - imports) + std::string(kPlace);
  nlohmann::json names = nlohmann::json::array(), values = nlohmann::json::array();
  for (const Axis& axis : experiment.axes) {
    names.push_back(axis.name);
    values.push_back(axis.values);
  }
  text +=
      fmt::format("\nTITLE = {}\nBASELINE = {}\nAXES = {}\nVALUES = {}\nUNIT = {}\n",
                  pythonLiteral(experiment.title), pythonLiteral(baseline(experiment)),
                  names.dump(), values.dump(), pythonLiteral(wording::unit(experiment.axes.at(0))));
  text += fmt::format(
      "SECONDS = {:g}\nLEAST_SAMPLES, MOST_SAMPLES = {}, {}\nPRECISION = {:g}  # half of the "
      "interval over the median\nLEAST_SAMPLE_NS = 1_000_000\nCOMPILES = {}\nSEED = {}\n# What "
      "calls write gets its first values again before each sample, or before each call.\nRESET = "
      "{}\nDEVICE = "
      "torch.device(\"cpu\")\n\n# Name, executor, inputs, threads, recompile limit.\n",
      measure.budgetSeconds, measure.minimumSamples, measure.maximumSamples, measure.precision,
      std::max(measure.compileRepeats, 1), measure.seed, pythonLiteral(measure.reset));
  text += variants(experiment);
  const std::string functions = programs(experiment);
  if (functions.find("torch.ops.quantized_decomposed") != std::string::npos)
    text += "\n\nimport torch.ao.quantization.fx._decomposed  # makes ops that programs below use";
  text += fmt::format("\n\n{}\n\n", functions);
  text += inputSets(experiment);
  const std::string inputs = resourceText("script/inputs.py");
  text += "\n" + inputs.substr(inputs.find("# ==== "));
  text += "\n\n";
  text.append(script, place + kPlace.size());
  return text;
}

}  // namespace fusebench
