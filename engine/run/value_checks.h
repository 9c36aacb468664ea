// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/device/backend.h"
#include "engine/language/program.h"

namespace fusebench {

/// Waits for a tensor of one element and returns it. Throws ProgramError at `place` for any other.
double readElement(Backend& backend, const Tensor& value, SourcePlace place);

/// Waits for a tensor of one element and throws ProgramError with the check's message if it is not
/// the expected one: a framework does this at an `if` or an `assert`. `inputs`: those of the call.
void checkValue(Backend& backend, const Program& program, const SizeCheck& check,
                const Tensor& value, std::span<const Tensor> inputs);

/// Whether an element is the expected one.
bool isExpected(const SizeCheck& check, double element);

/// Throws the error of a check that found this element. `types`: those of all values, as
/// inferTypes() gives them.
[[noreturn]] void failCheck(const Program& program, const SizeCheck& check, double element,
                            std::span<const ValueType> types);

}  // namespace fusebench
