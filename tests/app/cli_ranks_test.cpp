// SPDX-License-Identifier: GPL-3.0-or-later
// Several ranks, started with a real mpirun: what one measures, and what becomes of the rest when
// one of them ends or stops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kRanksExperiment = R"json({"fusebench": "experiment", "version": 2,
  "title": "Ranks",
  "program": ["class Net(nn.Module):", "    def __init__(self):", "        super().__init__()",
              "        self.layer = nn.Linear(6, 4)",
              "    def forward(self, x, target):",
              "        return F.mse_loss(F.relu(self.layer(x)), target)"],
  "inputs": [{"name": "all", "count": 2, "tensors": [{"name": "x", "extents": [8, 6]},
                                         {"name": "target", "extents": [8, 4]}]}],
  "variants": [{"name": "eager", "executor": "eager", "gradients": true},
               {"name": "static", "executor": "static", "gradients": true, "buckets": "each",
                "overlap": true},
               {"name": "weak", "executor": "instant", "gradients": true, "scaling": "weak"}],
  "baseline": "eager", "axes": [{"name": "ranks", "values": [1, 2]}],
  "measure": {"budgetSeconds": SECONDS, "minimumSamples": 6, "maximumSamples": 12, "sessions": 1,
              "compileRepeats": 0}})json";

class CliRanks : public testing::TestWithParam<const char*> {
 protected:
  CliRanks() { setenv("FUSEBENCH_MPIRUN", GetParam(), 1); }
  ~CliRanks() override { unsetenv("FUSEBENCH_MPIRUN"); }
  void SetUp() override {
    if (std::system((std::string("command -v ") + GetParam() + " > /dev/null").c_str()) != 0)
      GTEST_SKIP() << GetParam() << " is not installed";
  }
  /// `toTheEnd`: the experiment samples until its time is up.
  std::string experiment(const std::string& seconds, bool toTheEnd = false) {
    std::string text = kRanksExperiment;
    const std::string few = "\"minimumSamples\": 6, \"maximumSamples\": 12";
    if (toTheEnd)
      text.replace(text.find(few), few.size(),
                   "\"minimumSamples\": 5000, \"maximumSamples\": 5000");
    text.replace(text.find("SECONDS"), 7, seconds);
    const std::string path = folder_.path("ranks.json");
    std::ofstream(path) << text;
    return path;
  }
  /// The same with its first variant alone.
  std::string oneVariant(const std::string& seconds, bool toTheEnd = false) {
    const std::string path = experiment(seconds, toTheEnd);
    json one = json::parse(std::ifstream(path));
    one["variants"] = json::array({one["variants"][0]});
    std::ofstream(path) << one;
    return path;
  }
  /// Where the run is written.
  std::string out() const { return folder_.path("run.jsonl"); }
  TemporaryFolder folder_;
};

/// All that descend from a process, itself left out.
std::vector<pid_t> descendantsOf(pid_t pid) {
  std::vector<pid_t> all;
  for (const pid_t child : childrenOf(pid)) {
    all.push_back(child);
    for (const pid_t each : descendantsOf(child)) all.push_back(each);
  }
  return all;
}

std::string commandOfProcess(pid_t pid) {
  std::string text = ofProcess(pid, "cmdline");
  std::ranges::replace(text, '\0', ' ');
  return text;
}

std::vector<pid_t> ranksUnder(pid_t pid) {
  std::vector<pid_t> ranks;
  for (const pid_t each : descendantsOf(pid))
    if (commandOfProcess(each).find("--rank ") != std::string::npos &&
        commandOfProcess(each).find("mpi") == std::string::npos)
      ranks.push_back(each);
  return ranks;
}

template <class Holds>
bool holdsWithin(int seconds, const Holds& holds) {
  for (int tick = 0; tick < seconds * 50; ++tick) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return holds();
}

/// Whether samples of a run that is under way were written: its ranks measure.
bool isMeasured(const std::string& out) {
  const std::string text{std::istreambuf_iterator<char>(std::ifstream(out + ".part").rdbuf()), {}};
  return text.find(R"("record":"samples")") != std::string::npos;
}

bool rankIsGone(pid_t pid) {
  const std::string text = ofProcess(pid, "stat");
  return text.empty() || text.find(") Z ") != std::string::npos;
}

TEST_P(CliRanks, MeasureTheSlowestOnesTimeAndAgreeWithTheWholeBatch) {
  const Ended ended = runCli({"run", experiment("100"), "--quick", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out);
  ASSERT_EQ(result["cells"].size(), 6u);
  for (const json& cell : result["cells"]) {
    SCOPED_TRACE(cell.dump());
    EXPECT_TRUE(cell["error"].is_null());
    EXPECT_GT(cell["samples"].get<int>(), 0);
    EXPECT_LT(cell["rel_error"].get<double>(), 1e-5);
    const int ranks = cell["at"][0].get<int>();
    EXPECT_EQ(cell["ranks"].get<int>(), ranks);
    if (ranks == 1) {
      EXPECT_TRUE(cell["ranks_ns"].is_null());
      continue;
    }
    ASSERT_EQ(cell["ranks_ns"].size(), 2u);
    for (const json& each : cell["ranks_ns"])
      EXPECT_LE(each.get<double>(), 1.0001 * cell["latency_ns"].get<double>() + 1e6);
  }
  EXPECT_EQ(result["scaling"].size(), 3u);
  EXPECT_EQ(result["environment"]["ranks 2"]["ranks"]["count"], 2);
}

TEST_P(CliRanks, StandSideBySideInATraceOnOneClock) {
  const std::string trace = folder_.path("trace.json");
  const Ended ended = runCli({"run", experiment("0.5"), "--quick", "--trace", trace});
  ASSERT_EQ(ended.code, 0) << ended.err;
  std::ifstream file(trace);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const json written = json::parse(text);
  // Clocks are compared as well as the machine lets them be: what is stated is allowed.
  const std::string before = "clocks compared by exchanges of messages: within ";
  const std::size_t said = text.find(before);
  ASSERT_NE(said, std::string::npos);
  const std::string stated = text.substr(said + before.size(), 12);
  std::size_t digits = 0;
  double within = std::stod(stated, &digits);  // microseconds
  if (stated.find("ns", digits) != std::string::npos) within *= 1e-3;
  if (stated.find("ms", digits) != std::string::npos) within *= 1e3;
  std::map<std::int64_t, std::string> names;
  for (const json& event : written["traceEvents"])
    if (event.value("name", "") == "process_name")
      names[event["pid"].get<std::int64_t>()] = event["args"]["name"];
  std::map<std::string, std::vector<std::pair<double, double>>> waits;  // by process
  for (const json& event : written["traceEvents"])
    if (event.value("ph", "") == "X" && event.value("name", "") == "wait_gradients" &&
        event.value("cat", "") == "kernel")
      waits[names[event["pid"].get<std::int64_t>()]].emplace_back(
          event["ts"].get<double>(), event["ts"].get<double>() + event["dur"].get<double>());
  for (const char* variant : {"eager", "static", "weak"}) {
    const auto& first = waits[std::string("rank 0, ") + variant];
    const auto& second = waits[std::string("rank 1, ") + variant];
    ASSERT_EQ(first.size(), 10u) << variant;
    ASSERT_EQ(second.size(), 10u) << variant;
    // No rank has the other's gradients before the other one has begun with its call.
    for (std::size_t k = 1; k < first.size(); ++k) {
      EXPECT_LT(first[k - 1].first, second[k].second + within) << variant;
      EXPECT_LT(second[k - 1].first, first[k].second + within) << variant;
    }
  }
}

TEST_P(CliRanks, OfPyTorchAverageGradientsAsOursDo) {
  if (std::string(GetParam()) != "mpirun.openmpi") GTEST_SKIP() << "seconds; one kind tells";
  if (std::system("/usr/bin/python3 -c 'import torch' > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no torch for /usr/bin/python3: apt-get install python3-torch";
  std::string text = kRanksExperiment;
  text.replace(text.find("SECONDS"), 7, "3");
  const std::string first = R"({"name": "eager", "executor": "eager", "gradients": true},)";
  text.replace(text.find(first), first.size(),
               first + R"({"name": "torch", "executor": "torch", "gradients": true},
                          {"name": "in pieces", "executor": "torch", "gradients": true,
                           "buckets": "each"},)");
  std::ofstream(folder_.path("ranks.json")) << text;
  const Ended ended = runCli(
      {"run", folder_.path("ranks.json"), "--quick", "--json", "--python", "/usr/bin/python3"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out);
  int several = 0;
  for (const json& cell : result["cells"]) {
    SCOPED_TRACE(cell.dump());
    EXPECT_TRUE(cell["error"].is_null());
    EXPECT_LT(cell["rel_error"].get<double>(), 1e-5) << "of the whole batch, not of a rank's part";
    if (cell["at"][0] == 1) continue;
    EXPECT_EQ(cell["ranks_ns"].size(), 2u);
    several += cell["variant"] == "torch" || cell["variant"] == "in pieces" ? 1 : 0;
  }
  EXPECT_EQ(several, 2);
  EXPECT_EQ(result["environment"]["torch ranks 2"]["ranks"]["count"], 2);
}

TEST_P(CliRanks, ARankThatIsKilledEndsItsCellWithItsNameAndNothingIsLeft) {
  Child child({"run", experiment("6", /*toTheEnd=*/true), "--json", "--out", out()});
  std::vector<pid_t> ranks;
  ASSERT_TRUE(holdsWithin(30, [&] { return (ranks = ranksUnder(child.pid())).size() == 2; }));
  ASSERT_TRUE(holdsWithin(60, [&] { return isMeasured(out()); }));
  const std::vector<pid_t> all = descendantsOf(child.pid());
  ::kill(ranks.back(), SIGKILL);
  ASSERT_TRUE(holdsWithin(20, [&] { return rankIsGone(ranks.front()); }))
      << "the other rank goes on";
  const int code = child.wait();
  const std::string said = child.err() + child.out();
  // Where the machine is slow it still was at the cell's check: that is all that is lost then.
  EXPECT_TRUE(code == 1 || said.find("could not be checked: rank ") != std::string::npos) << said;
  // Which rank has which process is for mpirun to say.
  EXPECT_THAT(said, AllOf(HasSubstr(" of 2 (process " + std::to_string(ranks.back()) + ")"),
                          HasSubstr("signal 9 (Killed)")));
  for (const pid_t each : all)
    EXPECT_TRUE(holdsWithin(5, [&] { return rankIsGone(each); })) << each;
}

/// The process that hosts the ranks is stopped until mpirun has terminated the other rank as well.
TEST_P(CliRanks, OfRanksThatAreGoneTheFirstToEndIsNamed) {
  for (const bool last : {false, true}) {
    std::filesystem::remove(out() + ".part");
    std::filesystem::remove(out());
    Child child({"run", experiment("6", /*toTheEnd=*/true), "--json", "--out", out()});
    std::vector<pid_t> ranks;
    ASSERT_TRUE(holdsWithin(30, [&] { return (ranks = ranksUnder(child.pid())).size() == 2; }));
    ASSERT_TRUE(holdsWithin(60, [&] { return isMeasured(out()); }));
    const std::vector<pid_t> all = descendantsOf(child.pid());
    const auto host = std::ranges::find_if(all, [](pid_t each) {
      return commandOfProcess(each).find("--ranks") != std::string::npos;
    });
    ASSERT_NE(host, all.end());
    ::kill(*host, SIGSTOP);
    const pid_t killed = last ? ranks.back() : ranks.front();
    ::kill(killed, SIGKILL);
    EXPECT_TRUE(holdsWithin(20, [&] { return rankIsGone(ranks.front()); }));
    EXPECT_TRUE(holdsWithin(20, [&] { return rankIsGone(ranks.back()); }));
    ::kill(*host, SIGCONT);
    child.wait();
    EXPECT_THAT(child.err() + child.out(),
                AllOf(HasSubstr(" of 2 (process " + std::to_string(killed) + ")"),
                      HasSubstr("signal 9 (Killed)")));
  }
}

TEST_P(CliRanks, ARankThatStandsStillIsNamedAndEnded) {
  if (std::string(GetParam()) != "mpirun.openmpi") GTEST_SKIP() << "seconds; one kind tells";
  Child child({"run", experiment("6", /*toTheEnd=*/true), "--json", "--out", out()});
  std::vector<pid_t> ranks;
  ASSERT_TRUE(holdsWithin(30, [&] { return (ranks = ranksUnder(child.pid())).size() == 2; }));
  ASSERT_TRUE(holdsWithin(60, [&] { return isMeasured(out()); }));
  ::kill(ranks.back(), SIGSTOP);
  EXPECT_TRUE(
      holdsWithin(20, [&] { return rankIsGone(ranks.back()) && rankIsGone(ranks.front()); }));
  const int code = child.wait();
  const std::string said = child.err() + child.out();
  EXPECT_TRUE(code == 1 || said.find("could not be checked: rank 1 of 2") != std::string::npos)
      << said;
  EXPECT_THAT(said, AllOf(HasSubstr("rank 1 of 2"), HasSubstr("it hangs or is stopped")));
}

/// An mpirun whose rank 1 is a program that comes late.
class CliLateRanks : public CliRanks {
 protected:
  void startLate(const std::string& where) {
    const std::string path = folder_.path("mpirun");
    std::ofstream(path) << "#!/bin/bash\nbefore=()\n"
                           "while [ $# -gt 0 ] && [ \"$1\" != " +
                               std::string(fusebench::test::cliPath()) +
                               " ]; do before+=(\"$1\"); shift; done\n"
                               "[ $# -gt 0 ] || exec "
                        << GetParam()
                        << " \"${before[@]}\"\n"
                           "exec "
                        << GetParam()
                        << " \"${before[@]}\" sh -c 'rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; "
                           "[ \"$rank\" != 1 ] || exec " +
                               std::string(fusebench::test::lateRankPath()) + " "
                        << where << " \"$@\"; exec \"$0\" \"$@\"' \"$@\"\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    setenv("FUSEBENCH_MPIRUN", path.c_str(), 1);
  }
  /// Checks the result: only points with two ranks may fail, and their errors must give the reason.
  static void expectTheRest(Child& child, const std::chrono::steady_clock::time_point since) {
    EXPECT_EQ(child.wait(), 1);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
    EXPECT_LT(seconds, 60) << "late after 10 s, found out within seconds, twice at most";
    const json result = json::parse(child.out());
    int late = 0;
    for (const json& cell : result["cells"]) {
      SCOPED_TRACE(cell.dump());
      if (cell["at"][0] == 1) {
        EXPECT_TRUE(cell["error"].is_null());
        EXPECT_GE(cell["samples"].get<int>(), 6);
        continue;
      }
      if (cell["error"].is_null()) continue;
      ++late;
      EXPECT_THAT(cell["error"].get<std::string>(),
                  AllOf(HasSubstr("rank 1 of 2"), HasSubstr("is late")));
    }
    EXPECT_GE(late, 1);
  }
};

TEST_P(CliLateRanks, ThatSleepInAnExchangeEndTheirCellWithTheirNameAndTheRestStands) {
  startLate("exchange");
  const auto since = std::chrono::steady_clock::now();
  Child child({"run", oneVariant("2"), "--json"});
  expectTheRest(child, since);
}

TEST_P(CliLateRanks, ThatDoNotAnswerEndTheirCellWithTheirNameAndTheRestStands) {
  startLate("signal");
  const auto since = std::chrono::steady_clock::now();
  Child child({"run", oneVariant("6", /*toTheEnd=*/true), "--json", "--out", out()});
  std::vector<pid_t> ranks;
  ASSERT_TRUE(holdsWithin(30, [&] { return (ranks = ranksUnder(child.pid())).size() == 2; }));
  ASSERT_TRUE(holdsWithin(60, [&] { return isMeasured(out()); }));
  const auto late = std::ranges::find_if(ranks, [](pid_t each) {
    return commandOfProcess(each).find(fusebench::test::lateRankPath()) != std::string::npos;
  });
  ASSERT_NE(late, ranks.end());
  // Its first thread, which is the one that measures.
  ASSERT_EQ(::syscall(SYS_tgkill, *late, *late, SIGUSR1), 0);
  expectTheRest(child, since);
  for (const pid_t each : ranks)
    EXPECT_TRUE(holdsWithin(5, [&] { return rankIsGone(each); })) << each;
}

INSTANTIATE_TEST_SUITE_P(Mpi, CliLateRanks, testing::Values("mpirun.openmpi"),
                         [](const auto& each) { return std::string(each.param).substr(7); });

INSTANTIATE_TEST_SUITE_P(Mpi, CliRanks, testing::Values("mpirun.openmpi", "mpirun.mpich"),
                         [](const auto& each) { return std::string(each.param).substr(7); });

TEST(CliRanksWithoutMpi, SayWhatIsMissingAndLeaveTheOtherCells) {
  setenv("FUSEBENCH_MPIRUN", "no-such-mpirun", 1);
  TemporaryFolder folder;
  std::string text = kRanksExperiment;
  text.replace(text.find("SECONDS"), 7, "0.5");
  std::ofstream(folder.path("ranks.json")) << text;
  const Ended ended = runCli({"run", folder.path("ranks.json"), "--quick", "--json"});
  unsetenv("FUSEBENCH_MPIRUN");
  const json result = json::parse(ended.out);
  for (const json& cell : result["cells"]) {
    if (cell["at"][0] == 1) {
      EXPECT_TRUE(cell["error"].is_null());
      continue;
    }
    EXPECT_EQ(cell["stop"], "unavailable");
    EXPECT_THAT(cell["error"].get<std::string>(),
                AllOf(HasSubstr("2 ranks need MPI"), HasSubstr("install openmpi-bin or mpich")));
  }
}

}  // namespace
}  // namespace fusebench
