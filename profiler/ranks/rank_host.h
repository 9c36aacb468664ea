// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fusebench {

/// The ranks of a group as one worker.
struct RankHosting {
  int ranks = 2;
  /// The command that starts each of them; "--rank" and the socket's path are added.
  std::vector<std::string> command;
  std::string mpirun = "mpirun";  ///< its implementation of MPI is the ranks'
  std::string refusal{};          ///< why they are not possible; empty: they are
  double startSeconds = 30;       ///< until all of them have connected
  double silentSeconds = 5;       ///< a rank that sends nothing for this long is considered hung
  double lateSeconds = 10;        ///< so is one that another rank has been waiting for this long
};

/// Starts the ranks with mpirun, passes every request on to all of them and answers with their
/// combined replies: the slowest one's time, with each one's own. If a rank exits, hangs or stalls,
/// all are terminated, and the answer to the current request names the rank and what happened to
/// it. Nothing is left running. Returns the exit code.
int hostRanks(int input, int output, const RankHosting& hosting);

/// The command that starts ranks with an mpirun of this kind; `version`: its version text.
std::vector<std::string> mpirunCommand(const RankHosting& hosting, const std::string& version,
                                       bool root);

}  // namespace fusebench
