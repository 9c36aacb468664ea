// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/cli_capture.h"
#include "app/cli_check.h"
#include "app/cli_code.h"
#include "app/cli_commands.h"
#include "app/cli_cut.h"
#include "app/cli_lesson.h"
#include "app/cli_manual.h"
#include "app/cli_python.h"
#include "app/cli_query.h"
#include "app/cli_result_table.h"
#include "app/cli_schema.h"
#include "app/cli_target.h"
#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/base/search_paths.h"
#include "engine/base/shown_text.h"
#include "engine/base/standard_streams.h"
#include "profiler/analysis/coverage.h"
#include "profiler/catalogue/catalogue.h"
#include "profiler/experiment/experiment.h"
#include "profiler/files/json_reader.h"
#include "profiler/files/kept_inputs.h"
#include "profiler/files/out_of_memory.h"
#include "profiler/machine/backend_table.h"
#include "profiler/machine/sim_devices.h"
#include "profiler/protocol/sandbox.h"
#include "profiler/ranks/rank_process.h"
#include "profiler/study/torch_worker.h"
#include "profiler/worker/worker.h"

namespace fusebench::cli {

namespace {
void printAsIs(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw std::runtime_error(saying("the results could not be written to standard output"));
}
}  // namespace

void printOut(const std::string& text) {
  printAsIs(shownText(text));
}

void printJson(const nlohmann::ordered_json& object) {
  printAsIs(shownJson(object.dump(1, ' ', false, nlohmann::json::error_handler_t::replace)) + "\n");
}

void complain(const std::string& message) noexcept {
  try {
    putError(fmt::format("fusebench-cli: {}\n", shownText(saidAgain(message))));
  } catch (...) {  // no memory to say it in
    sayOutOfMemory();
  }
}

namespace {

/// Translates CLI11's messages, as far as their words are fixed.
std::string parserWords(const std::string& what) {
  for (const char* begin : {toBeSaid("The following argument was not expected: "),
                            toBeSaid("The following arguments were not expected: ")})
    if (what.starts_with(begin))
      return std::string(said(begin)) + what.substr(std::string_view(begin).size());
  if (what.ends_with(" is required") && what != "A subcommand is required")
    return saying("{} is required", what.substr(0, what.size() - 12));
  return what == "A subcommand is required" ? saying("A subcommand is required") : what;
}

/// CLI11's message on one line, with where to read on.
std::string oneLine(const CLI::App* app, const CLI::Error& error) {
  std::string what = error.what();
  if (const std::size_t end = what.find('\n'); end != std::string::npos) what.resize(end);
  return fmt::format("fusebench-cli: {}\n",
                     saying("{}; see {} --help", shownText(parserWords(what)), app->get_name()));
}

/// CLI11 only says that a command is missing, when there is one that it does not know.
void demandKnownCommand(const CLI::App& app, int argc, char** argv) {
  const std::string_view given = argc > 1 ? argv[1] : "";
  if (given.empty() || given.front() == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), given) != names.end()) return;
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw InputError(saying("fusebench-cli: there is no command \"{}\"; {}", shownName(given),
                          suggestion(given, known)));
}

/// The language is needed before the options are made, because it is also that of their help. It
/// follows `--language` of the program itself, else the system. Shell completions and the man page
/// are in English.
std::string languageAsked(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--language" && i + 1 < argc) return argv[i + 1];
    if (argument.starts_with("--language=")) return std::string(argument.substr(11));
    if (argument == "completion" || argument == "manual") return "en";
    if (!argument.starts_with('-')) break;
  }
  return systemLanguage();
}

/// Translates the headings under which --help lists options and commands.
void sayGroups(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (option->get_group() == "Options") option->group(saying("Options"));
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_group() == "Subcommands") command->group(saying("Subcommands"));
    sayGroups(*command);
  }
}

int run(int argc, char** argv) {
  std::string language = languageAsked(argc, argv);
  setLanguage(language);
  tellWorkersTheLanguage();
  keepInputs();
  if (namesBenchmarks(argc, argv)) return runPythonFile(argc, argv);
  CLI::App app(saying("Shows where kernel fusion pays off and what kernel launches cost."),
               "fusebench-cli");
  app.set_version_flag("--version", "fusebench-cli " FUSEBENCH_VERSION,
                       saying("Display program version information and exit"));
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", saying("Print this help message and exit"));
  app.get_formatter()->label("Usage", saying("Usage"));
  app.get_formatter()->label("Positionals", saying("Positionals"));
  app.get_formatter()->label("OPTIONS", saying("OPTIONS"));
  app.get_formatter()->label("SUBCOMMAND", saying("SUBCOMMAND"));
  app.get_formatter()->label("REQUIRED", saying("REQUIRED"));
  app.failure_message(oneLine);
  int code = kDone;

  RunOptions options;
  CLI::App* run =
      app.add_subcommand("run", saying("Measure an experiment and print its break-evens"));
  run->add_option(
         "EXPERIMENT", options.experiment,
         saying("An experiment file, the name of a shipped one, or a Python file: a program, "
                "which is read, or benchmarks, which are executed"))
      ->required();
  run->add_option(
      "--entry", options.entry,
      saying("Function or class to run, of a Python file (default: the one that the file runs)"));
  run->add_flag("--json", options.json, saying("Print one JSON object"));
  run->add_flag("--quick", options.quick,
                saying("A tenth of the time budget: fewer samples, and fewer points if needed"));
  run->add_option("--reset", options.reset,
                  saying("When tensors that the program writes are reset to their first values "
                         "(default: as the experiment states)"))
      ->check(CLI::IsMember({"each-sample", "each-call"}));
  run->add_option("--repeat", options.repeat,
                  saying("Number of runs, to report how often an interval of one contains the "
                         "median of another"))
      ->type_name("RUNS")
      ->check(CLI::Range(1, 1000));
  run->add_option("--out", options.out, saying("Save the run to this file"))
      ->type_name("RUN.jsonl");
  run->add_option("--device", options.device, saying("Where to run: see fusebench-cli devices"))
      ->capture_default_str();
  run->add_option(
         "--ranks", options.ranks,
         saying("Number of ranks: extends the ranks axis to it by doubling; without such an axis, "
                "variants with several ranks get this many. On a simulated device up to 1024"))
      ->check(CLI::Range(2, 1024));
  run->add_option(
         "--trace", options.trace,
         saying("Also record every launch of some calls, as a Chrome trace (.gz: compressed)"))
      ->type_name("TRACE.json");
  run->add_option("--trace-level", options.traceLevel,
                  saying("Trace detail: every part of a call (split), or its kernels (launches), "
                         "which needs fewer markers"))
      ->check(CLI::IsMember({"split", "launches"}))
      ->capture_default_str();
  const auto addPython = [&](CLI::App* command) {
    command
        ->add_option(
            "--python", options.python,
            saying("Python interpreter with PyTorch (default: FUSEBENCH_PYTHON, else python3)"))
        ->type_name("PATH");
  };
  addPython(run);
  const auto addColumns = [](CLI::App* command, std::vector<std::string>& columns) {
    std::string keys;
    for (const std::string& key : columnKeys()) keys += (keys.empty() ? "" : ", ") + key;
    command
        ->add_option("--columns", columns,
                     saying("Columns of the table, separated by commas: {} (default: depends on "
                            "the experiment's metric and claims)",
                            keys))
        ->type_name("NAMES")
        ->delimiter(',')
        ->check(CLI::IsMember(columnKeys()));
  };
  addColumns(run, options.columns);
  run->add_flag("--run-module", options.runModule,
                saying("For a captured model: have PyTorch's variants execute the model's own "
                       "file (default: the captured graph)"));
  run->add_option(
         "--target", options.targets,
         saying(
             "Where workers run: here, ssh:[user@]host[:port] or slurm:[partition][,gpus=1,...]; "
             "repeat the option to measure on each in turn and compare"))
      ->type_name("TARGET")
      ->expected(1, 1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  run->add_flag("--install", options.install,
                saying("Copy this program to a target that lacks it, without asking"));
  run->add_flag("--progress", options.progress,
                saying("Write progress to standard error as JSON lines, also without a terminal"));
  run->callback([&] { code = runCommand(options); });

  AnalyzeOptions analyzing;
  bool json = false;
  CLI::App* analyze = app.add_subcommand(
      "analyze",
      saying("Print the results of a run, published reference data, or the contents of traces"));
  analyze
      ->add_option(
          "FILE", analyzing.paths,
          saying("A run (.jsonl), a reference (.json), or the name of a reference or, if the "
                 "resources folder is installed, of a shipped recording (h100_every_way); or "
                 "traces (.json, .json.gz, .sqlite, .pftrace), or a directory with one of each "
                 "rank; or an execution trace, a memory snapshot or compile logs of PyTorch"))
      ->required();
  analyze
      ->add_option("--csv", analyzing.csv,
                   saying("For traces: write breakdown, kernels, savings and ranks as tables into "
                          "this directory"))
      ->type_name("DIR");
  analyze
      ->add_option("--metric", analyzing.metric,
                   saying("For a run: latency, or bandwidth, the bytes that calls move divided by "
                          "their time in GB/s (more is better)"))
      ->check(CLI::IsMember({"latency", "bandwidth"}))
      ->capture_default_str();
  analyze->add_flag("--modules", analyzing.modules,
                    saying("For a run of a captured model: print its modules with time, launches, "
                           "bytes and FLOPs, the slowest first"));
  analyze->add_flag("--operators", analyzing.operators,
                    saying("For traces: print operators, with the time that they and their kernels "
                           "took"));
  analyze->add_flag("--roofline", analyzing.roofline,
                    saying("For traces: print what share of the device's peak rates operators "
                           "reach, and what bounds them"));
  analyze
      ->add_option("--by", analyzing.by,
                   saying("With --operators: operator, module, shape, step or stream, or several "
                          "of them with commas, or tree (default: operator)"))
      ->type_name("KEYS");
  analyze
      ->add_option(
          "--range", analyzing.range,
          saying("For traces: only what happened within the ranges of this name, from "
                 "record_function or NVTX; \"name*\" for all that begin with it (default: the "
                 "whole trace)"))
      ->type_name("NAME");
  addColumns(analyze, analyzing.columns);
  analyze->add_flag("--json", analyzing.json, saying("Print one JSON object"));
  analyze->callback([&] { code = analyzeCommand(analyzing); });

  FitOptions fitting;
  CLI::App* fit = app.add_subcommand(
      "fit", saying("Fit a simulated device to runs that were measured on the real one"));
  fit->add_option("RUN", fitting.runs,
                  saying("Runs (.jsonl) of one device, or names of recordings"))
      ->required();
  fit->add_option("--from", fitting.begin,
                  saying("Simulated device to start from, a name or a file (h100; for runs on the "
                         "CPU: one-core)"));
  fit->add_option("--name", fitting.name, saying("Name of the device"));
  fit->add_option("--out", fitting.out, saying("Write the device to this file"))
      ->type_name("DEVICE.json");
  fit->add_option("--ranks", fitting.ranks,
                  saying("Extend the first run with ranks to this number of ranks by simulation"))
      ->check(CLI::Range(2, 1024));
  fit->add_option("--continued", fitting.continued, saying("Save the continuation to this file"))
      ->type_name("RUN.jsonl");
  fit->add_flag("--json", fitting.json, saying("Print one JSON object"));
  fit->callback([&] { code = fitCommand(fitting); });

  addCaptureCommand(app, code);
  addCheckCommand(app, code);
  addCodeCommand(app, code);
  addCutCommand(app, code);
  addQueryCommand(app, code);
  addSchemaCommand(app, code);

  CLI::App* worker = app.add_subcommand(
      "worker", saying("Measure on request: JSON lines on standard input and output"));
  std::string workerDevice = "cpu";
  worker
      ->add_option("--device", workerDevice, saying("Where to measure: see fusebench-cli devices"))
      ->capture_default_str();
  std::string relayTarget, there, relayPython, rankSocket;
  int workerRanks = 1;
  worker
      ->add_option("--ranks", workerRanks,
                   saying("Run as this number of ranks, started with mpirun"))
      ->check(CLI::Range(1, 1024));
  worker->add_option("--rank", rankSocket, saying("Run as one of the ranks that connect there"))
      ->type_name("SOCKET")
      ->group("");
  const auto addRelay = [&](CLI::App* command) {
    command
        ->add_option("--target", relayTarget,
                     saying("Forward all requests to a worker on this target"))
        ->type_name("TARGET");
    command->add_option("--there", there, saying("Path to fusebench-cli on the target"))
        ->type_name("PATH");
  };
  addRelay(worker);
  worker->callback([&] {
    if (!relayTarget.empty()) {
      std::vector<std::string> command = {"worker", "--device", workerDevice};
      if (workerRanks > 1) command.insert(command.end(), {"--ranks", std::to_string(workerRanks)});
      code = relayCommand(relayTarget, there, command);
      return;
    }
    if (workerRanks > 1) {
      code = workerRanksCommand(workerRanks, workerDevice);
      return;
    }
    // The driver keeps what it makes of PTX: a compile that is measured as the first ever would be
    // no compile at all.
    ::setenv("CUDA_CACHE_DISABLE", "1", /*overwrite=*/0);
    const BackendMaker make = [&](bool recording) {
      return makeBackend(
          rankSocket.empty() ? workerDevice : deviceOfRank(workerDevice, rankOfMachine()),
          recording);
    };
    std::vector<std::string> readable;
    if (namesSimulated(workerDevice)) {  // it may be named by its file
      const std::string file = workerDevice.substr(workerDevice.find(':') + 1);
      readable.push_back(file.substr(0, file.find(',')));
    }
    enterSandbox(!rankSocket.empty()      ? SandboxProfile::rank
                 : namesGpu(workerDevice) ? SandboxProfile::device
                                          : SandboxProfile::program,
                 readable);
    code = rankSocket.empty() ? workerMain(make) : rankMain(rankSocket, make);
  });

  CLI::App* torch = app.add_subcommand("torch-worker",
                                       saying("Measure on request in PyTorch, for other workers"));
  torch->add_option("--python", relayPython, saying("Python interpreter with PyTorch"))
      ->type_name("PATH");
  torch->add_option("--device", workerDevice, saying("Where to measure"))->capture_default_str();
  torch
      ->add_option("--ranks", workerRanks,
                   saying("Run as this number of ranks, started with mpirun"))
      ->check(CLI::Range(1, 1024));
  addRelay(torch);
  torch->callback([&] {
    std::vector<std::string> command = {"torch-worker", "--python", chosenPython(relayPython),
                                        "--device", workerDevice};
    if (workerRanks > 1) command.insert(command.end(), {"--ranks", std::to_string(workerRanks)});
    code = relayTarget.empty() ? torchWorkerCommand(relayPython, workerDevice, workerRanks)
                               : relayCommand(relayTarget, there, command);
  });

  std::string listingTarget;
  bool listingInstall = false;
  const auto addTarget = [&](CLI::App* command) {
    command->add_option("--target", listingTarget, saying("For another machine, see run --target"))
        ->type_name("TARGET");
    command->add_flag("--install", listingInstall,
                      saying("Copy this program to a target that lacks it, without asking"));
  };
  // Elsewhere, it is the program there that answers.
  const auto elsewhere = [&](std::vector<std::string> arguments) {
    if (json) arguments.emplace_back("--json");
    return commandOnTarget(listingTarget, listingInstall, arguments);
  };
  const auto isElsewhere = [&] { return !listingTarget.empty() && listingTarget != "here"; };
  const auto listing = [&](const char* name, const std::string& doc,
                           std::function<int(bool)> command) {
    CLI::App* sub = app.add_subcommand(name, doc);
    sub->add_flag("--json", json, saying("Print one JSON object"));
    sub->callback([&code, &json, command = std::move(command)] { code = command(json); });
    return sub;
  };
  bool aten = false;
  listing("ops", saying("List the operations that programs may use"),
          [&](bool asJson) { return aten ? atenCommand(asJson) : opsCommand(asJson); })
      ->add_flag(
          "--aten", aten,
          saying("The operations of exported graphs (torch.ops.aten), with what is missing"));
  addTarget(listing("devices", saying("List the devices that can be measured"), [&](bool asJson) {
    return isElsewhere() ? elsewhere({"devices"}) : devicesCommand(asJson);
  }));
  CLI::App* doctor = listing(
      "doctor", saying("Check what measurements depend on, and suggest fixes"), [&](bool asJson) {
        if (!isElsewhere()) return doctorCommand(asJson, options.python);
        return elsewhere(options.python.empty()
                             ? std::vector<std::string>{"doctor"}
                             : std::vector<std::string>{"doctor", "--python", options.python});
      });
  addPython(doctor);
  addTarget(doctor);

  CLI::App* statistics = app.add_subcommand(
      "check-statistics", saying("Count by simulation how often intervals contain the true value"));
  int studies = CoverageSettings().studies;
  statistics
      ->add_option("--studies", studies,
                   saying("For each kind and size of noise and each number of sessions"))
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  statistics->callback([&] { code = checkStatisticsCommand(studies); });

  addLessonCommand(app, code);
  addManualCommands(app, code);

  app.add_option("--language", language,
                 saying("The language: en or zh_CN (default: the system's)"))
      ->type_name("LANGUAGE");

  bool parseOnly = false;  // for the test of documented commands
  app.add_flag("--parse-only", parseOnly, saying("Check the arguments and do nothing"))->group("");
  app.parse_complete_callback([&parseOnly] {
    if (parseOnly) throw CLI::Success();
  });

  sayGroups(app);
  demandKnownCommand(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kWrongInput;
  }
  return code;
}

}  // namespace
}  // namespace fusebench::cli

int main(int argc, char** argv) {
  using namespace fusebench;
  openStandardStreams();
  searchAbsoluteFoldersOnly(argv);
  prepareForOutOfMemory("fusebench-cli");
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further is an error of writing it
  try {
    return cli::run(argc, argv);
  } catch (const InputError& error) {
    putError(shownText(error.what()) + "\n");
    return cli::kWrongInput;
  } catch (const std::bad_alloc&) {
    sayOutOfMemory();
    return cli::kFailed;
  } catch (const std::exception& error) {
    cli::complain(error.what());
    return cli::kFailed;
  }
}
