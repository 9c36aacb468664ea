// SPDX-License-Identifier: GPL-3.0-or-later
// Every float through every unary primitive: prints a Markdown table of the largest errors. Or
// every op row in every float dtype, at some thousand points, as static computes it.
//
//   fusebench-accuracy-sweep [--stride N] [--threads N] [--without FEATURES] [PRIMITIVE...]
//   fusebench-accuracy-sweep --rows [ROW...]
#include <algorithm>
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
#ifdef FUSEBENCH_EXACT_ROWS
#include "engine/cpu/runtime/cpu_backend.h"
#include "tests/engine/accuracy/row_errors.h"
#endif

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

bool isWanted(const std::vector<std::string_view>& wanted, std::string_view name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

#ifdef FUSEBENCH_EXACT_ROWS
int sweepRows(const std::vector<std::string_view>& wanted) {
  const auto backend = makeCpuBackend();
  const std::string executors[] = {"static"};
  fmt::print("{}\n\n| op | bound, ULP | or within |", backend->description());
  std::string line = "|---|---|---|";
  for (const DType dtype : kFloatDTypes) {
    fmt::print(" {} |", info(dtype).name);
    line += "---|";
  }
  fmt::print("\n{}\n", line);
  for (const OpRow* row : functionRows()) {
    if (row->result == ResultType::truth || !isWanted(wanted, row->name)) continue;
    fmt::print("| {} | {} | {} |", row->name, row->bound.ulp, row->bound.absolute);
    for (const DType dtype : kFloatDTypes) {
      const RowErrors errors = errorsOf(*row, dtype, *backend, executors);
      fmt::print(" {:.3f}{} |", errors.worst, errors.broken > 0 ? " broken" : "");
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
  return 0;
}
#else
int sweepRows(const std::vector<std::string_view>&) {
  fmt::print(stderr, "--rows needs MPFR: install libmpfr-dev, and build again\n");
  return 2;
}
#endif

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t stride = 1;
  bool rows = false;
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
    else if (argument == "--rows")
      rows = true;
    else
      wanted.push_back(argument);
  }
  if (stride == 0 || threads < 1) {
    fmt::print(stderr, "--stride and --threads take a number from 1 on\n");
    return 2;
  }
  if (rows) return sweepRows(wanted);
  fmt::print(
      "{} ({}), {}\n\n| primitive | bound, ULP | largest, ULP | at | mean, ULP "
      "|\n|---|---|---|---|---|\n",
      target.cpu, target.unit(),
      stride == 1 ? "all 2^32 floats" : fmt::format("every {}th of all 2^32 floats", stride));
  for (Primitive primitive : kAll) {
    const std::string_view name = info(primitive).name;
    if (!isWanted(wanted, name)) continue;
    const JitPrimitive run(primitive, target, 4);
    const Worst worst = sweep(run, primitive, stride, threads);
    const float at = std::bit_cast<float>(worst.pattern);
    fmt::print("| {} | {} | {:.3f} | {} (0x{:08x}) | {:.3f} |\n", name, bound(primitive),
               worst.error, at, worst.pattern, worst.sum / static_cast<double>(worst.count));
    std::fflush(stdout);
  }
}
