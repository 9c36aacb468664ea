// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/temporary_folder.h"

namespace fusebench {

/// fusebench-cli running as a process, its output caught in files.
class Child {
 public:
  /// `input` is what it reads; its kernel cache is one of the tests' own.
  explicit Child(const std::vector<std::string>& arguments, const std::string& input = "",
                 const std::string& folder = "");
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  /// Exit code, or 128 + signal. Waits.
  int wait();
  bool running();
  std::string out() const;
  std::string err() const;

 private:
  std::string scratch_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

/// What a file of a process in /proc says, such as "cmdline"; empty: it is gone, maybe while it is
/// read.
std::string ofProcess(pid_t pid, const std::string& file);
/// The process ids of a process' children; none: it is gone.
std::vector<pid_t> childrenOf(pid_t pid);

struct Ended {
  int code;
  std::string out, err;
};
Ended runCli(const std::vector<std::string>& arguments, const std::string& input = "");

using test::TemporaryFolder;

}  // namespace fusebench
