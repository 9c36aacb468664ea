// SPDX-License-Identifier: GPL-3.0-or-later
// The fusion study's chain: fused, eager, large, and what others make of it.
#include <algorithm>

#include <fmt/format.h>

#include "engine/executor.h"
#include "tests/bench/study.h"
#include "tests/bench/targets/hand_written.h"
#include "tests/bench/targets/measure.h"

namespace fusebench::targets {
namespace {

using Want = Target::Want;

constexpr std::int64_t kSmallRows = 8, kLargeRows = 1 << 20;  // of 16 elements each
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

}  // namespace

void fusedSmall(Bench& bench) {
  const std::string group = "1 fused, 30 statements, (8, 16)";
  const double ours = ourResult(bench, kSmallRows);
  Field field;
  for (const char* executor : {"static", "dynamic", "instant"})
    field.contenders.push_back(study(executor, bench.backend, executor, kStatements, kSmallRows));
  field.contenders.push_back(handWritten(bench, kSmallRows, ours));
  for (const char* peer : {"torch", "torch-static", "numexpr"})
    field.invite(bench.peers, peer, kSmallRows, ours);
  const Rounds rounds(field.contenders, bench.seconds);
  const bool wide = bench.backend.description().find("AVX-512") != std::string::npos;
  bench.targets.push_back({.group = group,
                           .what = "static",
                           .limit = wide ? 0.25 : 0.45,
                           .found = scaled(rounds.time("static"), 1e-3),
                           .unit = "us"});
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
  field.contenders.push_back(study("in cache", bench.backend, "static", kStatements, 256));
  field.contenders.push_back(handWritten(bench, kLargeRows, ours));
  for (const char* peer : {"torch", "torch-static"})
    field.invite(bench.peers, peer, kLargeRows, ours);
  const Rounds rounds(field.contenders, bench.seconds, 0.03);
  bench.targets.push_back(
      against(bench, field, rounds, group, "static", "torch", Want::atMost, 1.0 / 30));
  bench.targets.push_back(
      against(bench, field, rounds, group, "static", "torch-static", Want::atMost, 0.67));
  bench.targets.push_back(
      {.group = group,
       .what = "static / its instructions' bound",
       .limit = 1.15,
       .found = scaled(rounds.ratio("static", "in cache"), 256.0 / kLargeRows),
       .note = "Bound: the time per element of the same kernel on 4,096 elements, which lie in the "
               "first-level cache: its instructions and nothing else."});
  bench.targets.push_back({.group = group,
                           .what = "static / C++ loop",
                           .want = Want::nothing,
                           .found = rounds.ratio("static", "C++ loop")});
}

void instant(Bench& bench) {
  const std::string group = "6 instant";
  for (const std::int64_t rows : {std::int64_t{8}, std::int64_t{256}, std::int64_t{4096}})
    for (const int statements : {1, 10, 30}) {
      const Rounds rounds({study("instant", bench.backend, "instant", statements, rows),
                           study("static", bench.backend, "static", statements, rows)},
                          0.5 * bench.seconds);
      bench.targets.push_back(
          {.group = group,
           .what = fmt::format("instant / static, {} statements, ({}, 16)", statements, rows),
           .limit = 1.05,
           .found = rounds.ratio("instant", "static")});
    }
  const Rounds few({study("instant", bench.backend, "instant", 2, kSmallRows),
                    study("eager", bench.backend, "eager", 2, kSmallRows)},
                   0.5 * bench.seconds);
  bench.targets.push_back({.group = group,
                           .what = "instant / eager, 2 statements, (8, 16)",
                           .limit = 1,
                           .found = few.ratio("instant", "eager")});
}

void compiling(Bench& bench) {
  const std::string group = "6 compiling 30 statements";
  const Program program = firstStatements(studyProgram(), kStatements);
  const std::vector<Tensor> inputs{filled(bench.backend, {kSmallRows, 16})};
  const auto first = [&](const char* executor) {
    makeExecutor(executor, bench.backend, program)->call(inputs);
  };
  Backend& backend = bench.backend;
  // By itself: the others' forgetting would cost it its pieces.
  const Rounds building({calling("instant", [&] { first("instant"); })}, 0.5 * bench.seconds);
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
  bench.targets.push_back({.group = group,
                           .what = "instant: building and the first call",
                           .limit = 2,
                           .found = scaled(building.time("instant"), 1e-3),
                           .unit = "us"});
  bench.targets.push_back({.group = group,
                           .what = "static: compile and the first call",
                           .limit = 20,
                           .found = scaled(rounds.time("anew"), 1e-6),
                           .unit = "ms"});
  bench.targets.push_back({.group = group,
                           .what = "static: the same from the disk cache",
                           .limit = 1,
                           .found = scaled(rounds.time("disk"), 1e-6),
                           .unit = "ms"});
}

}  // namespace fusebench::targets
