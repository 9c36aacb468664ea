// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "profiler/files/line_buffer.h"
#include "profiler/protocol/protocol.h"

namespace fusebench {

/// Writes whole lines from any thread.
class ReplyWriter {
 public:
  explicit ReplyWriter(int output) : output_(output) {}
  /// False once the reader is gone.
  bool write(const std::string& line);
  /// Whether the other end was closed, determined without writing; waits up to `milliseconds` for
  /// it.
  bool closedWithin(int milliseconds) const;

 private:
  int output_;
  std::mutex mutex_;
  std::atomic<bool> gone_ = false;
};

/// Reads requests in a separate thread, so that a `stop` is noticed while work is in progress. A
/// stop raises the flag, answers queued requests with "stopped", and comes out of next() itself,
/// which then lowers the flag. Lines that are not requests are answered here.
class RequestQueue {
 public:
  RequestQueue(int input, ReplyWriter& replies);
  ~RequestQueue();
  /// The next request; waits. Nothing once the input has ended and all was handed out.
  std::optional<Request> next();
  const std::atomic<bool>& stopFlag() const { return stop_; }

 private:
  void readAll();
  void take(const LineBuffer::Line& line);
  void enqueue(Request request);
  void outliveReader();

  int input_;
  int wakeUp_[2] = {-1, -1};  ///< a pipe whose closing ends the reading thread
  ReplyWriter& replies_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request> waiting_;
  bool ended_ = false;
  std::atomic<bool> finished_ = false;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace fusebench
