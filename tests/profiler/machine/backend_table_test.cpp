// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/backend_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>

#include "profiler/doctor/device_list.h"
#include "tests/profiler/machine/stub_backend.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

TEST(BackendTable, FindsTheRowOfEachNameOfADevice) {
  const std::map<std::string, std::string> rows = {{"cpu", "cpu"},
                                                   {"cuda", "cuda"},
                                                   {"cuda:1", "cuda"},
                                                   {"GPU-0123", "cuda"},
                                                   {"sim:h100", "sim"},
                                                   {"sm_90", "sm_"},
                                                   {"", "none"},
                                                   {"cpu:0", "none"},
                                                   {"cudart", "none"},
                                                   {"gpu", "none"},
                                                   {"stub:0", "none"},
                                                   {"sim", "none"},
                                                   {"sim:h100,launch_ns=1500", "sim"}};
  for (const auto& [device, prefix] : rows) {
    const BackendRow* const row = findBackendRow(device);
    EXPECT_EQ(row ? row->prefix : "none", prefix) << device;
    EXPECT_EQ(namesGpu(device), prefix == "cuda") << device;
  }
}

TEST(BackendTable, ANameOfNoRowIsRefusedInOneLine) {
  try {
    makeBackend("stub:0");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()),
              "there is no device 'stub:0'; fusebench-cli devices lists them");
  }
}

TEST(BackendTable, ARowIsAllThatASecondVendorAddsForItsNames) {
  {
    const AddedBackendRow added(test::stubRow<test::stubWithDevice>());
    for (const char* name : {"stub", "stub:0"}) {
      EXPECT_EQ(makeBackend(name)->name(), "stub");
      EXPECT_TRUE(namesGpu(name));
      EXPECT_EQ(deviceOfRank(name, 3), name) << "its row gives ranks no device of their own";
    }
    EXPECT_EQ(plainDevice("stub"), "stub:0");
    EXPECT_FALSE(namesGpu("stubborn"));
    EXPECT_EQ(makeBackend("cpu")->name(), "cpu") << "the other rows stay";
  }
  EXPECT_EQ(findBackendRow("stub:0"), nullptr);
}

TEST(BackendTable, EveryRowThatCanLackSomethingHasARemedy) {
  for (const BackendRow& row : backendTable()) {
    EXPECT_NE(row.make, nullptr) << row.prefix;
    EXPECT_EQ(row.examine == nullptr, row.remedy == nullptr) << row.prefix;
    if (!row.examine) continue;
    const BackendStatus status = row.examine(/*libraries=*/false);
    EXPECT_EQ(status.missing.empty(), status.usable()) << row.prefix;
    if (status.usable()) continue;
    EXPECT_NE(row.remedy(status), "") << row.prefix;
  }
}

}  // namespace
}  // namespace fusebench
