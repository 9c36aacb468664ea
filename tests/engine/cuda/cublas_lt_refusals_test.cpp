// SPDX-License-Identifier: GPL-3.0-or-later
// The double of cuBLASLt refuses what the library refuses, so that what runs on it may run on a
// device.
#include <array>
#include <optional>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/library/cublas_lt.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/support/built_paths.h"

namespace fusebench::test {
namespace {

using namespace cuda;

constexpr Result kIllegal = 700;

struct Wanted {
  int type = kCudaFloat32, resultType = kCudaFloat32, compute = kComputeFloat32,
      scale = kCudaFloat32;
  std::uint64_t m = 8, n = 4, k = 8;
  std::int64_t leadA = 8, leadB = 8, leadC = 8, leadD = 8;
  std::uint64_t rowsB = 8;
  std::int32_t transposeA = kLtAsItLies, transposeB = kLtAsItLies;
  std::int32_t batches = 1, batchesA = 0;
  std::int64_t strideD = 32;
  std::uint32_t epilogue = kLtPlain;
  bool bias = false;
  std::uint64_t workspace = 1 << 20;
  std::uint32_t alignment = 256;
  std::size_t given = 1 << 16;  ///< bytes of workspace
  std::size_t shift = 0;        ///< of A's address, bytes
  bool inPlace = false;         ///< C is D
};

class CublasLtDouble : public CudaBackendTest {
 protected:
  CublasLtDouble() {
    device_.use();
    driver_.streamCreate(&stream_, kStreamNonBlocking);
    driver_.memAlloc(&block_, kBytes);
    std::string why;
    library_ = CublasLt::find(fusebench::test::cudaDoublePath(), 0, why);
    EXPECT_EQ(library_->create(&handle_), kLtSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(library_->destroy(handle_), kLtSuccess);
    driver_.memFree.attempt(block_);
    driver_.streamDestroy.attempt(stream_);
  }

  /// What the library says: first of the heuristic, then of the product by what that found.
  LtStatus ask(const Wanted& wanted) {
    const CublasLt& lt = *library_;
    std::array<LtLayout, 4> layouts{};
    const auto layout = [&](std::size_t at, int type, std::uint64_t rows, std::uint64_t columns,
                            std::int64_t lead, std::int32_t batches, std::int64_t stride) {
      LtStatus status = lt.layoutCreate(&layouts[at], type, rows, columns, lead);
      if (status == kLtSuccess)
        status = lt.layoutSet(layouts[at], kLtLayoutBatchCount, &batches, sizeof batches);
      if (status == kLtSuccess)
        status = lt.layoutSet(layouts[at], kLtLayoutBatchStride, &stride, sizeof stride);
      return status;
    };
    const bool ta = wanted.transposeA != 0, tb = wanted.transposeB != 0;
    LtStatus status = layout(0, wanted.type, ta ? wanted.k : wanted.m, ta ? wanted.m : wanted.k,
                             wanted.leadA, wanted.batchesA ? wanted.batchesA : wanted.batches, 64);
    const auto go = [&](LtStatus next) {
      if (status == kLtSuccess) status = next;
    };
    go(layout(1, wanted.type, tb ? wanted.n : wanted.rowsB, tb ? wanted.rowsB : wanted.n,
              wanted.leadB, wanted.batches, 64));
    go(layout(2, wanted.resultType, wanted.m, wanted.n, wanted.leadC, wanted.batches,
              wanted.strideD));
    go(layout(3, wanted.resultType, wanted.m, wanted.n, wanted.leadD, wanted.batches,
              wanted.strideD));
    LtDescription description = nullptr;
    LtPreference preference = nullptr;
    go(lt.descriptionCreate(&description, wanted.compute, wanted.scale));
    go(lt.preferenceCreate(&preference));
    if (description) {
      lt.descriptionSet(description, kLtTransposeA, &wanted.transposeA, sizeof(std::int32_t));
      lt.descriptionSet(description, kLtTransposeB, &wanted.transposeB, sizeof(std::int32_t));
      lt.descriptionSet(description, kLtEpilogue, &wanted.epilogue, sizeof(std::uint32_t));
      const void* const bias = wanted.bias ? at(kBytes / 2) : nullptr;
      lt.descriptionSet(description, kLtBiasPointer, &bias, sizeof bias);
    }
    if (preference) {
      lt.preferenceSet(preference, kLtMostWorkspace, &wanted.workspace, sizeof(std::uint64_t));
      for (int matrix = 0; matrix < 4; ++matrix)
        lt.preferenceSet(preference, kLtAlignmentA + matrix, &wanted.alignment,
                         sizeof(std::uint32_t));
    }
    LtFound found{};
    int count = 0;
    if (status == kLtSuccess)
      status = lt.heuristic(handle_, description, layouts[0], layouts[1], layouts[2], layouts[3],
                            preference, 1, &found, &count);
    if (status == kLtSuccess) status = found.state;
    if (status == kLtSuccess) {
      const LtAlgorithm& algorithm = algorithm_ ? *algorithm_ : found.algorithm;
      const float floats[] = {1, wanted.inPlace ? 1.0F : 0.0F};
      const std::int32_t integers[] = {1, 0};
      const bool whole = wanted.scale == kCudaInt32;
      status = lt.matmul(handle_, description,
                         whole ? static_cast<const void*>(&integers[0]) : &floats[0],
                         at(wanted.shift), layouts[0], at(4096), layouts[1],
                         whole ? static_cast<const void*>(&integers[1]) : &floats[1], at(8192),
                         layouts[2], wanted.inPlace ? at(8192) : at(12288), layouts[3], &algorithm,
                         wanted.given > 0 ? at(16384) : nullptr, wanted.given, stream_);
    }
    for (const LtLayout each : layouts)
      if (each) lt.layoutDestroy(each);
    if (description) lt.descriptionDestroy(description);
    if (preference) lt.preferenceDestroy(preference);
    return status;
  }
  void* at(std::size_t offset) const {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(block_ + offset));
  }

  static constexpr std::size_t kBytes = 1 << 20;
  std::shared_ptr<const Driver> opened_ = Driver::open(fusebench::test::cudaDoublePath());
  const Driver& driver_ = *opened_;
  Device device_{opened_, listDevices(*opened_).at(0)};
  Stream stream_ = nullptr;
  DevicePointer block_ = 0;
  std::shared_ptr<const CublasLt> library_;
  LtHandle handle_ = nullptr;
  std::optional<LtAlgorithm> algorithm_;
};

TEST_F(CublasLtDouble, TakesWhatIsRight) {
  EXPECT_EQ(ask({}), kLtSuccess);
  EXPECT_EQ(ask({.leadA = 12, .transposeA = kLtTransposed, .transposeB = kLtTransposed}),
            kLtSuccess);
  EXPECT_EQ(ask({.batches = 2}), kLtSuccess);
  EXPECT_EQ(ask({.epilogue = kLtBias | kLtRelu, .bias = true}), kLtSuccess);
  EXPECT_EQ(ask({.inPlace = true}), kLtSuccess);
  driver_.streamSynchronize(stream_);
}

TEST_F(CublasLtDouble, RefusesShapesAndLayoutsThatDoNotFit) {
  EXPECT_EQ(ask({.leadA = 7}), kLtInvalidValue) << "columns that lie over each other";
  EXPECT_EQ(ask({.leadD = 7}), kLtInvalidValue);
  EXPECT_EQ(ask({.leadB = 12, .rowsB = 9}), kLtInvalidValue) << "another depth";
  EXPECT_EQ(ask({.m = 0}), kLtInvalidValue);
  EXPECT_EQ(ask({.batches = 2, .batchesA = 3}), kLtInvalidValue);
  EXPECT_EQ(ask({.batches = 2, .strideD = 0}), kLtInvalidValue) << "results in one place";
  EXPECT_EQ(ask({.leadA = std::int64_t{1} << 31}), kLtNotSupported);
  EXPECT_EQ(ask({.leadC = 12, .inPlace = true}), kLtInvalidValue);
}

TEST_F(CublasLtDouble, RefusesTypesAndEpiloguesThatItHasNot) {
  EXPECT_EQ(ask({.resultType = kCudaFloat16}), kLtNotSupported);
  EXPECT_EQ(ask({.compute = kComputeFloat64}), kLtNotSupported);
  EXPECT_EQ(ask({.type = kCudaFloat16, .resultType = kCudaFloat16, .scale = kCudaFloat64}),
            kLtNotSupported);
  EXPECT_EQ(ask({.type = 8}), kLtInvalidValue) << "unsigned bytes";
  EXPECT_EQ(ask({.epilogue = 3 << 20}), kLtInvalidValue);
  EXPECT_EQ(ask({.epilogue = kLtBias}), kLtInvalidValue) << "of no bias";
  const Wanted bytes{.type = kCudaInt8,
                     .resultType = kCudaInt32,
                     .compute = kComputeInt32,
                     .scale = kCudaInt32,
                     .transposeA = kLtTransposed};
  EXPECT_EQ(ask(bytes), kLtSuccess);
  Wanted other = bytes;
  other.transposeA = kLtAsItLies;
  EXPECT_EQ(ask(other), kLtNotSupported) << "not along the depth";
  other = bytes;
  other.m = 6;
  EXPECT_EQ(ask(other), kLtNotSupported) << "no fours";
  other = bytes;
  other.leadB = 9;
  EXPECT_EQ(ask(other), kLtNotSupported);
  driver_.streamSynchronize(stream_);
}

TEST_F(CublasLtDouble, RefusesMemoryThatIsTooSmallOrMisaligned) {
  EXPECT_EQ(ask({.given = 16}), kLtInvalidValue) << "less than the algorithm works in";
  EXPECT_EQ(ask({.given = 0}), kLtInvalidValue);
  EXPECT_EQ(ask({.workspace = 0, .given = 0}), kLtSuccess) << "by one that works in none";
  EXPECT_EQ(ask({.shift = 4}), kLtInvalidValue) << "16 bytes are read at once";
  EXPECT_EQ(ask({.alignment = 4, .shift = 4}), kLtSuccess) << "by one that reads single elements";
  EXPECT_EQ(ask({.alignment = 2, .shift = 2}), kLtNotSupported);
  algorithm_ = LtAlgorithm{};
  EXPECT_EQ(ask({}), kLtInvalidValue) << "an algorithm of nothing";
  driver_.streamSynchronize(stream_);
}

TEST_F(CublasLtDouble, RefusesHandlesOfNothingAndOfAnotherDevice) {
  const LtHandle own = handle_;
  handle_ = nullptr;
  EXPECT_EQ(ask({}), kLtNotInitialized);
  handle_ = own;
  {
    const Device other(opened_, listDevices(*opened_).at(1));
    other.use();
    EXPECT_EQ(ask({}), kLtArchitectureMismatch);
    device_.use();
  }
  LtHandle more = nullptr;
  EXPECT_EQ(library_->create(nullptr), kLtInvalidValue);
  EXPECT_EQ(library_->create(&more), kLtSuccess);
  EXPECT_EQ(library_->destroy(more), kLtSuccess);
  EXPECT_EQ(library_->destroy(more), kLtNotInitialized);
  driver_.ctxSetCurrent(nullptr);
  EXPECT_EQ(library_->create(&more), kLtNotInitialized) << "on no device";
  const Device again(opened_, listDevices(*opened_).at(0));
  again.use();
  EXPECT_EQ(ask({}), kLtSuccess);
  driver_.streamSynchronize(stream_);
  device_.use();
}

TEST_F(CublasLtDouble, IsMadeDuringNoCaptureThatIsNotRelaxed) {
  driver_.streamBeginCapture(stream_, /*global*/ 0);
  LtHandle more = nullptr;
  EXPECT_EQ(library_->create(&more), kLtNotInitialized);
  Graph graph = nullptr;
  EXPECT_NE(driver_.streamEndCapture.attempt(stream_, &graph), 0) << "which spoils it";
  driver_.streamBeginCapture(stream_, kCaptureRelaxed);
  EXPECT_EQ(library_->create(&more), kLtSuccess);
  EXPECT_EQ(ask({}), kLtSuccess) << "products are captured";
  EXPECT_EQ(driver_.streamEndCapture.attempt(stream_, &graph), 0);
  EXPECT_EQ(cudaDouble().counts.kernelsRun, 0u);
  driver_.graphDestroy(graph);
  EXPECT_EQ(library_->destroy(more), kLtSuccess);
}

TEST_F(CublasLtDouble, WhatLeavesItsBlockSpoilsTheContext) {
  EXPECT_EQ(ask({.n = 40000, .leadC = 8, .leadD = 8, .workspace = 0, .given = 0}), kLtSuccess);
  EXPECT_EQ(driver_.streamSynchronize.attempt(stream_), kIllegal);
  cudaDouble().reset();
}

}  // namespace
}  // namespace fusebench::test
