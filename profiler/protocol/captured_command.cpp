// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/protocol/captured_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "engine/base/spawn.h"
#include "profiler/files/descriptor.h"
#include "profiler/machine/clock.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostKept = std::size_t{16} << 20;
constexpr int kTickMilliseconds = 100;

[[noreturn]] void failCommand(const std::string& command, int error) {
  throw std::runtime_error(
      fmt::format("{}: cannot be started: {}", command, std::generic_category().message(error)));
}

struct Ends {
  Descriptor read, write;
};
Ends makePipe(const std::string& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) failCommand(command, errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Takes what is there; false at the end.
bool takeMore(int descriptor, std::string& text) {
  char bytes[1 << 14];
  const ssize_t count = ::read(descriptor, bytes, sizeof bytes);
  if (count < 0) return errno == EINTR;
  if (count == 0) return false;
  if (text.size() < kMostKept) text.append(bytes, static_cast<std::size_t>(count));
  return true;
}

}  // namespace

CapturedCommand runCaptured(const std::vector<std::string>& command, int input, double seconds,
                            const std::stop_token& stop, const std::function<void()>& waiting) {
  Ends out = makePipe(command.at(0)), err = makePipe(command.at(0));
  const pid_t pid = spawnInOwnGroup(command, input, out.write.get(), err.write.get());
  out.write.close();
  err.write.close();
  CapturedCommand captured;
  const std::int64_t deadline = nowNanoseconds() + static_cast<std::int64_t>(seconds * 1e9);
  pollfd watched[2] = {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}};
  std::string* texts[2] = {&captured.out, &captured.err};
  int status = 0;
  // What it leaves running, as ssh does where connections are shared, may keep its ends of the
  // pipes: they are read until nothing more comes after its own end.
  bool ended = false;
  while (true) {
    const int ready = poll(watched, 2, kTickMilliseconds);
    for (int i = 0; i < 2; ++i)
      if (watched[i].fd >= 0 && (watched[i].revents & (POLLIN | POLLHUP | POLLERR)) &&
          !takeMore(watched[i].fd, *texts[i]))
        watched[i].fd = -1;
    if (waiting) waiting();
    if (ended && (ready <= 0 || (watched[0].fd < 0 && watched[1].fd < 0))) break;
    ended = ended || waitpid(pid, &status, WNOHANG) == pid;
    if (!ended && !captured.timedOut && (stop.stop_requested() || nowNanoseconds() > deadline)) {
      captured.timedOut = true;
      ::kill(-pid, SIGKILL);
    }
  }
  captured.exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return captured;
}

}  // namespace fusebench
