// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the cost of a call by executor, program length and size, and the cost of a launch.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "tests/bench/study.h"

namespace fusebench {
namespace {

Backend& backend() {
  static const std::unique_ptr<Backend> made = makeCpuBackend();
  return *made;
}

Tensor input(const Shape& shape) {
  Tensor tensor = makeTensor(backend().allocator(), DType::float32, shape);
  auto* values = static_cast<float*>(tensor.data());
  for (std::int64_t i = 0; i < elementCount(shape); ++i)
    values[i] = static_cast<float>(std::sin(0.37 * static_cast<double>(i)) * 2);
  return tensor;
}

void call(benchmark::State& state, const char* name, const Program& program) {
  backend().setThreads(static_cast<int>(state.range(2)));
  const auto executor = makeExecutor(name, backend(), program);
  const std::vector<Tensor> inputs{input({state.range(1), 16})};
  executor->call(inputs);
  const std::uint64_t launches = backend().launches();
  for (auto _ : state) benchmark::DoNotOptimize(executor->call(inputs).data());
  const auto calls = static_cast<double>(state.iterations());
  state.counters["launches"] = static_cast<double>(backend().launches() - launches) / calls;
  state.SetItemsProcessed(state.iterations() * state.range(1) * 16);
  backend().setThreads(1);
}

void BM_Study(benchmark::State& state, const char* name) {
  call(state, name, firstStatements(studyProgram(), static_cast<int>(state.range(0))));
}

void studyArguments(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"statements", "rows", "threads"});
  for (int statements : {1, 5, 10, 30}) bench->Args({statements, 8, 1});
  for (int rows : {256, 65536}) bench->Args({30, rows, 1});
  bench->Args({30, 65536, 2});
}
BENCHMARK_CAPTURE(BM_Study, eager, "eager")->Apply(studyArguments)->UseRealTime();
BENCHMARK_CAPTURE(BM_Study, static, "static")->Apply(studyArguments)->UseRealTime();
BENCHMARK_CAPTURE(BM_Study, dynamic, "dynamic")->Apply(studyArguments)->UseRealTime();
BENCHMARK_CAPTURE(BM_Study, instant, "instant")->Apply(studyArguments)->UseRealTime();

void BM_OneOp(benchmark::State& state, const char* text) {
  call(state, "eager", parseProgram(text));
}
BENCHMARK_CAPTURE(BM_OneOp, add, "return x + 0.1")->Args({0, 8, 1})->Args({0, 256, 1});
BENCHMARK_CAPTURE(BM_OneOp, exp, "return torch.exp(x)")->Args({0, 8, 1})->Args({0, 256, 1});
BENCHMARK_CAPTURE(BM_OneOp, sin, "return torch.sin(x)")->Args({0, 8, 1})->Args({0, 256, 1});
BENCHMARK_CAPTURE(BM_OneOp, sigmoid, "return torch.sigmoid(x)")->Args({0, 8, 1})->Args({0, 256, 1});
BENCHMARK_CAPTURE(BM_OneOp, sum, "return x.sum()")->Args({0, 8, 1})->Args({0, 256, 1});

/// Compiling 30 statements with nothing cached.
void BM_Compile(benchmark::State& state, const char* name) {
  const Program program = firstStatements(studyProgram(), static_cast<int>(state.range(0)));
  const std::vector<Tensor> inputs{input({8, 16})};
  backend().useDiskCache(false);
  for (auto _ : state) {
    backend().forgetKernels();
    const auto executor = makeExecutor(name, backend(), program);
    executor->call(inputs);
  }
  backend().useDiskCache(true);
}
BENCHMARK_CAPTURE(BM_Compile, static, "static")
    ->Arg(1)
    ->Arg(10)
    ->Arg(30)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Compile, eager, "eager")->Arg(30)->Unit(benchmark::kMillisecond);

/// From a program to its first result with all pieces in memory, and how much of that is building:
/// what `instant` costs where others compile.
void BM_Build(benchmark::State& state, const char* name) {
  const SharedProgram program =
      shared(firstStatements(studyProgram(), static_cast<int>(state.range(0))));
  const std::vector<Tensor> inputs{input({8, 16})};
  makeExecutor(name, backend(), program)->call(inputs);
  CompileTimes times;
  for (auto _ : state) {
    const auto executor = makeExecutor(name, backend(), program);
    executor->call(inputs);
    times += executor->statistics().compiles.front().times;
  }
  const auto each = [&](std::int64_t nanoseconds) {
    return static_cast<double>(nanoseconds) / static_cast<double>(state.iterations());
  };
  state.counters["trace_ns"] = each(times.specialize);
  state.counters["fusion_ns"] = each(times.fusion);
  state.counters["codegen_ns"] = each(times.codegen);
  state.counters["load_ns"] = each(times.load);
  state.counters["first_launch_ns"] = each(times.firstLaunch);
}
BENCHMARK_CAPTURE(BM_Build, instant, "instant")->Arg(1)->Arg(10)->Arg(30);

}  // namespace
}  // namespace fusebench
