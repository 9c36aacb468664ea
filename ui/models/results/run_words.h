// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "profiler/run/run.h"

namespace fusebench {

/// Why sampling of a cell ended, in a word or two.
QString stopText(const Cell& cell);
/// Device of a run and its own name, as far as they are recorded.
QString machineText(const Run& run);

}  // namespace fusebench
