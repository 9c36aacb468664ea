// SPDX-License-Identifier: GPL-3.0-or-later
// The fusion study's chain: fused, eager, large, and what others make of it.
#include <algorithm>

#include <fmt/format.h>

#include "engine/executor.h"
#include "profiler/clock.h"
#include "tests/bench/study.h"
#include "tests/bench/targets/hand_written.h"
#include "tests/bench/targets/measure.h"
#include "tests/bench/targets/port_pressure.h"

namespace fusebench::targets {
namespace {

using Want = Target::Want;

// Of 16 elements each. What lies in the first-level cache shows a kernel's instructions alone.
constexpr std::int64_t kSmallRows = 8, kCacheRows = 256, kLargeRows = 1 << 20;
constexpr int kStatements = 30;

Estimate scaled(const Estimate& estimate, double factor) {
  return {estimate.value * factor, estimate.low * factor, estimate.high * factor, estimate.kind};
}

/// Contenders of ours, and of the peers those that are there.
struct Field {
  std::vector<Contender> contenders;
  std::vector<std::string> peers;

  bool has(const std::string& peer) const {
    return std::find(peers.begin(), peers.end(), peer) != peers.end();
  }
  void invite(Peers& from, const std::string& peer, std::int64_t rows, double ours) {
    if (auto contender = from.study(peer, kStatements, rows, ours)) {
      contenders.push_back(std::move(*contender));
      peers.push_back(peer);
    }
  }
};

/// A line for a ratio to a peer, or that the peer is not there.
Target against(Bench& bench, const Field& field, const Rounds& rounds, std::string group,
               const std::string& ours, const std::string& peer, Want want, double limit) {
  Target target{.group = std::move(group),
                .what = ours + " / " + peer,
                .want = want,
                .limit = limit,
                .found = {}};
  if (field.has(peer))
    target.found = rounds.ratio(ours, peer);
  else
    target.note =
        bench.peers.about(peer) + (peer == "torch" ? "" : "; " + peer + " needs PyTorch 2");
  return target;
}

/// What the engine gives for the study's statements on a (rows, 16) input.
double ourResult(Bench& bench, std::int64_t rows) {
  return resultOf(bench.backend, firstStatements(studyProgram(), kStatements),
                  {filled(bench.backend, {rows, 16})});
}

Contender handWritten(Bench& bench, std::int64_t rows, double ours) {
  const Tensor input = filled(bench.backend, {rows, 16});
  requireSame("C++ loop",
              handWrittenStudy(static_cast<const float*>(input.data()), elementCount(input.shape)),
              ours);
  return calling("C++ loop", [input] {
    volatile float kept =
        handWrittenStudy(static_cast<const float*>(input.data()), elementCount(input.shape));
    static_cast<void>(kept);
  });
}

/// The study's kernel against what its instructions need at least. `name`: of the contender whose
/// calls do `elements`; the rounds hold the additions, too, whose time is the clock's.
Target againstBound(Bench& bench, const Rounds& rounds, std::string group, const std::string& name,
                    std::int64_t elements, std::int64_t rows) {
  Target target{.group = std::move(group),
                .what = name + " / its instructions' bound",
                .want = Want::nothing,
                .found = {}};
  if (!additionsInTurn().run) {
    target.note = "The bound is not known: nothing tells this processor's clock.";
    return target;
  }
  const PortPressure pressure =
      pressureOfStatic(bench.backend, firstStatements(studyProgram(), kStatements),
                       filled(bench.backend, {rows, 16}));
  if (pressure.cycles == 0) {
    target.note = "The bound is not known: " + pressure.why;
    return target;
  }
  const double cycles = pressure.cycles * static_cast<double>(elements);
  target.found = scaled(rounds.ratio(name, "additions"), kAdditions / cycles);
  const double gigahertz = kAdditions / rounds.time("additions").value;
  target.note = fmt::format(
      "Bound: {:.2f} cycles an element, the sum over the kernel's loops of how long the busiest "
      "execution port is taken (llvm-mca's model of this processor): {:.3f} us a call at the "
      "{:.2f} "
      "GHz at which a chain of additions ran beside it.",
      pressure.cycles, cycles / gigahertz * 1e-3, gigahertz);
  return target;
}

}  // namespace

void fusedSmall(Bench& bench) {
  const std::string group = "1 fused, 30 statements, (8, 16)";
  const double ours = ourResult(bench, kSmallRows);
  Field field;
  for (const char* executor : {"static", "dynamic", "instant"})
    field.contenders.push_back(study(executor, bench.backend, executor, kStatements, kSmallRows));
  field.contenders.push_back(handWritten(bench, kSmallRows, ours));
  const Contender additions = additionsInTurn();
  if (additions.run) field.contenders.push_back(additions);
  for (const char* peer : {"torch", "torch-static", "numexpr"})
    field.invite(bench.peers, peer, kSmallRows, ours);
  const Rounds rounds(field.contenders, bench.seconds);
  const bool wide = bench.backend.description().find("AVX-512") != std::string::npos;
  bench.targets.push_back({.group = group,
                           .what = "static",
                           .limit = wide ? 0.25 : 0.45,
                           .found = scaled(rounds.time("static"), 1e-3),
                           .unit = "us",
                           .why = "see its instructions' bound below: it leaves no room for the "
                                  "call around them, its checks and its memory."});
  bench.targets.push_back(
      againstBound(bench, rounds, group, "static", kSmallRows * 16, kCacheRows));
  bench.targets.push_back(
      against(bench, field, rounds, group, "static", "torch", Want::atMost, 1.0 / 150));
  bench.targets.push_back(
      against(bench, field, rounds, group, "static", "torch-static", Want::atMost, 1.0 / 40));
  bench.targets.push_back({.group = group,
                           .what = "dynamic / static",
                           .limit = 1.15,
                           .found = rounds.ratio("dynamic", "static")});
  bench.targets.push_back({.group = group,
                           .what = "static / C++ loop",
                           .want = Want::nothing,
                           .found = rounds.ratio("static", "C++ loop"),
                           .note = "The loop is written by hand and compiled with -O3 -ffast-math "
                                   "for this machine, with the C library's vector functions."});
  if (field.has("numexpr"))
    bench.targets.push_back({.group = group,
                             .what = "static / numexpr",
                             .want = Want::nothing,
                             .found = rounds.ratio("static", "numexpr")});
}

void eagerSmall(Bench& bench) {
  Field field;
  field.contenders.push_back(study("eager", bench.backend, "eager", kStatements, kSmallRows));
  field.invite(bench.peers, "torch", kSmallRows, ourResult(bench, kSmallRows));
  const Rounds rounds(field.contenders, bench.seconds);
  bench.targets.push_back(against(bench, field, rounds, "2 eager, 30 statements, (8, 16)", "eager",
                                  "torch", Want::atMost, 1.0 / 20));
}

void fusedLarge(Bench& bench) {
  const std::string group = "3 fused, 30 statements, 16 Mi elements";
  const double ours = ourResult(bench, kLargeRows);
  Field field;
  field.contenders.push_back(study("static", bench.backend, "static", kStatements, kLargeRows));
  field.contenders.push_back(study("in cache", bench.backend, "static", kStatements, kCacheRows));
  const Contender additions = additionsInTurn(), multiplyAdds = independentMultiplyAdds();
  if (additions.run) field.contenders.push_back(additions);
  if (multiplyAdds.run) field.contenders.push_back(multiplyAdds);
  field.contenders.push_back(handWritten(bench, kLargeRows, ours));
  for (const char* peer : {"torch", "torch-static"})
    field.invite(bench.peers, peer, kLargeRows, ours);
  const Rounds rounds(field.contenders, bench.seconds, 0.03);
  bench.targets.push_back(
      against(bench, field, rounds, group, "static", "torch", Want::atMost, 1.0 / 30));
  bench.targets.push_back(
      against(bench, field, rounds, group, "static", "torch-static", Want::atMost, 0.67));
  Target bound = againstBound(bench, rounds, group, "static", kLargeRows * 16, kLargeRows);
  bound.want = Want::atMost;
  bound.limit = 1.15;
  bench.targets.push_back(std::move(bound));
  bench.targets.push_back(
      {.group = group,
       .what = "static / the same in cache",
       .want = Want::nothing,
       .found =
           scaled(rounds.ratio("static", "in cache"), static_cast<double>(kCacheRows) / kLargeRows),
       .note = "By element: the same statements on 4,096 elements, which lie in "
               "the first-level cache."});
  const PortPressure turn = multiplyAdds.run ? pressureOfLoops(multiplyAddLoop()) : PortPressure();
  if (turn.cycles > 0)
    bench.targets.push_back({.group = group,
                             .what = "hand-written multiply-adds / their bound",
                             .want = Want::nothing,
                             .found = scaled(rounds.ratio("multiply-adds", "additions"),
                                             kAdditions / (kTurns * turn.cycles)),
                             .note =
                                 "A loop of twelve that wait for nothing: how well the model of "
                                 "the bound fits this processor."});
  bench.targets.push_back({.group = group,
                           .what = "static / C++ loop",
                           .want = Want::nothing,
                           .found = rounds.ratio("static", "C++ loop")});
}

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
  const Rounds few({study("instant", bench.backend, "instant", 2, kSmallRows),
                    study("eager", bench.backend, "eager", 2, kSmallRows)},
                   0.5 * bench.seconds);
  bench.targets.push_back({.group = group,
                           .what = "instant / eager, 2 statements, (8, 16)",
                           .limit = 1,
                           .found = few.ratio("instant", "eager")});
}

namespace {

/// Nothing is there but the pieces that chains are made of, and then a result. What is taken down
/// afterwards does not count: a program that is built is kept.
Contender building(Backend& backend, const SharedProgram& program,
                   const std::vector<Tensor>& inputs) {
  return {"first call", [&backend, program, inputs](std::int64_t calls) {
            std::int64_t taken = 0;
            for (std::int64_t i = 0; i < calls; ++i) {
              const std::int64_t begin = nowNanoseconds();
              const auto executor = makeExecutor("instant", backend, program);
              executor->call(inputs);
              taken += nowNanoseconds() - begin;
            }
            return static_cast<double>(taken);
          }};
}

/// Medians over some first calls of what their phases took, in microseconds.
class Phases {
 public:
  void add(const CompileTimes& times) {
    trace_.push_back(static_cast<double>(times.trace));
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

/// Of the first call of `instant`, whose pieces are there already.
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

/// Of a compile for `static` that finds nothing.
std::string whereCompilingGoes(Backend& backend, const SharedProgram& program,
                               const std::vector<Tensor>& inputs) {
  Phases phases;
  backend.useDiskCache(false);
  for (int i = 0; i < 15; ++i) {
    backend.forgetKernels();
    const auto executor = makeExecutor("static", backend, program);
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

void compiling(Bench& bench) {
  const std::string group = "6 compiling 30 statements";
  const SharedProgram program = shared(firstStatements(studyProgram(), kStatements));
  const std::vector<Tensor> inputs{filled(bench.backend, {kSmallRows, 16})};
  const auto first = [&](const char* executor) {
    makeExecutor(executor, bench.backend, program)->call(inputs);
  };
  Backend& backend = bench.backend;
  // By itself: the others' forgetting would cost it its pieces.
  const std::shared_ptr<Executor> built = makeExecutor("instant", backend, program);
  const auto instantly = std::make_shared<Rounds>(
      std::vector{building(backend, program, inputs),
                  calling("later call", [built, inputs] { built->call(inputs); })},
      0.5 * bench.seconds);
  const Rounds rounds({calling("anew",
                               [&] {
                                 backend.useDiskCache(false);
                                 backend.forgetKernels();
                                 first("static");
                                 backend.useDiskCache(true);
                               }),
                       calling("disk",
                               [&] {
                                 backend.forgetKernels();
                                 first("static");
                               })},
                      bench.seconds);
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
  bench.targets.push_back({.group = group,
                           .what = "static: compile and the first call",
                           .limit = 20,
                           .found = scaled(rounds.time("anew"), 1e-6),
                           .unit = "ms",
                           .why = whereCompilingGoes(backend, program, inputs)});
  bench.targets.push_back({.group = group,
                           .what = "static: the same from the disk cache",
                           .limit = 1,
                           .found = scaled(rounds.time("disk"), 1e-6),
                           .unit = "ms"});
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
