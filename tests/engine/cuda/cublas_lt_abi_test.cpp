// SPDX-License-Identifier: GPL-3.0-or-later
// Our declarations of cuBLASLt's interface against the real ones, where a toolkit or the Python
// packages have them. The assertions are the compiler's; the test says whether they were made.
#include <cstddef>

#include <gtest/gtest.h>

#include "engine/cuda/library/cublas_lt.h"
#include "tests/engine/cuda/signatures.h"

#ifdef FUSEBENCH_CUBLASLT_HEADER
#include FUSEBENCH_CUBLASLT_HEADER

namespace fusebench::cuda {
namespace {

#define FUSEBENCH_ASSERT(member, symbol, ...) \
  static_assert(Signature<__VA_ARGS__>::fits(static_cast<decltype(&::symbol)>(nullptr)), #symbol);
FUSEBENCH_CUBLASLT_FUNCTIONS(FUSEBENCH_ASSERT)
#undef FUSEBENCH_ASSERT

static_assert(sizeof(LtStatus) == sizeof(cublasStatus_t));
static_assert(sizeof(cublasLtGetVersion()) == sizeof(std::size_t));
static_assert(sizeof(LtAlgorithm) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(LtFound) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(LtFound, algorithm) == offsetof(cublasLtMatmulHeuristicResult_t, algo));
static_assert(offsetof(LtFound, workspaceBytes) ==
              offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(LtFound, state) == offsetof(cublasLtMatmulHeuristicResult_t, state));
static_assert(offsetof(LtFound, waves) == offsetof(cublasLtMatmulHeuristicResult_t, wavesCount));

static_assert(kCudaFloat32 == CUDA_R_32F && kCudaFloat64 == CUDA_R_64F &&
              kCudaFloat16 == CUDA_R_16F && kCudaBfloat16 == CUDA_R_16BF &&
              kCudaInt8 == CUDA_R_8I && kCudaInt32 == CUDA_R_32I);
static_assert(kComputeFloat32 == CUBLAS_COMPUTE_32F && kComputeFloat64 == CUBLAS_COMPUTE_64F &&
              kComputeInt32 == CUBLAS_COMPUTE_32I);
static_assert(kComputeFloat32 != CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(kLtAsItLies == CUBLAS_OP_N && kLtTransposed == CUBLAS_OP_T);
static_assert(kLtPlain == CUBLASLT_EPILOGUE_DEFAULT && kLtRelu == CUBLASLT_EPILOGUE_RELU &&
              kLtBias == CUBLASLT_EPILOGUE_BIAS && kLtGelu == CUBLASLT_EPILOGUE_GELU);
static_assert((kLtRelu | kLtBias) == CUBLASLT_EPILOGUE_RELU_BIAS &&
              (kLtGelu | kLtBias) == CUBLASLT_EPILOGUE_GELU_BIAS);
static_assert(kLtLayoutBatchCount == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT &&
              kLtLayoutBatchStride == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
static_assert(kLtTransposeA == CUBLASLT_MATMUL_DESC_TRANSA &&
              kLtTransposeB == CUBLASLT_MATMUL_DESC_TRANSB &&
              kLtEpilogue == CUBLASLT_MATMUL_DESC_EPILOGUE &&
              kLtBiasPointer == CUBLASLT_MATMUL_DESC_BIAS_POINTER);
static_assert(kLtMostWorkspace == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES &&
              kLtReductionSchemes == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK &&
              kLtAlignmentA == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES &&
              kLtAlignmentB == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES &&
              kLtAlignmentC == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES &&
              kLtAlignmentD == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
static_assert(kLtSumInComputeType == CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);
static_assert(kLtAlgorithmId == CUBLASLT_ALGO_CONFIG_ID &&
              kLtAlgorithmTile == CUBLASLT_ALGO_CONFIG_TILE_ID &&
              kLtAlgorithmParts == CUBLASLT_ALGO_CONFIG_SPLITK_NUM &&
              kLtAlgorithmStages == CUBLASLT_ALGO_CONFIG_STAGES_ID);

TEST(CublasLtInterface, IsThatOfTheHeader) {
  // Every name of a status that we give is the library's for that number.
  struct Named {
    int status;
    const char* name;
  };
#define FUSEBENCH_NAMED(name) \
  Named {                     \
    name, #name               \
  }
  for (const Named& status :
       {FUSEBENCH_NAMED(CUBLAS_STATUS_SUCCESS), FUSEBENCH_NAMED(CUBLAS_STATUS_NOT_INITIALIZED),
        FUSEBENCH_NAMED(CUBLAS_STATUS_ALLOC_FAILED), FUSEBENCH_NAMED(CUBLAS_STATUS_INVALID_VALUE),
        FUSEBENCH_NAMED(CUBLAS_STATUS_ARCH_MISMATCH),
        FUSEBENCH_NAMED(CUBLAS_STATUS_EXECUTION_FAILED),
        FUSEBENCH_NAMED(CUBLAS_STATUS_INTERNAL_ERROR),
        FUSEBENCH_NAMED(CUBLAS_STATUS_NOT_SUPPORTED)})
    EXPECT_EQ(ltStatusName(status.status), status.name);
#undef FUSEBENCH_NAMED
}

}  // namespace
}  // namespace fusebench::cuda
#else
TEST(CublasLtInterface, IsThatOfTheHeader) {
  GTEST_SKIP() << "no cublasLt.h was found when this was built";
}
#endif

namespace fusebench::cuda {
namespace {

/// Needs no GPU: it is opened and asked for what it has.
TEST(CublasLtLibrary, ThatIsInstalledHasAllThatIsAskedOfIt) {
  std::string why;
  const auto library = CublasLt::find({}, 0, why);
  if (!library) GTEST_SKIP() << "cuBLASLt: " << why;
  EXPECT_TRUE(why.empty());
  EXPECT_FALSE(library->path().empty());
  EXPECT_GE(std::stoi(library->versionText()), 12);
}

}  // namespace
}  // namespace fusebench::cuda
