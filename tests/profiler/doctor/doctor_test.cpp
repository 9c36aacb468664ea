// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/doctor/doctor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/profiler/machine/stub_backend.h"

namespace fusebench {
namespace {

/// "status: found; remedy" of a line; empty: there is none of this name.
std::string lineOf(const std::vector<DoctorCheck>& checks, const std::string& wanted) {
  const auto found = std::ranges::find(checks, wanted, &DoctorCheck::name);
  if (found == checks.end()) return "";
  return std::string(name(found->status)) + ": " + found->found +
         (found->remedy.empty() ? "" : "; " + found->remedy);
}

std::vector<DoctorCheck> checksWith(const BackendRow& row) {
  const AddedBackendRow added(row);
  return examineBackends({"/bin/false"});
}

TEST(DoctorOfBackends, ShowsTheLibraryThatASecondVendorLacksAndItsRemedy) {
  const auto checks = checksWith(test::stubRow<test::stubWithoutLibrary>());
  EXPECT_EQ(lineOf(checks, "Stub runtime"), "note: libstub.so was not found; install libstub");
  EXPECT_EQ(lineOf(checks, "Stub"),
            "note: no stub: libstub.so was not found; nothing to do to measure on the CPU; for a "
            "GPU see the lines above");
  EXPECT_EQ(lineOf(checks, "stub:0 costs"), "");
}

TEST(DoctorOfBackends, ShowsTheRowsOwnRemedyWhereOnlyTheDeviceIsMissing) {
  const auto checks = checksWith(test::stubRow<test::stubWithoutDevice>());
  EXPECT_EQ(lineOf(checks, "Stub runtime"), "good: libstub.so 1.0");
  EXPECT_EQ(lineOf(checks, "Stub"), "note: no stub: none is plugged in; plug a stub in");
}

TEST(DoctorOfBackends, OpensEachDeviceOfASecondVendorByItsName) {
  const auto checks = checksWith(test::stubRow<test::stubWithDevice>());
  EXPECT_EQ(lineOf(checks, "Stub"), "good: stub:0 Stub 9000, 8.00 GiB of memory");
  EXPECT_EQ(lineOf(checks, "stub:0 costs"),
            "note: not known: an empty kernel cannot be compiled here; install the stub compiler");
  EXPECT_EQ(lineOf(checks, "stub:0 clock"),
            "note: not known: libstub.so has no clock; read a watch");
}

TEST(DoctorOfBackends, ListsTheLibrariesOfNvidiasGpusInTheOrderOfTheirUse) {
  std::vector<std::string> names;
  for (const DoctorCheck& check : examineBackends({"/bin/false"})) names.push_back(check.name);
  const std::vector<std::string> wanted = {
      "CUDA driver", "NVRTC", "Prebuilt GPU code", "cuBLASLt", "cuDNN", "NCCL", "CUPTI", "GPU"};
  ASSERT_GE(names.size(), wanted.size());
  names.resize(wanted.size());
  EXPECT_EQ(names, wanted);
}

}  // namespace
}  // namespace fusebench
