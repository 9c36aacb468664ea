// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "profiler/protocol/connection.h"

namespace fusebench {

/// Starts a command as a worker, with its standard input and output connected and its standard
/// error shared. It is in a separate process group, so that Ctrl-C reaches only the driver.
/// Destroying the connection kills it and the processes that it has started; nothing ever waits for
/// it to be reaped. Throws std::runtime_error if it cannot be started.
std::unique_ptr<WorkerConnection> startWorker(const std::vector<std::string>& command);

}  // namespace fusebench
