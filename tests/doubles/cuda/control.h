// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// How tests steer the double of the CUDA driver, of NVRTC, of CUPTI and of libraries. The library
/// exports one function, `fusebenchDoubleControl`, that returns a pointer to these; everything not
/// set is 0.
///
/// At start the environment decides: FUSEBENCH_DOUBLE_VERSION (of the driver, 13990),
/// FUSEBENCH_DOUBLE_EXECUTION (faults.execution, 0), FUSEBENCH_DOUBLE_THROTTLED
/// (faults.throttledReadings, 0), FUSEBENCH_DOUBLE_COSTS ("launch=3000 event=200": members of
/// DoubleCosts), FUSEBENCH_DOUBLE_CUBLASLT (cuBLASLt's version,
/// 139900), FUSEBENCH_DOUBLE_CUDNN (cuDNN's, 99900), FUSEBENCH_DOUBLE_CUDNN_CUDA (of CUDA, that
/// cuDNN is made for, 13990), FUSEBENCH_DOUBLE_NCCL (NCCL's, 29900), FUSEBENCH_DOUBLE_INIT (what
/// cuInit returns, 0), FUSEBENCH_DOUBLE_DEVICES (2), FUSEBENCH_DOUBLE_CACHE (folder of compiled
/// kernels), FUSEBENCH_DOUBLE_SOURCES (folder of what code that a real NVRTC made was made of:
/// "HASH.cu", by the hash that the code names, or of the code itself; what is not there is
/// refused), FUSEBENCH_DOUBLE_ORDER (faults.order, 0), FUSEBENCH_DOUBLE_CUPTI ("result=39 drop=2":
/// members of DoubleFaults that begin with cupti).
///
/// With FUSEBENCH_DOUBLE_REALTIME=1 the double's clock is the host's, and its device works in real
/// time: a launch takes at least what DoubleCosts states, a kernel ends that long after it begins,
/// and waiting really waits.
///
/// A program started with this library in LD_PRELOAD and FUSEBENCH_DOUBLE_CLOCK=1 reads the virtual
/// clock as its steady clock once a context exists. Then only calls of the driver and of NVRTC take
/// time, exactly what DoubleCosts states, and so do a thousand readings in a row.
namespace fusebench::test {

/// What happens when, counted from when it is set: 1 is the next such call, 0 never.
struct DoubleFaults {
  int allocation = 0;      ///< device memory: out of memory, and so on from then on if `lasting`
  int launch = 0;          ///< cuLaunchKernel answers `launchResult` and does not launch
  int launchResult = 701;  ///< launch out of resources
  int execution = 0;       ///< that kernel fails when it runs: `executionResult`, sticky
  int executionResult = 700;
  int moduleLoad = 0;  ///< cuModuleLoadDataEx answers `moduleResult`
  int moduleResult = 200;
  int instantiate = 0;   ///< cuGraphInstantiate: out of memory
  int compilation = 0;   ///< nvrtcCompileProgram fails with a log
  bool lasting = false;  ///< each of these keeps failing
  bool noMemoryPools = false;
  int throttledReadings = 0;  ///< NVML says that heat slows the device, so often from now on
  /// What cuptiActivityEnable answers; the next so many records of device work are dropped, have no
  /// times, have them the wrong way round; the next flush keeps so many buffers; the next so many
  /// leave out what the device did. Layout of kernels' records, 5 to 10; CUPTI's version.
  int cuptiResult = 0, cuptiDrop = 0, cuptiZero = 0, cuptiInvert = 0, cuptiHoard = 0, cuptiLate = 0;
  int cuptiLayout = 10, cuptiVersion = 130001;
  /// Not 0: a grid's blocks run in an order that this number picks, and so do a block's threads
  /// between two meetings: no order is the only one that serves.
  unsigned order = 0;
  /// The result of cublasLtCreate; the number of the next cublasLtMatmul that returns
  /// `matmulResult`; calls of cublasLtMatmulAlgoGetHeuristic that find no algorithm.
  int ltCreate = 0, matmul = 0, matmulResult = 15, noHeuristic = 0;
  /// The result of cudnnCreate; the number of the next convolution that returns
  /// `convolutionResult`; whether no algorithm is listed as fit, convolutions have no epilogue,
  /// cudnnAddTensor fails.
  int dnnCreate = 0, convolution = 0, convolutionResult = 3000;
  bool noAlgorithm = false, noEpilogue = false, noAddition = false;
  bool noGraph = false;  ///< cuDNN has no engine for any graph of operations
  /// What ncclCommInitRank answers; the next so many-th collective answers `collectiveResult`.
  int ncclInit = 0, collective = 0, collectiveResult = 3;
  bool noCubin = false;  ///< NVRTC does not know the device's architecture: only PTX can serve
};

/// Costs on the virtual clock, nanoseconds.
struct DoubleCosts {
  std::int64_t launch = 2000;       ///< host: cuLaunchKernel
  std::int64_t graphLaunch = 5000;  ///< host: cuGraphLaunch
  std::int64_t synchronize = 1000;  ///< host: after waiting
  std::int64_t kernel = 1500;       ///< device: each kernel, whatever it does
  std::int64_t graphNode = 1000;    ///< device: each kernel of a graph, instead of `kernel`
  double perThread = 0;             ///< device: further, for each thread of the launch
  std::int64_t event = 0;           ///< host: cuEventRecord
  std::int64_t copy = 0;            ///< device: each copy
  std::int64_t fill = 0;            ///< device: each cuMemsetD8Async
  std::int64_t compilation = 0;     ///< host: nvrtcCompileProgram
  /// Device: beyond `kernel`, of a cublasLtMatmul by its algorithms 1, 2 and 3, which the heuristic
  /// lists in this order.
  std::int64_t matmul[3] = {3000, 2000, 1000};
  std::int64_t matmulHost[3] = {0, 0, 0};  ///< host: beyond `launch`, of the same
  /// The same of a convolution, by its algorithms 0, 1 and 2, which are listed as 1, 0, 2.
  std::int64_t convolution[3] = {4000, 3000, 1000};
  std::int64_t collective = 4000;  ///< device: beyond `kernel`, of each of NCCL's
};

/// Counts of events since the library was loaded or reset.
struct DoubleCounts {
  std::uint64_t launches = 0;       ///< cuLaunchKernel outside of capture
  std::uint64_t graphLaunches = 0;  ///< cuGraphLaunch
  std::uint64_t kernelsRun = 0;     ///< executions, those in graphs among them
  std::uint64_t allocations = 0;    ///< of device memory, at the driver
  std::uint64_t compilations = 0;   ///< nvrtcCompileProgram
  std::uint64_t ptxLoads = 0;       ///< modules loaded from PTX
  std::uint64_t fastMath = 0;       ///< of these, with --use_fast_math
  std::uint64_t hostCompiles = 0;   ///< those that a compiler was run for
  std::uint64_t overruns = 0;       ///< blocks that were written over their ends
  std::uint64_t synchronizes = 0;
  std::uint64_t matmuls = 0;       ///< cublasLtMatmul that enqueued or captured something
  std::uint64_t heuristics = 0;    ///< cublasLtMatmulAlgoGetHeuristic
  int algorithm = 0;               ///< of the last one
  std::uint64_t convolutions = 0;  ///< cuDNN's, that enqueued or captured something
  std::uint64_t convolutionGradients = 0;
  std::uint64_t dnnGraphs = 0;    ///< those of the two above that were plans of graphs
  std::uint64_t epilogues = 0;    ///< of these, those with a bias
  std::uint64_t additions = 0;    ///< cudnnAddTensor
  std::uint64_t activations = 0;  ///< cudnnActivationForward
  int convolutionAlgorithm = 0;   ///< of the last one
  int convolutionMath = 0;        ///< also of the last one
  std::uint64_t collectives = 0;  ///< NCCL's, that enqueued or captured something
};

struct DoubleControl {
  DoubleFaults faults;
  DoubleCosts costs;
  DoubleCounts counts;
  std::int64_t hostNanoseconds = 0;  ///< the virtual clock
  /// Device memory not freed, in blocks and bytes, and the number of other objects.
  std::uint64_t (*liveBlocks)();
  std::uint64_t (*liveBytes)();
  std::uint64_t (*liveObjects)();  ///< streams, events, modules, graphs, contexts held
  std::uint64_t (*pendingOperations)();
  /// Faults, costs, counts, clock and sticky errors as at the start.
  void (*reset)();
};

using DoubleControlFunction = DoubleControl* (*)();

}  // namespace fusebench::test
