// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "engine/language/program.h"

namespace fusebench {

/// Reads the subset of PyTorch's Python that programs are written in; text is parsed, never
/// executed. Accepts assignments over names, numbers, + - * / // % ** unary -, comparisons,
/// torch.f(...), torch.nn.functional.f(...) or F.f(...), method form, keyword arguments, comments,
/// an optional `def f(x, y):` header (whose parameters are the inputs; else free names are inputs
/// in order of first use), `import` lines, and a final `return`. Throws ProgramError with line,
/// column, what was found and the nearest known name.
Program parseProgram(std::string_view text);

}  // namespace fusebench
