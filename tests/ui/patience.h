// SPDX-License-Identifier: GPL-3.0-or-later
// How much time the window's thread may take in a test before it gives work to another thread.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "engine/base/work_limit.h"

namespace fusebench::test {

/// Each test begins with a limit that no small program reaches: however busy the machine is, what
/// is small is read at once, and a test finds the same order of events.
class PatienceForEachTest : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo&) override;
  void OnTestEnd(const testing::TestInfo&) override;
};

/// From here on the test has the window's usual limit, as a test of hostile programs needs it.
void usualPatience();

}  // namespace fusebench::test
