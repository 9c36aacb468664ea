// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/patience.h"

namespace fusebench::test {
namespace {

constexpr double kNoSmallProgramTakes = 1000;  ///< seconds

std::unique_ptr<WorkLimit>& patienceOfTest() {
  static std::unique_ptr<WorkLimit> limit;
  return limit;
}

}  // namespace

void PatienceForEachTest::OnTestStart(const testing::TestInfo&) {
  patienceOfTest() = std::make_unique<WorkLimit>(kNoSmallProgramTakes);
}

void PatienceForEachTest::OnTestEnd(const testing::TestInfo&) {
  patienceOfTest().reset();
}

void usualPatience() {
  patienceOfTest().reset();
}

}  // namespace fusebench::test
