// SPDX-License-Identifier: GPL-3.0-or-later
// The simulated device: how many launches a second it takes, and how soon curves follow a slider.
#include <functional>
#include <utility>

#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "engine/sim/script.h"
#include "engine/sim/sim_backend.h"
#include "profiler/measure/prediction.h"
#include "profiler/statistics/statistics.h"
#include "tests/bench/targets/measure.h"
#include "tests/support/built_paths.h"

namespace fusebench::targets {
namespace {

constexpr int kStatementsEach = 30;
constexpr int kLaunchesEach = 100'000, kCallsEach = 2000;
constexpr std::size_t kSliderCalls = 40;  ///< calls per pass, as the window plays them
constexpr double kMillionASecond = 1e3;   ///< launches a nanosecond, in millions a second
constexpr double kFrame = 1e3 / 30;       ///< ms

/// How long a call takes, ns.
Estimate timeOf(const Bench& bench, std::function<void()> call) {
  return Rounds({calling("it", std::move(call))}, bench.seconds).time("it");
}

/// Converts the time for `count` things to how many there are per second, in millions.
Estimate millionsASecond(const Estimate& time, double count) {
  const auto of = [&](double nanoseconds) { return kMillionASecond * count / nanoseconds; };
  return {of(time.value), of(time.high), of(time.low), time.kind};
}

sim::Parameters plainDevice() {
  sim::Parameters device;
  device.launch = 1000;
  device.wait = 100;
  device.queueDepth = 1024;
  device.kernelFloor = 500;
  return device;
}

}  // namespace

void simulated(Bench& bench) {
  const char* const group = "13 simulated device";
  sim::Simulation simulation(plainDevice());
  const Estimate bare = timeOf(bench, [&] {
    for (int i = 0; i < kLaunchesEach; ++i) sim::launchIn(simulation, 0, 3000, 1, 0);
  });
  bench.targets.push_back({.group = group,
                           .what = "launches a second, the model alone",
                           .want = Target::Want::atLeast,
                           .limit = 10,
                           .found = millionsASecond(bare, kLaunchesEach),
                           .unit = "M/s"});
  SimOptions options;
  options.parameters = plainDevice();
  const auto backend = makeSimBackend(options, nullptr);
  std::string program;
  for (int i = 0; i < kStatementsEach; ++i) program += "x = x + 0.5\n";
  const auto executor = makeExecutor("eager", *backend, parseProgram(program + "return x\n"));
  const std::vector<Tensor> inputs{makeTensor(backend->allocator(), DType::float32, {8, 16})};
  const Estimate eager = timeOf(bench, [&] {
    for (int i = 0; i < kCallsEach; ++i) executor->call(inputs);
  });
  bench.targets.push_back({.group = group,
                           .what = "launches a second, eager's calls",
                           .want = Target::Want::atLeast,
                           .limit = 10,
                           .found = millionsASecond(eager, double{kCallsEach} * kStatementsEach),
                           .unit = "M/s"});
  for (const char* name : {"fusion_study", "overlap_transfers", "roundtrip_cost"}) {
    const Prediction prediction(
        loadExperiment(fusebench::test::sourcePath("/resources/experiments/") + name + ".json"));
    const Estimate change =
        timeOf(bench, [&] { prediction.on(plainDevice(), "sim", kSliderCalls); });
    bench.targets.push_back({.group = group,
                             .what = std::string("all curves anew, ") + name,
                             .limit = kFrame,
                             .found = scaled(change, 1e-6),
                             .unit = "ms"});
  }
}

}  // namespace fusebench::targets
