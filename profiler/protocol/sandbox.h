// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fusebench {

/// What a measuring process gives up before it reads the first request. Programs are data; should
/// one of them ever take the process over, this is what it can still do.
enum class SandboxProfile {
  /// On the CPU or a simulated device. Files: reads what the system and this program ship, reads
  /// and writes the folder for temporary files and the kernel cache. Calls: no sockets, no other
  /// program, no child process, no look into other processes. Memory: what the machine has.
  program,
  /// One of several ranks: MPI needs sockets and shared memory. No new privileges.
  rank,
  /// On a GPU: its driver may start a helper that needs more privileges. No core files only.
  device,
};

/// What holds in this process.
struct SandboxState {
  bool privileges = false;  ///< no new ones
  bool files = false;       ///< Landlock
  bool calls = false;       ///< seccomp
  bool memory = false;      ///< a limit
  std::string lacking;      ///< what was wanted and cannot be had here; empty: nothing

  bool whole() const { return privileges && files && calls && lacking.empty(); }
};

/// Enters it, for good; to be called while the process has one thread. `readable`: files and
/// folders to be read beyond those of the profile. The variable FUSEBENCH_SANDBOX=off leaves it
/// out, for debuggers.
SandboxState enterSandbox(SandboxProfile profile, const std::vector<std::string>& readable = {});
/// What this process has entered.
const SandboxState& sandboxHere();

nlohmann::json toJson(const SandboxState& state);
/// Of what a worker said; not there: nothing holds.
SandboxState sandboxStateOf(const nlohmann::json& told);

}  // namespace fusebench
