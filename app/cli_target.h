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
  /// Waits for an allocation, probes the target, and copies the program if it is missing: after a
  /// question on a terminal, or without asking if `install` is set. Throws InputError if that is
  /// refused, and TargetFailed.
  ReadyTarget(const std::string& target, bool install, const std::stop_token& stop);

  bool isHere() const { return spec_.kind == TargetSpec::Kind::here; }
  const std::string& name() const { return name_; }
  /// The entry in a run's environment: {"name": "slurm:gpu", "queue_seconds": 3.2}.
  nlohmann::json described() const;
  /// Makes workers and PyTorch's workers start there.
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

/// Implements `worker` and `torch-worker` with --target: passes everything on to a worker there.
/// `there` is the path of the program on the target.
int relayCommand(const std::string& target, const std::string& there,
                 const std::vector<std::string>& arguments);
/// Runs a worker with this many ranks, started by the mpirun that is found or that FUSEBENCH_MPIRUN
/// names.
int workerRanksCommand(int ranks, const std::string& device);
/// PyTorch's worker, in this Python, or this many ranks of it. With one rank, it only returns if
/// the worker cannot be started.
int torchWorkerCommand(const std::string& python, const std::string& device, int ranks);
/// `devices` and `doctor` on a target.
int commandOnTarget(const std::string& target, bool install,
                    const std::vector<std::string>& arguments);

}  // namespace fusebench::cli
