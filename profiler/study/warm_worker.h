// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "profiler/protocol/connection.h"

namespace fusebench {

/// A worker that is kept between studies, so that each study finds it started and its kernels
/// compiled. One that was killed, that exited or that does not obey a stop is replaced; a new one
/// is started ahead of time. May be used from several threads; borrowed workers may be returned
/// after this object is gone.
class WarmWorker {
 public:
  using Starter = std::function<std::unique_ptr<WorkerConnection>()>;

  explicit WarmWorker(Starter start);
  explicit WarmWorker(std::vector<std::string> command);
  ~WarmWorker();

  /// Starts a worker ahead of its use, if none is waiting. Takes about a millisecond; never throws.
  void warm();

  /// For StudyOptions::connect: the waiting worker, or a new one. Dropping the connection returns
  /// the worker. If it is busy when it is returned, it is awaited for a short time. Throws
  /// std::runtime_error if none can be started.
  std::unique_ptr<WorkerConnection> lend();

 private:
  struct State;
  class Lent;
  std::shared_ptr<State> state_;
};

}  // namespace fusebench
