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
              kDnnNotInitialized == CUDNN_STATUS_NOT_INITIALIZED &&
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

// Graphs of operations.
template <class Theirs>
constexpr bool is(int ours, Theirs theirs) {
  return ours == static_cast<int>(theirs);
}
static_assert(is(kDnnPointwise, CUDNN_BACKEND_POINTWISE_DESCRIPTOR));
static_assert(is(kDnnConvolutionPart, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR));
static_assert(is(kDnnEngine, CUDNN_BACKEND_ENGINE_DESCRIPTOR));
static_assert(is(kDnnEngineConfig, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
static_assert(is(kDnnHeuristics, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR));
static_assert(is(kDnnPlan, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR));
static_assert(is(kDnnForwardOp, CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR));
static_assert(is(kDnnToWeightsOp, CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR));
static_assert(is(kDnnToSourceOp, CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR));
static_assert(is(kDnnPointwiseOp, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR));
static_assert(is(kDnnOpGraph, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR));
static_assert(is(kDnnVariantPack, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR));
static_assert(is(kDnnTensorPart, CUDNN_BACKEND_TENSOR_DESCRIPTOR));
static_assert(is(kDnnPointwiseMode, CUDNN_ATTR_POINTWISE_MODE));
static_assert(is(kDnnPointwiseCompute, CUDNN_ATTR_POINTWISE_MATH_PREC));
static_assert(is(kDnnPointwiseNan, CUDNN_ATTR_POINTWISE_NAN_PROPAGATION));
static_assert(is(kDnnConvolutionCompute, CUDNN_ATTR_CONVOLUTION_COMP_TYPE));
static_assert(is(kDnnConvolutionMode, CUDNN_ATTR_CONVOLUTION_CONV_MODE));
static_assert(is(kDnnConvolutionDilations, CUDNN_ATTR_CONVOLUTION_DILATIONS));
static_assert(is(kDnnConvolutionStrides, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES));
static_assert(is(kDnnConvolutionPaddingAfter, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS));
static_assert(is(kDnnConvolutionPaddingBefore, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS));
static_assert(is(kDnnConvolutionDims, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS));
static_assert(is(kDnnHeuristicsMode, CUDNN_ATTR_ENGINEHEUR_MODE));
static_assert(is(kDnnHeuristicsGraph, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH));
static_assert(is(kDnnHeuristicsFound, CUDNN_ATTR_ENGINEHEUR_RESULTS));
static_assert(is(kDnnConfigEngine, CUDNN_ATTR_ENGINECFG_ENGINE));
static_assert(is(kDnnPlanHandle, CUDNN_ATTR_EXECUTION_PLAN_HANDLE));
static_assert(is(kDnnPlanConfig, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG));
static_assert(is(kDnnPlanWorkspace, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE));
static_assert(is(kDnnForwardFirst, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA));
static_assert(is(kDnnForwardFirst + 1, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA));
static_assert(is(kDnnForwardFirst + 2, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC));
static_assert(is(kDnnForwardFirst + 3, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W));
static_assert(is(kDnnForwardFirst + 4, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X));
static_assert(is(kDnnForwardFirst + 5, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y));
static_assert(is(kDnnToSourceFirst, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA));
static_assert(is(kDnnToSourceFirst + 1, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA));
static_assert(is(kDnnToSourceFirst + 2, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC));
static_assert(is(kDnnToSourceFirst + 3, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W));
static_assert(is(kDnnToSourceFirst + 4, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX));
static_assert(is(kDnnToSourceFirst + 5, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY));
static_assert(is(kDnnToWeightsFirst, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA));
static_assert(is(kDnnToWeightsFirst + 1, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA));
static_assert(is(kDnnToWeightsFirst + 2, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC));
static_assert(is(kDnnToWeightsFirst + 3, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW));
static_assert(is(kDnnToWeightsFirst + 4, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X));
static_assert(is(kDnnToWeightsFirst + 5, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY));
static_assert(is(kDnnOpPointwise, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR));
static_assert(is(kDnnOpX, CUDNN_ATTR_OPERATION_POINTWISE_XDESC));
static_assert(is(kDnnOpB, CUDNN_ATTR_OPERATION_POINTWISE_BDESC));
static_assert(is(kDnnOpY, CUDNN_ATTR_OPERATION_POINTWISE_YDESC));
static_assert(is(kDnnGraphHandle, CUDNN_ATTR_OPERATIONGRAPH_HANDLE));
static_assert(is(kDnnGraphOps, CUDNN_ATTR_OPERATIONGRAPH_OPS));
static_assert(is(kDnnTensorAlignment, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT));
static_assert(is(kDnnTensorType, CUDNN_ATTR_TENSOR_DATA_TYPE));
static_assert(is(kDnnTensorExtents, CUDNN_ATTR_TENSOR_DIMENSIONS));
static_assert(is(kDnnTensorStrides, CUDNN_ATTR_TENSOR_STRIDES));
static_assert(is(kDnnTensorId, CUDNN_ATTR_TENSOR_UNIQUE_ID));
static_assert(is(kDnnTensorVirtual, CUDNN_ATTR_TENSOR_IS_VIRTUAL));
static_assert(is(kDnnPackIds, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS));
static_assert(is(kDnnPackPointers, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS));
static_assert(is(kDnnPackWorkspace, CUDNN_ATTR_VARIANT_PACK_WORKSPACE));
static_assert(is(kDnnEngineIndex, CUDNN_ATTR_ENGINE_GLOBAL_INDEX));
static_assert(is(kDnnEngineNotes, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE));
static_assert(is(kDnnOfHandle, CUDNN_TYPE_HANDLE));
static_assert(is(kDnnOfDataType, CUDNN_TYPE_DATA_TYPE));
static_assert(is(kDnnOfBool, CUDNN_TYPE_BOOLEAN));
static_assert(is(kDnnOfInt64, CUDNN_TYPE_INT64));
static_assert(is(kDnnOfFloat, CUDNN_TYPE_FLOAT));
static_assert(is(kDnnOfDouble, CUDNN_TYPE_DOUBLE));
static_assert(is(kDnnOfPointer, CUDNN_TYPE_VOID_PTR));
static_assert(is(kDnnOfConvolutionMode, CUDNN_TYPE_CONVOLUTION_MODE));
static_assert(is(kDnnOfHeuristicsMode, CUDNN_TYPE_HEUR_MODE));
static_assert(is(kDnnOfNan, CUDNN_TYPE_NAN_PROPOGATION));
static_assert(is(kDnnOfNote, CUDNN_TYPE_NUMERICAL_NOTE));
static_assert(is(kDnnOfPointwiseMode, CUDNN_TYPE_POINTWISE_MODE));
static_assert(is(kDnnOfPart, CUDNN_TYPE_BACKEND_DESCRIPTOR));
static_assert(is(kDnnAdd, CUDNN_POINTWISE_ADD));
static_assert(is(kDnnReluForward, CUDNN_POINTWISE_RELU_FWD));
static_assert(is(kDnnHeuristicsA, CUDNN_HEUR_MODE_A));
static_assert(is(kDnnNoteTensorCores, CUDNN_NUMERICAL_NOTE_TENSOR_CORE));
static_assert(is(kDnnNoteNarrowsInputs, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS));
static_assert(is(kDnnNoteNarrowsSums, CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION));
static_assert(is(kDnnNoteAnyOrder, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC));
static_assert(sizeof(DnnPart) == sizeof(cudnnBackendDescriptor_t) &&
              sizeof(cudnnBackendNumericalNote_t) == sizeof(int) && sizeof(cudnnDataType_t) == 4);

TEST(CudnnInterface, IsThatOfTheHeader) {
  // The numbers that we pass to the library have the names in it that they have in the header.
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
