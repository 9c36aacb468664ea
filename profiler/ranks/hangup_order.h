// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/epoll.h>

#include <cstddef>

#include "profiler/files/descriptor.h"

namespace fusebench {

/// Which of several sockets was closed first at its other end: a rank that exits takes the others
/// with it, and all of them may be noticed at once.
class HangupOrder {
 public:
  /// `number`: what to call it.
  void watch(int socket, std::size_t number) {
    epoll_event event{};
    event.events = EPOLLRDHUP;
    event.data.u64 = number;
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket, &event);
  }
  /// Called once, when one of them has been closed. The kernel lists events in their order.
  std::size_t first(std::size_t noticed) const {
    epoll_event event{};
    return ::epoll_wait(epoll_.get(), &event, 1, 0) == 1 ? event.data.u64 : noticed;
  }

 private:
  Descriptor epoll_{::epoll_create1(EPOLL_CLOEXEC)};
};

}  // namespace fusebench
