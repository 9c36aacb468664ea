// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/executor.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/run/compiled.h"
#include "engine/run/eager.h"
#include "engine/run/replay.h"

namespace fusebench {

CompileTimes& CompileTimes::operator+=(const CompileTimes& other) {
  trace += other.trace;
  fusion += other.fusion;
  codegen += other.codegen;
  compiler += other.compiler;
  load += other.load;
  firstLaunch += other.firstLaunch;
  capture += other.capture;
  kernels += other.kernels;
  fromDisk += other.fromDisk;
  fromMemory += other.fromMemory;
  return *this;
}

std::span<const ExecutorInfo> executorNames() {
  static constexpr std::array<ExecutorInfo, 6> kNames = {{
      {"eager", "one launch per op, checked, dispatched and allocated each time"},
      {"static", "fused, compiled for the exact shapes; recompiles when they change"},
      {"dynamic", "fused, compiled for any shape of the same rank and layout"},
      {"instant", "fused with no compile, from prebuilt pieces chained at run time", false, true},
      {"replay", "the eager launches, recorded once per shape and replayed as one graph", true},
      {"static+replay", "the static launches, recorded once per shape and replayed", true},
  }};
  return kNames;
}

std::vector<ExecutorInfo> executorsOn(const Backend& backend) {
  std::vector<ExecutorInfo> found;
  for (const ExecutorInfo& executor : executorNames())
    if ((!executor.captures || backend.canCapture()) &&
        (executor.chains ? backend.canChain() : backend.missingCompiler().empty()))
      found.push_back(executor);
  return found;
}

namespace {

[[noreturn]] void refuse(std::string_view name) {
  std::string names;
  for (const ExecutorInfo& executor : executorNames())
    names += (names.empty() ? "" : ", ") + std::string(executor.name);
  throw std::invalid_argument("no executor called '" + std::string(name) + "'; there are " + names);
}

}  // namespace

std::unique_ptr<Executor> makeExecutor(std::string_view name, Backend& backend,
                                       SharedProgram program, ExecutorOptions options) {
  const auto known = executorNames();
  const auto wanted = std::ranges::find(known, name, &ExecutorInfo::name);
  if (wanted == known.end()) refuse(name);
  if (wanted->chains) {
    if (!backend.canChain())
      throw std::invalid_argument("the device " + std::string(backend.name()) +
                                  " cannot chain ops without compiling them");
    return std::make_unique<CompiledExecutor>(backend, std::move(program), Specialise::symbolic,
                                              options, Making::chained);
  }
  if (const std::string missing = backend.missingCompiler(); !missing.empty())
    throw std::invalid_argument(
        fmt::format("the device {} cannot compile kernels: {}", backend.name(), missing));
  const auto compiled = [&](Specialise specialise) {
    if (options.fastMath && !backend.hasFastMath())
      throw std::invalid_argument(fmt::format(
          "the device {} has no approximate functions: leave out fastMath", backend.name()));
    return std::make_unique<CompiledExecutor>(backend, program, specialise, options);
  };
  const auto replayed = [&](std::unique_ptr<Executor> inner) {
    return std::make_unique<ReplayExecutor>(backend, program, std::move(inner), options.recordings);
  };
  if (name == "eager") return std::make_unique<EagerExecutor>(backend, std::move(program));
  if (name == "static") return compiled(Specialise::exact);
  if (name == "dynamic") return compiled(Specialise::symbolic);
  if (name == "replay") return replayed(std::make_unique<EagerExecutor>(backend, program));
  if (name == "static+replay") return replayed(compiled(Specialise::exact));
  refuse(name);
}

}  // namespace fusebench
