// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/synthetic.h"

#include <QCoreApplication>
#include <QThread>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

#include "engine/language/parser.h"
#include "profiler/experiment/variant_executors.h"

namespace fusebench::test {
namespace {

constexpr const char* kStatements[] = {
    "x = x + 0.1", "x = torch.sin(x)",       "x = x * 1.1", "x = torch.cos(x)",
    "x = x + 0.2", "x = torch.relu(x)",      "x = x - 0.1", "x = torch.exp(x * 0.5)",
    "x = x + 0.3", "x = torch.sigmoid(x)",   "x = x * 1.2", "x = torch.sin(x)",
    "x = x + 0.4", "x = torch.cos(x)",       "x = x - 0.2", "x = torch.relu(x)",
    "x = x + 0.5", "x = torch.exp(x * 0.4)", "x = x * 1.3", "x = torch.sigmoid(x)"};

Variant variant(const char* name, const char* inputs) {
  Variant v;
  v.name = v.executor = name;
  v.inputs = inputs;
  return v;
}

}  // namespace

Experiment syntheticExperiment() {
  Experiment e;
  e.title = "Fusion against launches";
  e.question = "From how many statements on does a compiled program win?";
  e.note = "Eager and dynamic run on varying shapes, static on the fixed one.";
  e.lesson = "fusion_study";
  e.reference = "torch_compile_2025";
  for (const char* text : kStatements) e.programText += std::string(text) + "\n";
  e.programText += "return x.sum()\n";
  e.program = parseProgram(e.programText);
  e.inputSets = {{"varying", 300, {{"x", {"i % 10 + 4", "16"}, "normal", "contiguous"}}},
                 {"fixed", 1, {{"x", {"8", "16"}, "normal", "contiguous"}}}};
  e.variants = {variant("eager", "varying"), variant("static", "fixed"),
                variant("dynamic", "varying")};
  e.baseline = "eager";
  e.axes = {{"statements", "statements", {1, 5, 10, 15, 20, 25, 30}}};
  return e;
}

double syntheticLatency(int variantIndex, std::int64_t n) {
  const auto x = static_cast<double>(n);
  switch (variantIndex) {
    case 0:
      return 100 + 60 * x;
    case 1:
      return 400 + 2 * x;
    default:
      return 700 + 2 * x;
  }
}

/// A call whose parts add up to the latency: a launch costs 35 ns around its kernel.
static CallAnatomy syntheticAnatomy(const CellKey& key, int launches) {
  CallAnatomy anatomy;
  anatomy.untracedNanoseconds = syntheticLatency(key.variant, key.at[0]);
  const double kernel = (anatomy.untracedNanoseconds - 20) / launches - 35;
  const auto add = [](PartTimes& to, CallPart part, double time) {
    to[static_cast<std::size_t>(part)] += time;
  };
  add(anatomy.nanoseconds, CallPart::guard, 20);
  for (int i = 0; i < launches; ++i) {
    LaunchAnatomy& launch = anatomy.launches.emplace_back();
    launch.kernel = launches == 1 ? "fused" : i + 1 == launches ? "sum" : "sin";
    if (i + 1 < launches) launch.statements = {i};
    add(launch.nanoseconds, CallPart::dispatch, 15);
    add(launch.nanoseconds, CallPart::allocate, 12);
    add(launch.nanoseconds, CallPart::launch, 8);
    add(launch.nanoseconds, CallPart::kernel, kernel);
    for (std::size_t part = 0; part < kCallParts; ++part)
      anatomy.nanoseconds[part] += launch.nanoseconds[part];
  }
  anatomy.stampNanoseconds = 10;
  anatomy.stampsPerCall = 6 * launches + 3;
  anatomy.calls = 1000;
  anatomy.inputs = 10;
  return anatomy;
}

Cell syntheticCell(const CellKey& key, int samples) {
  std::mt19937 random(static_cast<unsigned>(key.variant * 1000 + key.at[0]));
  std::normal_distribution<double> noise(0, 0.01);
  Cell cell;
  cell.key = key;
  for (int round = 0; round < samples; ++round)
    cell.samples.push_back({round, syntheticLatency(key.variant, key.at[0]) * (1 + noise(random))});
  cell.stop = Stop::converged;
  const std::int64_t launches = key.variant == 0 ? key.at[0] + 1 : 1;
  cell.launches = LaunchCounts{launches, static_cast<double>(launches), launches};
  if (samples > 0)
    cell.anatomy = syntheticAnatomy(key, static_cast<int>(std::min<std::int64_t>(launches, 100)));
  cell.relativeError = 3e-7;
  cell.inputsUsed = key.variant == 1 ? 1 : 300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    CompileTimes times;  // eager's kernels, one an op, are compiled as well
    const std::int64_t fused = 5'000'000 + 1'000'000 * key.at[0];
    times.compiler = (key.variant == 0 ? 4'000'000 : fused) + 10'000 * repeat;
    times.kernels = key.variant == 0 ? static_cast<int>(std::min<std::int64_t>(key.at[0], 8)) : 1;
    cell.firstCompiles.push_back(times);
  }
  return cell;
}

Run syntheticHeader() {
  return syntheticHeader(syntheticExperiment());
}

Run syntheticHeader(const Experiment& experiment) {
  Run run;
  run.experiment = experiment;
  run.startedAt = "2025-01-01T00:00:00Z";
  run.environment = nlohmann::json::object();
  for (const CellKey& key : cells(run.experiment)) {
    Cell cell;
    cell.key = key;
    run.cells.push_back(cell);
  }
  return run;
}

Run syntheticRun(int samples) {
  Run run = syntheticHeader();
  for (Cell& cell : run.cells) cell = syntheticCell(cell.key, samples);
  return run;
}

StudyRunner fakeRunner(std::shared_ptr<FakeStudy> study) {
  return [study](const Experiment& experiment, const StudyOptions& options, StudyObserver& observer,
                 std::stop_token stop, const Run* continueFrom) {
    ++study->started;
    study->quick = options.quick;
    study->onOtherThread = QThread::currentThread() != QCoreApplication::instance()->thread();
    if (!study->throwInstead.empty()) throw std::runtime_error(study->throwInstead);
    StudyOutcome outcome;
    outcome.run = continueFrom ? *continueFrom : syntheticHeader(experiment);
    if (!continueFrom) outcome.run.device = options.device;
    if (!options.target.is_null()) outcome.run.environment["target"] = options.target;
    outcome.run.quick = options.quick;
    outcome.run.explored = options.explore;
    study->continued = continueFrom != nullptr;
    observer.started(outcome.run);
    observer.progressed({"preparing", 0, 1, 0});
    const int rounds = study->neverMeasures
                           ? 0
                           : study->rounds;  // a test may set another number for the next study
    const auto pause = std::chrono::milliseconds(study->millisecondsPerRound);
    while (study->neverMeasures && !stop.stop_requested()) std::this_thread::sleep_for(pause);
    for (int round = 1; round <= rounds && !stop.stop_requested(); ++round) {
      if (round == study->loseWorkerAtRound && !continueFrom) {
        outcome.failed = true;
        outcome.message = "the worker was killed (signal 9)";
        for (Cell& cell : outcome.run.cells) cell.stop = Stop::failed;
        observer.workerLost(outcome.message);
        return outcome;
      }
      for (std::size_t i = 0; i < outcome.run.cells.size(); ++i) {
        Cell& cell = outcome.run.cells[i];
        cell = syntheticCell(cell.key, 31 * round / rounds + 1);
        if (round < rounds) cell.stop = Stop::running;
        const std::string& executor =
            experiment.variants[static_cast<std::size_t>(cell.key.variant)].executor;
        if (!study->noTorch.empty() && runsInTorch(executor)) {
          cell.samples.clear();
          cell.stop = Stop::unavailable;
          cell.error = study->noTorch;
        }
        observer.cellChanged(static_cast<int>(i), cell);
      }
      observer.progressed({"measuring", static_cast<double>(round) / rounds,
                           static_cast<double>(rounds - round), round});
      std::this_thread::sleep_for(pause);
    }
    if (stop.stop_requested()) {
      outcome.run.interrupted = true;
      outcome.message = "interrupted; what was measured is kept";
      for (Cell& cell : outcome.run.cells)
        if (cell.stop == Stop::running) cell.stop = Stop::interrupted;
    }
    return outcome;
  };
}

}  // namespace fusebench::test
