// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/protocol/request_queue.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "engine/base/saying.h"

namespace fusebench {

bool ReplyWriter::write(const std::string& line) {
  const std::lock_guard lock(mutex_);
  std::size_t written = 0;
  while (written < line.size() && !gone_) {
    const ssize_t count = ::write(output_, line.data() + written, line.size() - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      gone_ = true;
    }
  }
  return !gone_;
}

bool ReplyWriter::closedWithin(int milliseconds) const {
  pollfd watched{output_, 0, 0};
  return poll(&watched, 1, milliseconds) > 0 && (watched.revents & (POLLERR | POLLHUP)) != 0;
}

RequestQueue::RequestQueue(int input, ReplyWriter& replies) : input_(input), replies_(replies) {
  if (pipe2(wakeUp_, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  thread_ = std::thread([this] { readAll(); });
}

RequestQueue::~RequestQueue() {
  finished_ = true;
  ::close(wakeUp_[1]);
  thread_.join();
  ::close(wakeUp_[0]);
}

std::optional<Request> RequestQueue::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !waiting_.empty() || ended_; });
  if (waiting_.empty()) return std::nullopt;
  Request request = std::move(waiting_.front());
  waiting_.pop_front();
  if (request.verb == Verb::stop) stop_ = false;
  return request;
}

void RequestQueue::enqueue(Request request) {
  const std::lock_guard lock(mutex_);
  if (request.verb == Verb::stop) {
    for (const Request& dropped : waiting_) {
      if (dropped.verb == Verb::stop)
        replies_.write(okLine(dropped.id));
      else
        replies_.write(errorLine(dropped.id, ErrorKind::stopped, "stopped"));
    }
    waiting_.clear();
    stop_ = true;
  }
  waiting_.push_back(std::move(request));
  changed_.notify_one();
}

void RequestQueue::take(const LineBuffer::Line& line) {
  if (line.oversized) {
    replies_.write(
        errorLine(std::nullopt, ErrorKind::request, saying("the line is longer than 1 MiB")));
    return;
  }
  if (line.text.find_first_not_of(" \t") == std::string::npos) return;
  try {
    enqueue(parseRequest(line.text));
  } catch (const ProtocolError& error) {
    replies_.write(errorLine(error.id(), ErrorKind::request, error.what()));
  }
}

/// The input has ended. Queued requests are still done while someone reads the replies; once nobody
/// does, the process has no purpose, even if a kernel hangs.
void RequestQueue::outliveReader() {
  while (!finished_)
    if (replies_.closedWithin(100)) _exit(0);
}

void RequestQueue::readAll() {
  LineBuffer buffer(kLongestLine);
  char bytes[1 << 16];
  while (true) {
    pollfd watched[2] = {{input_, POLLIN, 0}, {wakeUp_[0], POLLIN, 0}};
    if (poll(watched, 2, -1) < 0 && errno == EINTR) continue;
    if (watched[1].revents != 0) return;
    const ssize_t count = ::read(input_, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    buffer.append({bytes, static_cast<std::size_t>(count)});
    while (auto line = buffer.next()) take(*line);
  }
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_one();
  }
  outliveReader();
}

}  // namespace fusebench
