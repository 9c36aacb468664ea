// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/cuda/driver/driver_abi.h"

/// The part of cuBLASLt's binary interface that is used here, declared by hand so that no toolkit
/// is needed to build. Sizes, values and signatures are checked against the real cublasLt.h by a
/// test where one is found; the names are those of the cuBLAS library's user guide.
namespace fusebench::cuda {

using LtStatus = int;  ///< cublasStatus_t
using LtHandle = struct OpaqueLtHandle*;
using LtLayout = struct OpaqueLtLayout*;            ///< a matrix
using LtDescription = struct OpaqueLtDescription*;  ///< a product
using LtPreference = struct OpaqueLtPreference*;    ///< a search

/// cublasLtMatmulAlgo_t: may be kept and given to the same version of the library again.
struct LtAlgorithm {
  std::uint64_t data[8];
};

/// cublasLtMatmulHeuristicResult_t.
struct LtFound {
  LtAlgorithm algorithm;
  std::size_t workspaceBytes;
  LtStatus state;  ///< the rest counts only where it is success
  float waves;
  int reserved[4];
};

// Values of cublasStatus_t.
inline constexpr LtStatus kLtSuccess = 0;
inline constexpr LtStatus kLtNotInitialized = 1;
inline constexpr LtStatus kLtAllocationFailed = 3;
inline constexpr LtStatus kLtInvalidValue = 7;
inline constexpr LtStatus kLtArchitectureMismatch = 8;
inline constexpr LtStatus kLtExecutionFailed = 13;
inline constexpr LtStatus kLtInternalError = 14;
inline constexpr LtStatus kLtNotSupported = 15;

// Values of cudaDataType.
inline constexpr int kCudaFloat32 = 0;
inline constexpr int kCudaFloat64 = 1;
inline constexpr int kCudaFloat16 = 2;
inline constexpr int kCudaInt8 = 3;
inline constexpr int kCudaInt32 = 10;
inline constexpr int kCudaBfloat16 = 14;

// Values of cublasComputeType_t. That of float32 takes no TF32; the one that does is 77.
inline constexpr int kComputeFloat32 = 68;
inline constexpr int kComputeFloat64 = 70;
inline constexpr int kComputeInt32 = 72;

// Values of cublasOperation_t and cublasLtEpilogue_t; epilogues are joined bit by bit.
inline constexpr std::int32_t kLtAsItLies = 0;
inline constexpr std::int32_t kLtTransposed = 1;
inline constexpr std::uint32_t kLtPlain = 1;
inline constexpr std::uint32_t kLtRelu = 2;
inline constexpr std::uint32_t kLtBias = 4;
inline constexpr std::uint32_t kLtGelu = 32;  ///< by tanh

// cublasLtMatrixLayoutAttribute_t.
inline constexpr int kLtLayoutBatchCount = 5;   ///< int32
inline constexpr int kLtLayoutBatchStride = 6;  ///< int64, elements
// cublasLtMatmulDescAttributes_t.
inline constexpr int kLtTransposeA = 3;   ///< int32
inline constexpr int kLtTransposeB = 4;   ///< int32
inline constexpr int kLtEpilogue = 7;     ///< uint32
inline constexpr int kLtBiasPointer = 8;  ///< const void*
// cublasLtMatmulPreferenceAttributes_t.
inline constexpr int kLtMostWorkspace = 1;     ///< uint64, bytes
inline constexpr int kLtReductionSchemes = 3;  ///< uint32, a mask
inline constexpr int kLtAlignmentA = 5;        ///< uint32, bytes; those of B, C and D follow
inline constexpr int kLtAlignmentB = 6;
inline constexpr int kLtAlignmentC = 7;
inline constexpr int kLtAlignmentD = 8;
/// CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE: parts of a sum are added in the type that is computed
/// in.
inline constexpr std::uint32_t kLtSumInComputeType = 2;
// cublasLtMatmulAlgoConfigAttributes_t.
inline constexpr int kLtAlgorithmId = 0;      ///< int32
inline constexpr int kLtAlgorithmTile = 1;    ///< uint32
inline constexpr int kLtAlgorithmParts = 2;   ///< int32: the depth is split
inline constexpr int kLtAlgorithmStages = 6;  ///< uint32

}  // namespace fusebench::cuda

/// Every function of cuBLASLt in use that returns a status: X(member, exported symbol, parameter
/// types...).
// clang-format off
#define FUSEBENCH_CUBLASLT_FUNCTIONS(X)                                                            \
  X(create, cublasLtCreate, LtHandle*)                                                             \
  X(destroy, cublasLtDestroy, LtHandle)                                                            \
  X(layoutCreate, cublasLtMatrixLayoutCreate, LtLayout*, int, std::uint64_t, std::uint64_t,        \
    std::int64_t)                                                                                  \
  X(layoutDestroy, cublasLtMatrixLayoutDestroy, LtLayout)                                          \
  X(layoutSet, cublasLtMatrixLayoutSetAttribute, LtLayout, int, const void*, std::size_t)          \
  X(descriptionCreate, cublasLtMatmulDescCreate, LtDescription*, int, int)                         \
  X(descriptionDestroy, cublasLtMatmulDescDestroy, LtDescription)                                  \
  X(descriptionSet, cublasLtMatmulDescSetAttribute, LtDescription, int, const void*, std::size_t)  \
  X(preferenceCreate, cublasLtMatmulPreferenceCreate, LtPreference*)                               \
  X(preferenceDestroy, cublasLtMatmulPreferenceDestroy, LtPreference)                              \
  X(preferenceSet, cublasLtMatmulPreferenceSetAttribute, LtPreference, int, const void*,           \
    std::size_t)                                                                                   \
  X(heuristic, cublasLtMatmulAlgoGetHeuristic, LtHandle, LtDescription, LtLayout, LtLayout,        \
    LtLayout, LtLayout, LtPreference, int, LtFound*, int*)                                         \
  X(check, cublasLtMatmulAlgoCheck, LtHandle, LtDescription, LtLayout, LtLayout, LtLayout,         \
    LtLayout, const LtAlgorithm*, LtFound*)                                                        \
  X(configuration, cublasLtMatmulAlgoConfigGetAttribute, const LtAlgorithm*, int, void*,           \
    std::size_t, std::size_t*)                                                                     \
  X(matmul, cublasLtMatmul, LtHandle, LtDescription, const void*, const void*, LtLayout,           \
    const void*, LtLayout, const void*, const void*, LtLayout, void*, LtLayout,                    \
    const LtAlgorithm*, void*, std::size_t, Stream)
// clang-format on
