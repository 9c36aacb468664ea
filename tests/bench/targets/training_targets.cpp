// SPDX-License-Identifier: GPL-3.0-or-later
// Training: the fusion study with its gradient, and the memory of training compared with PyTorch's.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "engine/language/parser.h"
#include "engine/language/program_gradients.h"
#include "engine/language/program_source.h"
#include "engine/plan/islands.h"
#include "engine/plan/storages.h"
#include "engine/run/executor.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/gradient_options.h"
#include "profiler/experiment/inputs.h"
#include "profiler/files/resources.h"
#include "profiler/measure/checkpoint_budget.h"
#include "tests/bench/study.h"
#include "tests/bench/targets/measure.h"

namespace fusebench::targets {
namespace {

using Want = Target::Want;

constexpr std::int64_t kThereAndBackRows = 8;
constexpr int kThereAndBackStatements = 30;

Estimate counted(double number) {
  return {number, number, number, Estimate::Kind::interval};
}

/// Time and launches of the study's statements, their sum and its gradient.
void thereAndBack(Bench& bench) {
  const std::string group = "14 training, 30 statements there and back, (8, 16)";
  const Program forward = firstStatements(studyProgram(), kThereAndBackStatements);
  const Program program = withGradients(forward, std::vector<ValueId>{0});
  const std::vector<Tensor> inputs{filled(bench.backend, {kThereAndBackRows, 16})};
  const auto executor = makeExecutor("static", bench.backend, program);
  executor->call(inputs);
  const std::uint64_t before = bench.backend.launches();
  executor->call(inputs);
  bench.targets.push_back(
      {.group = group,
       .what = "static: launches",
       .limit = 2,
       .found = counted(static_cast<double>(bench.backend.launches() - before))});
  std::vector<Contender> contenders;
  for (const char* name : {"static", "dynamic", "instant", "eager"})
    contenders.push_back(executing(name, bench.backend, name, program, inputs));
  const double ours = resultOf(bench.backend, program, inputs);
  std::vector<std::string> peers;
  for (const char* peer : {"torch", "torch-static"})
    if (auto contender = bench.peers.program(peer,
                                             {.name = "there-and-back",
                                              .text = toText(forward),
                                              .inputs = {{{kThereAndBackRows, 16}}},
                                              .by = {0}},
                                             ours)) {
      contenders.push_back(std::move(*contender));
      peers.emplace_back(peer);
    }
  const Rounds rounds(std::move(contenders), 2 * bench.seconds);
  const auto against = [&](const char* name, const char* peer, Want want, double limit) {
    Target target{.group = group,
                  .what = fmt::format("{} / {}", name, peer),
                  .want = want,
                  .limit = limit,
                  .found = {}};
    if (std::ranges::find(peers, peer) != peers.end())
      target.found = rounds.ratio(name, peer);
    else
      target.note = bench.peers.about(peer);
    bench.targets.push_back(std::move(target));
  };
  bench.targets.push_back({.group = group,
                           .what = "static",
                           .want = Want::nothing,
                           .found = scaled(rounds.time("static"), 1e-3),
                           .unit = "us"});
  against("static", "torch", Want::atMost, 1.0 / 100);
  against("dynamic", "torch", Want::atMost, 1.0 / 100);
  against("instant", "torch", Want::nothing, 0);
  against("eager", "torch", Want::nothing, 0);
  against("static", "torch-static", Want::nothing, 0);
}

/// The peak of the bytes that a cell's plan keeps in memory at one time, without its inputs.
double ourPeak(Backend& backend, const Experiment& experiment, const CellKey& key) {
  const Program program = programOf(backend, experiment, key);
  const std::vector<Form> forms = contiguousForms(inputTypesAt(experiment, key, program, 0));
  const Variant& variant = experiment.variants[static_cast<std::size_t>(key.variant)];
  const Plan plan = makeExecutor(variant.executor, backend, program, variant.options)->plan(forms);
  const std::vector<Storage> storages = storagesOf(plan, symbolsOf(plan, forms));
  double peak = 0;
  for (int step = 0; step < static_cast<int>(plan.steps.size()); ++step) {
    double now = 0;
    for (const Storage& storage : storages)
      if (storage.kind != Storage::Kind::input && storage.firstStep <= step &&
          storage.lastStep >= step)
        now += static_cast<double>(storage.bytes);
    peak = std::max(peak, now);
  }
  return peak;
}

/// The same in PyTorch, by its profiler; nothing without it.
std::optional<double> theirPeak(Peers& peers, const Experiment& experiment, const CellKey& key) {
  const Variant& variant = experiment.variants[static_cast<std::size_t>(key.variant)];
  const Program forward = forwardWithinBudget(experiment, key);
  Peers::PeerProgram program{
      .name = "memory", .text = torchText(withSwitches(variant, forward)), .source = true};
  for (const ValueType& type : inputTypesAt(experiment, key, forward, 0)) {
    Peers::Input& input = program.inputs.emplace_back();
    for (int d = 0; d < type.shape.rank(); ++d) input.shape.push_back(type.shape[d]);
    input.dtype = type.dtype;
  }
  if (!variant.gradients.empty()) program.by = differentiatedBy(experiment, variant, forward);
  program.back = variant.gradients == "all";
  return peers.peakBytes(program);
}

constexpr const char* kBesideInputs =
    "Bytes asked for beside the inputs, results among them: of ours by the plan, of PyTorch by its "
    "profiler. What allocators round up to (ours by a quarter at most) and what libraries take "
    "while they run is in neither.";
/// Why it may be so many bytes more than PyTorch's, and what was tried.
std::string whyMore(bool fuses, double more) {
  return fmt::format("{:.0f} bytes more. ", more) +
         (fuses ? "The sum over a bias's gradient is made in the kernel that makes what it sums, "
                  "beside all that this kernel reads, of which PyTorch has let go when it sums. "
                  "Tried: what a derivative is multiplied by, of tanh 1 - h * h, is made when the "
                  "gradient comes by, so that h alone waits for it."
                : "Tried: what lies between the ops of a derivative is written over by the next, "
                  "as PyTorch's one kernel for them keeps it nowhere.");
}

/// Runs each PyTorch variant that does not compile in our executors as well: the same program and
/// options, at the largest value of each axis.
void trainingMemory(Bench& bench) {
  for (const char* name : {"autograd_cost", "no_grad", "checkpointing", "checkpointing_blocks",
                           "mixed_precision", "optimizer_fusion_torch"}) {
    Experiment experiment =
        parseExperiment(resourceText(fmt::format("experiments/{}.json", name)), name);
    std::vector<std::int64_t> at;
    for (const Axis& axis : experiment.axes) at.push_back(axis.values.back());
    const std::size_t count = experiment.variants.size();
    for (std::size_t v = 0; v < count; ++v) {
      if (experiment.variants[v].executor != "torch") continue;
      const std::optional<double> theirs =
          theirPeak(bench.peers, experiment, {static_cast<int>(v), at});
      for (const char* executor : {"eager", "static", "instant"}) {
        Variant same = experiment.variants[v];
        same.executor = executor;
        same.name = executor;
        experiment.variants.push_back(same);
        Target target{
            .group = "14 training, peak memory / PyTorch's",
            .what = fmt::format("{}, {}: {}", name, experiment.variants[v].name, executor),
            .limit = 1,
            .found = {}};
        if (theirs) {
          const double ours = ourPeak(bench.backend, experiment,
                                      {static_cast<int>(experiment.variants.size()) - 1, at});
          target.found = counted(ours / *theirs);
          target.note = kBesideInputs;
          target.why = whyMore(executorNamed(executor).specializes, ours - *theirs);
        } else {
          target.note = bench.peers.about("torch");
        }
        bench.targets.push_back(std::move(target));
      }
    }
  }
}

}  // namespace

void training(Bench& bench) {
  thereAndBack(bench);
  trainingMemory(bench);
}

}  // namespace fusebench::targets
