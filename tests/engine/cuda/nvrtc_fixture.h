// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "engine/cuda/driver/nvrtc.h"

namespace fusebench::cuda {

/// Tests of what the real NVRTC makes; skipped where there is none.
class NvrtcTest : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      nvrtc_ = Nvrtc::open(SearchPlaces::system());
    } catch (const NoNvrtc& error) {
      GTEST_SKIP() << error.what();
    }
  }
  std::shared_ptr<const Nvrtc> nvrtc_;
};

}  // namespace fusebench::cuda
