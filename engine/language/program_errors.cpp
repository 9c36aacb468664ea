// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_errors.h"

#include "engine/base/shown_text.h"

namespace fusebench {

void failProgram(SourcePlace place, const std::string& message) {
  throw ProgramError(place, shownMessage(message));
}

}  // namespace fusebench
