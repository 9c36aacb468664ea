// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/doubles/cuda/machine.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <sstream>

#include "tests/doubles/cuda/activity_log.h"
#include "tests/doubles/cuda/fibers.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, bytes) (static_cast<void>(at), static_cast<void>(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) (static_cast<void>(at), static_cast<void>(bytes))
#endif

namespace fusebench::test {
namespace {

constexpr unsigned char kFresh = 0xcb,
                        kGone = 0xdd;  // memory that nobody has written, that is freed
constexpr unsigned char kGuard = 0xa5;
constexpr std::size_t kGuardBytes = 256;  // also the alignment that cuMemAlloc promises

constexpr Result kIllegalAddress = 700, kLaunchFailed = 719;
constexpr Result kCaptureUnsupported = 900, kCaptureInvalidated = 901;

/// Sets members from an environment variable such as "launch=3000 event=200".
template <class Number>
void setFromEnvironment(const char* variable, const std::map<std::string, Number*>& members) {
  const char* text = std::getenv(variable);
  std::istringstream words(text ? text : "");
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const auto member = members.find(word.substr(0, equals));
    if (equals == std::string::npos || member == members.end()) {
      std::fprintf(stderr, "%s: what is %s?\n", variable, word.c_str());
      std::abort();
    }
    *member->second = static_cast<Number>(std::atoll(word.c_str() + equals + 1));
  }
}

DoubleCosts costsOfEnvironment() {
  DoubleCosts costs;
  setFromEnvironment<std::int64_t>("FUSEBENCH_DOUBLE_COSTS", {{"launch", &costs.launch},
                                                              {"graphLaunch", &costs.graphLaunch},
                                                              {"synchronize", &costs.synchronize},
                                                              {"kernel", &costs.kernel},
                                                              {"graphNode", &costs.graphNode},
                                                              {"event", &costs.event},
                                                              {"copy", &costs.copy},
                                                              {"fill", &costs.fill},
                                                              {"compilation", &costs.compilation}});
  return costs;
}

void setCuptiFaults(DoubleFaults& faults) {
  setFromEnvironment<int>("FUSEBENCH_DOUBLE_CUPTI", {{"result", &faults.cuptiResult},
                                                     {"drop", &faults.cuptiDrop},
                                                     {"zero", &faults.cuptiZero},
                                                     {"invert", &faults.cuptiInvert},
                                                     {"hoard", &faults.cuptiHoard},
                                                     {"late", &faults.cuptiLate},
                                                     {"layout", &faults.cuptiLayout},
                                                     {"version", &faults.cuptiVersion}});
}

}  // namespace

int environmentNumber(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? std::atoi(text) : otherwise;
}

ModuleState::~ModuleState() {
  for (const auto& function : functions) Machine::get().functions.erase(function.get());
  if (library) dlclose(library);
}

Machine& Machine::get() {
  static auto* machine = new Machine;  // outlives everything, as a driver does
  return *machine;
}

Machine::Machine() {
  devices.resize(static_cast<std::size_t>(environmentNumber("FUSEBENCH_DOUBLE_DEVICES", 2)));
  for (std::size_t i = 0; i < devices.size(); ++i) devices[i].number = static_cast<int>(i);
  control.faults.execution = environmentNumber("FUSEBENCH_DOUBLE_EXECUTION", 0);
  control.faults.order = static_cast<unsigned>(environmentNumber("FUSEBENCH_DOUBLE_ORDER", 0));
  control.faults.throttledReadings = environmentNumber("FUSEBENCH_DOUBLE_THROTTLED", 0);
  setCuptiFaults(control.faults);
  control.costs = costsOfEnvironment();
  startRealTime();
  control.liveBlocks = [] { return static_cast<std::uint64_t>(get().allocations.size()); };
  control.liveBytes = [] {
    std::uint64_t bytes = 0;
    for (const auto& [address, allocation] : get().allocations) bytes += allocation.bytes;
    return bytes;
  };
  control.liveObjects = [] {
    const Machine& m = get();
    std::uint64_t held = m.streams.all.size() + m.events.all.size() + m.modules.all.size() +
                         m.graphs.all.size() + m.graphExecs.all.size() + m.pools.all.size() +
                         m.libraryObjects;
    for (const DeviceState& device : m.devices)
      held += static_cast<std::uint64_t>(device.contextHolders);
    return held;
  };
  control.pendingOperations = [] {
    std::uint64_t pending = 0;
    for (const auto& [handle, stream] : get().streams.all) pending += stream->queue.size();
    return pending;
  };
  control.reset = [] {
    Machine& m = get();
    const std::lock_guard lock(m.mutex);
    m.control.faults = {};
    m.control.costs = {};
    m.control.counts = {};
    m.control.hostNanoseconds = 0;
    m.startRealTime();
    ActivityLog::get().clear();
    for (DeviceState& device : m.devices) device.poison = 0;
    for (const auto& [handle, stream] : m.streams.all) {
      stream->readyAt = 0;
      stream->stall.reset();
    }
  };
}

DeviceState*& Machine::current() {
  static thread_local DeviceState* device = nullptr;
  return device;
}

bool Machine::strikes(int DoubleFaults::*fault) {
  int& left = control.faults.*fault;
  if (left == 0 || --left > 0) return false;
  if (control.faults.lasting) left = 1;
  return true;
}

std::size_t Machine::freeBytes(const DeviceState& device) const {
  std::size_t used = 0;
  for (const auto& [address, allocation] : allocations)
    if (allocation.device == &device && !allocation.host) used += allocation.bytes;
  return used < kDeviceBytes ? kDeviceBytes - used : 0;
}

Result Machine::allocate(cuda::DevicePointer* address, std::size_t bytes, bool host) {
  if (bytes == 0) return 1;
  if (!host) {
    ++control.counts.allocations;
    if (strikes(&DoubleFaults::allocation) || bytes > freeBytes(*current()))
      return cuda::kOutOfMemory;
  }
  auto* memory = static_cast<unsigned char*>(
      ::operator new (bytes + 2 * kGuardBytes, std::align_val_t{kGuardBytes}, std::nothrow));
  if (!memory) return cuda::kOutOfMemory;
  std::memset(memory, kGuard, kGuardBytes);
  std::memset(memory + kGuardBytes, kFresh, bytes);
  std::memset(memory + kGuardBytes + bytes, kGuard, kGuardBytes);
  ASAN_POISON_MEMORY_REGION(memory, kGuardBytes);
  ASAN_POISON_MEMORY_REGION(memory + kGuardBytes + bytes, kGuardBytes);
  const auto at = reinterpret_cast<std::uintptr_t>(memory + kGuardBytes);
  allocations[at] = {bytes, current(), host};
  *address = at;
  return 0;
}

Result Machine::release(std::uintptr_t address) {
  const auto found = allocations.find(address);
  if (found == allocations.end()) return 1;
  auto* data = reinterpret_cast<unsigned char*>(address);
  const std::size_t bytes = found->second.bytes;
  ASAN_UNPOISON_MEMORY_REGION(data - kGuardBytes, bytes + 2 * kGuardBytes);
  const auto whole = [](const unsigned char* guard) {
    return std::all_of(guard, guard + kGuardBytes, [](unsigned char c) { return c == kGuard; });
  };
  if (!whole(data - kGuardBytes) || !whole(data + bytes)) ++control.counts.overruns;
  std::memset(data, kGone, bytes);
  ::operator delete (data - kGuardBytes, std::align_val_t{kGuardBytes});
  allocations.erase(found);
  return 0;
}

bool Machine::isPinned(const void* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  auto after = allocations.upper_bound(at);
  if (after == allocations.begin()) return false;
  --after;
  return after->second.host && at < after->first + after->second.bytes;
}

bool Machine::inDeviceMemory(std::uintptr_t address, std::size_t bytes) const {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin()) return false;
  --after;
  const auto& [begin, allocation] = *after;
  return !allocation.host && !allocation.given && address - begin <= allocation.bytes &&
         bytes <= allocation.bytes - (address - begin);
}

bool Machine::forbiddenByCapture() {
  bool forbidden = false;
  for (const auto& [handle, stream] : streams.all)
    if (stream->capture && stream->captureForbids) forbidden = stream->captureSpoilt = true;
  return forbidden;
}

/// Puts work into the stream's queue, or into the graph that is being captured.
Result Machine::enqueue(StreamState& stream, Operation operation, std::int64_t deviceNanoseconds) {
  if (stream.capture) {
    if (stream.captureSpoilt) return kCaptureInvalidated;
    const std::size_t index = stream.capture->nodes.size();
    operation.node = std::uint64_t{stream.capture->number} << 32 | index;
    stream.capture->nodes.push_back(std::make_unique<Operation>(std::move(operation)));
    stream.captureTail = {stream.capture->nodes.back().get()};
    return 0;
  }
  const std::int64_t start = startIn(stream);
  if (deviceNanoseconds > 0) stream.readyAt = start + deviceNanoseconds;
  log(stream, operation, start, start + deviceNanoseconds);
  stream.queue.push_back(std::move(operation));
  return 0;
}

Result Machine::enqueueKernel(StreamState& stream, KernelWork work) {
  if (strikes(&DoubleFaults::launch)) return control.faults.launchResult;
  const DoubleCosts& costs = control.costs;
  std::int64_t taken = 0;
  if (!stream.capture) {
    work.stray = foreignPointer(*stream.device, work, true);
    ++control.counts.launches;
    spend(costs.launch);
    taken = costs.kernel + work.nanoseconds +
            static_cast<std::int64_t>(costs.perThread * work.threads());
  }
  return enqueue(stream, {true, std::move(work), {}}, taken);
}

Result Machine::launchGraph(GraphExecState& graph, StreamState& stream) {
  if (stream.capture) {
    stream.captureSpoilt = true;
    return kCaptureUnsupported;
  }
  const DoubleCosts& costs = control.costs;
  ++control.counts.graphLaunches;
  spend(costs.graphLaunch);
  stream.readyAt = startIn(stream);
  for (const Operation& node : graph.nodes) {
    const std::int64_t start = stream.readyAt;
    if (node.isKernel)
      stream.readyAt +=
          costs.graphNode + static_cast<std::int64_t>(costs.perThread * node.kernel.threads());
    log(stream, node, start, stream.readyAt);
    stream.queue.push_back(node);
  }
  return 0;
}

Result Machine::holdBack(StreamState& stream, const KernelWork& work) {
  if (stream.capture || stream.stall) return kCaptureUnsupported;
  ++control.counts.launches;
  ++control.counts.kernelsRun;
  spend(control.costs.launch);
  std::uintptr_t words[3] = {};
  for (std::size_t i = 0; i < 3; ++i)
    std::memcpy(&words[i], work.arguments[i].data(), sizeof words[i]);
  if (!isPinned(reinterpret_cast<void*>(words[0])) || !isPinned(reinterpret_cast<void*>(words[1])))
    stream.device->poison = kIllegalAddress;
  stream.readyAt = startIn(stream);
  stream.stall = Stall{reinterpret_cast<const std::uint32_t*>(words[0]),
                       reinterpret_cast<std::uint32_t*>(words[1]),
                       static_cast<std::int64_t>(words[2]), stream.readyAt};
  return 0;
}

/// Work behind the stall begins when the stall ends.
void Machine::endStall(StreamState& stream) {
  if (!stream.stall) return;
  const Stall stall = *stream.stall;
  stream.stall.reset();
  if (stream.device->poison != 0) return;
  const bool released = *stall.released != 0;
  if (!released) *stall.expired = 1;
  const std::int64_t lasted = released ? now() - stall.since : stall.nanoseconds;
  stream.readyAt += lasted;
  for (const auto& [handle, event] : events.all)
    if (event->stream == &stream && event->at >= stall.since) event->at += lasted;
}

Result Machine::drain(StreamState& stream) {
  if (stream.capture) {
    stream.captureSpoilt = true;
    return kCaptureUnsupported;
  }
  endStall(stream);
  while (!stream.queue.empty() && stream.device->poison == 0) runNext(stream);
  stream.queue.clear();
  waitUntil(stream.readyAt);
  spend(control.costs.synchronize);
  return stream.device->poison;
}

void Machine::runNext(StreamState& stream) {
  endStall(stream);
  Operation operation = std::move(stream.queue.front());
  stream.queue.pop_front();
  run(stream, operation);
}

Result Machine::drainDevice(DeviceState& device) {
  for (const auto& [handle, stream] : streams.all)
    if (stream->device == &device && !stream->capture) drain(*stream);
  return device.poison;
}

void Machine::run(StreamState& stream, Operation& operation) {
  if (!operation.isKernel) return operation.other();
  runKernel(*stream.device, operation.kernel);
}

/// Whether a word is an address that a kernel on this device must not be given: in another device's
/// memory, in freed memory, or in the host's. Numbers are not addresses: they are small, or no
/// memory is mapped there. `givenToo`: memory that a stream is going to free counts as freed
/// already.
bool Machine::isStray(const DeviceState& device, std::uintptr_t word, bool givenToo,
                      bool isArgument) const {
  constexpr std::uintptr_t kLeastAddress = std::uintptr_t{1} << 32, kPage = 4096;
  if (word < kLeastAddress) return false;
  auto after = allocations.upper_bound(word);
  if (after != allocations.begin()) {
    --after;
    // An empty tensor may begin right after the last element.
    if (word <= after->first + after->second.bytes)
      return after->second.device != &device || (givenToo && after->second.given);
  }
  // A structure's unused bytes may contain any leftover of the host, so only whole arguments count.
  unsigned char there = 0;
  return isArgument && ::mincore(reinterpret_cast<void*>(word / kPage * kPage), 1, &there) == 0;
}

/// Whether a stray address is among the arguments, or in a structure that is one.
bool Machine::foreignPointer(const DeviceState& device, const KernelWork& work,
                             bool givenToo) const {
  for (const auto& argument : work.arguments)
    for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= argument.size();
         at += sizeof(std::uintptr_t)) {
      std::uintptr_t word = 0;
      std::memcpy(&word, &argument[at], sizeof word);
      if (isStray(device, word, givenToo, argument.size() == sizeof word)) return true;
    }
  return false;
}

void Machine::runKernel(DeviceState& device, const KernelWork& work) {
  ++control.counts.kernelsRun;
  if (strikes(&DoubleFaults::execution)) {
    device.poison = control.faults.executionResult;
    return;
  }
  if (work.stray || foreignPointer(device, work, false)) {
    device.poison = kIllegalAddress;
    return;
  }
  if (work.library) return work.library(device);
  std::vector<std::vector<unsigned char>> copies = work.arguments;
  std::vector<void*> arguments;
  for (auto& copy : copies) arguments.push_back(copy.data());
  setOrder(control.faults.order);
  const unsigned launch[] = {work.blocksX, work.blocksY, work.threadsX, work.threadsY};
  work.function->run(&kernelRuntime(), launch, arguments.data());
  if (takeDivergence()) device.poison = kLaunchFailed;
}

}  // namespace fusebench::test
