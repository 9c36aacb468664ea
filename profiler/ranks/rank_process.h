// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/device/rank_group.h"
#include "profiler/worker/worker.h"

namespace fusebench {

using GroupMaker = std::function<std::shared_ptr<RankGroup>()>;

/// One of the processes that mpirun starts: a worker that serves the process listening on the
/// socket, and reports to it every half second that it is alive and how long it has been waiting
/// for the others. Ends when the other end does. Returns the exit code. `enter` is a seam: how it
/// joins its group, by default by MPI.
int rankMain(const std::string& socketPath, const BackendMaker& makeBackend,
             const GroupMaker& enter = {});

/// This process' number among the ranks of its machine, from its mpirun; 0: it was not started by
/// one.
int rankOfMachine();

}  // namespace fusebench
