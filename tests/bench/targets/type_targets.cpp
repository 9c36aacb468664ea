// SPDX-License-Identifier: GPL-3.0-or-later
// The same chain in four float types, beyond what caches hold: half the width, half the time.
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/base/elements.h"
#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "tests/bench/targets/measure.h"

namespace fusebench::targets {
namespace {

using Want = Target::Want;

constexpr std::int64_t kElements = 32 << 20, kCached = 128 << 10;
constexpr DType kTypes[] = {DType::float64, DType::float32, DType::float16, DType::bfloat16};

/// Its arithmetic takes less time than its elements take to come and go.
constexpr const char* kChain =
    "def program(x):\n    x = torch.relu(x)\n    x = x * 1.5 + 0.25\n    return x\n";

/// How far a result may be from another's that rounds to the type elsewhere on its way.
double toleranceOf(DType dtype) {
  return dtype == DType::bfloat16 ? 0x1p-6 : dtype == DType::float16 ? 0x1p-9 : 1e-5;
}

std::string nameOf(DType dtype, const char* who) {
  return fmt::format("{} {}", who, info(dtype).name);
}

/// The chain where caches hold it, in every type: what its instructions take.
Rounds cachedRounds(Bench& bench, const Program& program) {
  std::vector<Contender> contenders;
  for (const DType dtype : kTypes)
    contenders.push_back(executing(nameOf(dtype, "static"), bench.backend, "static", program,
                                   {filled(bench.backend, {kCached}, dtype)}));
  return Rounds(std::move(contenders), bench.seconds);
}

}  // namespace

/// The chain in every type, and PyTorch's of the same, all in the same rounds.
void types(Bench& bench) {
  const Program program = parseProgram(kChain);
  std::vector<Contender> contenders;
  std::vector<bool> peers;
  for (const DType dtype : kTypes) {
    const std::vector<Tensor> inputs{filled(bench.backend, {kElements}, dtype)};
    const double ours = resultOf(bench.backend, program, inputs);
    contenders.push_back(
        executing(nameOf(dtype, "static"), bench.backend, "static", program, inputs));
    auto peer = bench.peers.program(
        "torch-static",
        {fmt::format("types/{}", info(dtype).name), kChain, {{{kElements}, false, dtype}}}, ours,
        toleranceOf(dtype));
    peers.push_back(peer.has_value());
    if (!peer) continue;
    peer->name = nameOf(dtype, "torch");
    contenders.push_back(std::move(*peer));
  }
  const Rounds rounds(std::move(contenders), 4 * bench.seconds, 0.05);
  const Rounds cached = cachedRounds(bench, program);
  const auto add = [&](std::string what, Want want, double limit, const Estimate& found) {
    bench.targets.push_back({.group = "12 types, 3 cheap ops, 32 Mi elements",
                             .what = std::move(what),
                             .want = want,
                             .limit = limit,
                             .found = found});
  };
  for (const DType dtype : kTypes) {
    if (dtype == DType::float32) continue;
    add(fmt::format("{} / float32", info(dtype).name), Want::atMost,
        dtype == DType::float64 ? 2.1 : 0.6,
        rounds.ratio(nameOf(dtype, "static"), nameOf(DType::float32, "static")));
    const Estimate inCache =
        cached.ratio(nameOf(dtype, "static"), nameOf(DType::float32, "static"));
    // Said only where it was seen now.
    if (isRounded(dtype) && inCache.low > 1)
      bench.targets.back().why = fmt::format(
          "The product and the sum are each rounded to 16 bits, {}: within the caches the chain "
          "takes {:.1f} times float32's time, and beyond them half of that hides behind memory "
          "(docs/cpu_tuning.md).",
          dtype == DType::float16 ? "which takes two conversions, and so do reading and storing"
                                  : "which takes four instructions a vector",
          inCache.value);
  }
  for (std::size_t i = 0; i < std::size(kTypes); ++i) {
    add(fmt::format("static / torch.compile, {}", info(kTypes[i]).name), Want::atMost, 1,
        peers[i] ? rounds.ratio(nameOf(kTypes[i], "static"), nameOf(kTypes[i], "torch"))
                 : Estimate{});
    if (!peers[i]) bench.targets.back().note = bench.peers.about("torch");
  }
}

}  // namespace fusebench::targets
