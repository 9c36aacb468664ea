// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/work_limit.h"

#include <ctime>
#include <stdexcept>
#include <utility>

#include "engine/base/work_stop.h"

namespace fusebench {
namespace {

thread_local const WorkLimit* current = nullptr;
thread_local const WorkStop* currentStop = nullptr;

/// The processor time of this thread, which other programs on a busy machine do not change.
std::int64_t ownNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

WorkLimit::WorkLimit(double seconds, std::stop_token stop)
    : outermost_(current == nullptr),
      seconds_(seconds),
      end_(outermost_ ? ownNanoseconds() + static_cast<std::int64_t>(seconds * 1e9) : 0),
      stop_(std::move(stop)) {
  if (outermost_) current = this;
}

WorkLimit::~WorkLimit() {
  if (outermost_) current = nullptr;
}

WorkLimit::State WorkLimit::state() {
  if (WorkStop::requested()) return State::stopped;
  if (!current) return State::going;
  if (current->stop_.stop_requested()) return State::stopped;
  return ownNanoseconds() > current->end_ ? State::late : State::going;
}

double WorkLimit::seconds() {
  return current ? current->seconds_ : kUsualSeconds;
}

WorkStop::WorkStop(std::stop_token stop) : stop_(std::move(stop)), outer_(currentStop) {
  currentStop = this;
}

WorkStop::~WorkStop() {
  currentStop = outer_;
}

bool WorkStop::requested() {
  for (const WorkStop* stop = currentStop; stop; stop = stop->outer_)
    if (stop->stop_.stop_requested()) return true;
  return false;
}

void WorkStop::check() {
  if (requested()) throw std::runtime_error("this work was stopped");
}

}  // namespace fusebench
