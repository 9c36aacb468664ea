// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/loopback_servers.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "profiler/protocol/captured_command.h"
#include "tests/app/child.h"

namespace fusebench::test {
namespace {

std::string shell(const std::string& script) {
  return runCaptured({"sh", "-c", script}, -1, 60).out;
}
bool succeeds(const std::string& script) {
  return runCaptured({"sh", "-c", script}, -1, 60).exitCode == 0;
}
bool waitFor(const std::string& script) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (succeeds(script)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

/// The process that a file names; 0: none.
pid_t pidIn(const std::string& file) {
  pid_t pid = 0;
  std::ifstream(file) >> pid;
  return pid;
}

}  // namespace

LoopbackSsh::LoopbackSsh(const std::string& login) {
  if (!succeeds("command -v /usr/sbin/sshd && command -v ssh")) {
    problem_ = "no OpenSSH server here: apt-get install openssh-server";
    return;
  }
  const std::string dir = folder_.string();
  port_ = 20000 + getpid() % 10000;
  succeeds(
      fmt::format("mkdir -p /run/sshd; mkdir {0}/data; ssh-keygen -q -t ed25519 -N '' -f "
                  "{0}/host; ssh-keygen -q -t ed25519 -N '' -f {0}/id",
                  dir));
  std::ofstream(folder_.path("sshd.conf")) << fmt::format(
      "Port {0}\nListenAddress 127.0.0.1\nHostKey {1}/host\nAuthorizedKeysFile {1}/id.pub\n"
      "StrictModes no\nUsePAM no\nPermitRootLogin yes\nPidFile {1}/pid\n"
      "SetEnv XDG_DATA_HOME={1}/data\nForceCommand {1}/login\n",
      port_, dir);
  std::ofstream(folder_.path("login"))
      << fmt::format("#!/bin/sh\n{}\nexec sh -c \"$SSH_ORIGINAL_COMMAND\"\n", login);
  std::ofstream(folder_.path("ssh")) << fmt::format(
      "#!/bin/sh\nexec ssh -F none -i {0}/id -o UserKnownHostsFile={0}/known -o "
      "StrictHostKeyChecking=accept-new -o LogLevel=ERROR \"$@\"\n",
      dir);
  succeeds(fmt::format("chmod 700 {0}/ssh {0}/login; /usr/sbin/sshd -f {0}/sshd.conf", dir));
  setenv("FUSEBENCH_SSH", folder_.path("ssh").c_str(), 1);
  if (!waitFor(fmt::format("[ -s {0}/pid ] && {0}/ssh -p {1} -o BatchMode=yes 127.0.0.1 true", dir,
                           port_)))
    problem_ = "sshd does not answer";
}

LoopbackSsh::~LoopbackSsh() {
  unsetenv("FUSEBENCH_SSH");
  cutConnections();
  if (const pid_t pid = pidIn(folder_.path("pid"))) kill(pid, SIGTERM);
}

std::string LoopbackSsh::target() const {
  return fmt::format("ssh:127.0.0.1:{}", port_);
}

void LoopbackSsh::cutConnections() const {
  if (const pid_t pid = pidIn(folder_.path("pid")))
    for (const pid_t connection : childrenOf(pid)) kill(connection, SIGKILL);
}

LoopbackSlurm::LoopbackSlurm() {
  if (!succeeds("command -v /usr/sbin/slurmctld && command -v munge") || getuid() != 0) {
    problem_ = "no Slurm here: as root, apt-get install slurm-wlm munge";
    return;
  }
  const std::string dir = folder_.string();
  const int port = 30000 + getpid() % 10000 * 2;
  std::ofstream(folder_.path("slurm.conf")) << fmt::format(
      "ClusterName=loopback\nSlurmctldHost=localhost\nSlurmctldPort={1}\nSlurmdPort={2}\n"
      "AuthType=auth/munge\nSlurmUser=root\nSlurmdUser=root\nStateSaveLocation={0}/state\n"
      "SlurmdSpoolDir={0}/spool\nSlurmctldPidFile={0}/slurmctld.pid\nSlurmdPidFile={0}/slurmd.pid\n"
      "SlurmctldLogFile={0}/slurmctld.log\nSlurmdLogFile={0}/slurmd.log\n"
      "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
      "JobAcctGatherType=jobacct_gather/none\nSelectType=select/cons_tres\n"
      "SelectTypeParameters=CR_Core\nMpiDefault=none\nReturnToService=2\n"
      "NodeName=localhost CPUs={3} RealMemory=1000 State=UNKNOWN\n"
      "PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP\n",
      dir, port, port + 1, std::thread::hardware_concurrency());
  setenv("SLURM_CONF", folder_.path("slurm.conf").c_str(), 1);
  succeeds(
      fmt::format("mkdir {0}/state {0}/spool\n"
                  "[ -s /etc/munge/munge.key ] || {{ dd if=/dev/urandom bs=1 count=1024 "
                  "of=/etc/munge/munge.key; chown munge: /etc/munge/munge.key; chmod 400 "
                  "/etc/munge/munge.key; }}\n"
                  "install -d -o munge /run/munge\n"
                  "munge -n || runuser -u munge -- /usr/sbin/munged\n"
                  "/usr/sbin/slurmctld && /usr/sbin/slurmd",
                  dir));
  if (!waitFor("sinfo -h | grep -q idle")) problem_ = "Slurm does not come up";
}

LoopbackSlurm::~LoopbackSlurm() {
  for (const char* server : {"slurmd.pid", "slurmctld.pid"})
    if (const pid_t pid = pidIn(folder_.path(server))) {
      kill(pid, SIGTERM);
      for (int attempt = 0; attempt < 100 && kill(pid, 0) == 0; ++attempt)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  unsetenv("SLURM_CONF");
}

std::string LoopbackSlurm::jobs() {
  return shell("squeue -h -o %j");
}

}  // namespace fusebench::test
