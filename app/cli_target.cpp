// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <system_error>

#include "app/cli_format.h"
#include "app/cli_signals.h"
#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "engine/base/standard_streams.h"
#include "profiler/machine/backend_table.h"
#include "profiler/machine/machine.h"
#include "profiler/protocol/captured_command.h"
#include "profiler/protocol/process.h"
#include "profiler/ranks/rank_host.h"
#include "profiler/study/reached_target.h"
#include "profiler/study/torch_worker.h"
#include "profiler/targets/relay.h"

namespace fusebench::cli {
namespace {

/// Importing torch takes seconds, and much longer for several ranks on a busy machine. The caller
/// waits only for a minute.
constexpr double kRanksStartSeconds = 55;

constexpr double kCommandSeconds = 600;
constexpr double kSayWaitingSeconds = 1;

bool asksYes(const std::string& question) {
  putError(fmt::format("{} [y/N] ", question));
  std::string answer;
  return std::getline(std::cin, answer) && (answer == "y" || answer == "Y" || answer == "yes");
}

/// Drawn over itself on a terminal, and taken away at the end.
class CopyProgress {
 public:
  explicit CopyProgress(std::uint64_t bytes) : bytes_(bytes), shown_(isatty(STDERR_FILENO) != 0) {}
  ~CopyProgress() {
    if (shown_) putError("\r\033[K");
  }
  void show(std::uint64_t copied) const {
    if (!shown_) return;
    putError(
        fmt::format("\r{}\033[K", saying("copying {} of {}", bytesText(static_cast<double>(copied)),
                                         bytesText(static_cast<double>(bytes_)))));
  }

 private:
  std::uint64_t bytes_;
  bool shown_;
};

/// `command`: what each of the ranks is started as.
int ranksCommand(int ranks, const std::string& device, std::vector<std::string> command) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);
  RankHosting hosting;
  hosting.ranks = ranks;
  hosting.command = std::move(command);
  hosting.startSeconds = kRanksStartSeconds;
  if (const char* named = std::getenv("FUSEBENCH_MPIRUN")) hosting.mpirun = named;
  if (device != "cpu" && !namesGpu(device))
    hosting.refusal = saying(
        "the device {} cannot be part of a group of ranks yet; measure ranks on the cpu or on GPUs",
        device);
  return hostRanks(STDIN_FILENO, STDOUT_FILENO, hosting);
}

}  // namespace

ReadyTarget::ReadyTarget(const std::string& target, bool install, const std::stop_token& stop)
    : name_(target), spec_(parseTarget(target)) {
  if (isHere()) return;
  if (spec_.kind == TargetSpec::Kind::slurm && spec_.job.empty()) {
    bool said = false;
    allocation_ = std::make_unique<SlurmAllocation>(
        spec_,
        [&](double seconds) {
          if (said || seconds < kSayWaitingSeconds) return;
          said = true;
          complain(
              saying("{}: waiting in Slurm's queue; nothing is measured in the meantime", name_));
        },
        stop);
    spec_ = allocation_->spec();
    if (said)
      complain(saying("{}: job {} was granted after {:.1f} s", name_, spec_.job,
                      allocation_->queueSeconds()));
  }
  bringProgram(install, stop);
}

void ReadyTarget::bringProgram(bool install, const std::stop_token& stop) {
  const PortableProgram program = portableProgram(ownPath());
  const TargetFound found = probeTarget(spec_, program, stop);
  program_ = found.path;
  if (found.program) return;
  const std::string size = bytesText(static_cast<double>(program.bytes));
  if (!install) {
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
      throw InputError(
          saying("{}: this version of Fusebench is not installed there; add --install to copy it "
                 "({}) to {}",
                 name_, size, shownText(found.path)));
    if (!asksYes(saying("This version of Fusebench is not on {}. Copy it ({}) to {}?", name_, size,
                        shownText(found.path))))
      throw InputError(saying("{}: nothing was copied, so nothing can be measured there", name_));
  }
  const CopyProgress progress(program.bytes);
  copyProgram(
      spec_, found, program, [&](std::uint64_t copied) { progress.show(copied); }, stop);
}

nlohmann::json ReadyTarget::described() const {
  nlohmann::json described = {{"name", name_}};
  if (allocation_) {
    described["job"] = spec_.job;
    described["queue_seconds"] = allocation_->queueSeconds();
  }
  return described;
}

void ReadyTarget::use(StudyOptions& study, const std::string& device,
                      const std::string& python) const {
  study.workerCommand = {ownPath(), "worker"};
  study.guests = {torchWorker(chosenPython(python), device)};
  study = onDevice(study, device);
  if (!isHere()) {
    ReachedTarget there;
    there.spec = spec_;
    there.program = program_;
    study = onTarget(study, there, ownPath(), chosenPython(python));
    study.target = described();
  }
}

int ReadyTarget::runCommand(const std::vector<std::string>& arguments) const {
  const CapturedCommand done =
      runCaptured(shellCommand(spec_, programScript(program_, arguments)), -1, kCommandSeconds);
  printOut(afterBanner(done.out));
  if (!done.err.empty()) putError(shownText(done.err));
  if (done.timedOut) throw TargetFailed(saying("{}: no answer in time", name_));
  return done.exitCode;
}

int relayCommand(const std::string& target, const std::string& there,
                 const std::vector<std::string>& arguments) {
  const TargetSpec spec = parseTarget(target);
  if (there.empty())
    throw InputError(
        saying("--target needs --there, the program's path on the target; run, devices and doctor "
               "find it themselves"));
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);
  const auto worker = startWorker(shellCommand(spec, programScript(there, arguments)));
  return relay(STDIN_FILENO, STDOUT_FILENO, *worker, target, complain);
}

int workerRanksCommand(int ranks, const std::string& device) {
  return ranksCommand(ranks, device, {ownPath(), "worker", "--device", device});
}

int torchWorkerCommand(const std::string& python, const std::string& device, int ranks) {
  std::vector<std::string> command = torchWorker(chosenPython(python), device).command;
  if (ranks > 1) {
    command.insert(command.end(), {"--ranks", std::to_string(ranks)});
    return ranksCommand(ranks, device, std::move(command));
  }
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  throw InputError(saying("--python {}: cannot be started: {}", shownName(command[0]),
                          std::generic_category().message(errno)));
}

int commandOnTarget(const std::string& target, bool install,
                    const std::vector<std::string>& arguments) {
  const StopOnSignal signals;
  return ReadyTarget(target, install, signals.token()).runCommand(arguments);
}

}  // namespace fusebench::cli
