// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/protocol/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <system_error>

#include "engine/base/saying.h"
#include "engine/base/spawn.h"
#include "profiler/files/descriptor.h"
#include "profiler/files/line_buffer.h"
#include "profiler/machine/clock.h"
#include "profiler/protocol/protocol.h"

namespace fusebench {
namespace {

/// Killed children whose exit nobody waited for; looked after whenever another one is started.
class Reaper {
 public:
  void add(pid_t pid) {
    const std::lock_guard lock(mutex_);
    pids_.push_back(pid);
    sweep();
  }
  void collect() {
    const std::lock_guard lock(mutex_);
    sweep();
  }
  /// At the end of the program: a zombie would stay where nobody else looks after orphans. They
  /// were killed, so that this takes no time worth speaking of; what hangs in the kernel is left.
  ~Reaper() {
    constexpr int kAttempts = 200;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      collect();
      if (pids_.empty()) return;
      usleep(5000);
    }
  }

 private:
  void sweep() {
    std::erase_if(pids_, [](pid_t pid) { return waitpid(pid, nullptr, WNOHANG) != 0; });
  }
  std::mutex mutex_;
  std::vector<pid_t> pids_;
};

Reaper& reaper() {
  static Reaper instance;
  return instance;
}

[[noreturn]] void failStart(const std::string& command, int error) {
  throw std::runtime_error(
      saying("{}: cannot be started: {}", command, std::generic_category().message(error)));
}

class ProcessConnection final : public WorkerConnection {
 public:
  explicit ProcessConnection(const std::vector<std::string>& command) : buffer_(kLongestLine) {
    if (command.empty()) throw std::runtime_error(saying("no worker command is given"));
    reaper().collect();
    // A socket rather than a pipe for its input: send() can be called so that it does not raise
    // SIGPIPE.
    int input[2], output[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0)
      failStart(command[0], errno);
    toWorker_.set(input[0]);
    const Descriptor workerInput(input[1]);
    if (pipe2(output, O_CLOEXEC) != 0) failStart(command[0], errno);
    fromWorker_.set(output[0]);
    const Descriptor workerOutput(output[1]);
    try {
      pid_ = spawnInOwnGroup(command, workerInput.get(), workerOutput.get(), -1);
    } catch (const std::runtime_error&) {
      reaped_ = true;
      throw;
    }
  }

  ~ProcessConnection() override {
    kill();
    if (!reaped_) reaper().add(pid_);
  }

  bool send(const std::string& line) override {
    const std::int64_t deadline = nowNanoseconds() + 5'000'000'000;
    std::size_t sent = 0;
    while (sent < line.size()) {
      const ssize_t count = ::send(toWorker_.get(), line.data() + sent, line.size() - sent,
                                   MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count >= 0) {
        sent += static_cast<std::size_t>(count);
        continue;
      }
      if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) return false;
      pollfd watched{toWorker_.get(), POLLOUT, 0};
      poll(&watched, 1, 100);
      if (nowNanoseconds() > deadline) return false;
    }
    return true;
  }

  Received receive(double seconds) override {
    const std::int64_t deadline = nowNanoseconds() + static_cast<std::int64_t>(seconds * 1e9);
    while (true) {
      if (auto line = buffer_.next())
        return {line->oversized ? Event::oversized : Event::line, std::move(line->text)};
      if (ended_) return {Event::ended, ""};
      const std::int64_t left = std::max<std::int64_t>(deadline - nowNanoseconds(), 0);
      pollfd watched{fromWorker_.get(), POLLIN, 0};
      const int ready =
          poll(&watched, 1,
               static_cast<int>(std::min<std::int64_t>((left + 999'999) / 1'000'000, 1 << 30)));
      if (ready == 0) return {Event::timeout, ""};
      if (ready < 0 && errno == EINTR) continue;
      char bytes[1 << 16];
      const ssize_t count = ::read(fromWorker_.get(), bytes, sizeof bytes);
      if (count > 0)
        buffer_.append({bytes, static_cast<std::size_t>(count)});
      else if (count == 0 || errno != EINTR)
        ended_ = true;
      // A writer that never ends its line or never stops must not hold the driver past the
      // deadline.
      if (nowNanoseconds() > deadline && !ended_) {
        if (auto line = buffer_.next())
          return {line->oversized ? Event::oversized : Event::line, std::move(line->text)};
        return {Event::timeout, ""};
      }
    }
  }

  void kill() override {
    // Its process group: what it has started, a compiler perhaps, goes with it.
    if (!reaped_ && ::kill(-pid_, SIGKILL) != 0) ::kill(pid_, SIGKILL);
  }

  std::string epitaph() override {
    int status = 0;
    // Its end of the pipe closes a moment before it can be reaped.
    for (int attempt = 0; attempt < 20 && !reaped_; ++attempt) {
      if (waitpid(pid_, &status, WNOHANG) == pid_) {
        reaped_ = true;
        epitaph_ = describe(status);
      } else {
        usleep(5000);
      }
    }
    return epitaph_;
  }

 private:
  static std::string describe(int status) {
    if (WIFSIGNALED(status))
      return saying("was killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return saying("exited with code {}", WEXITSTATUS(status));
  }

  pid_t pid_ = -1;
  Descriptor toWorker_, fromWorker_;
  LineBuffer buffer_;
  bool ended_ = false;
  bool reaped_ = false;
  std::string epitaph_;
};

}  // namespace

std::unique_ptr<WorkerConnection> startWorker(const std::vector<std::string>& command) {
  return std::make_unique<ProcessConnection>(command);
}

}  // namespace fusebench
