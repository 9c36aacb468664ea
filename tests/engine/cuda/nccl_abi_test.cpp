// SPDX-License-Identifier: GPL-3.0-or-later
// Our declarations of NCCL's interface against the real ones, where a toolkit or the Python
// packages have them. The assertions are the compiler's; the test says whether they were made.
#include <gtest/gtest.h>

#include "engine/cuda/library/nccl.h"
#include "tests/engine/cuda/signatures.h"

#ifdef FUSEBENCH_NCCL_HEADER
#include FUSEBENCH_NCCL_HEADER

namespace fusebench::cuda {
namespace {

#define FUSEBENCH_ASSERT(member, symbol, ...) \
  static_assert(Signature<__VA_ARGS__>::fits(static_cast<decltype(&::symbol)>(nullptr)), #symbol);
FUSEBENCH_NCCL_FUNCTIONS(FUSEBENCH_ASSERT)
#undef FUSEBENCH_ASSERT

static_assert(sizeof(NcclResult) == sizeof(ncclResult_t));
static_assert(sizeof(NcclId) == sizeof(ncclUniqueId) && alignof(NcclId) == alignof(ncclUniqueId));
static_assert(kNcclSuccess == ncclSuccess && kNcclCudaError == ncclUnhandledCudaError &&
              kNcclSystemError == ncclSystemError && kNcclInternalError == ncclInternalError &&
              kNcclInvalidArgument == ncclInvalidArgument &&
              kNcclInvalidUsage == ncclInvalidUsage && kNcclRemoteError == ncclRemoteError &&
              kNcclInProgress == ncclInProgress);
static_assert(kNcclSum == ncclSum && kNcclProduct == ncclProd && kNcclMax == ncclMax &&
              kNcclMin == ncclMin && kNcclAverage == ncclAvg);
static_assert(kNcclInt8 == ncclInt8 && kNcclUint8 == ncclUint8 && kNcclInt32 == ncclInt32 &&
              kNcclInt64 == ncclInt64 && kNcclFloat16 == ncclFloat16 &&
              kNcclFloat32 == ncclFloat32 && kNcclFloat64 == ncclFloat64 &&
              kNcclBfloat16 == ncclBfloat16);

TEST(NcclInterface, IsThatOfTheHeader) {
  // The library describes its results as the header names them.
  std::string why;
  const auto library = Nccl::find({}, 0, why);
  if (!library) GTEST_SKIP() << "NCCL: " << why;
  EXPECT_EQ(library->resultText(ncclSuccess), "no error");
  EXPECT_EQ(library->resultText(ncclInvalidUsage).substr(0, 13), "invalid usage");
}

}  // namespace
}  // namespace fusebench::cuda
#else
TEST(NcclInterface, IsThatOfTheHeader) {
  GTEST_SKIP() << "no nccl.h was found when this was built";
}
#endif

namespace fusebench::cuda {
namespace {

/// Needs no GPU: it is opened and asked for what it has.
TEST(NcclLibrary, ThatIsInstalledHasAllThatIsAskedOfIt) {
  std::string why;
  const auto library = Nccl::find({}, 0, why);
  if (!library) GTEST_SKIP() << "NCCL: " << why;
  EXPECT_TRUE(why.empty());
  EXPECT_FALSE(library->path().empty());
  EXPECT_EQ(std::stoi(library->versionText()), 2);
}

}  // namespace
}  // namespace fusebench::cuda
