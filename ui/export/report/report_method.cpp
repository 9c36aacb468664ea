// SPDX-License-Identifier: GPL-3.0-or-later
// The section that lets another person repeat the study: machine, settings, method, files.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "engine/base/quantity_text.h"
#include "engine/base/said_again.h"
#include "profiler/analysis/wording.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/machine/machine.h"
#include "ui/export/report/report_sections.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/setup/documents.h"

namespace fusebench::sections {
namespace {

using nlohmann::json;

QString plain(const json& value) {
  if (value.is_string()) return text(saidAgain(value.get<std::string>()));
  if (value.is_number_integer()) return QString::number(value.get<std::int64_t>());
  if (value.is_number()) return text(wording::number(value.get<double>()));
  QStringList parts;
  if (value.is_array())
    for (const json& one : value) parts << plain(one);
  if (value.is_object())
    for (const auto& [key, one] : value.items()) parts << text(key) + u' ' + plain(one);
  return parts.join(QStringLiteral(", "));
}

ReportFacts machineFacts(const Run& run) {
  ReportFacts facts;
  const json& machine = run.environment;
  const auto add = [&](const char* label, const char* pointer, const QString& unit = {}) {
    const json::json_pointer place(pointer);
    if (!machine.is_object() || !machine.contains(place)) return;
    if (const QString value = plain(machine.at(place)); !value.isEmpty())
      facts.rows.emplace_back(uiText(label), value + unit);
  };
  facts.rows.emplace_back(uiText("Device"), text(run.device));
  add(uiMark("Back end"), "/backend");
  add(uiMark("Device recorded by CUPTI"), "/cupti");
  add(uiMark("Processor"), "/cpu/model");
  add(uiMark("Cores"), "/cpu/cores");
  add(uiMark("Hardware threads"), "/cpu/threads");
  add(uiMark("Vector units"), "/cpu/vector_units");
  add(uiMark("Caches"), "/cpu/caches");
  add(uiMark("Clock when started"), "/cpu/mhz", QStringLiteral(" MHz"));
  add(uiMark("Governor"), "/cpu/governor");
  add(uiMark("Turbo"), "/cpu/turbo");
  if (const json::json_pointer total("/memory/total_bytes");
      machine.is_object() && machine.contains(total) && machine.at(total).is_number())
    facts.rows.emplace_back(uiText("Memory"), text(bytesText(machine.at(total).get<double>())));
  add(uiMark("Load, 1, 5 and 15 minutes"), "/load");
  add(uiMark("Runs in"), "/virtual");
  add(uiMark("Operating system"), "/os");
  add(uiMark("Kernel"), "/kernel");
  add(uiMark("Compiler"), "/compiler");
  add(uiMark("Cost of reading the clock"), "/clock/cost_ns", QStringLiteral(" ns"));
  add(uiMark("Fusebench"), "/version");
  add(uiMark("PyTorch"), "/torch/torch");
  add(uiMark("PyTorch's Python"), "/torch/python");
  add(uiMark("PyTorch's vector unit"), "/torch/cpu_capability");
  add(uiMark("PyTorch's CUDA"), "/torch/cuda");
  return facts;
}

bool usesTorch(const Run& run) {
  const auto& variants = run.experiment.variants;
  return std::any_of(variants.begin(), variants.end(),
                     [](const Variant& variant) { return runsInTorch(variant.executor); });
}

QString extentsOf(const InputSet& set) {
  QStringList tensors;
  for (const InputSpec& input : set.inputs) {
    QStringList extents;
    for (const std::string& extent : input.extents) extents << text(extent);
    const QString place = input.pinned   ? uiText(", in pinned memory")
                          : input.onHost ? uiText(", in host memory")
                                         : QString();
    tensors << QStringLiteral("%1 (%2), %3, %4%5")
                   .arg(text(input.name), extents.join(QStringLiteral(", ")), text(input.fill),
                        text(input.layout), place);
  }
  return QStringLiteral("%1 × %2").arg(set.count).arg(tensors.join(QStringLiteral("; ")));
}

/// Those that were measured, which may be fewer than were asked for.
QString compilesMade(const Run& run) {
  std::size_t least = 0, most = 0;
  for (const Cell& cell : run.cells)
    if (const std::size_t made = cell.firstCompiles.size(); made > 0) {
      least = least == 0 ? made : std::min(least, made);
      most = std::max(most, made);
    }
  return least == most ? uiText("%1 per data point").arg(most)
                       : uiText("%1 to %2 per data point").arg(least).arg(most);
}

ReportFacts settingFacts(const Run& run) {
  const Experiment& experiment = run.experiment;
  const MeasureSettings& measure = experiment.measure;
  ReportFacts facts;
  for (const Axis& axis : experiment.sweeps() ? experiment.axes : std::vector<Axis>()) {
    QStringList values;
    for (const std::int64_t value : axis.values)
      values << text(wording::place(axis, static_cast<double>(value)));
    facts.rows.emplace_back(uiText("Axis %1").arg(text(wording::axisWord(axis.name))),
                            values.join(QStringLiteral(", ")));
  }
  for (const InputSet& set : experiment.inputSets)
    facts.rows.emplace_back(uiText("Inputs “%1”").arg(text(set.name)), extentsOf(set));
  for (const Variant& variant : experiment.variants)
    facts.rows.emplace_back(
        uiText("Variant “%1”").arg(text(variant.name)),
        (variant.threads == 1 ? uiText("%1 on “%2”, %3 thread%4")
                              : uiText("%1 on “%2”, %3 threads%4"))
            .arg(text(variant.executor), text(variant.inputs))
            .arg(variant.threads)
            .arg(variant.name == experiment.baseline ? uiText("; the baseline") : QString()));
  facts.rows.emplace_back(
      uiText("Sampling"),
      uiText("%1 to %2 samples per data point, until the interval is within ±%3%, or %4 s in "
             "total%5: the budget, after which a data point keeps the interval that it has")
          .arg(measure.minimumSamples)
          .arg(measure.maximumSamples)
          .arg(100 * measure.precision)
          .arg(run.quick ? measure.budgetSeconds / 10 : measure.budgetSeconds)
          .arg(run.quick ? uiText(" (quick: a tenth of the time asked for)") : QString()));
  facts.rows.emplace_back(uiText("Compiles without a cache"), compilesMade(run));
  facts.rows.emplace_back(uiText("Seed"), QString::number(measure.seed));
  if (!run.startedAt.empty()) facts.rows.emplace_back(uiText("Started"), text(run.startedAt));
  if (run.interrupted) facts.rows.emplace_back(uiText("Interrupted"), uiText("before it finished"));
  return facts;
}

}  // namespace

ReportSection method(const Context& context) {
  ReportSection section{
      context.prefix + QStringLiteral("method"), uiText("Machine and method"), {}};
  const auto add = [&](ReportBlock block) { section.blocks.push_back(std::move(block)); };
  add(ReportHeading{uiText("Machine")});
  add(machineFacts(context.run));
  add(ReportHeading{uiText("Settings")});
  add(settingFacts(context.run));
  if (const std::string simulated = wording::simulated(context.run); !simulated.empty()) {
    add(ReportHeading{uiText("Simulated")});
    add(ReportText{text(simulated) + uiText(".")});
    if (const std::string note = wording::modelNote(context.run); !note.empty())
      add(ReportText{text(note)});
  }
  add(ReportHeading{uiText("How it was measured")});
  add(ReportText{
      uiText("Times are measured in rounds: each round measures every data point once, in a new "
             "random order, so that drift affects all variants alike. A sample consists of as many "
             "whole passes over the data point's inputs as take at least 1 ms, after one untimed "
             "pass. The measurement runs in a separate process. Kernels are compiled before timing "
             "starts; compile time is reported separately from latency.")});
  add(ReportText{uiText(
      "Latencies are medians. Their 95% intervals are computed over sessions (one per worker "
      "process) or, within one process, over blocks of rounds. Speedups are medians of ratios "
      "paired by round. Results are checked against a reference in double precision.")});
  if (!context.analysis.launches.empty())
    add(ReportText{
        uiText("If the number of launches varies, a line is fitted to a variant's latency as a "
               "function of its launches per call. Its slope is the cost of one more launch; its "
               "value at zero launches is the rest of a call. The line is valid between the "
               "smallest and the largest number of launches.")});
  if (const std::string sessions = wording::sessions(context.run); !sessions.empty())
    add(ReportText{uiText("The intervals contain %1.").arg(text(sessions))});
  if (usesTorch(context.run))
    add(ReportText{
        uiText("PyTorch's variants run in a separate Python process, in the same rounds and on "
               "bit-identical inputs. The timed region includes Python's loop, the call and "
               "freeing the result, but not garbage collection, autograd, compiling or creating "
               "inputs. Fusebench's own variants are called from C++, so part of the difference is "
               "due to Python. PyTorch's compile time is that of the whole first call with an "
               "empty cache, without what its compiler needs once per process.")});
  add(ReportHeading{uiText("Repeat it")});
  const QString file = fileNameFor(context.run.experiment) + QStringLiteral(".json");
  add(ReportText{uiText("Save the experiment below as %1, then:").arg(file)});
  QString command = QStringLiteral("fusebench-cli run ") + file;
  if (context.run.device != "cpu")
    command += QStringLiteral(" --device ") + text(context.run.device);
  if (usesTorch(context.run)) command += QStringLiteral(" --python PYTHON");
  add(ReportCode{command + QStringLiteral(" --out my_run.jsonl\n"
                                          "fusebench --export my_report.html my_run.jsonl\n")});
  if (usesTorch(context.run)) add(ReportText{uiText("PYTHON is an interpreter that has torch.")});
  add(ReportText{uiText("The experiment:")});
  add(ReportCode{text(toJson(context.run.experiment))});
  return section;
}

}  // namespace fusebench::sections
