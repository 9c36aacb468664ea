// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/device/backend.h"

namespace fusebench {

/// One thing that measurements depend on, as found on this machine.
struct DoctorCheck {
  enum class Status { good, note, bad };  ///< note: works, with a limitation
  std::string name;
  Status status = Status::good;
  std::string found;
  std::string remedy;                ///< what the user has to do; empty if nothing
  nlohmann::json figures = nullptr;  ///< the figures in `found`, if it has some
};
std::string_view name(DoctorCheck::Status status);

/// All checks. `backend` may be null if it could not be created; `backendError` then contains the
/// reason. `worker`: the command that starts a worker, without its device. A worker process
/// determines whether launches can be recorded, because the result is fixed for the lifetime of a
/// process.
std::vector<DoctorCheck> examine(Backend* backend, const std::string& backendError,
                                 const std::vector<std::string>& worker);
/// The checks from the backend table: its libraries and devices.
std::vector<DoctorCheck> examineBackends(const std::vector<std::string>& worker);

}  // namespace fusebench
