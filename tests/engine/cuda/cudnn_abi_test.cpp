// SPDX-License-Identifier: GPL-3.0-or-later
// Our declarations of cuDNN's interface against the real ones, where an installation or the Python
// packages have them. The assertions are the compiler's; the test says whether they were made.
#include <cstddef>

#include <gtest/gtest.h>

#include "engine/cuda/library/cudnn.h"
#include "tests/engine/cuda/signatures.h"

#ifdef FUSEBENCH_CUDNN_HEADER
#include FUSEBENCH_CUDNN_HEADER

namespace fusebench::cuda {
namespace {

static_assert(CUDNN_MAJOR == 9);

#define FUSEBENCH_ASSERT(member, symbol, ...) \
  static_assert(Signature<__VA_ARGS__>::fits(static_cast<decltype(&::symbol)>(nullptr)), #symbol);
FUSEBENCH_CUDNN_FUNCTIONS(FUSEBENCH_ASSERT)
#undef FUSEBENCH_ASSERT

static_assert(sizeof(DnnStatus) == sizeof(cudnnStatus_t));
static_assert(sizeof(cudnnGetVersion()) == sizeof(std::size_t) &&
              sizeof(cudnnGetCudartVersion()) == sizeof(std::size_t));
static_assert(sizeof(DnnFound) == sizeof(cudnnConvolutionFwdAlgoPerf_t));
static_assert(sizeof(DnnFound) == sizeof(cudnnConvolutionBwdDataAlgoPerf_t) &&
              sizeof(DnnFound) == sizeof(cudnnConvolutionBwdFilterAlgoPerf_t));
static_assert(offsetof(DnnFound, workspaceBytes) ==
                  offsetof(cudnnConvolutionBwdDataAlgoPerf_t, memory) &&
              offsetof(DnnFound, workspaceBytes) ==
                  offsetof(cudnnConvolutionBwdFilterAlgoPerf_t, memory) &&
              offsetof(DnnFound, math) == offsetof(cudnnConvolutionBwdDataAlgoPerf_t, mathType) &&
              offsetof(DnnFound, math) == offsetof(cudnnConvolutionBwdFilterAlgoPerf_t, mathType));
static_assert(offsetof(DnnFound, algorithm) == offsetof(cudnnConvolutionFwdAlgoPerf_t, algo));
static_assert(offsetof(DnnFound, status) == offsetof(cudnnConvolutionFwdAlgoPerf_t, status));
static_assert(offsetof(DnnFound, milliseconds) == offsetof(cudnnConvolutionFwdAlgoPerf_t, time));
static_assert(offsetof(DnnFound, workspaceBytes) ==
              offsetof(cudnnConvolutionFwdAlgoPerf_t, memory));
static_assert(offsetof(DnnFound, determinism) ==
              offsetof(cudnnConvolutionFwdAlgoPerf_t, determinism));
static_assert(offsetof(DnnFound, math) == offsetof(cudnnConvolutionFwdAlgoPerf_t, mathType));

static_assert(kDnnSuccess == CUDNN_STATUS_SUCCESS &&
              kDnnNotInitialised == CUDNN_STATUS_NOT_INITIALIZED &&
              kDnnBadParameter == CUDNN_STATUS_BAD_PARAM &&
              kDnnTooSmall == CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT &&
              kDnnOtherStream == CUDNN_STATUS_BAD_PARAM_STREAM_MISMATCH &&
              kDnnNotSupported == CUDNN_STATUS_NOT_SUPPORTED &&
              kDnnNotSupportedLayout == CUDNN_STATUS_NOT_SUPPORTED_LAYOUT &&
              kDnnDeviceAllocationFailed == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED &&
              kDnnExecutionFailed == CUDNN_STATUS_EXECUTION_FAILED);
static_assert(CUDNN_STATUS_CATEGORY(kDnnTooSmall) == 2000 &&
              CUDNN_STATUS_CATEGORY(kDnnNotSupportedLayout) == 3000);
static_assert(kDnnFloat32 == CUDNN_DATA_FLOAT && kDnnFloat64 == CUDNN_DATA_DOUBLE &&
              kDnnFloat16 == CUDNN_DATA_HALF && kDnnBfloat16 == CUDNN_DATA_BFLOAT16);
static_assert(kDnnRowMajor == CUDNN_TENSOR_NCHW && kDnnChannelsLast == CUDNN_TENSOR_NHWC);
static_assert(kDnnDefaultMath == CUDNN_DEFAULT_MATH && kDnnTensorMath == CUDNN_TENSOR_OP_MATH &&
              kDnnConvertingMath == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION &&
              kDnnFmaMath == CUDNN_FMA_MATH);
static_assert(kDnnCrossCorrelation == CUDNN_CROSS_CORRELATION);
static_assert(kDnnDeterministic == CUDNN_DETERMINISTIC);
static_assert(kDnnRelu == CUDNN_ACTIVATION_RELU && kDnnIdentity == CUDNN_ACTIVATION_IDENTITY);
static_assert(kDnnLosesNan == CUDNN_NOT_PROPAGATE_NAN && kDnnKeepsNan == CUDNN_PROPAGATE_NAN);
static_assert(kDnnImplicitGemm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM &&
              kDnnImplicitPrecompGemm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM &&
              kDnnGemm == CUDNN_CONVOLUTION_FWD_ALGO_GEMM &&
              kDnnForwardAlgorithms == CUDNN_CONVOLUTION_FWD_ALGO_COUNT);
static_assert(kDnnSourceImplicitGemm == CUDNN_CONVOLUTION_BWD_DATA_ALGO_1 &&
              kDnnSourceAlgorithms == CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT &&
              kDnnWeightsImplicitGemm == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1 &&
              kDnnWeightsAlgorithms == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT);

TEST(CudnnInterface, IsThatOfTheHeader) {
  // What is asked of the library as numbers is named by it as in the header.
  std::string why;
  const auto library = Cudnn::find({}, 0, why);
  if (!library) GTEST_SKIP() << "cuDNN: " << why;
  EXPECT_EQ(library->statusName(CUDNN_STATUS_NOT_SUPPORTED), "CUDNN_STATUS_NOT_SUPPORTED");
  EXPECT_EQ(library->statusName(CUDNN_STATUS_BAD_PARAM), "CUDNN_STATUS_BAD_PARAM");
}

}  // namespace
}  // namespace fusebench::cuda
#else
TEST(CudnnInterface, IsThatOfTheHeader) {
  GTEST_SKIP() << "no cudnn.h was found when this was built";
}
#endif

namespace fusebench::cuda {
namespace {

/// Needs no GPU: it is opened and asked for what it has.
TEST(CudnnLibrary, ThatIsInstalledHasAllThatIsAskedOfIt) {
  std::string why;
  const auto library = Cudnn::find({}, 0, why);
  if (!library) GTEST_SKIP() << "cuDNN: " << why;
  EXPECT_TRUE(why.empty());
  EXPECT_FALSE(library->path().empty());
  EXPECT_EQ(std::stoi(library->versionText()), 9);
}

}  // namespace
}  // namespace fusebench::cuda
