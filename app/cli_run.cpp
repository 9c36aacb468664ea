// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <stop_token>

#include "app/cli_commands.h"
#include "app/cli_format.h"
#include "app/cli_measuring.h"
#include "app/cli_report.h"
#include "app/cli_signals.h"
#include "app/cli_target.h"
#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "profiler/analysis/repeats.h"
#include "profiler/experiment/pasted_experiment.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/export/result_json.h"
#include "profiler/files/files.h"
#include "profiler/files/output_file.h"
#include "profiler/files/resources.h"
#include "profiler/machine/backend_table.h"
#include "profiler/machine/clock.h"
#include "profiler/machine/cuda_rows.h"
#include "profiler/machine/sim_devices.h"
#include "profiler/run/recordings.h"
#include "profiler/study/captured_study.h"
#include "profiler/study/launch_pass.h"
#include "profiler/study/study.h"
#include "profiler/trace/trace_export.h"

namespace fusebench::cli {
namespace {

namespace fs = std::filesystem;

/// The published curve that the experiment names; its absence spoils nothing.
std::string published(const Experiment& experiment) {
  if (experiment.reference.empty()) return "";
  try {
    const std::string file = "references/" + experiment.reference + ".json";
    const Reference reference = parseReference(resourceText(file), file);
    return saying("\nPublished for comparison: {}",
                  reportText(reference, findCrossings(reference)));
  } catch (const InputError& error) {
    return saying("\nThe published curves could not be read: {}\n", error.what());
  }
}

/// For a run on a CPU: where the curves of the same study cross on a GPU.
std::string recordedOnGpu(const Run& run) {
  if (run.isOfGpu()) return "";
  const std::optional<Recording> recording = recordingOf(run.experiment.reference);
  if (!recording) return "";
  return "\n" +
         wrapped(saying("Recorded on a GPU: {}. {} To see it: fusebench-cli analyze {}",
                        said(recording->title), said(recording->crossings), recording->name));
}

/// Writes some calls of every variant at the far end of the axes as a trace. Returns false and
/// prints one line if that fails; the run itself stays valid.
bool writeTrace(const Run& run, const StudyOptions& study, const std::string& path) {
  try {
    const auto calls =
        recordCalls(run.experiment, cellsAtTheEnd(run.experiment), study, std::stop_token());
    exportTrace(*traceOf(calls, run.experiment.title), path);
    complain(saying("the launches of {} variants are in {}", calls.size(), path));
    std::set<std::string> notes;
    for (const CellCalls& cell : calls)
      if (!cell.calls.deviceNote.empty()) notes.insert(cell.calls.deviceNote);
    for (const std::string& note : notes) complain(note);
    return true;
  } catch (const std::runtime_error& error) {
    complain(saying("launches could not be recorded: {}", error.what()));
    return false;
  }
}

}  // namespace

void demandDevice(const std::string& device) {
  if (device == "cpu") return;
  if (namesSimulated(device)) {
    try {
      findSimDevice(device);
    } catch (const InputError& wrong) {
      throw InputError(saying("--device {}", wrong.what()));
    }
    return;
  }
  if (namesArchitecture(device))
    throw InputError(
        saying("--device {}: an architecture, for which code can be shown but not run: "
               "fusebench-cli code EXPERIMENT --arch {}",
               device, device));
  const BackendRow* const row = findBackendRow(device);
  if (!row)
    throw InputError(
        saying("--device {}: unknown device; fusebench-cli devices lists them", device));
  if (!row->examine) return;
  const BackendStatus status = row->examine(/*libraries=*/false);
  if (!status.usable())
    throw InputError(saying("--device {}: {}; use --device cpu", device, status.missing));
  if (!row->demand) return;
  try {
    row->demand(device);
  } catch (const std::invalid_argument& wrong) {
    throw InputError(saying("--device {}: {}", device, wrong.what()));
  }
}

std::string ownPath() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? "/proc/self/exe" : path.string();
}

std::optional<std::string> shippedFile(const std::string& given, const std::string& folder,
                                       const std::vector<std::string>& shipped) {
  const std::string stem = given.ends_with(".json") ? given.substr(0, given.size() - 5) : given;
  if (std::find(shipped.begin(), shipped.end(), stem) == shipped.end()) return std::nullopt;
  return folder + "/" + stem + ".json";
}

namespace {

/// A program's own file.
Experiment experimentOfFile(const std::string& file, const std::string& entry) {
  try {
    const PastedProgram pasted = readPasted(readFile(file, kLargestWritten), entry);
    for (const std::string& note : notesOf(pasted)) complain(note);
    return experimentOf(pasted, fs::path(file).stem().string());
  } catch (const ProgramError& error) {
    throw InputError(fmt::format("{}:{}:{}: {}", file, std::max(error.place().line, 1),
                                 std::max(error.place().column, 1), saidAgain(error.what())));
  }
}

}  // namespace

Experiment findExperiment(const std::string& given, const std::string& entry) {
  std::error_code ignored;
  if (given.ends_with(".py") && fs::exists(given, ignored)) return experimentOfFile(given, entry);
  if (!entry.empty())
    throw InputError(
        saying("--entry {}: it chooses a function of a program's file, which ends in "
               ".py; leave it out",
               entry));
  if (fs::exists(given, ignored)) {
    Experiment experiment = loadExperiment(given);
    for (const std::string& note : notesOf(experiment)) complain(note);
    return experiment;
  }
  const auto shipped = shippedExperiments();
  if (const auto file = shippedFile(given, "experiments", shipped))
    return parseExperiment(resourceText(*file), *file);
  throw InputError(
      saying("{}: no such file; shipped experiments: {}", given, fmt::join(shipped, ", ")));
}

namespace {

/// The settings that the options give to every study, on any machine.
StudyOptions studyOf(const RunOptions& options, const Experiment& experiment,
                     const ReadyTarget& target) {
  StudyOptions study;
  study.quick = options.quick;
  study.trace = true;
  study.recordKernelsOnly = options.traceLevel == "launches";
  target.use(study, options.device, options.python);
  if (!experiment.capture) return study;
  const bool torch = std::ranges::any_of(
      experiment.variants, [](const Variant& variant) { return runsInTorch(variant.executor); });
  if (!torch) return study;
  if (!options.runModule) {
    if (!moduleFile(experiment).empty())
      complain(
          saying("PyTorch's variants run the captured graph; with --run-module they execute {} "
                 "with your permissions",
                 moduleFile(experiment)));
    return study;
  }
  if (!target.isHere())
    throw InputError(
        saying("--run-module: the model's file is on this machine; leave out --target"));
  std::string why;
  study.module = moduleRequest(experiment, why);
  complain(why.empty() ? saying("PyTorch's variants execute {}", moduleFile(experiment)) : why);
  return study;
}

int repeatRuns(const RunOptions& options, const Experiment& given, const StudyOptions& study,
               const StopOnSignal& signals) {
  const Experiment experiment = withTwin(given);
  std::vector<Run> runs;
  for (int repeat = 0; repeat < options.repeat; ++repeat) {
    RunObserver observer(numbered(options.out, repeat), options.progress);
    StudyOutcome outcome = runStudy(experiment, study, observer, signals.token());
    const std::string unkept = observer.finish(outcome.run);
    if (!outcome.message.empty()) complain(outcome.message);
    if (!unkept.empty()) complain(saying("the run is not kept: {}", unkept));
    if (outcome.failed || !unkept.empty()) return kFailed;
    if (outcome.run.interrupted) break;
    runs.push_back(std::move(outcome.run));
  }
  const RepeatFigures figures = repeatFigures(runs);
  if (options.json)
    printJson({{"fusebench", "repeats"},
               {"version", 1},
               {"runs", figures.runs},
               {"cases", figures.cases},
               {"held", figures.held},
               {"ratio_cases", figures.ratioCases},
               {"ratios_held", figures.ratiosHeld},
               {"drift", figures.drift},
               {"compared", figures.compared},
               {"different", figures.different}});
  else
    printOut(sentence(figures) + "\n");
  return static_cast<int>(runs.size()) == options.repeat ? kDone : kFailed;
}

/// RUN.jsonl of "ssh:anna@node7": RUN-ssh-anna-node7.jsonl.
std::string ofTarget(const std::string& out, const std::string& target) {
  if (out.empty()) return out;
  std::string word = target;
  for (char& c : word)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.') c = '-';
  const fs::path path(out);
  return (path.parent_path() /
          fmt::format("{}-{}{}", path.stem().string(), word, path.extension().string()))
      .string();
}

/// One after another, so that none disturbs another. A target that fails costs itself only.
int runOnTargets(const RunOptions& options, const Experiment& experiment) {
  bool failed = false;
  std::vector<std::pair<std::string, Run>> runs;
  nlohmann::ordered_json all = {
      {"fusebench", "targets"}, {"version", 1}, {"targets", nlohmann::ordered_json::array()}};
  const StopOnSignal signals;
  for (const std::string& name : options.targets) {
    try {
      if (name == "here") demandDevice(options.device);
      const ReadyTarget target(name, options.install, signals.token());
      Measured measured =
          measureOnce(experiment, studyOf(options, experiment, target), ofTarget(options.out, name),
                      signals.token(), options.progress);
      const auto crossings = findCrossings(measured.outcome.run);
      if (options.json)
        all["targets"].push_back(
            {{"target", name}, {"result", resultJson(measured.outcome.run, crossings)}});
      else
        printOut(fmt::format("== {} ==\n{}\n", name,
                             reportText(measured.outcome.run, crossings, options.columns)));
      complainOf(measured);
      failed = failed || measured.failed();
      runs.emplace_back(name, std::move(measured.outcome.run));
    } catch (const std::runtime_error& error) {
      failed = true;
      complain(error.what());
      if (options.json) all["targets"].push_back({{"target", name}, {"error", error.what()}});
    }
    if (signals.token().stop_requested()) break;
  }
  if (options.json)
    printJson(all);
  else
    printOut(comparisonText(runs));
  return failed || runs.size() < options.targets.size() ? kFailed : kDone;
}

/// Throws InputError where the variants cannot have them.
Experiment withMoreRanks(Experiment experiment, const RunOptions& options) {
  try {
    const Experiment more = withRanks(std::move(experiment), options.ranks);
    return parseExperiment(toJson(more), "with so many");  // rows may not be shared out evenly
  } catch (const InputError& wrong) {
    throw InputError(fmt::format("{}: --ranks: {}", options.experiment, wrong.what()));
  }
}

}  // namespace

int runCommand(const RunOptions& options) {
  const std::string name = options.targets.empty() ? "here" : options.targets.front();
  for (const std::string& target : options.targets) parseTarget(target);
  if (options.targets.size() <= 1 && name == "here") demandDevice(options.device);
  Experiment experiment = findExperiment(options.experiment, options.entry);
  if (options.ranks > 0) experiment = withMoreRanks(std::move(experiment), options);
  if (!options.reset.empty())
    experiment.measure.reset = options.reset == "each-call" ? "each call" : "each sample";
  if (options.runModule && !experiment.capture)
    throw InputError(
        saying("--run-module: {} was not captured from a model; leave it out", options.experiment));
  if (options.repeat > 1 && !options.trace.empty())
    throw InputError(saying("--trace records one run; leave out --repeat or --trace"));
  if (options.targets.size() > 1 && (options.repeat > 1 || !options.trace.empty()))
    throw InputError(
        saying("--repeat and --trace are for one target; name one, or leave them out"));
  if (!options.trace.empty()) demandWritable(options.trace);
  std::error_code ignored;
  if (!options.trace.empty() && !options.out.empty() &&
      (fs::weakly_canonical(options.trace, ignored) == fs::weakly_canonical(options.out, ignored) ||
       fs::equivalent(options.trace, options.out, ignored)))
    throw InputError(saying("--trace and --out name the same file; name two"));

  // The reader of a pipe may close it before the results are measured; they must still be saved.
  std::signal(SIGPIPE, SIG_IGN);
  if (options.targets.size() > 1) return runOnTargets(options, experiment);

  auto signals = std::make_unique<StopOnSignal>();
  const ReadyTarget target(name, options.install, signals->token());
  StudyOptions study = studyOf(options, experiment, target);
  if (options.repeat > 1) {
    study.trace = false;
    return repeatRuns(options, experiment, study, *signals);
  }
  const Measured measured =
      measureOnce(experiment, study, options.out, signals->token(), options.progress);
  signals.reset();
  const Run& run = measured.outcome.run;
  const auto crossings = findCrossings(run);
  if (options.json)
    printJson(resultJson(run, crossings));
  else
    printOut(reportText(run, crossings, options.columns) + published(experiment) +
             recordedOnGpu(run));
  complainOf(measured);
  const bool traced =
      options.trace.empty() || (!run.interrupted && writeTrace(run, study, options.trace));
  return measured.failed() || !traced ? kFailed : kDone;
}

}  // namespace fusebench::cli
