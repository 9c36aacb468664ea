// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/plan/plan.h"

namespace fusebench {

/// "host memory", "pinned memory", "the device".
std::string_view nameOf(Memory memory);

/// A step that is a copy, for display: from where to where, and whether the host waits.
std::string copyText(const Plan& plan, const Step& step);

}  // namespace fusebench
