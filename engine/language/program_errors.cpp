// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_errors.h"

#include <fmt/format.h>

#include "engine/base/shown_text.h"

namespace fusebench {

void failProgram(SourcePlace place, const std::string& message) {
  throw ProgramError(place, shownMessage(message));
}

void failWork(SourcePlace place) {
  if (WorkLimit::state() == WorkLimit::State::stopped)
    failProgram(place, "reading and planning this program was stopped");
  failProgram(place, fmt::format("reading or planning this program takes more than {:g} s; make it "
                                 "shorter",
                                 WorkLimit::seconds()));
}

}  // namespace fusebench
