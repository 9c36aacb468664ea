// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/call_arguments.h"

#include <algorithm>
#include <cmath>

#include "engine/language/expression_text.h"
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

void refuseHugeSize(const std::string& shown, const PythonValue& size, SourcePlace place) {
  if (size.kind != PythonValue::Kind::number || size.integer ||
      !(std::fabs(size.number) > static_cast<double>(kMostPoints)))
    return;
  failProgram(place, shown + ": a size of " + printedNumber(size.number, false) +
                         " is larger than any memory");
}

}  // namespace fusebench
