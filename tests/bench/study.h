// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/language/program.h"

namespace fusebench {

/// The statements of the fusion study as it ships, to take the first n of (firstStatements).
const Program& studyProgram();
inline constexpr int kStatements = 30;         ///< the length that most measurements use
inline constexpr std::int64_t kSmallRows = 8;  ///< of 16: the study's own size

}  // namespace fusebench
