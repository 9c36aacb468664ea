// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench::cpu {

/// The linker's identity of this program (its GNU build id, in hexadecimal), so that code cached by
/// one build is never run by another whose code generator may differ. Empty if the linker wrote
/// none.
std::string buildIdentity();

}  // namespace fusebench::cpu
