// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_signals.h"

#include <unistd.h>

namespace fusebench::cli {

StopOnSignal::StopOnSignal() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  // The terminal was closed. Ignored if the caller (nohup) wants the program to continue.
  struct sigaction hangUp {};
  if (sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN)
    sigaddset(&signals_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  thread_ = std::jthread([this](const std::stop_token& end) { wait(end); });
}

StopOnSignal::~StopOnSignal() {
  thread_.request_stop();
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void StopOnSignal::wait(const std::stop_token& end) {
  while (!end.stop_requested()) {
    const timespec pause{0, 50'000'000};
    if (sigtimedwait(&signals_, nullptr, &pause) < 0) continue;
    if (source_.stop_requested()) _exit(1);
    source_.request_stop();
  }
}

}  // namespace fusebench::cli
