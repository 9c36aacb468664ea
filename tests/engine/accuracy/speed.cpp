// SPDX-License-Identifier: GPL-3.0-or-later
// Nanoseconds per vector of 8 lanes for each primitive, on 4,096 elements in L1, for interleaves of
// 4 and 8, and for chains where latency counts: 128 elements through the primitive eight times.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tests/engine/support/jit_primitive.h"

using namespace fusebench;
using namespace fusebench::test;

namespace {

double nanosecondsOf(const JitPrimitive& run, std::size_t elements, bool binary) {
  std::vector<float> x(elements), y(elements), z(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    x[i] = 0.05f + 0.9f * static_cast<float>(i) / static_cast<float>(elements);
    y[i] = 1.5f - x[i];
  }
  const auto once = [&] { binary ? run(x, y, z) : run(x, z); };
  const int repeats = static_cast<int>(400'000 / elements) + 1;
  double best = 1e30;
  for (int trial = 0; trial < 30; ++trial) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) once();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / repeats);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  cpu::Target target = cpu::hostTarget();
  std::vector<std::string_view> wanted(argv + 1, argv + argc);
  fmt::print("{} ({})\n\n| primitive | U = 4 | U = 8 | chain, U = 8 |\n|---|---|---|---|\n",
             target.cpu, target.unit());
  for (int p = static_cast<int>(Primitive::add); p <= static_cast<int>(Primitive::toTruth); ++p) {
    const auto primitive = static_cast<Primitive>(p);
    if (!wanted.empty() &&
        std::find(wanted.begin(), wanted.end(), info(primitive).name) == wanted.end())
      continue;
    if (info(primitive).arity == 3) continue;
    const bool binary = info(primitive).arity == 2;
    const double vectors = 4096 / 8;
    const double four = nanosecondsOf(JitPrimitive(primitive, target, 4), 4096, binary) / vectors;
    const double eight = nanosecondsOf(JitPrimitive(primitive, target, 8), 4096, binary) / vectors;
    fmt::print("| {} | {:.2f} | {:.2f} |", info(primitive).name, four, eight);
    if (!binary && !info(primitive).truthResult && primitive != Primitive::logicalNot &&
        primitive != Primitive::toNumber) {
      const std::vector<Primitive> chain(8, primitive);
      fmt::print(" {:.2f} |\n",
                 nanosecondsOf(JitPrimitive(chain, target, 8), 128, false) / (128 / 8) / 8);
    } else {
      fmt::print(" |\n");
    }
  }
}
