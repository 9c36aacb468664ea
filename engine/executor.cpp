// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/executor.h"

#include <array>
#include <stdexcept>

#include "engine/compiled.h"
#include "engine/eager.h"

namespace fusebench {

CompileTimes& CompileTimes::operator+=(const CompileTimes& other) {
  trace += other.trace;
  fusion += other.fusion;
  codegen += other.codegen;
  compiler += other.compiler;
  load += other.load;
  firstLaunch += other.firstLaunch;
  kernels += other.kernels;
  fromDisk += other.fromDisk;
  fromMemory += other.fromMemory;
  return *this;
}

std::span<const ExecutorInfo> executorNames() {
  static constexpr std::array<ExecutorInfo, 3> kNames = {{
      {"eager", "one launch per op, checked, dispatched and allocated each time"},
      {"static", "fused, compiled for the exact shapes; recompiles when they change"},
      {"dynamic", "fused, compiled for any shape of the same rank and layout"},
  }};
  return kNames;
}

std::unique_ptr<Executor> makeExecutor(std::string_view name, Backend& backend, Program program,
                                       ExecutorOptions options) {
  if (name == "eager") return std::make_unique<EagerExecutor>(backend, std::move(program));
  if (name == "static")
    return std::make_unique<CompiledExecutor>(backend, std::move(program), Specialise::exact,
                                              options);
  if (name == "dynamic")
    return std::make_unique<CompiledExecutor>(backend, std::move(program), Specialise::symbolic,
                                              options);
  throw std::invalid_argument("no executor called '" + std::string(name) +
                              "'; there are eager, static and dynamic");
}

}  // namespace fusebench
