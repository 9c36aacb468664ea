// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/device/backend.h"
#include "profiler/protocol/request_queue.h"

namespace fusebench {

/// Makes the backend of a device; throws std::runtime_error naming what is missing. `recording`:
/// see makeBackend.
using BackendMaker = std::function<std::unique_ptr<Backend>(bool recording)>;

/// The measuring process: a server without a schedule that reads requests from one file descriptor
/// and writes replies to another until its input ends or it is told to quit. An invalid line gets
/// an error reply and never causes a crash. `stop` interrupts current work and all queued requests.
/// After an error that makes the device unusable for the whole process, it reports that and exits.
/// Returns the exit code: 1 in that case, otherwise 0.
int runWorker(int input, int output, const BackendMaker& makeBackend);
/// The same for one of several ranks, whose replies other threads interleave; null: there is one.
int runWorker(int input, ReplyWriter& replies, const BackendMaker& makeBackend,
              std::shared_ptr<RankGroup> ranks);

/// runWorker on standard input and output, for a separate process: only replies reach standard
/// output, and a keyboard interrupt is left to the driver.
int workerMain(const BackendMaker& makeBackend);

}  // namespace fusebench
