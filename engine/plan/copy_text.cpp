// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/copy_text.h"

#include <fmt/format.h>

namespace fusebench {

std::string_view nameOf(Memory memory) {
  switch (memory) {
    case Memory::device:
      return "the device";
    case Memory::host:
      return "host memory";
    case Memory::pinned:
      return "pinned memory";
  }
  return "?";
}

std::string copyText(const Plan& plan, const Step& step) {
  const Op& op = plan.program->ops[static_cast<std::size_t>(step.group.ops.front())];
  const Memory from = plan.values.memory(step.group.inputs.front());
  const bool fetches = step.writes.empty();
  const Memory to = fetches ? Memory::host : plan.values.memory(step.group.outputs.front());
  const char* const wait = isBeside(op, from, plan.values.overlap)
                               ? "it goes on beside the launches"
                           : waits(op) ? "the host waits for it"
                           : from != Memory::device && to != Memory::device ? "the host makes it"
                                                                            : "the host goes on";
  return fmt::format("{}: {} from {} to {}; {}\n", op.row->name, fetches ? "one element" : "a copy",
                     nameOf(from), fetches ? "the host" : nameOf(to), wait);
}

}  // namespace fusebench
