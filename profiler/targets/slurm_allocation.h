// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "profiler/protocol/connection.h"
#include "profiler/targets/target_spec.h"

namespace fusebench {

/// A Slurm allocation that all workers of a run share, so that a run waits in the queue only once.
/// It is released when this object is destroyed, and when this program exits for any reason.
class SlurmAllocation {
 public:
  /// Waits until the allocation is granted; `waiting` receives the seconds so far. Throws
  /// TargetFailed, also on a stop.
  SlurmAllocation(const TargetSpec& spec, const std::function<void(double)>& waiting,
                  const std::stop_token& stop);
  ~SlurmAllocation();
  SlurmAllocation(const SlurmAllocation&) = delete;
  SlurmAllocation& operator=(const SlurmAllocation&) = delete;

  /// The same target, within this allocation.
  const TargetSpec& spec() const { return spec_; }
  /// The time spent in the queue.
  double queueSeconds() const { return queueSeconds_; }

 private:
  void cancel() const;

  TargetSpec spec_;
  std::string name_;
  double queueSeconds_ = 0;
  std::unique_ptr<WorkerConnection> holder_;
};

}  // namespace fusebench
