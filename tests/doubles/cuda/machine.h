// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/cuda/driver/driver_abi.h"
#include "tests/doubles/cuda/control.h"

/// The machine that the double pretends to be: devices, memory, queues and a clock. Driver
/// functions are thin over it.
namespace fusebench::test {

using cuda::Result;

struct DeviceState {
  int number = 0;
  Result poison = 0;  ///< the sticky error that its context returns; 0: none
  int contextHolders = 0;
};

/// A shared library that a module was loaded from, with its kernels.
struct ModuleState {
  DeviceState* device = nullptr;
  void* library = nullptr;
  std::size_t sharedBytes = 0;  ///< static, of all its kernels together
  std::vector<std::unique_ptr<struct FunctionState>> functions;
  ~ModuleState();
};

struct FunctionState {
  ModuleState* module = nullptr;
  std::string name;
  void (*run)(const void* runtime, const unsigned* launch, void** arguments) = nullptr;
  std::vector<unsigned> parameterBytes;
  unsigned mostThreads = 0;  ///< per block: for more there are not enough registers
  bool stalls = false;       ///< it holds its stream back, see Stall, and does nothing else
};

/// One launch with its arguments copied, as the driver copies them.
struct KernelWork {
  FunctionState* function = nullptr;
  unsigned blocksX = 1, blocksY = 1, threadsX = 1, threadsY = 1;
  std::vector<std::vector<unsigned char>> arguments;
  bool stray = false;  ///< at the launch, an argument was an invalid address
  /// Not empty: a library's kernel, which does this instead.
  std::function<void(DeviceState&)> library{};
  std::int64_t nanoseconds = 0;  ///< on the device, beyond what every kernel takes

  double threads() const { return static_cast<double>(blocksX) * blocksY * threadsX * threadsY; }
};

/// A copy or a fill as CUPTI reports it.
struct CopyWork {
  bool fill = false;
  int direction = 0;  ///< CUPTI's number: 1 to the device, 2 to the host, 8 within the device
  std::size_t bytes = 0;
};

/// A piece of queued work.
struct Operation {
  bool isKernel = false;
  KernelWork kernel;
  std::function<void()> other;
  std::optional<CopyWork> copy = std::nullopt;
  std::uint64_t node = 0;  ///< number of a graph's node, as CUPTI counts them
};

struct GraphState {
  std::uint32_t number = 0;                       ///< from 1
  std::vector<std::unique_ptr<Operation>> nodes;  ///< each depends on the one before
};

struct GraphExecState {
  DeviceState* device = nullptr;
  std::map<const Operation*, std::size_t> places;  ///< index of each of the graph's nodes
  std::vector<Operation> nodes;
};

/// A kernel at the end of a stream's queue that ends when the host has set a word, or after a time.
struct Stall {
  const std::uint32_t* released = nullptr;
  std::uint32_t* expired = nullptr;  ///< set to 1 after that time
  std::int64_t nanoseconds = 0;
  std::int64_t since = 0;  ///< on the virtual clock
};

struct StreamState {
  DeviceState* device = nullptr;
  std::uint32_t number = 0;
  std::deque<Operation> queue;
  std::int64_t readyAt = 0;  ///< on the virtual clock: when all that is queued will be done
  std::unique_ptr<GraphState> capture;
  /// While it is held back, its times are those of a stall that takes no time; see endStall().
  std::optional<Stall> stall;
  bool captureSpoilt = false;
  bool captureForbids = false;  ///< calls that a capture cannot hold: it was not begun relaxed
  std::vector<Operation*> captureTail;  ///< what the next captured node depends on
};

struct EventState {
  bool timing = true;
  bool recorded = false;
  std::int64_t at = 0;
  StreamState* stream = nullptr;
  std::shared_ptr<bool> reached;  ///< set by the last recording; null: with timing, or none
};

struct Allocation {
  std::size_t bytes = 0;
  DeviceState* device = nullptr;
  bool host = false;
  bool given = false;  ///< back, to a stream that has not come to it yet: nobody may use it more
};

class Machine {
 public:
  static Machine& get();

  /// The virtual clock.
  std::int64_t now();
  /// The host is busy for so long.
  void spend(std::int64_t nanoseconds);
  std::recursive_mutex mutex;
  DoubleControl control;
  std::deque<DeviceState> devices;
  bool initialized = false;

  /// The calling thread's current device; null without a context.
  static DeviceState*& current();

  /// Counts a fault down; true where it strikes now.
  bool strikes(int DoubleFaults::*fault);

  Result allocate(cuda::DevicePointer* address, std::size_t bytes, bool host);
  Result release(std::uintptr_t address);
  bool isPinned(const void* address) const;
  /// Whether all of these bytes are in one block of a device's memory that nobody has given back.
  bool inDeviceMemory(std::uintptr_t address, std::size_t bytes) const;
  /// Whether the stream's capture or another's forbids calls that are not captured; it is spoilt
  /// then.
  bool forbiddenByCapture();
  std::size_t freeBytes(const DeviceState& device) const;

  /// `deviceNanoseconds`: what it takes there, on the virtual clock.
  Result enqueue(StreamState& stream, Operation operation, std::int64_t deviceNanoseconds = 0);
  Result enqueueKernel(StreamState& stream, KernelWork work);
  Result holdBack(StreamState& stream, const KernelWork& work);
  Result launchGraph(GraphExecState& graph, StreamState& stream);
  /// Runs all that is queued in a stream; moves the clock to when that is done.
  /// Runs what is next in a stream's queue, whatever the time.
  void runNext(StreamState& stream);
  Result drain(StreamState& stream);
  Result drainDevice(DeviceState& device);

  template <class T>
  struct Objects {
    std::map<void*, std::unique_ptr<T>> all;
    T* add(std::unique_ptr<T> object) {
      T* raw = object.get();
      all.emplace(raw, std::move(object));
      return raw;
    }
    T* find(const void* handle) const {
      const auto found = all.find(const_cast<void*>(handle));
      return found == all.end() ? nullptr : found->second.get();
    }
    bool erase(void* handle) { return all.erase(handle) > 0; }
  };
  Objects<StreamState> streams;
  Objects<EventState> events;
  Objects<ModuleState> modules;
  Objects<GraphState> graphs;
  Objects<GraphExecState> graphExecs;
  std::set<const void*> functions;   ///< those of all modules
  Objects<DeviceState*> pools;       ///< memory pools: only whose they are
  std::uint64_t libraryObjects = 0;  ///< handles and descriptions of libraries
  std::map<std::uintptr_t, Allocation> allocations;

  /// When work that is enqueued now begins.
  std::int64_t startIn(const StreamState& stream) {
    return stream.stall ? stream.readyAt : std::max(stream.readyAt, now());
  }

 private:
  Machine();
  void endStall(StreamState& stream);
  void startRealTime();
  void waitUntil(std::int64_t time);
  void log(const StreamState& stream, const Operation& operation, std::int64_t start,
           std::int64_t end);
  void run(StreamState& stream, Operation& operation);
  void runKernel(DeviceState& device, const KernelWork& work);
  bool foreignPointer(const DeviceState& device, const KernelWork& work, bool givenToo) const;
  bool isStray(const DeviceState& device, std::uintptr_t word, bool givenToo,
               bool isArgument) const;

  bool realTime_ = false;
  std::int64_t realOrigin_ = 0;
};

inline constexpr std::size_t kDeviceBytes = std::size_t{1} << 30;  ///< memory of each device
inline constexpr int kMajor = 9, kMinor = 0;                       ///< compute capability

/// The version of the driver and of NVRTC. No real release has it, so that a cache never takes code
/// of the double for theirs.
inline constexpr int kVersion = 13990;

/// From here on the virtual clock is the host's, if the environment asks for it.
void startVirtualClock();

/// The environment's number, or `otherwise`.
int environmentNumber(const char* name, int otherwise);

}  // namespace fusebench::test
