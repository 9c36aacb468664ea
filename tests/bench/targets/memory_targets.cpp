// SPDX-License-Identifier: GPL-3.0-or-later
// Memory-bound work, and how it scales to two threads.
#include <cstring>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "tests/bench/study.h"
#include "tests/bench/targets/hand_written.h"
#include "tests/bench/targets/measure.h"

namespace fusebench::targets {
namespace {

using Want = Target::Want;

/// A copy of the study on a backend of its own, to be run by a thread of its own.
class Copy {
 public:
  Copy(int statements, std::int64_t rows)
      : backend_(makeCpuBackend()),
        executor_(makeExecutor("static", *backend_, firstStatements(studyProgram(), statements))),
        inputs_{filled(*backend_, {rows, 16})} {}
  void call() { executor_->call(inputs_); }

 private:
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Executor> executor_;
  std::vector<Tensor> inputs_;
};

/// The study on several backends in turn, each with its own machine code and memory. Their
/// addresses change a call of 45 ns by a few percent, which must not affect the comparison.
Contender inTurn(std::string name, const std::vector<std::unique_ptr<Backend>>& backends,
                 int statements, std::int64_t rows) {
  std::vector<Contender> places;
  for (const auto& backend : backends)
    places.push_back(study(name, *backend, "static", statements, rows));
  return {std::move(name), [places = std::move(places)](std::int64_t calls) {
            const auto count = static_cast<std::int64_t>(places.size());
            const std::int64_t each = (calls + count - 1) / count;
            double taken = 0;
            for (const Contender& place : places) taken += place.run(each);
            return taken * static_cast<double>(calls) / static_cast<double>(each * count);
          }};
}

std::vector<std::unique_ptr<Backend>> backendsWith(int threads, int count) {
  std::vector<std::unique_ptr<Backend>> made;
  for (int i = 0; i < count; ++i) {
    made.push_back(makeCpuBackend());
    made.back()->setThreads(threads);
  }
  return made;
}

}  // namespace

void memoryBound(Bench& bench) {
  const std::string group = "4 memory-bound, 64 Mi elements";
  constexpr std::int64_t kElements = 64 << 20;
  const Tensor x = filled(bench.backend, {kElements});
  Tensor copied = makeTensor(bench.backend.allocator(), DType::float32, {kElements});
  const Rounds rounds(
      {executing("chain", bench.backend, "static",
                 parseProgram("x = x * 1.5\nx = x + 0.1\nx = torch.relu(x)\nreturn x"), {x}),
       calling("copy", [&] { std::memcpy(copied.data(), x.data(), kElements * sizeof(float)); }),
       executing("sum", bench.backend, "static", parseProgram("return x.sum()"), {x}),
       calling("read",
               [&] {
                 volatile float kept =
                     handWrittenSum(static_cast<const float*>(x.data()), kElements);
                 static_cast<void>(kept);
               })},
      bench.seconds, 0.05);
  bench.targets.push_back({.group = group,
                           .what = "3 cheap ops: share of copy bandwidth",
                           .want = Want::atLeast,
                           .limit = 0.9,
                           .found = rounds.ratio("copy", "chain"),
                           .note = "Copy: the C library's memcpy of the same tensor, into memory "
                                   "that is there. Read: a hand-written sum."});
  bench.targets.push_back({.group = group,
                           .what = "sum: share of read bandwidth",
                           .want = Want::atLeast,
                           .limit = 0.9,
                           .found = rounds.ratio("read", "sum")});
}

void threads(Bench& bench) {
  const std::string group = "5 two threads";
  if (std::thread::hardware_concurrency() < 2) {
    bench.targets.push_back({.group = group, .what = "scaling", .found = {}, .note = "one core"});
    return;
  }
  const auto two = makeCpuBackend();
  two->setThreads(2);
  for (const std::int64_t rows : {std::int64_t{1} << 16, std::int64_t{1} << 18}) {
    Copy left(30, rows), right(30, rows);
    left.call();
    right.call();
    const Rounds rounds({study("two threads", *two, "static", 30, rows),
                         calling("two copies",
                                 [&] {
                                   std::thread other([&] { right.call(); });
                                   left.call();
                                   other.join();
                                 })},
                        bench.seconds);
    Estimate share = rounds.ratio("two copies", "two threads");
    for (double* part : {&share.value, &share.low, &share.high}) *part /= 2;
    bench.targets.push_back(
        {.group = group,
         .what = fmt::format("share of two copies' throughput, {} Mi elements", rows >> 16),
         .want = Want::atLeast,
         .limit = 0.9,
         .found = share});
  }
  for (const std::int64_t rows : {8, 256, 1024, 4096, 16384, 65536}) {
    const int places = rows == 8 ? 5 : 1;
    const auto twos = backendsWith(2, places), ones = backendsWith(1, places);
    for (const int statements : {2, 30}) {
      const Rounds rounds(
          {inTurn("two", twos, statements, rows), inTurn("one", ones, statements, rows)},
          0.25 * bench.seconds);
      bench.targets.push_back(
          {.group = group,
           .what = fmt::format("two / one, {} statements, ({}, 16)", statements, rows),
           .limit = 1.03,
           .found = rounds.ratio("two", "one")});
    }
  }
}

}  // namespace fusebench::targets
