// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/shell_text.h"

namespace fusebench {

std::string shellQuoted(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

}  // namespace fusebench
