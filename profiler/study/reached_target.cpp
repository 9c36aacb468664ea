// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/reached_target.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vector>

#include "engine/base/saying.h"
#include "profiler/protocol/captured_command.h"
#include "profiler/protocol/worker_client.h"
#include "profiler/study/torch_worker.h"
#include "profiler/targets/target_program.h"

namespace fusebench {
namespace {

constexpr double kDevicesSeconds = 120;
/// A Python behind a connection shows its first sign of life later than one on this machine.
constexpr double kTorchThereAliveSeconds = 60;

DeviceList devicesThere(const ReachedTarget& target, const std::stop_token& stop) {
  const CapturedCommand answer =
      runCaptured(shellCommand(target.spec, programScript(target.program, {"devices", "--json"})),
                  -1, kDevicesSeconds, stop);
  if (stop.stop_requested()) throw StopRequested();
  if (answer.timedOut) throw TargetFailed(saying("{}: it could not list its devices", target.name));
  return readDevices(afterBanner(answer.out));
}

}  // namespace

nlohmann::json ReachedTarget::described() const {
  nlohmann::json made = {{"name", name}};
  if (allocation) {
    made["job"] = spec.job;
    made["queue_seconds"] = allocation->queueSeconds();
  }
  return made;
}

ReachedTarget reachTarget(const std::string& name, const std::string& own, bool install,
                          const std::function<void(double)>& waiting, std::stop_token stop) {
  ReachedTarget target;
  target.name = name;
  target.spec = parseTarget(name);
  if (target.spec.kind == TargetSpec::Kind::slurm && target.spec.job.empty()) {
    target.allocation = std::make_shared<SlurmAllocation>(target.spec, waiting, stop);
    target.spec = target.allocation->spec();
  }
  const PortableProgram program = portableProgram(own);
  TargetFound found = probeTarget(target.spec, program, stop);
  target.system = found.system;
  target.program = found.path;
  target.programBytes = program.bytes;
  if (!found.program && install) {
    copyProgram(target.spec, found, program, {}, stop);
    found.program = true;
  }
  target.ready = found.program;
  if (target.ready) target.devices = devicesThere(target, stop);
  return target;
}

StudyOptions onTarget(StudyOptions study, const ReachedTarget& target, const std::string& own,
                      const std::string& python) {
  const std::vector<std::string> relayed = {"--target", target.spec.text(), "--there",
                                            target.program};
  study.workerCommand = {own, "worker"};
  study.workerCommand.insert(study.workerCommand.end(), relayed.begin(), relayed.end());
  GuestWorker guest = torchWorker(python, study.device);
  // The Python is one of the target's, by its name there.
  guest.command = {own, "torch-worker", "--python", python, "--device", study.device};
  for (auto* command : {&guest.command, &guest.ranksArguments})
    command->insert(command->end(), relayed.begin(), relayed.end());
  guest.aliveSeconds = kTorchThereAliveSeconds;
  study.guests = {std::move(guest)};
  study.target = target.described();
  return onDevice(study, study.device);
}

}  // namespace fusebench
