// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/device/backend.h"
#include "engine/language/program.h"

namespace fusebench {

/// Waits for a tensor of one element and gives it. Throws ProgramError at `place` for another.
double readElement(Backend& backend, const Tensor& value, SourcePlace place);

/// Waits for a tensor of one element and throws ProgramError with the check's message if it is not
/// the expected one: a framework does this at an `if` or an `assert`.
void checkValue(Backend& backend, const SizeCheck& check, const Tensor& value);

/// Throws if an element is not the expected one.
void checkElement(const SizeCheck& check, double element);

}  // namespace fusebench
