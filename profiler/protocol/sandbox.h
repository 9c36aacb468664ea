// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fusebench {

/// How a measuring process is restricted before it reads the first request. Programs are data; if
/// one of them ever takes over the process, it can still do only this.
enum class SandboxProfile {
  /// On the CPU or a simulated device. Files: reads the system's and this program's files, reads
  /// and writes the folder for temporary files and the kernel cache. Calls: no sockets, no other
  /// program, no child process, no access to other processes. Memory: that of the machine.
  program,
  /// One of several ranks: MPI needs sockets and shared memory. No new privileges.
  rank,
  /// On a GPU: its driver may start a helper that needs more privileges. No core files only.
  device,
};

/// The restrictions that are in effect in a process.
struct SandboxState {
  bool privileges = false;  ///< no new ones
  bool files = false;       ///< Landlock
  bool calls = false;       ///< seccomp
  bool memory = false;      ///< a limit
  std::string lacking;      ///< requested parts that are not available here; empty: none

  bool whole() const { return privileges && files && calls && lacking.empty(); }
};

/// Enters it permanently; call it while the process has one thread. `readable`: files and folders
/// to be read in addition to those of the profile. FUSEBENCH_SANDBOX=off disables it, for
/// debuggers.
SandboxState enterSandbox(SandboxProfile profile, const std::vector<std::string>& readable = {});
/// The sandbox that this process has entered.
const SandboxState& sandboxHere();

nlohmann::json toJson(const SandboxState& state);
/// Reads a worker's report; without one, no restriction is in effect.
SandboxState sandboxStateOf(const nlohmann::json& told);

}  // namespace fusebench
