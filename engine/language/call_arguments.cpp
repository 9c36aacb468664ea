// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/call_arguments.h"

#include <algorithm>

#include "engine/language/program_errors.h"

namespace fusebench {

Operand takeTensor(const std::string& shown, std::vector<CallArgument>& arguments,
                   SourcePlace place) {
  const auto self = std::find_if(arguments.begin(), arguments.end(), [](const CallArgument& a) {
    return a.keyword.empty() || a.keyword == "input" || a.keyword == "self";
  });
  if (self == arguments.end() || !self->value.isTensor())
    failProgram(place, shown + " needs a tensor" +
                           (self == arguments.end() ? std::string()
                                                    : ", but found " + self->value.shown()));
  const Operand taken{self->value.value, 0, false};
  arguments.erase(self);
  return taken;
}

}  // namespace fusebench
