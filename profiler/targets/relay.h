// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

#include "profiler/protocol/connection.h"

namespace fusebench {

/// Passes requests and replies between a driver on this machine and a worker on a target, so that
/// the driver need not know where its worker is. Output before the worker's own is left out. Files
/// that the driver names are on its own disk: the worker writes its own copies, which are fetched
/// in chunks before the reply is passed on. Returns an exit code: 0, or 1 if the worker was lost;
/// then `complain` has received the reason, and open requests stay without an answer, as with any
/// worker that dies.
int relay(int input, int output, WorkerConnection& there, const std::string& target,
          const std::function<void(const std::string&)>& complain);

}  // namespace fusebench
