// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/prediction.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "engine/base/work_stop.h"
#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/run/executor.h"
#include "engine/sim/sim_backend.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/measure/variant_executor.h"

namespace fusebench {
namespace {

/// The streams that the script's actions name.
void makeStreams(sim::Simulation& simulation, const sim::Script& script) {
  std::size_t most = 0;
  for (const sim::Action& action : script.actions)
    most = std::max<std::size_t>(most, action.stream);
  while (simulation.streams() <= most) simulation.makeStream(0);
}

/// As CellRunner times: a millisecond at least, and the queue filled as far as it would be.
constexpr double kShortestPlayed = 1e6;
constexpr std::uint64_t kPlayedLaunches = 512;

/// The device is kept busy for this long while all calls are enqueued, in nanoseconds.
constexpr double kHeldBack = 2e8;

/// Inputs whose values count take memory.
constexpr std::uint64_t kMostComputedBytes = std::uint64_t{1} << 30;

std::uint64_t launchesOf(const sim::Script& script, const sim::Action& action) {
  if (action.kind == sim::Action::Kind::launch) return 1;
  return action.kind == sim::Action::Kind::graph ? script.graphs[action.index].size() : 0;
}

}  // namespace

bool isPredictable(const Experiment& experiment, const CellKey& key) {
  return !runsInTorch(experiment.variants.at(static_cast<std::size_t>(key.variant)).executor);
}

CellScript::CellScript(const Experiment& experiment, const CellKey& key) : key_(key) {
  if (!isPredictable(experiment, key))
    throw std::invalid_argument("PyTorch runs this variant: its calls are not ours to predict");
  const Variant& variant = experiment.variants.at(static_cast<std::size_t>(key.variant));
  SimOptions options;
  options.title = "device";
  const SharedProgram program = shared(programAt(experiment, key));
  // Which way a program goes that chooses by what tensors hold, only their values say: its first
  // calls are computed.
  const bool chooses = !program->branches.empty();
  // Ranges of layers in integers are found by what inputs give them.
  const bool calibrates = !variant.quantize.empty();
  const bool computes = chooses || calibrates;
  const auto backend = makeSimBackend(options, computes ? makeCpuBackend() : nullptr);
  backend->setComputing(false);
  backend->setRankCount(ranksOf(experiment, key));
  InputStore inputs(*backend, experiment, computes ? kMostComputedBytes : ~std::uint64_t{0} / 4, 0,
                    computes ? InputStore::Values::made : InputStore::Values::none);
  const auto list = inputs.get(key);
  VariantExecutor executors(*backend, variant, program);
  const auto executor = executors.make(list->entries);
  const auto call = [&](const auto& entry) {
    WorkStop::check();
    executor->call(entry);
  };
  for (const std::size_t entry : list->firstOfKind()) call(list->entries[entry]);
  if (chooses)
    for (const auto& entry : list->entries) call(entry);  // each has a way of its own
  // A loader learns the order of its batches.
  if (variant.options.delivery.delivers())
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& entry : list->entries) call(entry);
  backend->synchronize();
  backend->writeScript(&script_);
  for (const auto& entry : list->entries) {
    call(entry);
    ends_.push_back(script_.actions.size());
  }
  backend->writeScript(nullptr);
}

std::uint64_t CellScript::play(const sim::Player& player, sim::Simulation& simulation,
                               std::size_t number) const {
  WorkStop::check();
  std::uint64_t launches = 0;
  for (std::size_t a = number == 0 ? 0 : ends_[number - 1]; a < ends_[number]; ++a) {
    player.play(simulation, script_.actions[a]);
    launches += launchesOf(script_, script_.actions[a]);
  }
  return launches;
}

void CellScript::predictQueued(const sim::Parameters& device, std::size_t calls,
                               Predicted& predicted) const {
  const sim::Player player(script_, device);
  sim::Simulation simulation(device);
  makeStreams(simulation, script_);
  // As in timing, what came before is over when it begins.
  for (std::size_t number = 0; number < std::min<std::size_t>(calls, 4); ++number)
    play(player, simulation, number);
  simulation.synchronize();
  std::uint64_t launches = 0;
  double enqueued = 0;
  std::size_t made = 0, enqueuedCalls = 0;
  simulation.spend(device.event);
  const sim::EventId first = simulation.record(0);
  const double start = simulation.now();
  do {
    for (std::size_t number = 0; number < calls; ++number) {
      launches += play(player, simulation, number);
      ++made;
      if (enqueuedCalls == 0 && launches >= kPlayedLaunches) {
        enqueued = simulation.now() - start;
        enqueuedCalls = made;
      }
    }
  } while (simulation.now() - start < kShortestPlayed && ends_[calls - 1] > 0 && made < 1'000'000);
  if (enqueuedCalls == 0) {
    enqueued = simulation.now() - start;
    enqueuedCalls = made;
  }
  simulation.spend(device.event);
  const sim::EventId last = simulation.record(0);
  simulation.synchronize();
  const auto count = static_cast<double>(made);
  predicted.call = (simulation.now() - start) / count;
  predicted.times.enqueue = enqueued / static_cast<double>(enqueuedCalls);
  predicted.times.event = (simulation.reached(last) - simulation.reached(first)) / count;
}

double CellScript::predictedSingle(const sim::Parameters& device, std::size_t calls) const {
  const sim::Player player(script_, device);
  sim::Simulation simulation(device);
  makeStreams(simulation, script_);
  for (std::size_t number = 0; number < calls; ++number) {
    play(player, simulation, number);
    simulation.synchronize();
  }
  return simulation.now() / static_cast<double>(calls);
}

double CellScript::predictedDevice(const sim::Parameters& device, std::size_t calls) const {
  const sim::Player player(script_, device);
  sim::Simulation simulation(device);
  makeStreams(simulation, script_);
  simulation.enqueue(0, {.duration = kHeldBack});
  const sim::EventId first = simulation.record(0);
  std::uint64_t launches = 0;
  std::size_t made = 0;
  for (; made < calls && launches < kPlayedLaunches; ++made)
    launches += play(player, simulation, made);
  const sim::EventId last = simulation.record(0);
  const bool waited = simulation.now() >= kHeldBack;
  const double taken = simulation.reached(last) - simulation.reached(first);
  return waited ? 0 : taken / static_cast<double>(made);
}

CellScript::Predicted CellScript::on(const sim::Parameters& device, std::size_t mostCalls) const {
  Predicted predicted;
  const std::size_t calls = mostCalls == 0 ? ends_.size() : std::min(mostCalls, ends_.size());
  if (calls == 0) return predicted;
  predictQueued(device, calls, predicted);
  predicted.times.single = predictedSingle(device, calls);
  predicted.times.device = predictedDevice(device, calls);
  return predicted;
}

Prediction::Prediction(Experiment experiment) : experiment_(std::move(experiment)) {
  for (const CellKey& key : fusebench::cells(experiment_)) {
    WorkStop::check();
    One& one = scripts_.emplace_back();
    one.key = key;
    try {
      one.script = std::make_unique<CellScript>(experiment_, key);
      LaunchCounts counts{std::numeric_limits<std::int64_t>::max(), 0, 0};
      for (const sim::Action& action : one.script->script().actions)
        counts.mean += static_cast<double>(launchesOf(one.script->script(), action));
      counts.mean /= static_cast<double>(std::max<std::size_t>(1, one.script->calls()));
      counts.minimum = counts.maximum = static_cast<std::int64_t>(counts.mean);
      one.launches = counts;
      sim::Effects missing = 0;
      for (const sim::Work& work : one.script->script().works) missing |= work.missing;
      for (const std::string_view effect : sim::keysOf(missing))
        one.notModeled.emplace_back(effect);
    } catch (const std::exception& error) {
      WorkStop::check();
      one.problem = error.what();
    }
  }
}

Run Prediction::on(const sim::Parameters& device, const std::string& name,
                   std::size_t mostCalls) const {
  Run run;
  run.experiment = experiment_;
  run.device = name;
  run.environment[kSimulatedKind] = device.queueDepth > 1 ? "gpu" : "cpu";
  for (const One& one : scripts_) {
    Cell& cell = run.cells.emplace_back();
    cell.key = one.key;
    if (!one.script) {
      cell.stop = Stop::unavailable;
      cell.error = one.problem;
      continue;
    }
    const CellScript::Predicted predicted = one.script->on(device, mostCalls);
    Sample sample;
    sample.nanoseconds = predicted.call;
    sample.device = predicted.times;
    cell.samples.push_back(sample);
    cell.launches = one.launches;
    cell.notModeled = one.notModeled;
    cell.stop = Stop::coarse;
  }
  return run;
}

}  // namespace fusebench
