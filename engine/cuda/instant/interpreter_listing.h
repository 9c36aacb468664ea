// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/device/backend.h"

namespace fusebench::cuda {

/// What an op list runs through, to be read: "cuda", its instructions, one a line, before the
/// source of the interpreter. Lines say which op they stand for; a row's lines, the first op of
/// that row.
std::vector<GeneratedCode> interpretedText(const OpList& list);

}  // namespace fusebench::cuda
