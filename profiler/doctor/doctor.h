// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/device/backend.h"

namespace fusebench {

/// One thing that measuring depends on, as found on this machine.
struct DoctorCheck {
  enum class Status { good, note, bad };  ///< note: works, with a catch
  std::string name;
  Status status = Status::good;
  std::string found;
  std::string remedy;                ///< the user's action; empty if nothing need be done
  nlohmann::json figures = nullptr;  ///< the figures in `found`, if it has some
};
std::string_view name(DoctorCheck::Status status);

/// All checks. `backend` may be null if it could not be made; `backendError` then has the reason.
/// `worker`: the command that starts a worker, without its device; a worker process finds out
/// whether launches can be recorded, since that holds for the life of a process.
std::vector<DoctorCheck> examine(Backend* backend, const std::string& backendError,
                                 const std::vector<std::string>& worker);
/// Those of them that are of the backend table: its libraries and devices.
std::vector<DoctorCheck> examineBackends(const std::vector<std::string>& worker);

}  // namespace fusebench
