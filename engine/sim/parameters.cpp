// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/parameters.h"

#include "engine/base/saying.h"

namespace fusebench::sim {
namespace {

constexpr double kSecond = 1e9, kFast = 1e9, kBytes = 1e15;

constexpr ParameterRow kRows[] = {
    {"dispatch_ns", toBeSaid("dispatch of a step"), "ns", &Parameters::dispatch, 0, kSecond, false},
    {"allocate_ns", toBeSaid("allocation"), "ns", &Parameters::allocate, 0, kSecond, false},
    {"launch_ns", toBeSaid("launch call"), "ns", &Parameters::launch, 0, kSecond, true},
    {"copy_call_ns", toBeSaid("copy call"), "ns", &Parameters::copyCall, 0, kSecond, false},
    {"graph_launch_ns", toBeSaid("graph launch"), "ns", &Parameters::graphLaunch, 0, kSecond, true},
    {"graph_launch_node_ns", toBeSaid("graph launch, each node"), "ns",
     &Parameters::graphLaunchNode, 0, kSecond, false},
    {"library_call_ns", toBeSaid("library call"), "ns", &Parameters::libraryCall, 0, kSecond, false,
     true},
    {"event_ns", toBeSaid("event call"), "ns", &Parameters::event, 0, kSecond, false},
    {"wait_ns", toBeSaid("wait"), "ns", &Parameters::wait, 0, kSecond, false},
    {"compile_ns", toBeSaid("compile"), "ns", &Parameters::compile, 0, 1e12, false},
    {"compile_op_ns", toBeSaid("compile, each op"), "ns", &Parameters::compileOp, 0, 1e12, false},
    {"load_ns", toBeSaid("kernel loading"), "ns", &Parameters::load, 0, 1e12, false},
    {"op_list_op_ns", toBeSaid("building an op list, per op"), "ns", &Parameters::opListOp, 0,
     kSecond, false},
    {"queue_depth", toBeSaid("queue depth"), "", &Parameters::queueDepth, 1, 1 << 16, true},
    {"latency_ns", toBeSaid("start latency"), "ns", &Parameters::latency, 0, kSecond, false},
    {"gap_ns", toBeSaid("gap between kernels"), "ns", &Parameters::gap, 0, kSecond, false},
    {"kernel_floor_ns", toBeSaid("shortest kernel"), "ns", &Parameters::kernelFloor, 0, kSecond,
     true},
    {"instruction_ns", toBeSaid("instruction of a thread"), "ns", &Parameters::instruction, 0,
     kSecond, false},
    {"reduce_step_ns", toBeSaid("step of a reduction"), "ns", &Parameters::reduceStep, 0, kSecond,
     false},
    {"merge_ns", toBeSaid("merging of blocks"), "ns", &Parameters::merge, 0, kSecond, false},
    {"interpreter_floor_ns", toBeSaid("op list"), "ns", &Parameters::interpreterFloor, 0, kSecond,
     false},
    {"interpreter_op_ns", toBeSaid("op of an op list"), "ns", &Parameters::interpreterOp, 0,
     kSecond, false},
    {"interpreter_throughput", toBeSaid("instructions of an op list for one"), "",
     &Parameters::interpreterThroughput, 0.01, 1e4, false},
    {"graph_latency_ns", toBeSaid("start latency of a graph"), "ns", &Parameters::graphLatency, 0,
     kSecond, false},
    {"graph_gap_ns", toBeSaid("gap in a graph"), "ns", &Parameters::graphGap, 0, kSecond, false},
    {"multiprocessors", toBeSaid("multiprocessors"), "", &Parameters::multiprocessors, 1, 1 << 16,
     false},
    {"threads_each", toBeSaid("threads of a multiprocessor"), "", &Parameters::threadsEach, 1,
     1 << 16, false},
    {"float32_per_ns", toBeSaid("float32"), "/ns", &Parameters::float32Rate, 1e-6, kFast, false},
    {"float64_per_ns", toBeSaid("float64"), "/ns", &Parameters::float64Rate, 1e-6, kFast, false},
    {"integer_per_ns", toBeSaid("integers"), "/ns", &Parameters::integerRate, 1e-6, kFast, false},
    {"special_per_ns", toBeSaid("special functions"), "/ns", &Parameters::specialRate, 1e-6, kFast,
     false},
    {"contract_per_ns", toBeSaid("multiply-adds of matmuls"), "/ns", &Parameters::contractRate,
     1e-6, kFast, false},
    {"loop_products_per_ns", toBeSaid("multiply-adds without a library"), "/ns",
     &Parameters::loopRate, 1e-6, kFast, false, true, &Parameters::contractRate},
    {"loop_product_ns", toBeSaid("multiply-add of a thread without a library"), "ns",
     &Parameters::loopProduct, 0, kSecond, false, true},
    {"bandwidth_bytes_per_ns", toBeSaid("memory"), "bytes/ns", &Parameters::bandwidth, 1e-6, kFast,
     true},
    {"cache_bandwidth_bytes_per_ns", toBeSaid("last cache"), "bytes/ns",
     &Parameters::cacheBandwidth, 1e-6, kFast, false},
    {"cache_bytes", toBeSaid("last cache"), "bytes", &Parameters::cacheBytes, 0, kBytes, false},
    {"memory_bytes", toBeSaid("memory"), "bytes", &Parameters::memoryBytes, 1 << 20, kBytes, false},
    {"copy_engines", toBeSaid("copy engines"), "", &Parameters::copyEngines, 1, 2, true},
    {"copy_latency_ns", toBeSaid("shortest copy"), "ns", &Parameters::copyLatency, 0, kSecond,
     false},
    {"pinned_bytes_per_ns", toBeSaid("copies, pinned"), "bytes/ns", &Parameters::pinnedBandwidth,
     1e-6, kFast, true},
    {"pageable_bytes_per_ns", toBeSaid("copies, pageable"), "bytes/ns",
     &Parameters::pageableBandwidth, 1e-6, kFast, false},
    {"host_cache_bytes", toBeSaid("host's cache"), "bytes", &Parameters::hostCacheBytes, 0, kBytes,
     false, true},
    {"pageable_cached_bytes_per_ns", toBeSaid("copies, pageable, from a cache"), "bytes/ns",
     &Parameters::pageableCached, 1e-6, kFast, false, true, &Parameters::pageableBandwidth},
    {"copy_wait_ns", toBeSaid("wait for a pageable copy"), "ns", &Parameters::copyWait, 0, kSecond,
     false, true, &Parameters::wait},
    {"staged_bytes", toBeSaid("largest copy that goes with its call"), "bytes",
     &Parameters::stagedBytes, 0, kBytes, false, true},
    {"within_latency_ns", toBeSaid("shortest copy within"), "ns", &Parameters::withinLatency, 0,
     kSecond, false},
    {"pin_page_ns", toBeSaid("pinning a page"), "ns", &Parameters::pinCost, 0, kSecond, false},
    {"link_latency_ns", toBeSaid("link latency"), "ns", &Parameters::linkLatency, 0, kSecond, true},
    {"link_bytes_per_ns", toBeSaid("link"), "bytes/ns", &Parameters::linkBandwidth, 1e-6, kFast,
     true},
    {"noise", toBeSaid("noise"), "", &Parameters::noise, 0, 1, false},
};

}  // namespace

std::span<const ParameterRow> parameterRows() {
  return kRows;
}

const ParameterRow* findParameter(std::string_view key) {
  for (const ParameterRow& row : kRows)
    if (row.key == key) return &row;
  return nullptr;
}

}  // namespace fusebench::sim
