// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/parser.h"

#include "engine/language/program_parser.h"

namespace fusebench {

Program parseProgram(std::string_view text, const ProgramHints& hints) {
  return ProgramParser(text, tokenise(text), hints).run();
}

}  // namespace fusebench
