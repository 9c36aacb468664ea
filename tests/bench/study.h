// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/language/program.h"

namespace fusebench {

/// The statements of the fusion study as it ships, to take the first n of (firstStatements).
const Program& studyProgram();

}  // namespace fusebench
