// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/targets/slurm_allocation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <stdexcept>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/machine/clock.h"
#include "profiler/protocol/captured_command.h"
#include "profiler/protocol/process.h"
#include "profiler/targets/target_program.h"

namespace fusebench {
namespace {

constexpr double kQueueTickSeconds = 0.2, kCancelSeconds = 20;
constexpr const char* kGranted = "fusebench: job ";

std::vector<std::string> allocate(const TargetSpec& spec, const std::string& name) {
  std::vector<std::string> command = {"salloc", "--quiet", "--ntasks=1", "--nodes=1",
                                      "--job-name=" + name};
  if (!spec.partition.empty()) command.push_back("--partition=" + spec.partition);
  for (const auto& [option, value] : spec.options)
    command.push_back(fmt::format("--{}={}", option, value));
  // The allocation lives as long as its command does, and that as long as somebody holds its
  // input: whatever becomes of this program, the nodes are given back.
  command.insert(command.end(),
                 {"sh", "-c", fmt::format("echo {}$SLURM_JOB_ID; exec cat > /dev/null", kGranted)});
  return command;
}

}  // namespace

SlurmAllocation::SlurmAllocation(const TargetSpec& spec, const std::function<void(double)>& waiting,
                                 const std::stop_token& stop)
    : spec_(spec), name_(fmt::format("fusebench-{}-{}", getpid(), nowNanoseconds() % 1'000'000)) {
  const std::int64_t start = nowNanoseconds();
  try {
    holder_ = startWorker(allocate(spec, name_));
  } catch (const std::runtime_error& error) {
    throw TargetFailed(
        saying("{}: {}; Slurm's clients are needed on this machine", spec.text(), error.what()));
  }
  while (spec_.job.empty()) {
    if (stop.stop_requested()) {
      cancel();
      throw TargetFailed("stopped");
    }
    const auto received = holder_->receive(kQueueTickSeconds);
    queueSeconds_ = static_cast<double>(nowNanoseconds() - start) * 1e-9;
    if (received.event == WorkerConnection::Event::line && received.line.starts_with(kGranted))
      spec_.job = received.line.substr(std::string_view(kGranted).size());
    else if (received.event == WorkerConnection::Event::ended)
      throw TargetFailed(
          saying("{}: Slurm did not grant an allocation (salloc {}); sinfo shows the partitions",
                 spec.text(), holder_->epitaph()));
    else if (waiting)
      waiting(queueSeconds_);
  }
}

SlurmAllocation::~SlurmAllocation() {
  cancel();
}

/// By its name, which works for one that still waits in the queue, too.
void SlurmAllocation::cancel() const {
  try {
    runCaptured({"scancel", "--name=" + name_}, -1, kCancelSeconds);
  } catch (const std::runtime_error&) {
    // Its command ends with this program in any case.
  }
}

}  // namespace fusebench
