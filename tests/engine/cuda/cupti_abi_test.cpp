// SPDX-License-Identifier: GPL-3.0-or-later
// Our declarations of CUPTI's interface against the real ones, where a toolkit has them. The
// assertions are the compiler's; the test says whether they were made.
#include <cstddef>
#include <type_traits>

#include <gtest/gtest.h>

#include "engine/cuda/cupti/cupti_abi.h"
#include "engine/cuda/cupti/cupti_errors.h"
#include "tests/engine/cuda/signatures.h"

#ifdef FUSEBENCH_CUPTI_HEADER
#include FUSEBENCH_CUPTI_HEADER

namespace fusebench::cuda {
namespace {

#define FUSEBENCH_ASSERT(member, symbol, ...) \
  static_assert(Signature<__VA_ARGS__>::fits(static_cast<decltype(&::symbol)>(nullptr)), #symbol);
FUSEBENCH_CUPTI_FUNCTIONS(FUSEBENCH_ASSERT)
#undef FUSEBENCH_ASSERT

static_assert(sizeof(CuptiResult) == sizeof(CUptiResult));
static_assert(std::is_same_v<CUpti_BuffersCallbackRequestFunc,
                             void (*)(std::uint8_t**, std::size_t*, std::size_t*)>);
static_assert(
    std::is_same_v<CUpti_BuffersCallbackCompleteFunc,
                   void (*)(CUcontext, std::uint32_t, std::uint8_t*, std::size_t, std::size_t)>);

template <class Real>
constexpr bool isAKernel() {
  namespace place = record::kernel;
  return offsetof(Real, kind) == 0 && sizeof(Real::kind) == 4 &&
         offsetof(Real, registersPerThread) == place::registers &&
         offsetof(Real, start) == place::start && offsetof(Real, end) == place::end &&
         offsetof(Real, deviceId) == place::device && offsetof(Real, contextId) == place::context &&
         offsetof(Real, streamId) == place::stream && offsetof(Real, gridX) == place::grid &&
         offsetof(Real, gridZ) == place::grid + 8 && offsetof(Real, blockX) == place::block &&
         offsetof(Real, blockZ) == place::block + 8 &&
         offsetof(Real, staticSharedMemory) == place::staticShared &&
         offsetof(Real, dynamicSharedMemory) == place::dynamicShared &&
         offsetof(Real, correlationId) == place::correlation &&
         offsetof(Real, name) == place::name && offsetof(Real, queued) == place::queued &&
         offsetof(Real, submitted) == place::submitted &&
         offsetof(Real, graphNodeId) == place::graphNode;
}
template <class Real>
constexpr bool hasItsGraph() {
  return offsetof(Real, graphId) == record::kernel::graph &&
         sizeof(Real) >= record::kernel::bytesWithGraph;
}
static_assert(isAKernel<CUpti_ActivityKernel5>() &&
              sizeof(CUpti_ActivityKernel5) == record::kernel::bytes);
static_assert(isAKernel<CUpti_ActivityKernel6>() && hasItsGraph<CUpti_ActivityKernel6>() &&
              sizeof(CUpti_ActivityKernel6) == record::kernel::bytesWithGraph);
static_assert(isAKernel<CUpti_ActivityKernel7>() && hasItsGraph<CUpti_ActivityKernel7>() &&
              sizeof(CUpti_ActivityKernel7) == 176);
static_assert(isAKernel<CUpti_ActivityKernel8>() && hasItsGraph<CUpti_ActivityKernel8>() &&
              sizeof(CUpti_ActivityKernel8) == 200);
static_assert(isAKernel<CUpti_ActivityKernel9>() && hasItsGraph<CUpti_ActivityKernel9>() &&
              sizeof(CUpti_ActivityKernel9) == 208);
#if CUPTI_API_VERSION >= 28
static_assert(isAKernel<CUpti_ActivityKernel10>() && hasItsGraph<CUpti_ActivityKernel10>() &&
              sizeof(CUpti_ActivityKernel10) == 216);
#endif
#if CUPTI_API_VERSION >= 130100
static_assert(isAKernel<CUpti_ActivityKernel11>() && hasItsGraph<CUpti_ActivityKernel11>() &&
              sizeof(CUpti_ActivityKernel11) == 224);
#endif

template <class Real>
constexpr bool isACopy() {
  namespace place = record::copy;
  return offsetof(Real, bytes) == place::amount && offsetof(Real, start) == place::start &&
         offsetof(Real, end) == place::end && offsetof(Real, deviceId) == place::device &&
         offsetof(Real, contextId) == place::context && offsetof(Real, streamId) == place::stream &&
         offsetof(Real, correlationId) == place::correlation;
}
static_assert(isACopy<CUpti_ActivityMemcpy>() && isACopy<CUpti_ActivityMemset>());
static_assert(offsetof(CUpti_ActivityMemcpy, copyKind) == record::copy::direction);
static_assert(sizeof(CUpti_ActivityMemcpy) == record::copy::bytes &&
              sizeof(CUpti_ActivityMemset) == record::copy::bytes);
static_assert(sizeof(CUpti_ActivityMemcpy3) == record::copy::bytesWithNode &&
              sizeof(CUpti_ActivityMemset2) == record::copy::bytesWithNode);
static_assert(isACopy<CUpti_ActivityMemcpy5>() && isACopy<CUpti_ActivityMemset4>());
static_assert(offsetof(CUpti_ActivityMemcpy3, graphNodeId) == record::copy::graphNode &&
              offsetof(CUpti_ActivityMemset2, graphNodeId) == record::copy::graphNode);
static_assert(offsetof(CUpti_ActivityMemcpy4, graphId) == record::copy::graph &&
              offsetof(CUpti_ActivityMemset3, graphId) == record::copy::graph &&
              sizeof(CUpti_ActivityMemcpy4) == record::copy::bytesWithGraph &&
              sizeof(CUpti_ActivityMemset3) == record::copy::bytesWithGraph);

static_assert(offsetof(CUpti_ActivityAPI, cbid) == record::call::function);
static_assert(offsetof(CUpti_ActivityAPI, start) == record::call::start);
static_assert(offsetof(CUpti_ActivityAPI, end) == record::call::end);
static_assert(offsetof(CUpti_ActivityAPI, processId) == record::call::process);
static_assert(offsetof(CUpti_ActivityAPI, threadId) == record::call::thread);
static_assert(offsetof(CUpti_ActivityAPI, correlationId) == record::call::correlation);
static_assert(offsetof(CUpti_ActivityAPI, returnValue) == record::call::result);
static_assert(sizeof(CUpti_ActivityAPI) == record::call::bytes);
static_assert(offsetof(CUpti_ActivityOverhead, start) == record::overhead::start);
static_assert(offsetof(CUpti_ActivityOverhead, end) == record::overhead::end);
static_assert(sizeof(CUpti_ActivityOverhead) == record::overhead::bytes);

static_assert(kActivityCopy == CUPTI_ACTIVITY_KIND_MEMCPY);
static_assert(kActivityFill == CUPTI_ACTIVITY_KIND_MEMSET);
static_assert(kActivitySerialKernel == CUPTI_ACTIVITY_KIND_KERNEL);
static_assert(kActivityDriver == CUPTI_ACTIVITY_KIND_DRIVER);
static_assert(kActivityRuntime == CUPTI_ACTIVITY_KIND_RUNTIME);
static_assert(kActivityKernel == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
static_assert(kActivityOverhead == CUPTI_ACTIVITY_KIND_OVERHEAD);
static_assert(kFlushForced == CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
static_assert(kDriverDomain == CUPTI_CB_DOMAIN_DRIVER_API);
static_assert(kRuntimeDomain == CUPTI_CB_DOMAIN_RUNTIME_API);
static_assert(kCallLaunchKernel == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
static_assert(kCallLaunchKernelEx == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx);
static_assert(kCallGraphLaunch == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch);
static_assert(kRuntimeLaunchKernel == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
static_assert(kRuntimeLaunchKernelExC == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060);
static_assert(kCallBeginCapture == CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2);
static_assert(kCallEndCapture == CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture);
static_assert(kCuptiSuccess == CUPTI_SUCCESS);
static_assert(kCuptiLimitReached == CUPTI_ERROR_MAX_LIMIT_REACHED);
static_assert(kCuptiNotInitialized == CUPTI_ERROR_NOT_INITIALIZED);
static_assert(kCuptiInsufficientPrivileges == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
static_assert(kCuptiOtherSubscriber == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
static_assert(kCuptiVirtualPrivileges == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
static_assert(kCuptiUnknown == CUPTI_ERROR_UNKNOWN);

TEST(CuptiInterface, IsThatOfTheToolkitsHeader) {
  // Every name of an error that we give is CUPTI's for that number.
  struct Named {
    int result;
    const char* name;
  };
#define FUSEBENCH_NAMED(name) \
  Named {                     \
    name, #name               \
  }
  for (const Named& error :
       {FUSEBENCH_NAMED(CUPTI_SUCCESS), FUSEBENCH_NAMED(CUPTI_ERROR_INVALID_PARAMETER),
        FUSEBENCH_NAMED(CUPTI_ERROR_INVALID_OPERATION), FUSEBENCH_NAMED(CUPTI_ERROR_OUT_OF_MEMORY),
        FUSEBENCH_NAMED(CUPTI_ERROR_MAX_LIMIT_REACHED), FUSEBENCH_NAMED(CUPTI_ERROR_NOT_COMPATIBLE),
        FUSEBENCH_NAMED(CUPTI_ERROR_NOT_INITIALIZED), FUSEBENCH_NAMED(CUPTI_ERROR_INVALID_KIND),
        FUSEBENCH_NAMED(CUPTI_ERROR_NOT_SUPPORTED),
        FUSEBENCH_NAMED(CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED),
        FUSEBENCH_NAMED(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES),
        FUSEBENCH_NAMED(CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED),
        FUSEBENCH_NAMED(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED),
        FUSEBENCH_NAMED(CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES),
        FUSEBENCH_NAMED(CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED),
        FUSEBENCH_NAMED(CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED),
        FUSEBENCH_NAMED(CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED),
        FUSEBENCH_NAMED(CUPTI_ERROR_UNKNOWN)})
    EXPECT_EQ(cuptiErrorName(error.result), error.name);
}

}  // namespace
}  // namespace fusebench::cuda
#else
TEST(CuptiInterface, IsThatOfTheToolkitsHeader) {
  GTEST_SKIP() << "no cupti.h was found when this was built";
}
#endif
