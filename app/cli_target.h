// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli_commands.h"
#include "profiler/study/study.h"
#include "profiler/targets/slurm_allocation.h"
#include "profiler/targets/target_program.h"
#include "profiler/targets/target_spec.h"

namespace fusebench::cli {

/// A target that was reached, with this program on it.
class ReadyTarget {
 public:
  /// Waits for an allocation, asks what is there, and copies the program if it is missing: after a
  /// question on a terminal, or unasked with `install`. Throws InputError where that is refused,
  /// and TargetFailed.
  ReadyTarget(const std::string& target, bool install, const std::stop_token& stop);

  bool isHere() const { return spec_.kind == TargetSpec::Kind::here; }
  const std::string& name() const { return name_; }
  /// The entry in a run's environment: {"name": "slurm:gpu", "queue_seconds": 3.2}.
  nlohmann::json described() const;
  /// Has workers and PyTorch's workers start there.
  void use(StudyOptions& study, const std::string& device, const std::string& python) const;
  /// Runs a command of this program there, and prints what it prints. Returns its exit code.
  int runCommand(const std::vector<std::string>& arguments) const;

 private:
  void bringProgram(bool install, const std::stop_token& stop);

  std::string name_;
  TargetSpec spec_;
  std::unique_ptr<SlurmAllocation> allocation_;
  std::string program_;  ///< its place there
};

/// What `worker` and `torch-worker` do with --target: pass everything on to a worker there.
/// `there` is the program's place on the target.
int relayCommand(const std::string& target, const std::string& there,
                 const std::vector<std::string>& arguments);
/// Is a worker of so many ranks, which the mpirun that is found starts, or that FUSEBENCH_MPIRUN
/// names.
int workerRanksCommand(int ranks, const std::string& device);
/// PyTorch's worker, in this Python, or so many ranks of it. One alone only returns where it cannot
/// be started.
int torchWorkerCommand(const std::string& python, const std::string& device, int ranks);
/// `devices` and `doctor` on a target.
int commandOnTarget(const std::string& target, bool install,
                    const std::vector<std::string>& arguments);

}  // namespace fusebench::cli
