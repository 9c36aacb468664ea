// SPDX-License-Identifier: GPL-3.0-or-later
// How many launches a second the simulated device takes.
#include <benchmark/benchmark.h>

#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "engine/sim/script.h"
#include "engine/sim/sim_backend.h"

namespace fusebench {
namespace {

sim::Parameters benchDevice(double kernel) {
  sim::Parameters device;
  device.launch = 1000;
  device.wait = 100;
  device.queueDepth = 1024;
  device.kernelFloor = kernel;
  return device;
}

/// With kernels of 300 ns the host is the bottleneck; with 3,000 ns the queue stays full.
void simLaunches(benchmark::State& state) {
  sim::Simulation simulation(benchDevice(0));
  const auto kernel = static_cast<double>(state.range(0));
  for (auto _ : state) sim::launchIn(simulation, 0, kernel, 1, 0);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(simLaunches)->Arg(300)->Arg(3000);

void simLaunchesOnTwoStreams(benchmark::State& state) {
  sim::Simulation simulation(benchDevice(0));
  const sim::StreamId second = simulation.makeStream(0);
  sim::StreamId next = 0;
  for (auto _ : state) {
    sim::launchIn(simulation, next, 3000, 0.25, 0);
    next = next == 0 ? second : 0;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(simLaunchesOnTwoStreams);

/// Launches of eager's calls: dispatch, memory and all.
void simEagerLaunches(benchmark::State& state) {
  SimOptions options;
  options.parameters = benchDevice(500);
  const auto backend = makeSimBackend(options, nullptr);
  std::string program;
  for (int i = 0; i < 30; ++i) program += "x = x + 0.5\n";
  const auto executor = makeExecutor("eager", *backend, parseProgram(program + "return x\n"));
  const std::vector<Tensor> inputs{makeTensor(backend->allocator(), DType::float32, {8, 16})};
  for (auto _ : state) executor->call(inputs);
  state.SetItemsProcessed(state.iterations() * 30);
}
BENCHMARK(simEagerLaunches);

}  // namespace
}  // namespace fusebench
