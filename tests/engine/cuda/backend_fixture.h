// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/cuda/runtime/cuda_backend.h"
#include "tests/doubles/cuda/control.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench::test {

/// Why a test of the prebuilt GPU code is skipped between two releases; see cuda::PrebuiltState.
inline constexpr const char* kEarlierCode = "the prebuilt GPU code is of an earlier build";

/// Where the double of a GPU can be seen into and steered; the same for the whole process.
DoubleControl& cudaDouble();

/// Options for a backend over the double, without a disk cache.
CudaOptions onDouble(const std::string& device = "");
/// Another name of the double on each call: a library that was opened stays as it was then.
std::string unopenedDouble();
/// A backend over the double whose NVRTC is of this version ("12.4").
std::unique_ptr<Backend> backendWithNvrtc(std::string_view version);

/// A test on the double, which is as new before it, and without leaks after it.
class CudaBackendTest : public ::testing::Test {
 protected:
  CudaBackendTest() { cudaDouble().reset(); }
  void TearDown() override {
    EXPECT_EQ(cudaDouble().liveBlocks(), 0u);
    EXPECT_EQ(cudaDouble().liveObjects(), 0u);
    EXPECT_EQ(cudaDouble().counts.overruns, 0u);
    cudaDouble().reset();
  }
};

inline bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// what() of the exception that this throws; fails without one.
template <class Exception, class Action>
std::string messageOf(const Action& action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace fusebench::test
