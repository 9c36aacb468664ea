// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench {

/// Lines to and from a worker, wherever it runs.
class WorkerConnection {
 public:
  enum class Event {
    line,       ///< a whole line has arrived
    timeout,    ///< nothing yet
    ended,      ///< the worker is gone
    oversized,  ///< a line beyond the limit was dropped
  };
  struct Received {
    Event event = Event::timeout;
    std::string line;
  };

  virtual ~WorkerConnection() = default;
  /// False if the worker is gone or does not read. The line ends in a newline.
  virtual bool send(const std::string& line) = 0;
  /// Waits at most this long.
  virtual Received receive(double seconds) = 0;
  /// Ends the worker at once, without waiting for it.
  virtual void kill() = 0;
  /// How it ended, if it has: "was killed by signal 9 (Killed)".
  virtual std::string epitaph() = 0;
  /// Whether the worker is kept for another study after this connection: then it is not told to
  /// quit, and nothing waits until it has obeyed a stop.
  virtual bool kept() const { return false; }
};

}  // namespace fusebench
