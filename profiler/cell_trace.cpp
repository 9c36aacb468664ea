// SPDX-License-Identifier: GPL-3.0-or-later
// The traced pass of a cell: the same calls as are timed, with marks.
#include <algorithm>
#include <utility>

#include "profiler/cell_runner.h"
#include "profiler/clock.h"
#include "profiler/stamp_cost.h"

namespace fusebench {
namespace {

/// Room for marks: some 24 MB, eager's of 30 statements for 5,000 calls.
constexpr std::size_t kMarks = std::size_t{1} << 20;
/// Recorded calls and plain ones take turns in blocks of about this long.
constexpr std::int64_t kBlockNanoseconds = 200'000;
constexpr int kMostBlocks = 51;
constexpr std::size_t kRecordedCalls = 10;
constexpr int kRecordedRounds = 6;
constexpr std::int64_t kEnoughNanoseconds = 150'000'000;

/// Marks go to a recorder as long as this lives.
class Recording {
 public:
  Recording(Backend& backend, Recorder& recorder) : backend_(backend) {
    backend.setRecorder(&recorder);
  }
  ~Recording() { backend_.setRecorder(nullptr); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  Backend& backend_;
};

}  // namespace

void CellRunner::markedCall(Recorder& recorder, const std::vector<Tensor>& inputs) {
  recorder.mark(CallPart::guard);
  executor_->call(inputs);
  recorder.mark(CallPart::wait);
  backend_.synchronise();
  recorder.mark(CallPart::outside);
}

/// Of each launch of a call, as far as they are the same for all inputs.
std::vector<std::vector<int>> CellRunner::launchedStatements() {
  std::vector<std::vector<int>> statements;
  for (const Kernel& kernel : executor_->kernels(list_->entries.front()))
    statements.push_back(kernel.statements);
  return statements;
}

RecordedCalls CellRunner::record() {
  if (!executor_) throw std::logic_error("the cell is not prepared");
  chooseThreads();
  list_ = inputs_.get(key_);
  untimedPass();
  giveWay();
  // Both beforehand: making one would leave the caches cold.
  Recorder best(Recorder::Level::split, backend_.threads(), kMarks / 8);
  Recorder now(Recorder::Level::split, backend_.threads(), kMarks / 8);
  const auto callAll = [&] {
    for (std::size_t call = 0; call < kRecordedCalls; ++call)
      markedCall(now, list_->entries[call % list_->entries.size()]);
  };
  const auto taken = [](const Recorder& recorder) {
    const auto marks = recorder.marks(0);
    return marks.empty() ? ~std::uint64_t{0} : marks.back().ticks - marks.front().ticks;
  };
  for (int round = 0; round < kRecordedRounds; ++round) {
    giveWay();
    const Recording recording(backend_, now);
    now.clear();
    callAll();  // warms up what only recording uses
    now.clear();
    callAll();
    if (taken(now) < taken(best)) std::swap(now, best);
  }
  RecordedCalls calls = recordedCalls(best, ticksPerNanosecond(), launchedStatements());
  calls.stampNanoseconds = stampNanoseconds(backend_);
  return calls;
}

CallAnatomy CellRunner::trace() {
  if (!executor_) throw std::logic_error("the cell is not prepared");
  chooseThreads();
  list_ = inputs_.get(key_);
  const std::size_t inputs = list_->entries.size();
  const double stamp = stampNanoseconds(backend_);
  untimedPass();
  giveWay();
  const std::int64_t perPass = std::max<std::int64_t>(timedPasses(1), 1);
  const std::int64_t passes = std::max<std::int64_t>(kBlockNanoseconds / perPass, 1);

  Recorder recorder(Recorder::Level::split, backend_.threads(), kMarks);
  std::size_t marksPerPass = 0;
  std::vector<double> plain;  // time of a call, per block
  const std::int64_t start = nowNanoseconds();
  for (int block = 0; block < kMostBlocks; ++block) {
    giveWay();
    if (block > 0 && nowNanoseconds() - start > kEnoughNanoseconds) break;
    {
      const Recording recording(backend_, recorder);
      for (std::int64_t pass = 0; pass < passes; ++pass) {
        if (recorder.room() < marksPerPass) break;
        const std::size_t before = recorder.room();
        for (const auto& entry : list_->entries) markedCall(recorder, entry);
        marksPerPass = std::max(marksPerPass, before - recorder.room());
      }
    }
    const auto calls = static_cast<double>(passes) * static_cast<double>(inputs);
    plain.push_back(static_cast<double>(timedPasses(passes)) / calls);
  }
  CallAnatomy anatomy = anatomyOf(callsIn(recorder.marks(0), inputs), ticksPerNanosecond(), stamp,
                                  launchedStatements());
  const auto middle = plain.begin() + static_cast<std::ptrdiff_t>(plain.size() / 2);
  std::nth_element(plain.begin(), middle, plain.end());
  anatomy.untracedNanoseconds = *middle;
  anatomy.lost = recorder.lost();
  return anatomy;
}

}  // namespace fusebench
