// SPDX-License-Identifier: GPL-3.0-or-later
// Used when Fusebench is built: makes the kernels that ship with it for one level of processors.
#include <chrono>
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "engine/cpu/shipping/shipment.h"

int main(int count, char** arguments) {
  using namespace fusebench::cpu;
  if (count != 5) {
    fmt::print(stderr, "usage: {} LEVEL FOLDER TABLE CACHE\n", arguments[0]);
    return 2;
  }
  try {
    for (const ShippedLevel& level : shippedLevels()) {
      if (level.name != arguments[1]) continue;
      const auto begin = std::chrono::steady_clock::now();
      const Shipped made = ship(level, arguments[2], arguments[3], arguments[4]);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      fmt::print("{}: {} kernels, {} pieces, {:.1f} MB of objects, {} compiled before, {:.0f} s\n",
                 level.name, made.kernels, made.stencils, static_cast<double>(made.bytes) * 1e-6,
                 made.fromCache, took.count());
      return 0;
    }
    fmt::print(stderr, "{}: no level called '{}' on this architecture\n", arguments[0],
               arguments[1]);
    return 2;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}: {}\n", arguments[0], problem.what());
    return 1;
  }
}
