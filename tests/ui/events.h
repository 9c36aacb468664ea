// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting for what happens in a window, and never for a time.
#pragma once

namespace fusebench::test {

/// Handles the events that are due, and those that follow from them: layouts, queued calls, timers
/// that have run out, deletions. It does not wait for another thread: use QTest::qWaitFor for the
/// result of that.
void handleEvents();

}  // namespace fusebench::test
