// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cuda/driver/device.h"
#include "engine/plan/list_costs.h"

namespace fusebench::cuda {

/// The cost of op lists in the interpreter, and of kernels of single ops: as measured on one
/// device, and scaled by the multiprocessors, clocks and memory of this one.
ListCosts listCostsOf(const DeviceInfo& device);

}  // namespace fusebench::cuda
