// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cstdio>
#include <exception>

#include "engine/cuda/driver/device.h"
#include "tests/engine/support/rank_programs.h"
#include "tests/gpu/gpu.h"

namespace fusebench {

CudaOptions testOptions(const std::string& device) {
  CudaOptions options;
  options.device = device;
  options.diskCache = false;
  return options;
}

std::unique_ptr<Backend> makeTestBackend() {
  return makeCudaBackend(testOptions());
}
std::unique_ptr<Backend> makeRankBackend(int rank) {
  const auto devices = cuda::listDevices(*cuda::Driver::open());
  return makeCudaBackend(testOptions(cuda::deviceOfRank(devices, "cuda", rank).uuid));
}

}  // namespace fusebench

namespace {

/// The exit status that ctest takes as "skipped".
constexpr int kSkipped = 77;

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  try {
    std::printf("On %s\n", fusebench::makeTestBackend()->description().c_str());
  } catch (const std::exception& none) {
    std::printf("Skipped, for no GPU can be used here: %s\n", none.what());
    return kSkipped;
  }
  return RUN_ALL_TESTS();
}
