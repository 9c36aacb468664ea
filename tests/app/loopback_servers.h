// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "tests/temporary_folder.h"

namespace fusebench::test {

/// An OpenSSH server on the loopback with a port, keys and a configuration of its own; and an ssh
/// client that knows them, in $FUSEBENCH_SSH as long as this lives.
class LoopbackSsh {
 public:
  /// `login`: what a shell there does before it runs what it is asked to.
  explicit LoopbackSsh(const std::string& login = "");
  ~LoopbackSsh();
  LoopbackSsh(const LoopbackSsh&) = delete;
  LoopbackSsh& operator=(const LoopbackSsh&) = delete;

  /// Why there is none; empty: it runs.
  const std::string& problem() const { return problem_; }
  /// "ssh:root@127.0.0.1:PORT".
  std::string target() const;
  /// Where the target keeps programs.
  std::string dataFolder() const { return folder_.path("data"); }
  /// Ends the connections there are; new ones are possible.
  void cutConnections() const;

 private:
  TemporaryFolder folder_;
  std::string problem_;
  int port_ = 0;
};

/// A cluster of this one machine: munge, slurmctld and slurmd, with $SLURM_CONF as long as this
/// lives. Needs root.
class LoopbackSlurm {
 public:
  LoopbackSlurm();
  ~LoopbackSlurm();
  LoopbackSlurm(const LoopbackSlurm&) = delete;
  LoopbackSlurm& operator=(const LoopbackSlurm&) = delete;

  const std::string& problem() const { return problem_; }
  /// The jobs that it knows of and that are not over.
  static std::string jobs();

 private:
  TemporaryFolder folder_;
  std::string problem_;
};

}  // namespace fusebench::test
