// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/device/backend.h"

namespace fusebench {

/// Nanoseconds that one mark of a Recorder adds to a call, calibrated on a launch that does next to
/// nothing: eager's negation of one number, with and without marks in turn.
double stampNanoseconds(Backend& backend);

}  // namespace fusebench
