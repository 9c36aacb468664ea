// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fusebench {

/// Where workers run: on this machine, on a host by ssh, or in an allocation of Slurm.
struct TargetSpec {
  enum class Kind : std::uint8_t { here, ssh, slurm };
  Kind kind = Kind::here;
  std::string host;       ///< ssh: "user@host", or a name from the user's ssh configuration
  int port = 0;           ///< ssh; 0: from the user's configuration
  std::string partition;  ///< Slurm; empty: the cluster's default
  std::vector<std::pair<std::string, std::string>> options;  ///< Slurm: "gpus" and "1"
  std::string job;  ///< Slurm: the allocation to run in; empty: none has been made yet

  /// As a person writes it: "ssh:anna@node7", "slurm:gpu,gpus=1", "here".
  std::string text() const;
};

/// Reads "here", "ssh:[user@]host[:port]" or "slurm:[partition][,option=value...]". The options are
/// those of sbatch, srun and salloc with the same names: account, constraint, cpus-per-task, gpus,
/// mem, nodelist, qos, reservation, time; and job, an allocation there is. Throws InputError, with
/// what would be right.
TargetSpec parseTarget(std::string_view text);

/// The command, to be started on this machine, that makes a POSIX shell of the target run `script`.
/// Its input and output are the shell's. For Slurm, within the allocation that spec.job names.
/// $FUSEBENCH_SSH replaces ssh.
std::vector<std::string> shellCommand(const TargetSpec& spec, const std::string& script);

}  // namespace fusebench
