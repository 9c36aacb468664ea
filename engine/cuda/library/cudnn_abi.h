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
inline constexpr DnnStatus kDnnNotInitialised = 1001;
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

// Of cudnnConvolutionMode_t: as PyTorch convolves, without turning the weights.
inline constexpr int kDnnCrossCorrelation = 1;

// Of cudnnDeterminism_t.
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
  X(add, cudnnAddTensor, DnnHandle, const void*, DnnTensor, const void*, const void*, DnnTensor,   \
    void*)                                                                                         \
  X(activate, cudnnActivationForward, DnnHandle, DnnActivation, const void*, DnnTensor,            \
    const void*, const void*, DnnTensor, void*)
// clang-format on
