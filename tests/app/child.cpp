// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/child.h"
#include "tests/support/built_paths.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace fusebench {
namespace {

std::string makeFolder() {
  std::string name =
      (std::filesystem::temp_directory_path() / "fusebench-cli-test-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  return name;
}

std::string contentOf(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

void redirect(const std::string& path, int flags, int to) {
  const int fd = open(path.c_str(), flags, 0600);
  dup2(fd, to);
  close(fd);
}

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const std::string& input,
             const std::string& folder)
    : scratch_(makeFolder()) {
  std::ofstream(scratch_ + "/in") << input;
  // Each build has its own cache: kernels that another build's GPU double compiled do not fit.
  const auto build =
      std::filesystem::last_write_time(fusebench::test::cudaDoublePath()).time_since_epoch();
  const std::string cache = (std::filesystem::temp_directory_path() /
                             ("fusebench-cli-test-cache-" + std::to_string(build.count())))
                                .string();
  std::vector<std::string> words = {fusebench::test::cliPath()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_ = fork();
  if (pid_ != 0) return;
  redirect(scratch_ + "/in", O_RDONLY, STDIN_FILENO);
  redirect(scratch_ + "/out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect(scratch_ + "/err", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  setenv("FUSEBENCH_RESOURCES", fusebench::test::sourcePath("/resources").c_str(), 1);
  signal(SIGHUP, SIG_DFL);  // the process that started the tests may have ignored it
  if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(126);
  execv(pointers[0], pointers.data());
  _exit(127);
}

Child::~Child() {
  if (!ended_) {
    kill(pid_, SIGKILL);
    wait();
  }
  std::filesystem::remove_all(scratch_);
}

int Child::wait() {
  if (!ended_) waitpid(pid_, &status_, 0);
  ended_ = true;
  return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
}

bool Child::running() {
  if (!ended_ && waitpid(pid_, &status_, WNOHANG) == pid_) ended_ = true;
  return !ended_;
}

std::string Child::out() const {
  return contentOf(scratch_ + "/out");
}
std::string Child::err() const {
  return contentOf(scratch_ + "/err");
}

std::string ofProcess(pid_t pid, const std::string& file) {
  // Reading a file of a process that ends meanwhile throws.
  try {
    std::ifstream stream("/proc/" + std::to_string(pid) + "/" + file);
    return {std::istreambuf_iterator<char>(stream), {}};
  } catch (const std::ios_base::failure&) {
    return {};
  }
}

std::vector<pid_t> childrenOf(pid_t pid) {
  std::vector<pid_t> children;
  std::error_code gone;
  std::filesystem::directory_iterator tasks("/proc/" + std::to_string(pid) + "/task", gone);
  for (; !gone && tasks != std::filesystem::directory_iterator(); tasks.increment(gone)) {
    const std::string task = tasks->path().filename();
    std::istringstream list(ofProcess(pid, "task/" + task + "/children"));
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

Ended runCli(const std::vector<std::string>& arguments, const std::string& input) {
  Child child(arguments, input);
  const int code = child.wait();
  return {code, child.out(), child.err()};
}

}  // namespace fusebench
