// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>

#include "profiler/doctor/device_list.h"
#include "profiler/study/study.h"
#include "profiler/targets/slurm_allocation.h"
#include "profiler/targets/target_spec.h"

namespace fusebench {

/// A target with the facts found there.
struct ReachedTarget {
  std::string name;     ///< as the user wrote it
  TargetSpec spec;      ///< in the allocation, if it is Slurm's
  std::string system;   ///< "Linux x86_64"
  std::string program;  ///< the path of this program there, or the path to copy it to
  bool ready = false;   ///< whether the program is there
  std::uint64_t programBytes = 0;
  DeviceList devices;                           ///< where the program is
  std::shared_ptr<SlurmAllocation> allocation;  ///< kept as long as this object
  /// Of a run's environment: {"name": "slurm:gpu", "queue_seconds": 3.2}.
  nlohmann::json described() const;
};

/// Waits for an allocation if one is needed (`waiting` receives the seconds in the queue), probes
/// the target, and copies the program if it is missing and `install` is set. `own`: the
/// command-line program here. Throws TargetFailed, InputError, StopRequested. Takes seconds: call
/// it in a thread.
ReachedTarget reachTarget(const std::string& name, const std::string& own, bool install,
                          const std::function<void(double)>& waiting, std::stop_token stop);

/// Makes workers and PyTorch's workers start there; `python`: an interpreter on the target.
StudyOptions onTarget(StudyOptions study, const ReachedTarget& target, const std::string& own,
                      const std::string& python);

}  // namespace fusebench
