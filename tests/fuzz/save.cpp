// SPDX-License-Identifier: GPL-3.0-or-later
// Saves as the program does, until it is killed: fusebench-save FOLDER. A run, an experiment and a
// trace, each over the one before; the number of a round is printed once all three are saved.
// fusebench-save FOLDER read: the numbers that the three then have; 0 for what is not there.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "profiler/experiment/experiment.h"
#include "profiler/files/files.h"
#include "profiler/run/run.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "tests/fuzz/readers.h"

namespace fusebench::fuzz {
namespace {

struct Paths {
  explicit Paths(const std::string& folder)
      : run(folder + "/run.jsonl"),
        experiment(folder + "/experiment.json"),
        trace(folder + "/trace.json.gz") {}
  std::string run, experiment, trace;
};

void save(const Paths& paths) {
  Run run = parseRun(sampleRun(), "sample");
  for (int number = 1;; ++number) {
    for (Cell& cell : run.cells)
      for (Sample& sample : cell.samples) sample.nanoseconds = number;
    saveRun(run, paths.run);
    run.experiment.title = fmt::format("{}", number);
    writeFile(paths.experiment, toJson(run.experiment));
    TraceBuilder builder("saved");
    const LaneId lane = builder.lane({Lane::Kind::host, 1, 1, "process", "thread"});
    for (int i = 0; i < 1000; ++i)
      builder.addSpan(
          {.lane = lane, .name = run.experiment.title, .start = i * 10, .end = i * 10 + 5});
    exportTrace(*builder.finish(), paths.trace);
    fmt::print("{}\n", number);
    std::fflush(stdout);
  }
}

int numberIn(const std::string& text) {
  return std::stoi(text);
}

void demand(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

void read(const Paths& paths) {
  int run = 0, experiment = 0, trace = 0;
  if (std::filesystem::exists(paths.run)) {
    const Run read = loadRun(paths.run);
    run = static_cast<int>(read.cells.front().samples.front().nanoseconds);
    demand(!read.interrupted, "the run is not whole");
    for (const Cell& cell : read.cells)
      for (const Sample& sample : cell.samples)
        demand(sample.nanoseconds == run, "the run is of two rounds");
  }
  if (std::filesystem::exists(paths.experiment))
    experiment = numberIn(loadExperiment(paths.experiment).title);
  if (std::filesystem::exists(paths.trace)) {
    const auto read = importTrace(paths.trace);
    demand(read->partial().empty() && read->size() == 1000, "the trace is not whole");
    trace = numberIn(std::string(read->name(0)));
  }
  fmt::print("{} {} {}\n", run, experiment, trace);
}

}  // namespace
}  // namespace fusebench::fuzz

int main(int argc, char** argv) {
  using namespace fusebench::fuzz;
  try {
    if (argc == 2) save(Paths(argv[1]));
    if (argc == 3) read(Paths(argv[1]));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
