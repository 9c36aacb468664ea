// SPDX-License-Identifier: GPL-3.0-or-later
// Every float through every unary primitive: prints a Markdown table of the largest errors.
//
//   fusebench-accuracy-sweep [--stride N] [--threads N] [--without FEATURES] [PRIMITIVE...]
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "tests/engine/accuracy/exact.h"
#include "tests/engine/support/jit_primitive.h"

using namespace fusebench;
using namespace fusebench::test;

namespace {

struct Worst {
  double error = 0;
  std::uint32_t pattern = 0;
  double sum = 0;
  std::uint64_t count = 0;
  void join(const Worst& other) {
    if (other.error > error) {
      error = other.error;
      pattern = other.pattern;
    }
    sum += other.sum;
    count += other.count;
  }
};

constexpr std::uint64_t kChunk = 1 << 16;

Worst sweepChunk(const JitPrimitive& run, Primitive primitive, std::uint64_t begin,
                 std::uint64_t stride) {
  std::vector<float> x(kChunk), y(kChunk);
  for (std::uint64_t i = 0; i < kChunk; ++i)
    x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(begin + i * stride));
  run(x, y);
  Worst worst;
  for (std::uint64_t i = 0; i < kChunk; ++i) {
    const double error = ulpError(y[i], exactUnary(primitive, x[i]));
    if (std::isfinite(error)) worst.sum += error;
    ++worst.count;
    if (error > worst.error) {
      worst.error = error;
      worst.pattern = std::bit_cast<std::uint32_t>(x[i]);
    }
  }
  return worst;
}

Worst sweep(const JitPrimitive& run, Primitive primitive, std::uint64_t stride, int threads) {
  std::atomic<std::uint64_t> next = 0;
  std::mutex mutex;
  Worst total;
  const auto work = [&] {
    Worst mine;
    for (;;) {
      const std::uint64_t begin = next.fetch_add(kChunk * stride);
      if (begin >= std::uint64_t{1} << 32) break;
      mine.join(sweepChunk(run, primitive, begin, stride));
    }
    const std::lock_guard lock(mutex);
    total.join(mine);
  };
  std::vector<std::jthread> pool;
  for (int i = 0; i < threads; ++i) pool.emplace_back(work);
  pool.clear();
  return total;
}

constexpr Primitive kAll[] = {
    Primitive::exp,   Primitive::log,   Primitive::sin,   Primitive::cos,   Primitive::tanh,
    Primitive::sqrt,  Primitive::exp2,  Primitive::expm1, Primitive::log2,  Primitive::log10,
    Primitive::log1p, Primitive::tan,   Primitive::asin,  Primitive::acos,  Primitive::atan,
    Primitive::sinh,  Primitive::cosh,  Primitive::asinh, Primitive::acosh, Primitive::atanh,
    Primitive::erf,   Primitive::erfc,  Primitive::neg,   Primitive::abs,   Primitive::floor,
    Primitive::ceil,  Primitive::trunc, Primitive::round};

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t stride = 1;
  int threads = 2;
  cpu::Target target = cpu::hostTarget();
  std::vector<std::string_view> wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto value = [&] { return i + 1 < argc ? argv[++i] : "0"; };
    if (argument == "--stride")
      stride = std::strtoull(value(), nullptr, 10);
    else if (argument == "--threads")
      threads = std::atoi(value());
    else if (argument == "--without")
      target = hostWithout(value(), 0);
    else
      wanted.push_back(argument);
  }
  if (stride == 0 || threads < 1) {
    fmt::print(stderr, "--stride and --threads take a number from 1 on\n");
    return 2;
  }
  fmt::print(
      "{} ({}), {}\n\n| primitive | bound, ULP | largest, ULP | at | mean, ULP "
      "|\n|---|---|---|---|---|\n",
      target.cpu, target.unit(),
      stride == 1 ? "all 2^32 floats" : fmt::format("every {}th of all 2^32 floats", stride));
  for (Primitive primitive : kAll) {
    const std::string_view name = info(primitive).name;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
    const JitPrimitive run(primitive, target, 4);
    const Worst worst = sweep(run, primitive, stride, threads);
    const float at = std::bit_cast<float>(worst.pattern);
    fmt::print("| {} | {} | {:.3f} | {} (0x{:08x}) | {:.3f} |\n", name, bound(primitive),
               worst.error, at, worst.pattern, worst.sum / static_cast<double>(worst.count));
    std::fflush(stdout);
  }
}
