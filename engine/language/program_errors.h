// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/base/work_limit.h"
#include "engine/language/program.h"

namespace fusebench {

/// Throws ProgramError. The message is one line: the problem, and what would be right.
[[noreturn]] void failProgram(SourcePlace place, const std::string& message);

/// failWork() throws ProgramError; checkWork() calls it once the thread's WorkLimit is reached.
/// `cost`: approximate time between two calls, in microseconds.
[[noreturn]] void failWork(SourcePlace place);
inline void checkWork(SourcePlace place, unsigned cost = 1) {
  if (isTimeToLook(cost) && WorkLimit::state() != WorkLimit::State::going) failWork(place);
}

}  // namespace fusebench
