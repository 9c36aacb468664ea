// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/library_call.h"

namespace fusebench {

/// The call of a step that is an attention, and the sizes of its launches' integers.
LoweredCall lowerAttention(const Plan& plan, const Step& step);

}  // namespace fusebench
