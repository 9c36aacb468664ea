// SPDX-License-Identifier: GPL-3.0-or-later
// The driver's functions over the Machine: devices, modules, streams, events.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>

#include "tests/doubles/cuda/activity_log.h"
#include "tests/doubles/cuda/driver_call.h"
#include "tests/doubles/cuda/host_compiler.h"
#include "tests/doubles/cuda/image.h"

using namespace fusebench::cuda;
using namespace fusebench::test;

namespace {

/// Opens a library from its bytes, each time under a new file name, because the loader treats equal
/// names as the same library.
void* openBytes(const std::vector<char>& bytes) {
  std::string path =
      (std::filesystem::temp_directory_path() / "fusebench-cuda-double-XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0) return nullptr;
  const bool written =
      write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  close(file);
  void* library = written ? dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  unlink(path.c_str());
  return library;
}

/// PTX of the kernel that holds a stream back; the double runs no PTX, and does this one's work
/// itself.
bool isStall(const char* image) {
  return std::strncmp(image, ".version ", 9) == 0 && std::strstr(image, ".entry fusebench_stall(");
}

}  // namespace

EXPORTED DoubleControl* fusebenchDoubleControl() {
  return &Machine::get().control;
}

EXPORTED Result cuInit(unsigned) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  const Result result = environmentNumber("FUSEBENCH_DOUBLE_INIT", 0);
  if (result == 0) machine.initialized = true;
  return result == 0 && machine.devices.empty() ? kNoDevice : result;
}

EXPORTED Result cuDriverGetVersion(int* version) {
  *version = environmentNumber("FUSEBENCH_DOUBLE_VERSION", kVersion);
  return environmentNumber("FUSEBENCH_DOUBLE_INIT", 0) == kStubLibrary ? kStubLibrary : 0;
}

EXPORTED Result cuDeviceGetCount(int* count) {
  *count = static_cast<int>(Machine::get().devices.size());
  return 0;
}

EXPORTED Result cuDeviceGet(DeviceNumber* device, int index) {
  *device = index;
  return validDevice(index) ? 0 : kInvalidDevice;
}

EXPORTED Result cuDeviceGetName(char* name, int bytes, DeviceNumber device) {
  if (!validDevice(device)) return kInvalidDevice;
  std::snprintf(name, static_cast<std::size_t>(bytes), "Fusebench double %d", device);
  return 0;
}

EXPORTED Result cuDeviceGetUuid_v2(Uuid* uuid, DeviceNumber device) {
  if (!validDevice(device)) return kInvalidDevice;
  for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<unsigned char>(16 * (device + 1) + i);
  return 0;
}

EXPORTED Result cuDeviceGetAttribute(int* value, int attribute, DeviceNumber device) {
  if (!validDevice(device)) return kInvalidDevice;
  switch (attribute) {
    case kMaxThreadsPerBlock:
      *value = 1024;
      return 0;
    case kClockKilohertz:
      *value = 1'000'000;
      return 0;
    case kMultiprocessorCount:
      *value = 4;
      return 0;
    case kMemoryClockKilohertz:
      *value = 2'000'000;
      return 0;
    case kL2Bytes:
      *value = 1 << 20;
      return 0;
    case kComputeCapabilityMajor:
      *value = kMajor;
      return 0;
    case kComputeCapabilityMinor:
      *value = kMinor;
      return 0;
    case kMemoryPoolsSupported:
      *value = !Machine::get().control.faults.noMemoryPools;
      return 0;
    default:
      return kInvalidValue;
  }
}

EXPORTED Result cuDeviceTotalMem_v2(std::size_t* bytes, DeviceNumber) {
  *bytes = kDeviceBytes;
  return 0;
}

EXPORTED Result cuDevicePrimaryCtxRetain(Context* context, DeviceNumber device) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  if (!machine.initialized) return kNotInitialized;
  if (!validDevice(device)) return kInvalidDevice;
  DeviceState& state = machine.devices[static_cast<std::size_t>(device)];
  ++state.contextHolders;
  startVirtualClock();
  *context = reinterpret_cast<Context>(&state);
  return 0;
}

EXPORTED Result cuDevicePrimaryCtxRelease_v2(DeviceNumber device) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  if (!validDevice(device)) return kInvalidDevice;
  DeviceState& state = machine.devices[static_cast<std::size_t>(device)];
  if (state.contextHolders == 0) return kInvalidContext;
  --state.contextHolders;
  return 0;
}

EXPORTED Result cuCtxSetCurrent(Context context) {
  Machine::current() = reinterpret_cast<DeviceState*>(context);
  return 0;
}

EXPORTED Result cuModuleLoadDataEx(Module* module, const void* image, unsigned, int*, void**) {
  Call call;
  if (call.result) return call.result;
  if (call.machine.strikes(&DoubleFaults::moduleLoad))
    return call.machine.control.faults.moduleResult;
  if (isStall(static_cast<const char*>(image))) {
    auto made = std::make_unique<ModuleState>();
    made->device = Machine::current();
    *module = reinterpret_cast<Module>(call.machine.modules.add(std::move(made)));
    return 0;
  }
  std::vector<char> library;
  if (const Result result = readImage(image, kMajor * 10 + kMinor, library); result != 0)
    return result;
  auto made = std::make_unique<ModuleState>();
  made->device = Machine::current();
  made->library = openBytes(library);
  made->sharedBytes = sharedBytesOf(library);
  if (!made->library) return kInvalidImage;
  call.machine.control.counts.ptxLoads +=
      std::strncmp(static_cast<const char*>(image), "//", 2) == 0 ||
      std::strncmp(static_cast<const char*>(image), ".version ", 9) == 0;
  *module = reinterpret_cast<Module>(call.machine.modules.add(std::move(made)));
  return 0;
}

EXPORTED Result cuModuleUnload(Module module) {
  Call call;
  ModuleState* found = call.machine.modules.find(module);
  if (!found) return kInvalidHandle;
  call.machine.drainDevice(*found->device);  // a driver waits for kernels that are under way
  call.machine.modules.erase(module);
  return 0;
}

namespace {
// The limits of every device that CUDA 13 supports; for parameters, of drivers before CUDA 12.1.
constexpr unsigned kMostThreads = 1024, kMostBlocks = 0x7fffffff, kMostBlocksDown = 65535,
                   kMostSharedBytes = 48 << 10, kMostParameterBytes = 4096;
/// A kernel without launch bounds may use 255 registers per thread, and a block has 65,536 of them:
/// more threads than these may not start.
constexpr unsigned kThreadsWithoutBounds = 256;
constexpr Result kOutOfResources = 701;
}  // namespace

EXPORTED Result cuModuleGetFunction(Function* function, Module module, const char* name) {
  Call call;
  if (call.result) return call.result;
  ModuleState* found = call.machine.modules.find(module);
  if (!found) return kInvalidHandle;
  auto made = std::make_unique<FunctionState>();
  made->module = found;
  made->name = name;
  if (!found->library) {
    made->stalls = true;
    made->mostThreads = 1;
    made->parameterBytes.assign(3, sizeof(std::uint64_t));
    *function = reinterpret_cast<Function>(made.get());
    call.machine.functions.insert(made.get());
    found->functions.push_back(std::move(made));
    return 0;
  }
  made->run = reinterpret_cast<decltype(made->run)>(
      dlsym(found->library, ("fb_run_" + made->name).c_str()));
  const auto parameters = reinterpret_cast<unsigned (*)(unsigned*)>(
      dlsym(found->library, ("fb_parameters_" + made->name).c_str()));
  const auto threads =
      reinterpret_cast<unsigned (*)()>(dlsym(found->library, ("fb_threads_" + made->name).c_str()));
  if (!made->run || !parameters || !threads) return kNotFound;
  made->mostThreads = threads();
  if (made->mostThreads == 0) made->mostThreads = kThreadsWithoutBounds;
  unsigned bytes[256];
  const unsigned count = parameters(bytes);
  made->parameterBytes.assign(bytes, bytes + count);
  *function = reinterpret_cast<Function>(made.get());
  call.machine.functions.insert(made.get());
  found->functions.push_back(std::move(made));
  return 0;
}

EXPORTED Result cuLaunchKernel(Function function, unsigned gridX, unsigned gridY, unsigned gridZ,
                               unsigned blockX, unsigned blockY, unsigned blockZ,
                               unsigned sharedBytes, Stream stream, void** arguments, void**) {
  Call call;
  StreamState* queue = call.stream(stream);
  if (call.result) return call.result;
  auto* kernel = reinterpret_cast<FunctionState*>(function);
  if (!call.machine.functions.contains(kernel)) return kInvalidHandle;
  if (kernel->module->device != Machine::current()) return kInvalidHandle;
  if (!gridX || !gridY || gridZ != 1 || !blockX || !blockY || blockZ != 1 ||
      blockX * blockY > kMostThreads || gridX > kMostBlocks || gridY > kMostBlocksDown ||
      sharedBytes > kMostSharedBytes ||
      std::accumulate(kernel->parameterBytes.begin(), kernel->parameterBytes.end(), 0u) >
          kMostParameterBytes)
    return kInvalidValue;
  if (blockX * blockY > kernel->mostThreads ||
      sharedBytes + kernel->module->sharedBytes > kMostSharedBytes)
    return kOutOfResources;
  const LoggedCall logged(kCallLaunchKernel);
  KernelWork work{kernel, gridX, gridY, blockX, blockY, {}};
  for (std::size_t i = 0; i < kernel->parameterBytes.size(); ++i) {
    const auto* from = static_cast<const unsigned char*>(arguments[i]);
    work.arguments.emplace_back(from, from + kernel->parameterBytes[i]);
  }
  return logged(kernel->stalls ? call.machine.holdBack(*queue, work)
                               : call.machine.enqueueKernel(*queue, std::move(work)));
}

EXPORTED Result cuStreamCreate(Stream* stream, unsigned) {
  Call call;
  if (call.result) return call.result;
  auto made = std::make_unique<StreamState>();
  made->device = Machine::current();
  static std::uint32_t number = 6;  // a driver's own streams come before
  made->number = ++number;
  *stream = reinterpret_cast<Stream>(call.machine.streams.add(std::move(made)));
  return 0;
}

EXPORTED Result cuStreamDestroy_v2(Stream stream) {
  Call call;
  StreamState* found = call.machine.streams.find(stream);
  if (!found) return kInvalidHandle;
  if (!found->capture) call.machine.drain(*found);
  call.machine.streams.erase(stream);
  return 0;
}

EXPORTED Result cuStreamSynchronize(Stream stream) {
  Call call;
  StreamState* found = call.stream(stream);
  if (call.result) return call.result;
  ++call.machine.control.counts.synchronizes;
  const LoggedCall logged(kLoggedStreamSynchronize);
  return logged(call.machine.drain(*found));
}

EXPORTED Result cuEventCreate(Event* event, unsigned flags) {
  Call call;
  if (call.result) return call.result;
  auto made = std::make_unique<EventState>();
  made->timing = (flags & kEventDisableTiming) == 0;
  *event = reinterpret_cast<Event>(call.machine.events.add(std::move(made)));
  return 0;
}

EXPORTED Result cuEventDestroy_v2(Event event) {
  Call call;
  return call.machine.events.erase(event) ? 0 : kInvalidHandle;
}

EXPORTED Result cuEventRecord(Event event, Stream stream) {
  Call call;
  StreamState* queue = call.stream(stream);
  if (call.result) return call.result;
  EventState* found = call.machine.events.find(event);
  if (!found) return kInvalidHandle;
  if (queue->capture) return kCaptureUnsupported;
  call.machine.spend(call.machine.control.costs.event);
  found->recorded = true;
  found->stream = queue;
  found->at = call.machine.startIn(*queue);
  if (!found->timing) {
    found->reached = std::make_shared<bool>(false);
    queue->queue.push_back({false, {}, [reached = found->reached] { *reached = true; }});
  }
  return 0;
}

EXPORTED Result cuStreamWaitEvent(Stream stream, Event event, unsigned) {
  Call call;
  StreamState* queue = call.stream(stream);
  if (call.result) return call.result;
  EventState* found = call.machine.events.find(event);
  if (!found) return kInvalidHandle;
  if (queue->capture) return kCaptureUnsupported;
  if (!found->recorded || !found->reached) return 0;
  call.machine.spend(call.machine.control.costs.event);
  queue->readyAt = std::max(queue->readyAt, found->at);
  // The work before the event in the event's own stream runs first, and no later work.
  queue->queue.push_back(
      {false, {}, [&machine = call.machine, reached = found->reached, other = found->stream] {
         while (!*reached && !other->queue.empty()) machine.runNext(*other);
       }});
  return 0;
}

EXPORTED Result cuEventSynchronize(Event event) {
  Call call;
  if (call.result) return call.result;
  EventState* found = call.machine.events.find(event);
  if (!found) return kInvalidHandle;
  return found->stream ? call.machine.drain(*found->stream) : 0;
}

EXPORTED Result cuEventQuery(Event event) {
  Call call;
  if (call.result) return call.result;
  EventState* found = call.machine.events.find(event);
  if (!found) return kInvalidHandle;
  return found->reached && !*found->reached ? kNotReady : 0;
}

namespace {

Result elapsed(float* milliseconds, Event from, Event to) {
  Call call;
  if (call.result) return call.result;
  EventState *a = call.machine.events.find(from), *b = call.machine.events.find(to);
  if (!a || !b || !a->recorded || !b->recorded || !a->timing || !b->timing) return kInvalidHandle;
  for (const EventState* event : {a, b})
    if (!event->stream->queue.empty()) return kNotReady;
  *milliseconds = static_cast<float>(static_cast<double>(b->at - a->at) * 1e-6);
  return 0;
}

}  // namespace

EXPORTED Result cuEventElapsedTime(float* milliseconds, Event from, Event to) {
  return elapsed(milliseconds, from, to);
}
EXPORTED Result cuEventElapsedTime_v2(float* milliseconds, Event from, Event to) {
  return elapsed(milliseconds, from, to);
}
