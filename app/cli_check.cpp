// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli_commands.h"
#include "app/cli_format.h"
#include "app/cli_measuring.h"
#include "app/cli_signals.h"
#include "app/cli_target.h"
#include "engine/base/saying.h"
#include "profiler/analysis/slowdowns.h"
#include "profiler/export/check_text.h"
#include "profiler/files/bundle.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/output_file.h"
#include "profiler/machine/machine_differences.h"
#include "profiler/run/report_runs.h"
#include "profiler/statistics/sessions.h"

namespace fusebench::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> given, baselines;
  std::string allowed = "5%", confidence = "95%", device, python, out, markdown, junit;
  int runs = 4;
  double budget = 0;  ///< seconds; 0: as many runs as are allowed
  bool json = false, github = false, anyMachine = false, progress = false;
};

/// 0.05 of "5%" or "5"; throws InputError outside of the limits, which are shares.
double shareOf(const std::string& option, const std::string& text, double least, double most) {
  const std::string number = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
  char* end = nullptr;
  const double percent = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !std::isfinite(percent) || percent / 100 < least ||
      percent / 100 > most)
    throw InputError(saying("{} {}: must be a percentage from {}% to {}%", option, text,
                            100 * least, 100 * most));
  return percent / 100;
}

/// The runs in a file: a run's one, of a report all.
std::vector<Run> runsIn(const std::string& path) {
  const std::string text = runTextOf(readFile(path), path);
  if (!isReportName(path)) return {parseRun(text, path)};
  std::vector<Run> runs;
  for (const std::string& inside : runsInReport(text)) runs.push_back(parseRun(inside, path));
  if (runs.empty())
    throw InputError(
        path +
        saying(": this file contains no run; only reports written by Fusebench contain one"));
  return runs;
}

std::vector<Run> runsOf(const std::vector<std::string>& paths) {
  std::vector<Run> runs;
  for (const std::string& path : paths)
    for (Run& run : runsIn(path)) runs.push_back(std::move(run));
  return runs;
}

bool isRunFile(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  if (isReportName(path)) return true;
  const std::string text = readFile(path);
  // One without a run is measured, as an experiment is.
  return isBundleText(text) ? !parseBundle(text, path).run.empty() : isRunText(text);
}

/// Throws InputError where times of one process would be taken for those of any.
void demandSessions(const std::vector<Run>& runs, const std::vector<std::string>& paths) {
  for (const Run& run : runs) {
    if (run.isSimulated()) continue;  // its times are a model's
    std::size_t most = 0;
    for (const Cell& cell : run.cells) most = std::max(most, cell.sessionCount());
    if (most < kTellingSessions)
      throw InputError(
          saying("{}: its intervals hold within one process only, so another run may differ; "
                 "measure it without --quick, with \"sessions\" of at least {}",
                 fmt::join(paths, ", "), kTellingSessions));
  }
}

/// Throws InputError if the runs are of different machines and that was not asked for.
void demandSameMachine(const std::vector<Run>& before, const Run& now,
                       const CheckOptions& options) {
  const auto differences = environmentDifferences(before.front().environment, before.front().device,
                                                  now.environment, now.device);
  const std::string machine = differencesText(differences, true),
                    versions = differencesText(differences, false);
  if (!machine.empty() && !options.anyMachine)
    throw InputError(
        saying("{}: the baseline is of another machine: {}; measure one here with fusebench-cli "
               "run EXPERIMENT --out {}, or compare anyway with --any-machine",
               options.baselines.front(), machine + (versions.empty() ? "" : "; " + versions),
               options.baselines.front()));
  for (const std::string& text : {machine, versions})
    if (!text.empty()) complain(saying("differs from the baseline: {}", text));
}

std::string checkText(const CheckReport& report) {
  const ExportTable table = checkTable(report);
  Table text(table.header);
  for (const auto& row : table.rows) text.add(row);
  text.leftFrom(table.header.size() - 1);
  std::string out = text.text();
  for (const CheckedCell& cell : report.cells)
    if (cell.before > 0 && cell.verdict != CheckVerdict::within && !cell.why.empty())
      out += wrapped(saying("{}: {}", nameOf(report, cell), cell.why), "  ");
  for (const std::string& line : {machineLine(report), timesLine(report)})
    if (!line.empty()) out += wrapped(line);
  if (report.onlyBefore > 0)
    out += saying("{} data points of the baseline were not measured.\n", report.onlyBefore);
  return out + wrapped(sentence(report));
}

int exitCode(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::within:
      return kDone;
    case CheckVerdict::slower:
      return kFailed;
    case CheckVerdict::cannotTell:
      break;
  }
  return kCannotTell;
}

void printCheck(const CheckReport& report, const std::string& title, const CheckOptions& options) {
  if (options.json)
    printJson(checkJson(report));
  else
    printOut(checkText(report));
  if (options.github) printOut(checkAnnotations(report));
  if (!options.markdown.empty()) writeFile(options.markdown, checkMarkdown(report));
  if (!options.junit.empty()) writeFile(options.junit, checkJunit(report, title));
}

/// Measures until the result is clear.
CheckReport measureAndCheck(const CheckOptions& options, const CheckSettings& settings,
                            const std::vector<Run>& before, const Experiment& experiment) {
  const std::string device = options.device.empty() ? before.front().device : options.device;
  demandDevice(device);
  StopOnSignal signals;
  const ReadyTarget target("here", false, signals.token());
  StudyOptions study;
  target.use(study, device, options.python);
  bool compared = false;
  int measurements = 0;
  const auto measure = [&]() -> std::optional<Run> {
    Measured measured = measureOnce(experiment, study, numbered(options.out, measurements++),
                                    signals.token(), options.progress);
    complainOf(measured);
    Run& run = measured.outcome.run;
    if (!compared) demandSameMachine(before, run, options);
    compared = true;
    if (run.interrupted) return std::nullopt;
    return std::move(run);
  };
  const double start = study.now();
  const auto goesOn = [&] {
    const double spent = study.now() - start;
    return options.budget <= 0 || spent + spent / measurements <= options.budget;
  };
  return checkUntilTold(before, measure, options.runs, settings, goesOn);
}

int checkCommand(const CheckOptions& options) {
  CheckSettings settings;
  settings.allowed = shareOf("--max-slowdown", options.allowed, 0, 10);
  settings.confidence = shareOf("--confidence", options.confidence, 0.5, 0.9999);
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<Run> before = runsOf(options.baselines);
  demandSessions(before, options.baselines);
  for (const Run& run : before)
    if (run.device != before.front().device)
      throw InputError(saying("--against: the baselines are of different devices, {} and {}",
                              before.front().device, run.device));
  for (const std::string& path : {options.markdown, options.junit})
    if (!path.empty()) demandWritable(path);
  CheckReport report;
  std::string title;
  if (isRunFile(options.given.front())) {
    const std::vector<Run> now = runsOf(options.given);
    demandSessions(now, options.given);
    demandSameMachine(before, now.front(), options);
    title = now.front().experiment.title;
    report = checkRuns(before, now, settings);
  } else if (options.given.size() > 1) {
    throw InputError(options.given[1] + saying(": one experiment at a time; several runs may be "
                                               "given"));
  } else {
    const Experiment experiment = findExperiment(options.given.front());
    if (experiment.measure.sessions < static_cast<int>(kTellingSessions))
      throw InputError(saying("{}: \"sessions\" must be at least {} to compare with a baseline",
                              options.given.front(), kTellingSessions));
    title = experiment.title;
    report = measureAndCheck(options, settings, before, experiment);
    if (report.cells.empty()) {
      complain(saying("interrupted before anything could be compared"));
      return kCannotTell;
    }
  }
  printCheck(report, title, options);
  return exitCode(report.verdict);
}

}  // namespace

void addCheckCommand(CLI::App& app, int& code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand(
      "check", saying("Check that nothing became slower than in a baseline, for CI"));
  command
      ->add_option("RUN_OR_EXPERIMENT", options->given,
                   saying("An experiment to measure, its file or the name of a shipped one; or "
                          "runs (.jsonl) that were measured already"))
      ->required();
  command
      ->add_option("--against", options->baselines,
                   saying("The baseline: one run, or several that are pooled"))
      ->type_name("BASELINE.jsonl")
      ->required();
  command
      ->add_option("--max-slowdown", options->allowed, saying("The largest slowdown that passes"))
      ->type_name("PERCENT")
      ->capture_default_str();
  command
      ->add_option("--confidence", options->confidence,
                   saying("Confidence that all intervals together contain the true changes"))
      ->type_name("PERCENT")
      ->capture_default_str();
  command
      ->add_option("--runs", options->runs,
                   saying("Maximum number of measurements; an alarm needs two unless this is 1"))
      ->check(CLI::Range(1, 20))
      ->capture_default_str();
  command
      ->add_option("--budget", options->budget,
                   saying("Start no further measurement that would end after this many seconds "
                          "(default: no limit)"))
      ->type_name("SECONDS")
      ->check(CLI::Range(1.0, 1e6));
  command->add_option("--out", options->out, saying("Save the new run to this file"))
      ->type_name("RUN.jsonl");
  command->add_option("--device", options->device,
                      saying("Where to run (default: the baseline's device)"));
  command
      ->add_option(
          "--python", options->python,
          saying("Python interpreter with PyTorch (default: FUSEBENCH_PYTHON, or else python3)"))
      ->type_name("PATH");
  command->add_flag("--any-machine", options->anyMachine,
                    saying("Also compare with a baseline of another machine"));
  command->add_flag("--json", options->json, saying("Print one JSON object"));
  command
      ->add_option("--markdown", options->markdown,
                   saying("Write a table for the comment of a pull request to this file"))
      ->type_name("FILE.md");
  command
      ->add_option("--junit", options->junit,
                   saying("Write the result in JUnit's XML to this file"))
      ->type_name("FILE.xml");
  command->add_flag("--github", options->github,
                    saying("Also print annotations for GitHub Actions"));
  command->add_flag(
      "--progress", options->progress,
      saying("Write progress to standard error as JSON lines, also without a terminal"));
  command->callback([options, &code] { code = checkCommand(*options); });
}

}  // namespace fusebench::cli
