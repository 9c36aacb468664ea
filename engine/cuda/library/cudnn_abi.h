// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/cuda/driver/driver_abi.h"

/// The part of cuDNN 9's binary interface that is used here, declared by hand so that no toolkit is
/// needed to build. Sizes, values and signatures are checked against the real cudnn.h by a test
/// where one is found; the names are those of the cuDNN library's API reference.
namespace fusebench::cuda {

using DnnStatus = int;  ///< cudnnStatus_t
using DnnHandle = struct OpaqueDnnHandle*;
using DnnTensor = struct OpaqueDnnTensor*;            ///< cudnnTensorDescriptor_t
using DnnFilter = struct OpaqueDnnFilter*;            ///< cudnnFilterDescriptor_t
using DnnConvolution = struct OpaqueDnnConvolution*;  ///< cudnnConvolutionDescriptor_t
using DnnActivation = struct OpaqueDnnActivation*;    ///< cudnnActivationDescriptor_t
using DnnPart = void*;                                ///< cudnnBackendDescriptor_t

/// cudnnConvolutionFwdAlgoPerf_t; those of the gradients are alike.
struct DnnFound {
  int algorithm;
  DnnStatus status;  ///< the rest counts only where it is success
  float milliseconds;
  std::size_t workspaceBytes;
  int determinism;
  int math;
  int reserved[3];
};

// Values of cudnnStatus_t. The thousands are a category: 2, what was given is wrong; 3, it is not
// supported; 4, an error inside; 5, the execution failed.
inline constexpr DnnStatus kDnnSuccess = 0;
inline constexpr DnnStatus kDnnNotInitialized = 1001;
inline constexpr DnnStatus kDnnBadParameter = 2000;
inline constexpr DnnStatus kDnnTooSmall = 2006;
inline constexpr DnnStatus kDnnOtherStream = 2007;
inline constexpr DnnStatus kDnnNotSupported = 3000;
inline constexpr DnnStatus kDnnNotSupportedLayout = 3004;
inline constexpr DnnStatus kDnnDeviceAllocationFailed = 4004;
inline constexpr DnnStatus kDnnExecutionFailed = 5000;

// Values of cudnnDataType_t.
inline constexpr int kDnnFloat32 = 0;
inline constexpr int kDnnFloat64 = 1;
inline constexpr int kDnnFloat16 = 2;
inline constexpr int kDnnBfloat16 = 9;

// Values of cudnnTensorFormat_t, of filters: channels before places, or after them.
inline constexpr int kDnnRowMajor = 0;
inline constexpr int kDnnChannelsLast = 1;

// Values of cudnnMathType_t. By default float32 may be computed in TF32; by FMA alone it may not.
inline constexpr int kDnnDefaultMath = 0;
inline constexpr int kDnnTensorMath = 1;
inline constexpr int kDnnConvertingMath = 2;
inline constexpr int kDnnFmaMath = 3;

// cudnnConvolutionMode_t: as PyTorch convolves, without flipping the weights.
inline constexpr int kDnnCrossCorrelation = 1;

// cudnnDeterminism_t.
inline constexpr int kDnnDeterministic = 1;

// Values of cudnnActivationMode_t and cudnnNanPropagation_t.
inline constexpr int kDnnRelu = 1;
inline constexpr int kDnnIdentity = 5;
inline constexpr int kDnnLosesNan = 0;
inline constexpr int kDnnKeepsNan = 1;

// Values of cudnnConvolutionFwdAlgo_t, 0 to 7.
inline constexpr int kDnnImplicitGemm = 0;
inline constexpr int kDnnImplicitPrecompGemm = 1;
inline constexpr int kDnnGemm = 2;
inline constexpr int kDnnForwardAlgorithms = 8;
// Values of cudnnConvolutionBwdDataAlgo_t, 0 to 5, and cudnnConvolutionBwdFilterAlgo_t, 0 to 6. The
// first of each, and the fourth of weights, add in any order.
inline constexpr int kDnnSourceImplicitGemm = 1;
inline constexpr int kDnnSourceAlgorithms = 6;
inline constexpr int kDnnWeightsImplicitGemm = 1;
inline constexpr int kDnnWeightsAlgorithms = 7;

// Graphs of operations ("backend" in the library's names): values of cudnnBackendDescriptorType_t,
// the kind of a part.
inline constexpr int kDnnPointwise = 0;
inline constexpr int kDnnConvolutionPart = 1;
inline constexpr int kDnnEngine = 2;
inline constexpr int kDnnEngineConfig = 3;
inline constexpr int kDnnHeuristics = 4;
inline constexpr int kDnnPlan = 5;
inline constexpr int kDnnForwardOp = 10;
inline constexpr int kDnnToWeightsOp = 11;
inline constexpr int kDnnToSourceOp = 12;
inline constexpr int kDnnPointwiseOp = 13;
inline constexpr int kDnnOpGraph = 15;
inline constexpr int kDnnVariantPack = 16;
inline constexpr int kDnnTensorPart = 17;

// Values of cudnnBackendAttributeName_t.
inline constexpr int kDnnPointwiseMode = 0;
inline constexpr int kDnnPointwiseCompute = 1;
inline constexpr int kDnnPointwiseNan = 2;
inline constexpr int kDnnConvolutionCompute = 100;
inline constexpr int kDnnConvolutionMode = 101;
inline constexpr int kDnnConvolutionDilations = 102;
inline constexpr int kDnnConvolutionStrides = 103;
inline constexpr int kDnnConvolutionPaddingAfter = 104;
inline constexpr int kDnnConvolutionPaddingBefore = 105;
inline constexpr int kDnnConvolutionDims = 106;
inline constexpr int kDnnHeuristicsMode = 200;
inline constexpr int kDnnHeuristicsGraph = 201;
inline constexpr int kDnnHeuristicsFound = 202;
inline constexpr int kDnnConfigEngine = 300;
inline constexpr int kDnnPlanHandle = 400;
inline constexpr int kDnnPlanConfig = 401;
inline constexpr int kDnnPlanWorkspace = 402;
// The first of six attributes each, for a convolution and its gradients: a factor, the factor of
// the existing contents, the convolution, and the tensors: weights, images, convolved result, one
// of which is computed.
inline constexpr int kDnnForwardFirst = 700;
inline constexpr int kDnnToSourceFirst = 706;
inline constexpr int kDnnToWeightsFirst = 712;
inline constexpr int kDnnOpPointwise = 750;
inline constexpr int kDnnOpX = 751;
inline constexpr int kDnnOpB = 752;
inline constexpr int kDnnOpY = 753;
inline constexpr int kDnnGraphHandle = 800;
inline constexpr int kDnnGraphOps = 801;
inline constexpr int kDnnTensorAlignment = 900;
inline constexpr int kDnnTensorType = 901;
inline constexpr int kDnnTensorExtents = 902;
inline constexpr int kDnnTensorStrides = 903;
inline constexpr int kDnnTensorId = 906;
inline constexpr int kDnnTensorVirtual = 907;
inline constexpr int kDnnPackIds = 1000;
inline constexpr int kDnnPackPointers = 1001;
inline constexpr int kDnnPackWorkspace = 1003;
inline constexpr int kDnnEngineIndex = 1301;
inline constexpr int kDnnEngineNotes = 1303;

// Values of cudnnBackendAttributeType_t.
inline constexpr int kDnnOfHandle = 0;
inline constexpr int kDnnOfDataType = 1;
inline constexpr int kDnnOfBool = 2;
inline constexpr int kDnnOfInt64 = 3;
inline constexpr int kDnnOfFloat = 4;
inline constexpr int kDnnOfDouble = 5;
inline constexpr int kDnnOfPointer = 6;
inline constexpr int kDnnOfConvolutionMode = 7;
inline constexpr int kDnnOfHeuristicsMode = 8;
inline constexpr int kDnnOfNan = 10;
inline constexpr int kDnnOfNote = 11;
inline constexpr int kDnnOfPointwiseMode = 14;
inline constexpr int kDnnOfPart = 15;

// cudnnPointwiseMode_t and cudnnBackendHeurMode_t.
inline constexpr int kDnnAdd = 0;
inline constexpr int kDnnReluForward = 100;
inline constexpr int kDnnHeuristicsA = 3;

// Values of cudnnBackendNumericalNote_t: what an engine does with numbers.
inline constexpr int kDnnNoteTensorCores = 0;
inline constexpr int kDnnNoteNarrowsInputs = 1;
inline constexpr int kDnnNoteNarrowsSums = 2;
inline constexpr int kDnnNoteAnyOrder = 4;
inline constexpr int kDnnNotes = 10;

/// Dimensions of tensors are at least so many.
inline constexpr int kDnnLeastDims = 4;

}  // namespace fusebench::cuda

/// Every function of cuDNN in use that returns a status: X(member, exported symbol, parameter
/// types...).
// clang-format off
#define FUSEBENCH_CUDNN_FUNCTIONS(X)                                                               \
  X(create, cudnnCreate, DnnHandle*)                                                               \
  X(destroy, cudnnDestroy, DnnHandle)                                                              \
  X(setStream, cudnnSetStream, DnnHandle, Stream)                                                  \
  X(tensorCreate, cudnnCreateTensorDescriptor, DnnTensor*)                                         \
  X(tensorDestroy, cudnnDestroyTensorDescriptor, DnnTensor)                                        \
  X(tensorSet, cudnnSetTensorNdDescriptor, DnnTensor, int, int, const int*, const int*)            \
  X(filterCreate, cudnnCreateFilterDescriptor, DnnFilter*)                                         \
  X(filterDestroy, cudnnDestroyFilterDescriptor, DnnFilter)                                        \
  X(filterSet, cudnnSetFilterNdDescriptor, DnnFilter, int, int, int, const int*)                   \
  X(convolutionCreate, cudnnCreateConvolutionDescriptor, DnnConvolution*)                          \
  X(convolutionDestroy, cudnnDestroyConvolutionDescriptor, DnnConvolution)                         \
  X(convolutionSet, cudnnSetConvolutionNdDescriptor, DnnConvolution, int, const int*, const int*,  \
    const int*, int, int)                                                                          \
  X(groupsSet, cudnnSetConvolutionGroupCount, DnnConvolution, int)                                 \
  X(mathSet, cudnnSetConvolutionMathType, DnnConvolution, int)                                     \
  X(activationCreate, cudnnCreateActivationDescriptor, DnnActivation*)                             \
  X(activationDestroy, cudnnDestroyActivationDescriptor, DnnActivation)                            \
  X(activationSet, cudnnSetActivationDescriptor, DnnActivation, int, int, double)                  \
  X(forwardWays, cudnnGetConvolutionForwardAlgorithm_v7, DnnHandle, DnnTensor, DnnFilter,          \
    DnnConvolution, DnnTensor, int, int*, DnnFound*)                                               \
  X(forwardWorkspace, cudnnGetConvolutionForwardWorkspaceSize, DnnHandle, DnnTensor, DnnFilter,    \
    DnnConvolution, DnnTensor, int, std::size_t*)                                                  \
  X(forward, cudnnConvolutionForward, DnnHandle, const void*, DnnTensor, const void*, DnnFilter,   \
    const void*, DnnConvolution, int, void*, std::size_t, const void*, DnnTensor, void*)           \
  X(forwardBias, cudnnConvolutionBiasActivationForward, DnnHandle, const void*, DnnTensor,         \
    const void*, DnnFilter, const void*, DnnConvolution, int, void*, std::size_t, const void*,     \
    DnnTensor, const void*, DnnTensor, const void*, DnnActivation, DnnTensor, void*)               \
  X(sourceWays, cudnnGetConvolutionBackwardDataAlgorithm_v7, DnnHandle, DnnFilter, DnnTensor,      \
    DnnConvolution, DnnTensor, int, int*, DnnFound*)                                               \
  X(sourceWorkspace, cudnnGetConvolutionBackwardDataWorkspaceSize, DnnHandle, DnnFilter,           \
    DnnTensor, DnnConvolution, DnnTensor, int, std::size_t*)                                       \
  X(toSource, cudnnConvolutionBackwardData, DnnHandle, const void*, DnnFilter, const void*,        \
    DnnTensor, const void*, DnnConvolution, int, void*, std::size_t, const void*, DnnTensor,       \
    void*)                                                                                         \
  X(weightsWays, cudnnGetConvolutionBackwardFilterAlgorithm_v7, DnnHandle, DnnTensor, DnnTensor,   \
    DnnConvolution, DnnFilter, int, int*, DnnFound*)                                               \
  X(weightsWorkspace, cudnnGetConvolutionBackwardFilterWorkspaceSize, DnnHandle, DnnTensor,        \
    DnnTensor, DnnConvolution, DnnFilter, int, std::size_t*)                                       \
  X(toWeights, cudnnConvolutionBackwardFilter, DnnHandle, const void*, DnnTensor, const void*,     \
    DnnTensor, const void*, DnnConvolution, int, void*, std::size_t, const void*, DnnFilter,       \
    void*)                                                                                         \
  X(partCreate, cudnnBackendCreateDescriptor, int, DnnPart*)                                       \
  X(partDestroy, cudnnBackendDestroyDescriptor, DnnPart)                                           \
  X(partSet, cudnnBackendSetAttribute, DnnPart, int, int, std::int64_t, const void*)               \
  X(partGet, cudnnBackendGetAttribute, DnnPart, int, int, std::int64_t, std::int64_t*, void*)      \
  X(partFinish, cudnnBackendFinalize, DnnPart)                                                     \
  X(planRun, cudnnBackendExecute, DnnHandle, DnnPart, DnnPart)                                     \
  X(add, cudnnAddTensor, DnnHandle, const void*, DnnTensor, const void*, const void*, DnnTensor,   \
    void*)                                                                                         \
  X(activate, cudnnActivationForward, DnnHandle, DnnActivation, const void*, DnnTensor,            \
    const void*, const void*, DnnTensor, void*)
// clang-format on
