// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace fusebench {

/// Starts a command, found along PATH, with these files as its standard input, output and error
/// (-1: an empty input; this program's own output or error). It is in a separate process group, so
/// that Ctrl-C reaches only this program. Throws std::runtime_error if it cannot be started.
pid_t spawnInOwnGroup(const std::vector<std::string>& command, int input, int output, int errors);
/// The same in this program's group: terminating the group terminates it, too.
pid_t spawnInThisGroup(const std::vector<std::string>& command, int input, int output, int errors);

}  // namespace fusebench
