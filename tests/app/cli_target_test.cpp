// SPDX-License-Identifier: GPL-3.0-or-later
// Measuring elsewhere, with real servers on the loopback.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/app/child.h"
#include "tests/app/loopback_servers.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using nlohmann::json;
using test::LoopbackSlurm;
using test::LoopbackSsh;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A program in so many variants that a run of it lasts for `seconds`.
std::string writeExperiment(const TemporaryFolder& folder, double seconds = 1) {
  const std::string path = folder.path("experiment.json");
  json experiment =
      json::parse(R"json({"fusebench": "experiment", "version": 1, "title": "Elsewhere",
    "program": ["x = x + 1", "x = torch.sin(x)", "return x.sum()"],
    "inputs": [{"name": "all", "tensors": [{"name": "x", "extents": [4, 16]}]}],
    "variants": [{"name": "eager", "executor": "eager"}, {"name": "instant", "executor": "instant"}],
    "baseline": "eager", "axes": [{"name": "statements", "values": [2]}]})json");
  experiment["measure"] = {{"budgetSeconds", seconds},
                           {"compileRepeats", 1},
                           {"sessions", 1},
                           {"precision", 0.0001},
                           {"maximumSamples", 20000}};
  std::ofstream(path) << experiment;
  return path;
}

/// A group of ranks, for so many seconds.
std::string writeRanks(const TemporaryFolder& folder, double seconds) {
  const std::string path = folder.path("ranks.json");
  json experiment =
      json::parse(R"json({"fusebench": "experiment", "version": 2, "title": "Ranks elsewhere",
    "program": ["def f(x):", "    y = torch.sin(x)", "    dist.all_reduce(y)", "    return y"],
    "inputs": [{"name": "all", "tensors": [{"name": "x", "extents": [8, 16]}]}],
    "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
    "baseline": "eager", "axes": [{"name": "ranks", "values": [2]}]})json");
  experiment["measure"] = {{"budgetSeconds", seconds},
                           {"compileRepeats", 0},
                           {"sessions", 1},
                           {"precision", 0.0001},
                           {"minimumSamples", 6},
                           {"maximumSamples", seconds > 2 ? 20000 : 20}};
  std::ofstream(path) << experiment;
  return path;
}

/// While this exists, targets get the program of this very build, not a portable program that an
/// earlier build left in the same folder.
struct OwnProgramThere {
  OwnProgramThere() { setenv("FUSEBENCH_PORTABLE_CLI", fusebench::test::cliPath(), 1); }
  ~OwnProgramThere() { unsetenv("FUSEBENCH_PORTABLE_CLI"); }
};

bool haveMpi() {
  return std::system("command -v mpirun > /dev/null") == 0;
}

/// The calls of all ranks are in a trace, as those of ranks here are.
void expectRanksSideBySide(const std::string& path) {
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(text, HasSubstr("clocks compared by exchanges of messages: within "));
  const json trace = json::parse(text);
  std::map<std::string, int> launches;
  std::map<std::int64_t, std::string> names;
  for (const json& event : trace["traceEvents"])
    if (event.value("name", "") == "process_name")
      names[event["pid"].get<std::int64_t>()] = event["args"]["name"];
  for (const json& event : trace["traceEvents"])
    if (event.value("ph", "") == "X" && event.value("cat", "") == "kernel")
      ++launches[names[event["pid"].get<std::int64_t>()]];
  for (const char* process : {"rank 0, eager", "rank 1, eager", "rank 0, static", "rank 1, static"})
    EXPECT_GE(launches[process], 10) << process << " made ten calls";
  EXPECT_EQ(launches["rank 0, eager"], launches["rank 1, eager"]);
}

/// Processes whose command line has all of these words, wherever they were started.
std::vector<pid_t> processesOf(const std::vector<std::string>& words) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string command = ofProcess(static_cast<pid_t>(std::stol(name)), "cmdline");
    if (std::ranges::all_of(words, [&](const std::string& word) {
          return command.find(word) != std::string::npos;
        }))
      found.push_back(static_cast<pid_t>(std::stol(name)));
  }
  std::ranges::sort(found);
  return found;
}

/// Kills one of the ranks that a run has on a target, where its program is in `folder`. The run
/// must name this rank, and none of its processes may remain there. `out`: the file that the run is
/// written to, in which the first samples are awaited before the rank is killed.
void expectAKilledRankIsNamed(Child& child, const std::string& folder, const std::string& out) {
  const auto ranks = [&] {
    auto found = processesOf({folder, "--rank"});
    std::erase_if(found, [&](pid_t pid) {  // neither mpirun nor the shells around it
      std::error_code none;
      return std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", none)
                 .string()
                 .find(folder) == std::string::npos;
    });
    std::erase_if(found, [&](pid_t pid) {  // nor the one that hosts them
      return ofProcess(pid, "cmdline").find("--ranks") != std::string::npos;
    });
    return found;
  };
  const auto within = [](int seconds, const std::function<bool()>& holds) {
    for (int tick = 0; tick < seconds * 20 && !holds(); ++tick)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return holds();
  };
  ASSERT_TRUE(within(90, [&] { return ranks().size() == 2; })) << child.err();
  ASSERT_TRUE(within(60, [&] {  // they measure
    const std::string text{std::istreambuf_iterator<char>(std::ifstream(out + ".part").rdbuf()),
                           {}};
    return text.find(R"("record":"samples")") != std::string::npos;
  })) << child.err();
  const std::vector<pid_t> all = ranks();
  ASSERT_EQ(all.size(), 2u);
  const auto since = std::chrono::steady_clock::now();
  ::kill(all.back(), SIGKILL);
  EXPECT_TRUE(within(10, [&] {
    return std::ranges::none_of(all, [](pid_t pid) { return ::kill(pid, 0) == 0; });
  })) << "the other rank goes on";
  child.wait();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
  EXPECT_LT(seconds, 40);
  const std::string said = child.err() + child.out();
  EXPECT_THAT(said, HasSubstr(" of 2 (process " + std::to_string(all.back()) + ")"));
  EXPECT_THAT(said, HasSubstr("signal 9 (Killed)"));
  EXPECT_TRUE(within(5, [&] { return processesOf({folder}).empty(); }))
      << processesOf({folder}).size() << " processes are left there";
}

TEST(SshTargets, BringTheRecordingsOfAllRanks) {
  if (!haveMpi()) GTEST_SKIP() << "no mpirun here: apt-get install openmpi-bin";
  const OwnProgramThere program;
  const LoopbackSsh server;
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  const TemporaryFolder folder;
  const std::string trace = folder.path("trace.json");
  const Ended ended = runCli({"run", writeRanks(folder, 1), "--quick", "--json", "--target",
                              server.target(), "--install", "--trace", trace});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out);
  for (const json& cell : result["cells"]) EXPECT_EQ(cell["ranks_ns"].size(), 2u) << cell;
  expectRanksSideBySide(trace);
}

TEST(SshTargets, NameARankThatIsKilledThereAndKeepNothingRunning) {
  if (!haveMpi()) GTEST_SKIP() << "no mpirun here: apt-get install openmpi-bin";
  const OwnProgramThere program;
  const LoopbackSsh server;
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  const TemporaryFolder folder;
  const std::string out = folder.path("run.jsonl");
  Child child({"run", writeRanks(folder, 20), "--json", "--target", server.target(), "--install",
               "--out", out});
  expectAKilledRankIsNamed(child, server.dataFolder(), out);
}

TEST(SshTargets, MeasureAsThisMachineDoes) {
  const LoopbackSsh server;
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  const TemporaryFolder folder;
  const std::string experiment = writeExperiment(folder), out = folder.path("run.jsonl"),
                    trace = folder.path("trace.json");
  const Ended ended = runCli({"run", experiment, "--quick", "--json", "--target", server.target(),
                              "--install", "--out", out, "--trace", trace});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out);
  ASSERT_EQ(result["cells"].size(), 2u);
  for (const json& cell : result["cells"]) EXPECT_GT(cell["samples"], 0) << cell;
  EXPECT_EQ(result["environment"]["target"]["name"], server.target());
  EXPECT_TRUE(std::filesystem::exists(out));
  // Recorded there, written here.
  std::ifstream file(trace);
  EXPECT_GT(json::parse(file)["traceEvents"].size(), 4u);
  // The program is there now, once, and nothing else.
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(server.dataFolder()))
    files += entry.is_regular_file();
  EXPECT_EQ(files, 1);
  const Ended again = runCli({"devices", "--json", "--target", server.target()});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(json::parse(again.out)["devices"][0]["name"], "cpu");
}

TEST(SshTargets, AreGivenTheProgramOnlyIfThatIsWanted) {
  const LoopbackSsh server;
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  const TemporaryFolder folder;
  const Ended ended =
      runCli({"run", writeExperiment(folder), "--quick", "--target", server.target()});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("is not installed there"), HasSubstr("--install")));
  EXPECT_TRUE(std::filesystem::is_empty(server.dataFolder()));
}

TEST(SshTargets, MayGreetWithABanner) {
  const TemporaryFolder folder;
  const LoopbackSsh server(R"(echo 'Welcome to node7'; echo '{"id": 1, "ok": {}}')");
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  const Ended ended = runCli({"run", writeExperiment(folder), "--quick", "--json", "--target",
                              server.target(), "--install"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_GT(json::parse(ended.out)["cells"][0]["samples"], 0);
}

TEST(SshTargets, ThatHaveNoRoomKeepNothingOfTheProgram) {
  const TemporaryFolder folder;
  const LoopbackSsh server("ulimit -f 100");
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  const Ended ended =
      runCli({"run", writeExperiment(folder), "--quick", "--target", server.target(), "--install"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("the program cannot be copied to"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(server.dataFolder()))
    EXPECT_FALSE(entry.is_regular_file()) << entry.path();
}

TEST(SshTargets, ThatHaveADamagedProgramGetItAnew) {
  const LoopbackSsh server;
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  ASSERT_EQ(runCli({"devices", "--target", server.target(), "--install"}).code, 0);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(server.dataFolder()))
    if (entry.is_regular_file()) std::ofstream(entry.path()) << "#!/bin/sh\necho old\n";
  const Ended refused = runCli({"devices", "--target", server.target()});
  EXPECT_EQ(refused.code, 2);
  const Ended ended = runCli({"devices", "--target", server.target(), "--install"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, AllOf(HasSubstr("cpu"), Not(HasSubstr("old"))));
}

TEST(SshTargets, WhoseConnectionIsCutCostAWorkerAndNotTheRun) {
  const LoopbackSsh server;
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  const TemporaryFolder folder;
  ASSERT_EQ(runCli({"devices", "--target", server.target(), "--install"}).code, 0);
  const std::string out = folder.path("run.jsonl");
  Child child(
      {"run", writeExperiment(folder, 8), "--json", "--target", server.target(), "--out", out});
  // The file begins when the worker has greeted.
  std::error_code ignored;
  for (int attempt = 0; attempt < 600; ++attempt) {
    if (std::filesystem::file_size(out + ".part", ignored) > 0 && !ignored) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  server.cutConnections();
  EXPECT_EQ(child.wait(), 0) << child.err();
  EXPECT_THAT(child.err(), HasSubstr("was lost"));
  const json result = json::parse(child.out());
  for (const json& cell : result["cells"]) EXPECT_GT(cell["samples"], 0);
}

TEST(SshTargets, ThatCannotBeReachedSayWhatHelps) {
  const LoopbackSsh server;
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  const TemporaryFolder folder;
  const Ended ended =
      runCli({"run", writeExperiment(folder), "--quick", "--target", "ssh:127.0.0.1:1"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("cannot be reached"), HasSubstr("ssh -p 1 127.0.0.1")));
}

TEST(SshTargets, AreComparedWithThisMachine) {
  const LoopbackSsh server;
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  const TemporaryFolder folder;
  const std::string out = folder.path("run.jsonl");
  const Ended ended = runCli({"run", writeExperiment(folder), "--quick", "--target", "here",
                              "--target", server.target(), "--install", "--out", out});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("== here =="), HasSubstr("Side by side"),
                               HasSubstr(server.target() + " ")));
  EXPECT_TRUE(std::filesystem::exists(folder.path("run-here.jsonl")));
}

TEST(SlurmTargets, MeasureInOneAllocationAndGiveItBack) {
  const LoopbackSlurm cluster;
  if (!cluster.problem().empty()) GTEST_SKIP() << cluster.problem();
  const TemporaryFolder folder;
  const std::string data = folder.path("data");
  setenv("XDG_DATA_HOME", data.c_str(), 1);
  const Ended ended = runCli(
      {"run", writeExperiment(folder), "--quick", "--json", "--target", "slurm:main", "--install"});
  unsetenv("XDG_DATA_HOME");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out);
  for (const json& cell : result["cells"]) EXPECT_GT(cell["samples"], 0) << cell;
  EXPECT_GE(result["environment"]["target"]["queue_seconds"], 0);
  for (int attempt = 0; attempt < 100 && !LoopbackSlurm::jobs().empty(); ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(LoopbackSlurm::jobs(), "");
  const Ended wrong =
      runCli({"run", writeExperiment(folder), "--quick", "--target", "slurm:nosuch", "--install"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("Slurm did not grant an allocation"));
}

TEST(SlurmTargets, BringTheRecordingsOfAllRanks) {
  if (!haveMpi()) GTEST_SKIP() << "no mpirun here: apt-get install openmpi-bin";
  const OwnProgramThere program;
  const LoopbackSlurm cluster;
  if (!cluster.problem().empty()) GTEST_SKIP() << cluster.problem();
  const TemporaryFolder folder;
  const std::string data = folder.path("data"), trace = folder.path("trace.json");
  setenv("XDG_DATA_HOME", data.c_str(), 1);
  const Ended ended = runCli({"run", writeRanks(folder, 1), "--quick", "--json", "--target",
                              "slurm:main", "--install", "--trace", trace});
  unsetenv("XDG_DATA_HOME");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out);
  for (const json& cell : result["cells"]) EXPECT_EQ(cell["ranks_ns"].size(), 2u) << cell;
  expectRanksSideBySide(trace);
}

TEST(SlurmTargets, NameARankThatIsKilledThereAndKeepNothingRunning) {
  if (!haveMpi()) GTEST_SKIP() << "no mpirun here: apt-get install openmpi-bin";
  const OwnProgramThere program;
  const LoopbackSlurm cluster;
  if (!cluster.problem().empty()) GTEST_SKIP() << cluster.problem();
  const TemporaryFolder folder;
  const std::string data = folder.path("data");
  setenv("XDG_DATA_HOME", data.c_str(), 1);
  const std::string out = folder.path("run.jsonl");
  Child child({"run", writeRanks(folder, 20), "--json", "--target", "slurm:main", "--install",
               "--out", out});
  expectAKilledRankIsNamed(child, data, out);
  unsetenv("XDG_DATA_HOME");
}

TEST(SlurmTargets, WhoseJobIsTakenAwayKeepWhatWasMeasuredAndEndWithinSeconds) {
  const LoopbackSlurm cluster;
  if (!cluster.problem().empty()) GTEST_SKIP() << cluster.problem();
  const TemporaryFolder folder;
  const std::string data = folder.path("data"), out = folder.path("run.jsonl");
  setenv("XDG_DATA_HOME", data.c_str(), 1);
  Child child({"run", writeExperiment(folder, 600), "--json", "--target", "slurm:main", "--install",
               "--out", out});
  const auto isMeasured = [&] {
    std::ifstream part(out + ".part");
    const std::string text{std::istreambuf_iterator<char>(part), {}};
    std::size_t samples = 0, at = 0;
    while ((at = text.find(R"("record":"samples")", at + 1)) != std::string::npos) ++samples;
    return samples >= 2;
  };
  for (int attempt = 0; attempt < 900 && !isMeasured(); ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ASSERT_TRUE(isMeasured()) << child.err();
  ASSERT_EQ(std::system("scancel --partition=main"), 0);
  EXPECT_EQ(child.wait(), 1);
  unsetenv("XDG_DATA_HOME");
  const json result = json::parse(child.out());
  for (const json& cell : result["cells"]) {
    EXPECT_GT(cell["samples"], 0) << cell;
    EXPECT_FALSE(cell["error"].is_null()) << cell;
  }
  EXPECT_THAT(child.err(), HasSubstr("was lost"));
  EXPECT_EQ(LoopbackSlurm::jobs(), "");
}

}  // namespace
}  // namespace fusebench
