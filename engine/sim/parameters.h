// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fusebench::sim {

/// The parameters of a simulated device: the host's cost of each kind of call, and the device's
/// speed. Times in nanoseconds.
struct Parameters {
  // The host.
  double dispatch = 0;         ///< one step of an executor: checks, shapes, finding the kernel
  double allocate = 0;         ///< memory for a step's results, or freeing it
  double launch = 0;           ///< the call that enqueues a kernel
  double copyCall = 0;         ///< the call that enqueues a copy
  double graphLaunch = 0;      ///< the call that enqueues a graph
  double graphLaunchNode = 0;  ///< additional time per node
  double libraryCall = 0;      ///< a library's matmul, in addition to the launch
  double event = 0;            ///< the call that records or awaits an event
  double wait = 0;             ///< from the end of the awaited work until the host continues
  double compile = 0;          ///< compiling a kernel
  double compileOp = 0;        ///< additional time per op
  double load = 0;             ///< a kernel that was compiled before
  double opListOp = 0;         ///< assembling an op list, per op
  double queueDepth = 1;  ///< maximum number of launches in a stream before the host has to wait
  // Kernels.
  double latency = 0;      ///< from the call's return to a kernel's start on an idle device
  double gap = 0;          ///< between two kernels of a stream
  double kernelFloor = 0;  ///< a kernel that does nothing
  double instruction =
      0;  ///< an instruction of one thread, including the wait of the next one for it
  double reduceStep = 0;        ///< one halving of the sums of a block's threads
  double merge = 0;             ///< a reduction whose blocks merge their parts
  double interpreterFloor = 0;  ///< an op list's kernel, in addition to a compiled one
  double interpreterOp = 0;     ///< an op of an op list, as one thread runs it
  double interpreterThroughput =
      1;                    ///< instructions of an op list per instruction of the op itself
  double graphLatency = 0;  ///< from a graph launch to its first kernel, in addition to `latency`
  double graphGap = 0;      ///< between two kernels of a graph
  double multiprocessors = 1;
  double threadsEach = 2048;  ///< per multiprocessor at a time
  // Instructions a nanosecond, of the whole device, by class.
  double float32Rate = 1, float64Rate = 1, integerRate = 1, specialRate = 1;
  double contractRate = 1;  ///< multiply-adds of matrix products and convolutions
  double loopRate = 1;      ///< the same for matmuls that no library supports: loops compute them
  double loopProduct =
      0;  ///< for these, one multiply-add of a thread, including the wait of the next one
  double bandwidth = 1;       ///< of the device's memory, bytes a nanosecond
  double cacheBandwidth = 1;  ///< the same, if all of it fits into the last-level cache
  double cacheBytes = 0;
  double memoryBytes = 0;
  // Copies between host and device.
  double copyEngines = 2;        ///< 1: both directions share it
  double copyLatency = 0;        ///< a copy of nothing
  double pinnedBandwidth = 1;    ///< bytes per nanosecond
  double pageableBandwidth = 1;  ///< the same, through the driver's own buffers
  double hostCacheBytes = 0;     ///< copies of pageable memory up to this size come from a cache
  double pageableCached = 1;     ///< for those, bytes per nanosecond
  double copyWait = -1;          ///< after a copy of pageable memory; below 0: as `wait`
  double stagedBytes = 0;        ///< pageable copies up to this size are part of the call
  double withinLatency = 0;      ///< a copy of nothing within the device
  double pinCost = 0;            ///< pinning a page of 4 KiB
  // Between devices.
  double linkLatency = 0;
  double linkBandwidth = 1;  ///< bytes a nanosecond, each way
  double noise = 0;          ///< standard deviation of each duration, relative to it
};

/// How a parameter is written and displayed.
struct ParameterRow {
  std::string_view key;    ///< in files and after the device's name: "launch_ns"
  std::string_view title;  ///< "launch call"
  std::string_view unit;   ///< "ns", "bytes/ns", ""
  double Parameters::*member;
  double least, most;  ///< the limits in a file
  bool slider;         ///< whether the window has a slider for it
  /// Older files lack it: then it has the value of another one, or no effect.
  bool later = false;
  double Parameters::*standIn = nullptr;
};
std::span<const ParameterRow> parameterRows();
/// The row of a key; null: there is none.
const ParameterRow* findParameter(std::string_view key);

}  // namespace fusebench::sim
