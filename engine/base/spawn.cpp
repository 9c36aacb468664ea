// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <stdexcept>
#include <system_error>

namespace fusebench {
namespace {

pid_t spawned(const std::vector<std::string>& command, int input, int output, int errors,
              bool ownGroup) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input >= 0)
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (errors >= 0) posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK |
                                                           (ownGroup ? POSIX_SPAWN_SETPGROUP : 0)));
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = -1;
  const int error =
      posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0)
    throw std::runtime_error(fmt::format("{}: cannot be started: {}", command[0],
                                         std::generic_category().message(error)));
  return pid;
}

}  // namespace

pid_t spawnInOwnGroup(const std::vector<std::string>& command, int input, int output, int errors) {
  return spawned(command, input, output, errors, true);
}

pid_t spawnInThisGroup(const std::vector<std::string>& command, int input, int output, int errors) {
  return spawned(command, input, output, errors, false);
}

}  // namespace fusebench
