// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/copy_text.h"

#include <fmt/format.h>

#include "engine/base/saying.h"

namespace fusebench {

std::string_view nameOf(Memory memory) {
  switch (memory) {
    case Memory::device:
      return toBeSaid("the device");
    case Memory::host:
      return toBeSaid("host memory");
    case Memory::pinned:
      return toBeSaid("pinned memory");
  }
  return "?";
}

std::string copyText(const Plan& plan, const Step& step) {
  const Op& op = plan.program->ops[static_cast<std::size_t>(step.group.ops.front())];
  const Memory from = plan.values.memory(step.group.inputs.front());
  const bool fetches = step.writes.empty();
  const Memory to = fetches ? Memory::host : plan.values.memory(step.group.outputs.front());
  const char* const wait =
      isBeside(op, from, plan.values.overlap) ? toBeSaid("it continues during the launches")
      : waits(op)                             ? toBeSaid("the host waits for it")
      : from != Memory::device && to != Memory::device ? toBeSaid("the host makes it")
                                                       : toBeSaid("the host continues");
  return saying("{}: {} from {} to {}; {}\n", op.row->name,
                fetches ? said("one element") : said("a copy"), said(nameOf(from)),
                fetches ? said("the host") : said(nameOf(to)), said(wait));
}

}  // namespace fusebench
