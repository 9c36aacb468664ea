// SPDX-License-Identifier: GPL-3.0-or-later
// The fusion study's chain: fused, eager, large, and what others make of it.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "engine/cpu/codegen/target.h"
#include "engine/run/executor.h"
#include "profiler/machine/clock.h"
#include "tests/bench/study.h"
#include "tests/bench/targets/chain_needs.h"
#include "tests/bench/targets/hand_written.h"
#include "tests/bench/targets/measure.h"
#include "tests/bench/targets/port_pressure.h"

namespace fusebench::targets {
namespace {

using Want = Target::Want;

// A row has 16 elements. Inputs that fit into the L1 cache isolate a kernel's instructions.
constexpr std::int64_t kCacheRows = 256, kLargeRows = 1 << 20;

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

/// The engine's result for the study's statements on a (rows, 16) input.
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

/// Compares the study's kernel with the bound of its instructions. `name`: the contender whose
/// calls process `elements`. The rounds must include the additions, whose time gives the clock
/// rate.
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

/// Compares the study with the needs of its functions, independent of who generates the code: their
/// multiplications, at the speed of independent ones measured in the same rounds. `name`: the
/// contender whose calls process `elements`.
Target againstNeeds(Bench& bench, const Rounds& rounds, std::string group, const std::string& name,
                    std::int64_t elements) {
  Target target{.group = std::move(group),
                .what = name + " / its ops' multiplications",
                .limit = 1.5,
                .found = {}};
  if (!independentMultiplyAdds().run) {
    target.note = "This processor's multiplications are not measured.";
    return target;
  }
  const Program program = firstStatements(studyProgram(), kStatements);
  const auto kernels = makeExecutor("static", bench.backend, program)
                           ->kernels(std::vector<Tensor>{filled(bench.backend, {kSmallRows, 16})});
  const ChainNeeds needs = needsOf(kernels.at(0));
  const double vectors = static_cast<double>(elements) / cpu::hostTarget(0).vector.width;
  const double turn = rounds.time("multiply-adds").value / (kTurns * kMultiplyAdds);
  target.found = scaled(rounds.ratio(name, "multiply-adds"),
                        kTurns * kMultiplyAdds / (needs.multiplications * vectors));
  target.note = fmt::format(
      "Each function's fewest multiplications for 2^-23 ({}): {:.0f} a vector, {:.3f} us a call at "
      "the {:.3f} ns that one took. Additions, comparisons and memory are not counted.",
      needs.stated, needs.multiplications, needs.multiplications * vectors * turn * 1e-3, turn);
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
  const Contender additions = additionsInTurn(), multiplyAdds = independentMultiplyAdds();
  if (additions.run) field.contenders.push_back(additions);
  if (multiplyAdds.run) field.contenders.push_back(multiplyAdds);
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
  bench.targets.push_back(againstNeeds(bench, rounds, group, "static", kSmallRows * 16));
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
                           .limit = 1.0,
                           .found = rounds.ratio("static", "C++ loop"),
                           .note = "The loop is written by hand and compiled with -O3 -ffast-math "
                                   "for this machine, with the C library's vector functions."});
  if (field.has("numexpr"))
    bench.targets.push_back({.group = group,
                             .what = "static / numexpr",
                             .limit = 1.0 / 30,
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
  bench.targets.push_back(againstNeeds(bench, rounds, group, "static", kLargeRows * 16));
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
                           .limit = 1.0,
                           .found = rounds.ratio("static", "C++ loop")});
}

}  // namespace fusebench::targets
