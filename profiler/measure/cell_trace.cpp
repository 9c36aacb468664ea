// SPDX-License-Identifier: GPL-3.0-or-later
// The traced pass of a cell: the same calls as are timed, with marks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/base/saying.h"
#include "engine/base/ticks.h"
#include "engine/plan/lowering.h"
#include "engine/plan/storages.h"
#include "profiler/machine/clock.h"
#include "profiler/measure/cell_runner.h"
#include "profiler/measure/device_passes.h"
#include "profiler/measure/device_recording.h"
#include "profiler/measure/rank_clock.h"
#include "profiler/measure/stamp_cost.h"

namespace fusebench {
namespace {

/// Room for marks: about 24 MB, those of eager with 30 statements for 5,000 calls.
constexpr std::size_t kMarks = std::size_t{1} << 20;
/// Recorded calls and plain ones take turns in blocks of about this long.
constexpr std::int64_t kBlockNanoseconds = 200'000;
constexpr int kMostBlocks = 51;
constexpr std::size_t kRecordedCalls = 10;
/// Rounds of them: the middle one is shown.
constexpr std::size_t kLeastRounds = 7, kMostRounds = 51;
constexpr std::int64_t kEnoughNanoseconds = 150'000'000;

/// Per step: the statements that its ops belong to, in order; -1 is the return.
std::vector<std::vector<int>> statementsOf(const Plan& plan) {
  std::vector<std::vector<int>> statements;
  for (const Step& step : plan.steps) {
    std::vector<int>& own = statements.emplace_back();
    for (const int op : step.group.ops) {
      const int statement = plan.program->ops[static_cast<std::size_t>(op)].statement;
      if (own.empty() || own.back() != statement) own.push_back(statement);
    }
  }
  return statements;
}

/// Where the host only hands kernels over its marks do not name them.
void nameLaunches(CallAnatomy& anatomy, const Plan& plan) {
  for (std::size_t i = 0; i < anatomy.launches.size(); ++i) {
    std::string& name = anatomy.launches[i].kernel;
    if (!name.empty()) continue;
    if (anatomy.launches.size() == plan.steps.size())
      name = kernelName(*plan.program, plan.steps[i].group.ops);
    else if (anatomy.launches.size() == 1)
      name = saying("replay of {} kernels", plan.steps.size());
  }
}

}  // namespace

void CellRunner::markedCall(Recorder& recorder, const std::vector<Tensor>& inputs) {
  beginCall(inputs);
  recorder.mark(CallPart::guard);
  executor_->call(inputs);
  recorder.mark(CallPart::wait);
  backend_.synchronize();
  recorder.mark(CallPart::outside);
}

/// The plan that call number `call` of a pass runs.
Plan CellRunner::planOfCall(std::size_t call) const {
  return executor_->plan(list_->entries[call % list_->entries.size()]);
}

RecordedCalls CellRunner::record(Recorder::Level level) {
  if (!executor_) throw std::logic_error("the cell is not prepared");
  chooseThreads();
  takeInputs();
  untimedPass();
  giveWay();
  DeviceRecording device(backend_);
  const std::size_t notes = device.collects() ? kMarks / 8 : 0;
  Recorder recorder(level, backend_.threads(), kMarks / 8, notes);
  const auto callAll = [&] {
    for (std::size_t call = 0; call < kRecordedCalls; ++call)
      markedCall(recorder, list_->entries[call % list_->entries.size()]);
  };
  std::vector<RecordedCalls> rounds;
  std::vector<double> origins;  // when each began, by this process' clock
  const auto now = [] { return static_cast<double>(ticks()) / ticksPerNanosecond(); };
  const bool several = ranks_ && ranks_->size() > 1;
  const ClockPing before = several ? pingClocks(*ranks_, now) : ClockPing{};
  const std::int64_t start = nowNanoseconds();
  while (
      rounds.size() < kLeastRounds ||
      (rounds.size() < kMostRounds && agreed(nowNanoseconds() - start < kEnoughNanoseconds) != 0)) {
    giveWay();
    {
      const RecorderScope scope(backend_, &recorder);
      recorder.clear();
      callAll();  // warms up what only recording uses, and what writing down the last round left
      recorder.clear();
      device.begin();
      markedCall(recorder, list_->entries.front());
      recorder.clear();
      device.settle();
      callAll();
      device.end();
    }
    rounds.push_back(recordedCalls(recorder, ticksPerNanosecond(), {}));
    const auto marks = recorder.marks(0);
    origins.push_back(
        marks.empty() ? 0 : static_cast<double>(marks.front().ticks) / ticksPerNanosecond());
    device.addTo(rounds.back(), recorder);
  }
  // All ranks show the same round.
  const auto usual =
      static_cast<std::size_t>(agreed(static_cast<std::int64_t>(usualPlace(rounds))));
  RecordedCalls calls = std::move(rounds[usual]);
  calls.recordings = static_cast<int>(rounds.size());
  if (several) {
    const RankClock clock = rankClockOf(before, pingClocks(*ranks_, now));
    const double begin = clock.atFirst(origins[usual]);
    double first = begin;
    ranks_->broadcast(&first, sizeof first, 0);
    calls.place = {ranks_->rank(), ranks_->size(), std::llround(begin - first), clock.drift,
                   std::llround(std::ceil(clock.error))};
  }
  calls.statements = statementsOf(planOfCall(0));
  calls.bytes = bytesOfCalls();
  calls.stampNanoseconds = stampNanoseconds(backend_);
  return calls;
}

/// The bytes that the launches of the recorded calls read and write, by their plans.
std::vector<ExecutionBytes> CellRunner::bytesOfCalls() const {
  std::vector<ExecutionBytes> bytes;
  for (std::size_t call = 0; call < kRecordedCalls; ++call) {
    const auto& inputs = list_->entries[call % list_->entries.size()];
    const Plan plan = planOfCall(call);
    const std::vector<StepCost> costs =
        costsOf(plan, symbolsOf(plan, executor_->formsOfPlan(inputs)));
    for (std::size_t step = 0; step < costs.size(); ++step)
      bytes.push_back({costs[step].bytes.read, costs[step].bytes.written,
                       static_cast<std::int32_t>(step), static_cast<std::uint16_t>(call), 0});
  }
  return bytes;
}

/// What a call takes without marks, otherwise as the marked ones are made: each is waited for.
double CellRunner::plainCall(std::int64_t passes) {
  if (timer_)
    return isolatedPasses(backend_, *executor_, *list_, nullptr, passes, /*flush=*/false,
                          [this](const std::vector<Tensor>& inputs) { beginCall(inputs); })
        .perCall();
  const auto calls = static_cast<double>(passes) * static_cast<double>(list_->entries.size());
  return static_cast<double>(timedPasses(passes, *list_)) / calls;
}

CallAnatomy CellRunner::trace() {
  if (!executor_) throw std::logic_error("the cell is not prepared");
  chooseThreads();
  takeInputs();
  const std::size_t inputs = list_->entries.size();
  const double stamp = stampNanoseconds(backend_);
  untimedPass();
  giveWay();
  const std::int64_t perPass = std::max<std::int64_t>(timedPasses(1, *list_), 1);
  const std::int64_t passes = agreed(std::max<std::int64_t>(kBlockNanoseconds / perPass, 1));

  Recorder recorder(Recorder::Level::split, backend_.threads(), kMarks);
  std::size_t marksPerPass = 0;
  std::vector<double> plain;  // time of a call, per block
  const std::int64_t start = nowNanoseconds();
  for (int block = 0; block < kMostBlocks; ++block) {
    giveWay();
    if (agreed(block > 0 && nowNanoseconds() - start > kEnoughNanoseconds) != 0) break;
    {
      const RecorderScope scope(backend_, &recorder);
      for (std::int64_t pass = 0; pass < passes; ++pass) {
        if (agreed(recorder.room() < marksPerPass) != 0) break;
        const std::size_t before = recorder.room();
        for (const auto& entry : list_->entries) markedCall(recorder, entry);
        marksPerPass = std::max(marksPerPass, before - recorder.room());
      }
    }
    plain.push_back(plainCall(passes));
  }
  const Plan plan = planOfCall(0);
  CallAnatomy anatomy = anatomyOf(callsIn(recorder.marks(0), inputs), ticksPerNanosecond(), stamp,
                                  statementsOf(plan));
  nameLaunches(anatomy, plan);
  const auto middle = plain.begin() + static_cast<std::ptrdiff_t>(plain.size() / 2);
  std::nth_element(plain.begin(), middle, plain.end());
  anatomy.untracedNanoseconds = *middle;
  anatomy.lost = recorder.lost();
  return anatomy;
}

}  // namespace fusebench
