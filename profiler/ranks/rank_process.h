// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/worker/worker.h"

namespace fusebench {

/// One of the processes that mpirun starts: a worker that answers whoever listens on the socket,
/// and tells it twice a second that it is alive and how long it has been waiting for the others.
/// Ends when the other end does. Returns the exit code.
int rankMain(const std::string& socketPath, const BackendMaker& makeBackend);

}  // namespace fusebench
