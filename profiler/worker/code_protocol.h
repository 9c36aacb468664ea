// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "profiler/measure/cell_code.h"
#include "profiler/protocol/protocol.h"
#include "profiler/protocol/worker_client.h"

namespace fusebench {

// The request `code`. With only a cell, the reply lists the readable code; with "kernel",
// "language" and "from" (a line), it contains as many lines from there as fit into one reply.

/// A worker's answer; throws ProtocolError for a kernel or language that does not exist.
nlohmann::json answerCode(CellCode& code, const Request& request);

/// The readable code of a cell.
struct CodeListing {
  std::string inputs;  ///< "x (8, 16)": the inputs that it is shown for
  std::vector<CellCode::KernelInfo> kernels;
  std::vector<std::string> languages;
  std::vector<CellCode::StorageInfo> storages;
  std::int64_t storagesLeftOut = 0;  ///< smaller than all listed ones
};
/// Sends requests to a worker that has the experiment loaded. These throw WorkerLost,
/// StopRequested, and std::runtime_error with the worker's reason.
CodeListing listCode(WorkerClient& client, const CellKey& key, double seconds);
GeneratedCode fetchCode(WorkerClient& client, const CellKey& key, std::size_t kernel,
                        const std::string& language, double seconds);

}  // namespace fusebench
