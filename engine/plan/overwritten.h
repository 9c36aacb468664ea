// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/language/program.h"

namespace fusebench {

/// Whether an op only makes a tensor (`torch.empty`, in `torch.cat`, too) each of whose elements is
/// written in place before anything reads it. Then it takes memory and launches nothing. Known of
/// parts that are next to each other along one dimension. `program`: with its sizes worked out.
bool isOverwritten(const Program& program, int op);

}  // namespace fusebench
