// SPDX-License-Identifier: GPL-3.0-or-later
// What the CPU engine is held to, measured here and now: build/release/bin/fusebench-targets
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <vector>

#include "engine/cpu/runtime/cpu_backend.h"
#include "tests/bench/targets/measure.h"

namespace fusebench::targets {
namespace {

struct Group {
  int number;
  const char* name;
  void (*measure)(Bench&);
};
constexpr Group kGroups[] = {
    {1, "fused, small", fusedSmall},
    {2, "eager, small", eagerSmall},
    {3, "fused, large", fusedLarge},
    {4, "memory-bound", memoryBound},
    {5, "two threads", threads},
    {6, "instant", instant},
    {6, "compiling", compiling},
    {7, "random chains", randomChains},
    {8, "single functions", functions},
    {9, "layouts", layouts},
    {10, "library calls", contractions},
    {11, "rows", rows},
    {12, "types", types},
    {13, "simulated device", simulated},
    {14, "training", training},
    {15, "views", views},
    {16, "PyTorch's variant", direct},
    {17, "attention and blocks", wholeBlocks},
};

int run(int argc, char** argv) {
  CLI::App app{
      "Measures what the CPU engine is held to, each set of contenders interleaved, and "
      "prints the table."};
  std::vector<int> only;
  const char* fromEnvironment = std::getenv("FUSEBENCH_PYTHON");
  std::string python = fromEnvironment ? fromEnvironment : "python3";
  double seconds = 2;
  int chains = 500;
  app.add_option("--only", only, "Numbers of the groups to measure (1 to 17)")
      ->check(CLI::Range(1, 17));
  app.add_option("--python", python, "Interpreter whose PyTorch and numexpr are the peers");
  app.add_option("--seconds", seconds, "Time for each set of contenders")
      ->check(CLI::Range(0.01, 600.0));
  app.add_option("--chains", chains, "Random chains to measure")->check(CLI::Range(1, 100000));
  CLI11_PARSE(app, argc, argv);

  const auto backend = makeCpuBackend();
  Peers peers(python);
  fmt::print("{}\nPeers: {}; {}\n\n", backend->description(), peers.about("torch"),
             peers.about("numexpr"));
  Bench bench{*backend, peers, seconds, chains};
  for (const Group& group : kGroups) {
    if (!only.empty() && std::find(only.begin(), only.end(), group.number) == only.end()) continue;
    fmt::print(stderr, "{} {}...\n", group.number, group.name);
    const auto again = bench.again;  // those of earlier groups only
    group.measure(bench);
    for (const auto& measure : again) measure();
  }
  fmt::print("{}", tableText(bench.targets));
  return 0;
}

}  // namespace
}  // namespace fusebench::targets

int main(int argc, char** argv) {
  try {
    return fusebench::targets::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "fusebench-targets: {}\n", error.what());
    return 1;
  }
}
