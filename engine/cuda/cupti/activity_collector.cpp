// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/cupti/activity_collector.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <unordered_set>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/base/ticks.h"
#include "engine/cuda/cupti/cupti_errors.h"

namespace fusebench::cuda {
namespace {

constexpr std::align_val_t kBufferAlignment{64};  // CUPTI asks for 8
/// The most waits for late records. They take 1, 2, 4, ... milliseconds.
constexpr int kLatePatience = 6;

struct WantedActivity {
  std::uint32_t kind;
  bool needed;
  const char* what;
};
/// The driver's calls are what a kernel's correlation leads to. Kernels of graphs come one by one
/// only as long as graphs as such are not recorded.
constexpr WantedActivity kWantedActivities[] = {
    {kActivityDriver, true, toBeSaid("the driver's calls")},
    {kActivityRuntime, false, toBeSaid("calls of the CUDA runtime, which libraries use to launch")},
    {kActivityKernel, true, toBeSaid("kernels")},
    {kActivityCopy, false, toBeSaid("copies")},
    {kActivityFill, false, toBeSaid("fills")},
    {kActivityOverhead, false, toBeSaid("the recording's own overhead")}};

}  // namespace

std::atomic<ActivityCollector*> ActivityCollector::attached_ = nullptr;

void ActivityCollector::Free::operator()(std::uint8_t* buffer) const {
  ::operator delete(buffer, kBufferAlignment);
}

ActivityCollector::ActivityCollector(const CuptiFunctions& functions, std::uint32_t version,
                                     int mostBuffers)
    : functions_(functions), version_(version), mostBuffers_(mostBuffers) {}

ActivityCollector::~ActivityCollector() {
  ActivityCollector* self = this;
  attached_.compare_exchange_strong(self, nullptr);
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  arrived_.notify_all();
  if (parser_.joinable()) parser_.join();
}

const CollectorStatus& ActivityCollector::attach() {
  ActivityCollector* nobody = nullptr;
  if (!attached_.compare_exchange_strong(nobody, this)) {
    if (nobody != this) refuse(kCuptiOtherSubscriber);
    return status_;
  }
  parser_ = std::thread([this] { parse(); });
  const CuptiResult latency = functions_.enableLatencyTimestamps(1);
  if (const CuptiResult result = functions_.registerCallbacks(&requested, &completed);
      result != kCuptiSuccess) {
    refuse(result);
    return status_;
  }
  std::string without;
  for (const WantedActivity& wanted : kWantedActivities) {
    const CuptiResult result = functions_.enable(wanted.kind);
    if (result == kCuptiSuccess) continue;
    if (wanted.needed) {
      refuse(result);
      return status_;
    }
    without += fmt::format("{}{} ({})", without.empty() ? std::string_view() : said(", "),
                           said(wanted.what), cuptiErrorText(result));
  }
  status_ = {CollectorState::on, saying("launches are recorded"), ""};
  if (latency != kCuptiSuccess)
    degrade(
        saying("the time at which a launch was queued is not known: {}", cuptiErrorText(latency)));
  if (!without.empty()) degrade(saying("not recorded: {}", without));
  return status_;
}

/// The state that an error of attaching means, in words.
void ActivityCollector::refuse(CuptiResult result) {
  const std::string error = cuptiErrorText(result);
  switch (result) {
    case kCuptiOtherSubscriber:
      status_ = {CollectorState::busy, saying("another tool is already recording: {}", error),
                 saying("stop the profiler or debugger that this runs under (Nsight, another CUPTI "
                        "tool); CUDA_INJECTION64_PATH must not be set")};
      return;
    case kCuptiInsufficientPrivileges:
    case kCuptiVirtualPrivileges:
      status_ = {
          CollectorState::denied, saying("this user has no permission to record: {}", error),
          saying("set NVreg_RestrictProfilingToAdminUsers=0 for the kernel module nvidia and "
                 "reload it; a container needs CAP_SYS_ADMIN (docker run --cap-add SYS_ADMIN)")};
      return;
    case kCuptiNotInitialized:
      status_ = {CollectorState::off, saying("CUPTI and the driver do not fit together: {}", error),
                 saying("set FUSEBENCH_CUPTI to a libcupti that is not newer than the driver, and "
                        "remove the toolkit's stubs folder from LD_LIBRARY_PATH")};
      return;
    case kCuptiUnknown:
      status_ = {CollectorState::noDriver, saying("CUPTI finds no driver: {}", error),
                 saying("see whether nvidia-smi works")};
      return;
    default:
      status_ = {CollectorState::off, saying("CUPTI does not start: {}", error),
                 saying("nothing needs to be done: times do not depend on it; another version of "
                        "CUPTI may work (set FUSEBENCH_CUPTI to its file)")};
  }
}

void ActivityCollector::degrade(const std::string& why) {
  status_.found = status_.state == CollectorState::degraded
                      ? status_.found + saying("; ") + why
                      : saying("launches are recorded, but {}", why);
  status_.state = CollectorState::degraded;
}

void ActivityCollector::requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* records) {
  ActivityCollector* const collector = attached_;
  *buffer = collector ? collector->takeBuffer() : nullptr;
  *bytes = *buffer ? kBufferBytes : 0;
  *records = 0;  // as many as fit
}

std::uint8_t* ActivityCollector::takeBuffer() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    if (static_cast<int>(buffers_.size()) >= mostBuffers_ && version_ >= kMayRefuseBuffers)
      return nullptr;
    auto* const made =
        static_cast<std::uint8_t*>(::operator new(kBufferBytes, kBufferAlignment, std::nothrow));
    if (!made) return nullptr;
    buffers_.emplace_back(made);
    return made;
  }
  std::uint8_t* const buffer = free_.back();
  free_.pop_back();
  return buffer;
}

void ActivityCollector::completed(void*, std::uint32_t, std::uint8_t* buffer, std::size_t,
                                  std::size_t validBytes) {
  ActivityCollector* const collector = attached_;
  if (!collector || !buffer) return;
  {
    const std::lock_guard lock(collector->mutex_);
    collector->filled_.push_back({buffer, validBytes});
    ++collector->handedOver_;
  }
  collector->arrived_.notify_one();
}

void ActivityCollector::parse() {
  std::unique_lock lock(mutex_);
  while (true) {
    arrived_.wait(lock, [this] { return ending_ || !filled_.empty(); });
    if (filled_.empty()) return;
    const FilledBuffer buffer = filled_.front();
    filled_.pop_front();
    lock.unlock();
    Activities read;
    readBuffer(buffer.data, buffer.bytes, functions_.getNextRecord, read);
    lock.lock();
    collected_.add(std::move(read));
    free_.push_back(buffer.data);
    ++read_;
    caughtUp_.notify_all();
  }
}

/// Everything that is complete leaves CUPTI and is read. Records that other threads continue to
/// hand over are not awaited: there might be no end to it.
void ActivityCollector::flush() {
  functions_.flushAll(kFlushCompleted);
  std::unique_lock lock(mutex_);
  caughtUp_.wait(lock, [this, upTo = handedOver_] { return read_ >= upTo; });
}

std::uint64_t ActivityCollector::takeDropped() {
  std::size_t dropped = 0;
  return functions_.getDroppedRecords(nullptr, 0, &dropped) == kCuptiSuccess ? dropped : 0;
}

ClockReading ActivityCollector::readClocks() const {
  return fusebench::readClocks(
      [this] {
        std::uint64_t now = 0;
        functions_.getTimestamp(&now);
        return now;
      },
      steadyNanoseconds);
}

void ActivityCollector::begin() {
  flush();
  takeDropped();
  {
    const std::lock_guard lock(mutex_);
    collected_ = {};
  }
  begun_ = readClocks();
  from_ = 0;
}

void ActivityCollector::settle() {
  functions_.getTimestamp(&from_);
}

/// Launches of which nothing that ran on the device has come, beyond what is known to be lost.
std::uint64_t ActivityCollector::missing() const {
  const std::lock_guard lock(mutex_);
  std::unordered_set<std::uint32_t> ran;
  for (const DeviceWork& work : collected_.work) ran.insert(work.correlation);
  std::uint64_t count = 0;
  for (const ApiCall* call : launchesOf(collected_.calls))
    count += !ran.contains(call->correlation);
  const std::uint64_t lost = collected_.losses.total();
  return count > lost ? count - lost : 0;
}

Collected ActivityCollector::end() {
  flush();
  const auto noteDropped = [this] {
    const std::uint64_t dropped = takeDropped();
    const std::lock_guard lock(mutex_);
    collected_.losses.dropped += dropped;
  };
  noteDropped();
  // A thread of CUPTI's fills in the times of kernels, and may not have come to the last ones.
  std::uint64_t late = missing();
  for (int attempt = 0; late > 0 && attempt < kLatePatience; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1 << attempt));
    flush();
    noteDropped();
    late = missing();
  }
  Collected collected;
  collected.clocks = ClockBridge(begun_, readClocks());
  {
    const std::lock_guard lock(mutex_);
    collected.activities = std::exchange(collected_, {});
  }
  collected.activities.losses.missing = late;
  const auto unwanted = [this](const auto& each) { return each.start < from_; };
  std::erase_if(collected.activities.calls, unwanted);
  std::erase_if(collected.activities.work, unwanted);
  std::erase_if(collected.activities.overheads, unwanted);
  return collected;
}

/// Drivers have several functions of one name, told apart by a suffix.
std::string ActivityCollector::callName(const ApiCall& call) const {
  const char* name = nullptr;
  if (functions_.getCallbackName &&
      functions_.getCallbackName(call.runtime ? kRuntimeDomain : kDriverDomain, call.function,
                                 &name) == kCuptiSuccess &&
      name)
    return name;
  return fmt::format("{} call {}", call.runtime ? "runtime" : "driver", call.function);
}

}  // namespace fusebench::cuda
