// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// Which of a program's checks have the same outcome in each call. The tensor that such a check
/// reads depends only on numbers and on constant inputs that the program does not write, such as
/// `(self.std == 0).any()`.
std::vector<bool> fixedChecks(const Program& program);

}  // namespace fusebench
