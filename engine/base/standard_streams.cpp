// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace fusebench {

void openStandardStreams() noexcept {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    // Results must not be lost silently, so standard output is opened for reading only. open()
    // takes the lowest free number, which is this one, since those below are open.
    if (::open("/dev/null", descriptor == STDERR_FILENO ? O_RDWR : O_RDONLY) != descriptor) return;
  }
}

void putError(std::string_view text) noexcept {
  constexpr int kPatienceMilliseconds = 1000;
  const int before = errno;
  while (!text.empty()) {
    pollfd watched{STDERR_FILENO, POLLOUT, 0};
    const int ready = ::poll(&watched, 1, kPatienceMilliseconds);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    // A pipe that has room takes this many bytes without waiting.
    const ssize_t count =
        ::write(STDERR_FILENO, text.data(), text.size() < 4096 ? text.size() : 4096);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  errno = before;
}

}  // namespace fusebench
