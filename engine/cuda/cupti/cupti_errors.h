// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "engine/cuda/cupti/cupti_abi.h"

namespace fusebench::cuda {

/// CUPTI's name of an error ("CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"); our own table, since the
/// library that could be asked may be broken.
std::string_view cuptiErrorName(CuptiResult result);

/// "error 35 (CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)"
std::string cuptiErrorText(CuptiResult result);

}  // namespace fusebench::cuda
