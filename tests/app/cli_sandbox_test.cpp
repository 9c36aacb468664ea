// SPDX-License-Identifier: GPL-3.0-or-later
// A worker in its sandbox can do only what measuring needs, and measuring works as it does without.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "profiler/files/files.h"
#include "profiler/protocol/process.h"
#include "profiler/protocol/sandbox.h"
#include "profiler/protocol/worker_client.h"
#include "profiler/run/cell_json.h"
#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// The errno that `attempt` leaves in a process of its own which has entered the sandbox; 0: it
/// succeeded. -1: the kernel here has no such sandbox.
int errorInside(SandboxProfile profile, const std::function<bool()>& attempt) {
  int ends[2];
  if (::pipe(ends) != 0) return -2;
  const pid_t pid = ::fork();
  if (pid == 0) {
    const SandboxState state = enterSandbox(profile);
    int error = -1;
    if (profile != SandboxProfile::program || state.whole()) {
      errno = 0;
      error = attempt() ? 0 : errno;
    }
    [[maybe_unused]] const ssize_t written = ::write(ends[1], &error, sizeof error);
    ::_exit(0);
  }
  ::close(ends[1]);
  int error = -3;  // it died
  [[maybe_unused]] const ssize_t count = ::read(ends[0], &error, sizeof error);
  ::close(ends[0]);
  ::waitpid(pid, nullptr, 0);
  return error;
}

class Sandbox : public testing::Test {
 protected:
  void SetUp() override {
    if (errorInside(SandboxProfile::program, [] { return true; }) == -1)
      GTEST_SKIP() << "this kernel has no Landlock or no seccomp";
  }
  static int inside(const std::function<bool()>& attempt) {
    return errorInside(SandboxProfile::program, attempt);
  }
};

bool opens(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  return file >= 0;
}

TEST_F(Sandbox, OpensNoConnection) {
  for (const int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK})
    EXPECT_EQ(inside([&] { return ::socket(family, SOCK_STREAM, 0) >= 0; }), EPERM) << family;
}

TEST_F(Sandbox, StartsNoProgramAndNoProcess) {
  EXPECT_EQ(inside([] {
              char name[] = "/bin/true";
              char* const arguments[] = {name, nullptr};
              ::execv(name, arguments);
              return false;
            }),
            EPERM);
  EXPECT_EQ(inside([] { return ::fork() >= 0; }), EPERM);
  EXPECT_EQ(inside([] {
              errno = ENOENT;
              return std::system("exit 0") == 0;
            }),
            EPERM);
  EXPECT_EQ(inside([] { return ::kill(::getppid(), 0) == 0; }), EPERM);
}

TEST_F(Sandbox, StartsThreads) {
  EXPECT_EQ(inside([] {
              int answer = 0;
              std::thread([&] { answer = 42; }).join();
              return answer == 42;
            }),
            0);
}

TEST_F(Sandbox, WritesTemporaryFilesAndNoOthers) {
  const TemporaryFolder temporary;
  const std::string inside_ = temporary.path("file");
  EXPECT_EQ(inside([&] { return opens(inside_, O_WRONLY | O_CREAT); }), 0);
  const fs::path here = fs::current_path() / "fusebench-sandbox-test";
  EXPECT_EQ(inside([&] { return opens(here.string(), O_WRONLY | O_CREAT); }), EACCES);
  EXPECT_EQ(inside([] { return opens("/etc/fusebench-sandbox-test", O_WRONLY | O_CREAT); }),
            EACCES);
  EXPECT_EQ(inside([] { return opens("/dev/null", O_WRONLY); }), 0);
}

TEST_F(Sandbox, ReadsWhatTheSystemShipsAndNoFileOfItsUser) {
  EXPECT_EQ(inside([] { return opens("/etc/passwd", O_RDONLY); }), 0);
  EXPECT_EQ(inside([] { return opens("/proc/self/maps", O_RDONLY); }), 0);
  const std::string sources = fusebench::test::sourcePath("/CMakeLists.txt");
  ASSERT_TRUE(opens(sources, O_RDONLY));
  EXPECT_EQ(inside([&] { return opens(sources, O_RDONLY); }), EACCES);
  const std::string environment = "/proc/" + std::to_string(::getpid()) + "/environ";
  ASSERT_TRUE(opens(environment, O_RDONLY));
  EXPECT_NE(inside([&] {
              char letter = 0;
              const int file = ::open(environment.c_str(), O_RDONLY | O_CLOEXEC);
              return file >= 0 && ::read(file, &letter, 1) == 1;
            }),
            0);
}

/// Only for kernels that this program compiles: oneDNN's own generator asks for both at once.
TEST_F(Sandbox, CompiledKernelsAreNeverWritableAndExecutable) {
  WorkerClient client(startWorker({fusebench::test::cliPath(), "worker"}), {});
  const Reply hello = client.ask(Verb::hello, json::object(), 60);
  ASSERT_TRUE(hello.ok);
  const json experiment = {
      {"fusebench", "experiment"},
      {"version", 1},
      {"title", "A test"},
      {"program", {"x = x + 1", "x = torch.sin(x)", "return x"}},
      {"inputs", {{{"name", "all"}, {"tensors", {{{"name", "x"}, {"extents", {4, 16}}}}}}}},
      {"variants", {{{"name", "static"}, {"executor", "static"}}}},
      {"baseline", "static"},
      {"axes", {{{"name", "statements"}, {"values", {2}}}}}};
  ASSERT_TRUE(client.ask(Verb::load, {{"experiment", experiment.dump()}}, 60).ok);
  const Reply prepared = client.ask(Verb::prepare, toJson(CellKey{0, {2}}), 60);
  ASSERT_TRUE(prepared.ok) << prepared.message;
  const std::string maps = ofProcess(hello.result["pid"].get<pid_t>(), "maps");
  EXPECT_THAT(maps, HasSubstr(" r-xp "));
  EXPECT_THAT(maps, Not(HasSubstr(" rwx")));
  client.quit();
}

TEST_F(Sandbox, TypesNothingIntoATerminal) {
  EXPECT_EQ(inside([] {
              char letter = 'x';
              return ::ioctl(STDIN_FILENO, TIOCSTI, &letter) == 0;
            }),
            EPERM);
}

TEST_F(Sandbox, LeavesNoCoreFilesAndGainsNoPrivileges) {
  for (const SandboxProfile profile : {SandboxProfile::program, SandboxProfile::rank}) {
    EXPECT_EQ(errorInside(profile,
                          [] {
                            rlimit limit{};
                            ::getrlimit(RLIMIT_CORE, &limit);
                            std::ifstream file("/proc/self/status");
                            const std::string text(std::istreambuf_iterator<char>(file), {});
                            return limit.rlim_max == 0 &&
                                   text.find("NoNewPrivs:\t1") != std::string::npos;
                          }),
              0);
  }
  EXPECT_EQ(
      errorInside(SandboxProfile::rank, [] { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }), 0)
      << "ranks meet at sockets";
}

TEST_F(Sandbox, AWorkerSaysWhatHolds) {
  WorkerClient client(startWorker({fusebench::test::cliPath(), "worker"}), {});
  const Reply reply = client.ask(Verb::hello, json::object(), 60);
  ASSERT_TRUE(reply.ok);
  const SandboxState state = sandboxStateOf(reply.result["sandbox"]);
  EXPECT_TRUE(state.whole()) << reply.result["sandbox"];
  const pid_t pid = reply.result["pid"].get<pid_t>();
  EXPECT_THAT(ofProcess(pid, "status"), HasSubstr("Seccomp:\t2"));
  client.quit();
}

TEST_F(Sandbox, PyTorchsWorkerGainsNoPrivileges) {
  WorkerClient client(startWorker({fusebench::test::cliPath(), "torch-worker"}), {});
  const Reply reply = client.greet(60, 120);
  if (!reply.ok) GTEST_SKIP() << "no Python here: " << reply.message;
  const pid_t pid = reply.result["pid"].get<pid_t>();
  EXPECT_THAT(ofProcess(pid, "status"), HasSubstr("NoNewPrivs:\t1"));
  client.quit();
}

TEST_F(Sandbox, TheDoctorSaysSo) {
  const Ended ended = runCli({"doctor"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, HasSubstr("workers on the CPU open no connections"));
  ::setenv("FUSEBENCH_SANDBOX", "off", 1);
  const Ended without = runCli({"doctor"});
  ::unsetenv("FUSEBENCH_SANDBOX");
  EXPECT_EQ(without.code, 0);
  EXPECT_THAT(without.out, HasSubstr("FUSEBENCH_SANDBOX is off"));
}

}  // namespace
}  // namespace fusebench
