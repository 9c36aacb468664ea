// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

#include "profiler/protocol/connection.h"

namespace fusebench {

/// Passes requests and replies between a driver on this machine and a worker on a target, so that
/// the driver need not know where its worker is. What precedes the worker's output is left out.
/// Files that the driver names lie on its own disk: the worker writes them there, and they are
/// fetched in chunks before the reply is passed on. Returns an exit code: 0, or 1 if the worker was
/// lost; then `complain` has heard why, and open requests stay without an answer, as of any worker
/// that dies.
int relay(int input, int output, WorkerConnection& there, const std::string& target,
          const std::function<void(const std::string&)>& complain);

}  // namespace fusebench
