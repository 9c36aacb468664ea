// SPDX-License-Identifier: GPL-3.0-or-later
// CUPTI's activity interface: records of what the double of the driver was asked and did, handed
// over as CUPTI does it, out of order, on a thread of its own.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "engine/cuda/cupti/cupti_abi.h"
#include "tests/doubles/cuda/activity_log.h"
#include "tests/doubles/cuda/driver_call.h"

using namespace fusebench::cuda;
using namespace fusebench::test;

namespace fusebench::test {
namespace {

constexpr std::uint64_t kTimeOfDay = 1'700'000'000'000'000'000;
constexpr std::uint32_t kProcess = 4711, kThread = 4712;

/// Bytes of a kernel's record by layout: Kernel5 to Kernel10.
std::size_t kernelBytes() {
  static constexpr std::size_t kBytes[] = {160, 168, 176, 200, 208, 216};
  return kBytes[std::clamp(Machine::get().control.faults.cuptiLayout, 5, 10) - 5];
}

template <class T>
void put(std::vector<unsigned char>& bytes, std::size_t place, T value) {
  std::memcpy(bytes.data() + place, &value, sizeof value);
}

std::vector<unsigned char> recordOf(std::uint32_t kind, std::size_t size) {
  std::vector<unsigned char> bytes(size);
  put(bytes, 0, kind);
  return bytes;
}

/// Times of a piece of device work, faulty where a fault is due.
void putTimes(std::vector<unsigned char>& bytes, std::int64_t start, std::int64_t end) {
  DoubleFaults& faults = Machine::get().control.faults;
  std::uint64_t from = timeOfDay(start), to = timeOfDay(end);
  if (faults.cuptiZero > 0) {
    --faults.cuptiZero;
    from = to = 0;
  } else if (faults.cuptiInvert > 0) {
    --faults.cuptiInvert;
    std::swap(from, to);
  }
  put(bytes, record::copy::start, from);  // kernels have them in the same place
  put(bytes, record::copy::end, to);
}

}  // namespace

std::uint64_t timeOfDay(std::int64_t virtualNanoseconds) {
  return kTimeOfDay + static_cast<std::uint64_t>(virtualNanoseconds);
}

ActivityLog& ActivityLog::get() {
  static auto* log = new ActivityLog;
  return *log;
}

void ActivityLog::add(std::vector<unsigned char> bytes, std::int64_t end, bool device) {
  int& due = Machine::get().control.faults.cuptiDrop;
  if (device && due > 0) {
    --due;
    ++dropped;
    return;
  }
  records.push_back({std::move(bytes), end, device});
}

void ActivityLog::endCall(std::uint32_t function, std::int64_t start, Result result) {
  if (!wants(kActivityDriver)) return;
  namespace place = record::call;
  const std::int64_t end = Machine::get().now();
  auto bytes = recordOf(kActivityDriver, place::bytes);
  put(bytes, place::function, function);
  put(bytes, place::start, timeOfDay(start));
  put(bytes, place::end, timeOfDay(end));
  put(bytes, place::process, kProcess);
  put(bytes, place::thread, kThread);
  put(bytes, place::correlation, correlation_);
  put(bytes, place::result, static_cast<std::uint32_t>(result));
  add(std::move(bytes), end, false);
}

void ActivityLog::kernel(const StreamState& stream, const KernelWork& work, std::int64_t start,
                         std::int64_t end, std::uint64_t node) {
  if (!wants(kActivityKernel)) return;
  namespace place = record::kernel;
  auto bytes = recordOf(kActivityKernel, kernelBytes());
  putTimes(bytes, start, end);
  put(bytes, place::registers, std::uint16_t{24});
  put(bytes, place::device, static_cast<std::uint32_t>(stream.device->number));
  put(bytes, place::context, std::uint32_t{1});
  put(bytes, place::stream, stream.number);
  put(bytes, place::grid, std::array<std::uint32_t, 3>{work.blocksX, work.blocksY, 1});
  put(bytes, place::block, std::array<std::uint32_t, 3>{work.threadsX, work.threadsY, 1});
  put(bytes, place::staticShared, std::uint32_t{128});
  put(bytes, place::correlation, correlation_);
  put(bytes, place::name, names_.insert(work.function->name).first->c_str());
  if (latency && node == 0) {
    const std::int64_t now = Machine::get().now();
    put(bytes, place::queued, timeOfDay(std::min(now, start)));
    put(bytes, place::submitted, timeOfDay(std::min(now + 100, start)));
  }
  put(bytes, place::graphNode, node);
  if (bytes.size() >= place::bytesWithGraph)
    put(bytes, place::graph, static_cast<std::uint32_t>(node >> 32));
  add(std::move(bytes), end, true);
}

void ActivityLog::copy(const StreamState& stream, bool fill, int direction, std::size_t amount,
                       std::int64_t start, std::int64_t end, std::uint64_t node) {
  if (!wants(fill ? kActivityFill : kActivityCopy)) return;
  namespace place = record::copy;
  auto bytes = recordOf(fill ? kActivityFill : kActivityCopy, fill ? 88 : 96);
  putTimes(bytes, start, end);
  if (!fill) put(bytes, place::direction, static_cast<std::uint8_t>(direction));
  put(bytes, place::amount, std::uint64_t{amount});
  put(bytes, place::device, static_cast<std::uint32_t>(stream.device->number));
  put(bytes, place::context, std::uint32_t{1});
  put(bytes, place::stream, stream.number);
  put(bytes, place::correlation, correlation_);
  put(bytes, place::graphNode, node);
  put(bytes, place::graph, static_cast<std::uint32_t>(node >> 32));
  add(std::move(bytes), end, true);
}

}  // namespace fusebench::test

namespace {

BufferRequested* requested = nullptr;
BufferCompleted* completed = nullptr;

struct Buffer {
  std::uint8_t* data = nullptr;
  std::size_t size = 0, used = 0;
};

Buffer requestBuffer() {
  Buffer buffer;
  std::size_t records = 0;
  requested(&buffer.data, &buffer.size, &records);
  return buffer;
}

void complete(const Buffer& buffer) {
  if (buffer.data) completed(nullptr, 0, buffer.data, buffer.size, buffer.used);
}

/// Fills buffers with these records and hands each over; returns how many found no room.
std::size_t deliver(const std::vector<LoggedRecord>& records) {
  std::size_t lost = 0;
  Buffer buffer;
  for (const LoggedRecord& record : records) {
    if (!buffer.data || buffer.used + record.bytes.size() > buffer.size) {
      complete(buffer);
      buffer = requestBuffer();
    }
    if (!buffer.data || record.bytes.size() > buffer.size) {
      ++lost;
      continue;
    }
    std::memcpy(buffer.data + buffer.used, record.bytes.data(), record.bytes.size());
    buffer.used += record.bytes.size();
  }
  complete(buffer);
  return lost;
}

/// In no order, but in the same one each time.
void shuffle(std::vector<LoggedRecord>& records) {
  std::uint64_t state = 12345;
  for (std::size_t i = records.size(); i > 1; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(records[i - 1], records[(state >> 33) % i]);
  }
}

/// The records that are due, which go from the log.
std::vector<LoggedRecord> takeDue(bool forced) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  ActivityLog& log = ActivityLog::get();
  const std::int64_t now = machine.now();
  const bool late = machine.control.faults.cuptiLate > 0;
  if (late) --machine.control.faults.cuptiLate;
  std::vector<LoggedRecord> due, left;
  for (LoggedRecord& record : log.records) {
    const bool over = record.end <= now && !(late && record.device);
    if (!over && forced) std::memset(record.bytes.data() + record::copy::end, 0, 8);
    (over || forced ? due : left).push_back(std::move(record));
  }
  log.records = std::move(left);
  return due;
}

std::vector<Buffer>& hoard() {
  static std::vector<Buffer> kept;
  return kept;
}

}  // namespace

EXPORTED CuptiResult cuptiGetVersion(std::uint32_t* version) {
  *version = static_cast<std::uint32_t>(Machine::get().control.faults.cuptiVersion);
  return kCuptiSuccess;
}

EXPORTED CuptiResult cuptiGetTimestamp(std::uint64_t* time) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  *time = timeOfDay(machine.now());
  return kCuptiSuccess;
}

EXPORTED CuptiResult cuptiGetCallbackName(int domain, std::uint32_t function, const char** name) {
  static const std::map<std::uint32_t, const char*> kNames = {
      {kCallLaunchKernel, "cuLaunchKernel"},
      {kCallGraphLaunch, "cuGraphLaunch"},
      {kCallBeginCapture, "cuStreamBeginCapture"},
      {kCallEndCapture, "cuStreamEndCapture"},
      {kLoggedStreamSynchronize, "cuStreamSynchronize"},
      {kLoggedFill, "cuMemsetD8Async"},
      {kLoggedHostToDevice, "cuMemcpyHtoDAsync_v2"},
      {kLoggedDeviceToHost, "cuMemcpyDtoHAsync_v2"},
      {kLoggedWithinDevice, "cuMemcpyDtoDAsync_v2"}};
  const auto found = kNames.find(function);
  if (domain != kDriverDomain || found == kNames.end()) return 1;
  *name = found->second;
  return kCuptiSuccess;
}

EXPORTED CuptiResult cuptiActivityRegisterCallbacks(BufferRequested* request,
                                                    BufferCompleted* complete) {
  if (!request || !complete) return 1;
  requested = request;
  completed = complete;
  hoard().clear();  // buffers of callbacks that were there before
  return kCuptiSuccess;
}

EXPORTED CuptiResult cuptiActivityEnableLatencyTimestamps(std::uint8_t enable) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  // Heeded only before the driver is started.
  if (!machine.initialized) ActivityLog::get().latency = enable != 0;
  return kCuptiSuccess;
}

EXPORTED CuptiResult cuptiActivityEnable(std::uint32_t kind) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  if (machine.control.faults.cuptiResult != 0) return machine.control.faults.cuptiResult;
  if (!requested) return 7;
  ActivityLog::get().enabled.insert(kind);
  return kCuptiSuccess;
}

EXPORTED CuptiResult cuptiActivityFlushAll(std::uint32_t flag) {
  if (!requested) return 7;
  std::vector<LoggedRecord> due = takeDue((flag & kFlushForced) != 0);
  int greedy = 0;
  {
    const std::lock_guard lock(Machine::get().mutex);
    greedy = std::exchange(Machine::get().control.faults.cuptiHoard, 0);
  }
  // Records of the host's calls are in other buffers than those of the device's work, since each
  // thread has its own buffers, and they come last.
  shuffle(due);
  std::stable_partition(due.begin(), due.end(), [](const LoggedRecord& r) { return r.device; });
  const auto split =
      std::find_if(due.begin(), due.end(), [](const LoggedRecord& r) { return !r.device; });
  const std::vector<LoggedRecord> device(due.begin(), split), host(split, due.end());
  std::size_t lost = 0;
  std::thread([&] {
    for (int i = 0; i < greedy; ++i) hoard().push_back(requestBuffer());
    lost = deliver(device) + deliver(host);
    if (greedy == 0)
      for (const Buffer& kept : std::exchange(hoard(), {})) complete(kept);
  }).join();
  const std::lock_guard lock(Machine::get().mutex);
  ActivityLog::get().dropped += lost;
  return kCuptiSuccess;
}

EXPORTED CuptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t validBytes,
                                                ActivityRecord** record) {
  auto* here = reinterpret_cast<std::uint8_t*>(*record);
  if (!here) {
    if (validBytes == 0) return kCuptiLimitReached;
    *record = reinterpret_cast<ActivityRecord*>(buffer);
    return kCuptiSuccess;
  }
  std::uint32_t kind = 0;
  std::memcpy(&kind, here, sizeof kind);
  switch (kind) {
    case kActivityKernel:
      here += kernelBytes();
      break;
    case kActivityCopy:
      here += 96;
      break;
    case kActivityFill:
      here += 88;
      break;
    case kActivityDriver:
      here += record::call::bytes;
      break;
    default:
      return 21;  // an unknown kind of record
  }
  if (here >= buffer + validBytes) return kCuptiLimitReached;
  *record = reinterpret_cast<ActivityRecord*>(here);
  return kCuptiSuccess;
}

EXPORTED CuptiResult cuptiActivityGetNumDroppedRecords(void*, std::uint32_t, std::size_t* dropped) {
  const std::lock_guard lock(Machine::get().mutex);
  *dropped = std::exchange(ActivityLog::get().dropped, 0);
  return kCuptiSuccess;
}
