// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion without a compile, and what compiles take.
#include <memory>

#include <fmt/format.h>

#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "profiler/machine/clock.h"
#include "tests/bench/study.h"
#include "tests/bench/targets/measure.h"

namespace fusebench::targets {
namespace {

using Want = Target::Want;

constexpr const char* kCheap = R"(x = x * 1.5
x = x + 0.1
x = torch.relu(x)
x = x - 0.2
x = x * 0.9
x = torch.abs(x)
x = x + 0.3
x = x * 1.1
x = -x
return x - 0.4)";

/// Nothing is there but the kernels, or the pieces that chains are made of, and then a result. What
/// is taken down afterwards does not count: a program that is built is kept.
Contender firstCall(std::string name, Backend& backend, const char* executor,
                    const SharedProgram& program, const std::vector<Tensor>& inputs) {
  return {std::move(name), [&backend, executor, program, inputs](std::int64_t calls) {
            std::int64_t taken = 0;
            for (std::int64_t i = 0; i < calls; ++i) {
              const std::int64_t begin = nowNanoseconds();
              const auto made = makeExecutor(executor, backend, program);
              made->call(inputs);
              taken += nowNanoseconds() - begin;
            }
            // The clock is read for each call; others are timed by the block.
            return static_cast<double>(taken) - clockCostNanoseconds() * static_cast<double>(calls);
          }};
}

/// Medians over some first calls of what their phases took, in microseconds.
class Phases {
 public:
  void add(const CompileTimes& times) {
    trace_.push_back(static_cast<double>(times.specialize));
    fusion_.push_back(static_cast<double>(times.fusion));
    codegen_.push_back(static_cast<double>(times.codegen));
    compiler_.push_back(static_cast<double>(times.compiler));
    launch_.push_back(static_cast<double>(times.firstLaunch));
  }
  double trace() const { return middle(trace_); }
  double fusion() const { return middle(fusion_); }
  double codegen() const { return middle(codegen_); }
  double compiler() const { return middle(compiler_); }
  double launch() const { return middle(launch_); }

 private:
  static double middle(const std::vector<double>& values) { return median(values) * 1e-3; }
  std::vector<double> trace_, fusion_, codegen_, compiler_, launch_;
};

/// How the time of the first call of `instant` divides when its stencils are loaded already.
std::string whereBuildingGoes(Backend& backend, const SharedProgram& program,
                              const std::vector<Tensor>& inputs) {
  Phases phases;
  for (int i = 0; i < 1001; ++i) {
    const auto executor = makeExecutor("instant", backend, program);
    executor->call(inputs);
    phases.add(executor->statistics().compiles.front().times);
  }
  const double passes = phases.trace() + phases.fusion() + phases.codegen();
  return fmt::format(
      "of the whole first call, shapes and guards take {:.2f} us, grouping and lowering the ops "
      "{:.2f}, choosing their stencils by what is known of their values and putting them and the "
      "executor's steps together {:.2f}, and planning the first launch and doing it {:.2f}. The "
      "first three go over the ops one after another and take {:.0f} ns for each of the {}, memory "
      "included; 2 us in all would be {:.0f}.",
      phases.trace(), phases.fusion(), phases.codegen(), phases.launch(),
      passes * 1e3 / static_cast<double>(program->ops.size()), program->ops.size(),
      2e3 / static_cast<double>(program->ops.size()));
}

/// How the time of a compile divides when no cache contains the kernels.
std::string whereCompilingGoes(Backend& backend, const std::string& name,
                               const SharedProgram& program, const std::vector<Tensor>& inputs) {
  Phases phases;
  backend.useDiskCache(false);
  for (int i = 0; i < 15; ++i) {
    backend.forgetKernels();
    const auto executor = makeExecutor(name, backend, program);
    executor->call(inputs);
    phases.add(executor->statistics().compiles.front().times);
  }
  backend.useDiskCache(true);
  return fmt::format(
      "LLVM's code generator takes {:.1f} ms of it, and writing its input {:.2f} ms. Loop "
      "strength reduction, by which such a chain gains nothing, is left out of it already.",
      phases.compiler() * 1e-3, phases.codegen() * 1e-3);
}

}  // namespace

void instant(Bench& bench) {
  const std::string group = "6 instant";
  for (const std::int64_t rows : {std::int64_t{8}, std::int64_t{256}, std::int64_t{4096}})
    for (const int statements : {1, 10, 30}) {
      std::vector<Contender> contenders;
      for (const char* executor : {"instant", "static", "dynamic"})
        contenders.push_back(study(executor, bench.backend, executor, statements, rows));
      const Rounds rounds(std::move(contenders), 0.7 * bench.seconds);
      const double fixed = rounds.time("static").value;
      bench.targets.push_back(
          {.group = group,
           .what = fmt::format("instant / static, {} statements, ({}, 16)", statements, rows),
           .limit = 1.05,
           .found = rounds.ratio("instant", "static"),
           .why = fmt::format(
               "a call takes {:.0f} ns more, and dynamic's {:.0f}, which serves any shape as well. "
               "A chain of stencils passes sums through memory and starts each block with a jump "
               "through its instructions, which few statements on few elements do not hide; each "
               "further statement costs what it costs static.",
               rounds.time("instant").value - fixed, rounds.time("dynamic").value - fixed)});
    }
  for (const std::int64_t rows : {8, 256, 4096}) {
    const std::vector<Tensor> inputs{filled(bench.backend, {rows, 16})};
    const Program cheap = parseProgram(kCheap);
    const Rounds rounds({executing("instant", bench.backend, "instant", cheap, inputs),
                         executing("static", bench.backend, "static", cheap, inputs)},
                        0.5 * bench.seconds);
    bench.targets.push_back(
        {.group = group,
         .what = fmt::format("instant / static, 10 cheap ops, ({}, 16)", rows),
         .limit = 1.25,
         .found = rounds.ratio("instant", "static"),
         .why =
             fmt::format("a call takes {:.0f} ns more: each op takes a jump and loads its numbers "
                         "from the chain, where static has them in its code.",
                         rounds.difference("instant", "static").value)});
  }
  const Rounds few({study("instant", bench.backend, "instant", 2, kSmallRows),
                    study("eager", bench.backend, "eager", 2, kSmallRows)},
                   0.5 * bench.seconds);
  bench.targets.push_back({.group = group,
                           .what = "instant / eager, 2 statements, (8, 16)",
                           .limit = 1,
                           .found = few.ratio("instant", "eager")});
  const SharedProgram program = shared(firstStatements(studyProgram(), kStatements));
  for (const std::int64_t rows : {std::int64_t{8}, std::int64_t{256}}) {
    const std::vector<Tensor> inputs{filled(bench.backend, {rows, 16})};
    const Rounds firsts({firstCall("instant", bench.backend, "instant", program, inputs),
                         firstCall("eager", bench.backend, "eager", program, inputs)},
                        0.5 * bench.seconds);
    bench.targets.push_back(
        {.group = group,
         .what = fmt::format("instant / eager, the first call, 30 statements, ({}, 16)", rows),
         .limit = 1,
         .found = firsts.ratio("instant", "eager"),
         .note = "From making the executor on, with all kernels and pieces there: below 1 there is "
                 "nothing to pay back."});
  }
}

void compiling(Bench& bench) {
  const std::string group = "6 compiling 30 statements";
  const SharedProgram program = shared(firstStatements(studyProgram(), kStatements));
  const std::vector<Tensor> inputs{filled(bench.backend, {kSmallRows, 16})};
  const auto first = [&](const std::string& executor) {
    makeExecutor(executor, bench.backend, program)->call(inputs);
  };
  Backend& backend = bench.backend;
  // By itself: the others' forgetting would cost it its pieces.
  const std::shared_ptr<Executor> built = makeExecutor("instant", backend, program);
  const auto instantly = std::make_shared<Rounds>(
      std::vector{firstCall("first call", backend, "instant", program, inputs),
                  calling("later call", [built, inputs] { built->call(inputs); })},
      0.5 * bench.seconds);
  const std::size_t line = bench.targets.size();
  bench.targets.push_back({.group = group,
                           .what = "instant: building",
                           .limit = 2,
                           .found = {},
                           .unit = "us",
                           .note = "What the first call takes more than a later one, from "
                                   "making the executor on; taking it down is not in it. Measured "
                                   "again after each later group.",
                           .why = whereBuildingGoes(backend, program, inputs)});
  bench.targets.push_back({.group = group,
                           .what = "instant: building and the first call",
                           .want = Want::nothing,
                           .found = {},
                           .unit = "us"});
  // Nothing is in memory or on disk: what these need ships with the program.
  for (const std::string executor : {"eager", "instant"}) {
    const Rounds rounds({calling("cold",
                                 [&] {
                                   backend.useDiskCache(false);
                                   backend.forgetKernels();
                                   first(executor);
                                   backend.useDiskCache(true);
                                 })},
                        0.5 * bench.seconds);
    bench.targets.push_back(
        {.group = group,
         .what = executor + ": the first call with nothing in memory or on disk",
         .limit = 1,
         .found = scaled(rounds.time("cold"), 1e-6),
         .unit = "ms"});
  }
  for (const std::string executor : {"static", "dynamic"}) {
    const Rounds rounds({calling("anew",
                                 [&] {
                                   backend.useDiskCache(false);
                                   backend.forgetKernels();
                                   first(executor);
                                   backend.useDiskCache(true);
                                 }),
                         calling("disk",
                                 [&] {
                                   backend.forgetKernels();
                                   first(executor);
                                 })},
                        bench.seconds);
    bench.targets.push_back({.group = group,
                             .what = executor + ": compile and the first call",
                             .limit = 20,
                             .found = scaled(rounds.time("anew"), 1e-6),
                             .unit = "ms",
                             .why = whereCompilingGoes(backend, executor, program, inputs)});
    bench.targets.push_back({.group = group,
                             .what = executor + ": the same from the disk cache",
                             .limit = 1,
                             .found = scaled(rounds.time("disk"), 1e-6),
                             .unit = "ms"});
  }
  const auto say = [&bench, instantly, line] {
    bench.targets[line].found = scaled(instantly->difference("first call", "later call"), 1e-3);
    bench.targets[line + 1].found = scaled(instantly->time("first call"), 1e-3);
  };
  say();
  bench.again.push_back([&bench, program, inputs, instantly, say] {
    // Its pieces were forgotten with the kernels.
    makeExecutor("instant", bench.backend, program)->call(inputs);
    instantly->goOn(0.5 * bench.seconds);
    say();
  });
}

}  // namespace fusebench::targets
