// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/device/backend.h"

namespace fusebench::cuda {

/// The code that an op list runs, for people to read: "cuda", its instructions, one per line,
/// before the interpreter's source. Each line has the op that it belongs to; a row's lines have the
/// first op of that row.
std::vector<GeneratedCode> interpretedText(const OpList& list);

}  // namespace fusebench::cuda
