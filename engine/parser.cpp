// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parser.h"

#include "engine/program_parser.h"

namespace fusebench {

Program parseProgram(std::string_view text) {
  return ProgramParser(text, tokenise(text)).run();
}

}  // namespace fusebench
